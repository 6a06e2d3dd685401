"""What the pages say of drafts and decisions: the operator's values, in the words and the layout of a page. Pure."""

from typing import TYPE_CHECKING

import msgspec

from ...library.drafts.diff import hunks
from ...library.rules import format_of
from ..revealing import revealed_path
from .approvals import field_of
from .pairs import Layout, laid_out
from .rendering import FORMATS

if TYPE_CHECKING:
    from ...library.ledger import Decision
    from ...library.operator import PastUs, Shown, ShownUndo

KINDS = {"create": "new file", "replace": "new text", "edit": "edit", "rename": "rename", "delete": "delete"}
DID = {
    "publish": "published",
    "reject": "rejected",
    "undo": "undone",
    "set": "passphrase set",
    "reset": "passphrase reset",
    "accept": "folder accepted",
}
READ_FIRST = "Read what is marked in yellow, and say so with the tick below."
_UNDOING = {
    "create": "The file comes back.",
    "delete": "The file is deleted: the decision made it.",
    "rename": "The file gets its old name back.",
    "replace": "The file becomes what it was before.",
}


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A draft as a page shows it. `kind` names its style and `kind_text` says it; `previews` are sides with their titles."""

    id: str
    kind: str
    kind_text: str
    path: str
    to: str
    principal: str
    note: str
    comment: str
    state: str
    revision: int
    changed: float
    outdated: tuple[str, ...]
    warnings: tuple[str, ...]
    layout: Layout
    without_rows: str
    previews: tuple[tuple[str, str], ...]
    approval: str
    is_ticked: bool = True

    @property
    def is_open(self) -> bool:
        """Whether it still waits for a decision."""
        return self.state == "open"

    @property
    def is_outdated(self) -> bool:
        """Whether it cannot be published as the folder is now."""
        return bool(self.outdated)

    @property
    def must_be_read(self) -> bool:
        """Whether publishing it asks for one more tick: there are warnings, or the page does not show all of it."""
        return bool(self.warnings) or not self.layout.is_whole


def change_of(shown: "Shown", *, is_ticked: bool = True) -> Change:
    """Give a draft as a page shows it."""
    draft = shown.draft
    layout = laid_out(shown.hunks)
    return Change(
        id=draft.id,
        kind=draft.kind,
        kind_text=KINDS.get(draft.kind, draft.kind),
        path=draft.path,
        to=draft.to,
        principal=draft.principal,
        note=draft.note,
        comment=draft.comment,
        state=draft.state,
        revision=draft.revision,
        changed=draft.changed,
        outdated=shown.outdated,
        warnings=shown.warnings,
        layout=layout,
        without_rows="" if layout.stretches else _without_rows(shown),
        previews=_previews(shown),
        approval=field_of(shown.approval),
        is_ticked=is_ticked,
    )


def _without_rows(shown: "Shown") -> str:
    """Say why there is no line to show."""
    if shown.draft.kind == "rename":
        return "The file moves; not a byte of it changes."
    if shown.before is None and shown.after is None:
        return "What the file holds is no text, so that no lines can be shown."
    return "No line changes."


def _previews(shown: "Shown") -> tuple[tuple[str, str], ...]:
    if shown.draft.kind == "rename" or not is_rendered(shown.draft.path):
        return ()
    sides = (("before", "Before", shown.before), ("after", "After", shown.after))
    return tuple((side, title) for side, title, text in sides if text)


def is_rendered(path: str) -> bool:
    """Whether there is a preview of documents of this format."""
    return format_of(path) in FORMATS


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as the history shows it."""

    number: int
    at: float
    kind: str
    did: str
    operator: str
    principal: str
    path: str
    to: str
    draft: str
    draft_revision: int
    comment: str
    before: str | None
    after: str | None
    undoes: int | None


def line_of(decision: "Decision") -> Line:
    """Give a decision as the history shows it."""
    return Line(
        number=decision.number,
        at=decision.at,
        kind=decision.kind,
        did=DID[decision.kind],
        operator=decision.operator,
        principal=decision.principal,
        path=decision.path,
        to=decision.to,
        draft=decision.draft,
        draft_revision=decision.draft_revision,
        comment=decision.comment,
        before=decision.before,
        after=decision.after,
        undoes=decision.undoes,
    )


def became(decision: "Decision") -> str:
    """What has become of the file of a decision, to stand after its name."""
    if decision.kind == "reject":
        return "is rejected"
    if decision.to:
        return f"is now {revealed_path(decision.to)}"
    if decision.after is None:
        return "is deleted"
    return "is published" if decision.kind == "publish" else f"is as it was before decision {decision.undoes}"


class Undoing(msgspec.Struct, frozen=True, kw_only=True):
    """What undoing a decision changes, as a page shows it, and what that decision changed: the same the other way round.

    `text` says what becomes of the file, "" when the decision changed none; `against` why it could not be undone now.
    """

    text: str
    against: tuple[str, ...]
    warnings: tuple[str, ...]
    is_text: bool
    layout: Layout
    done: Layout

    @property
    def must_be_read(self) -> bool:
        """Whether undoing it asks for one more tick: there are warnings, or the page does not show all of it."""
        return bool(self.warnings) or not self.is_text or not self.layout.is_whole


def undoing_of(shown: "ShownUndo") -> Undoing:
    """Give what undoing a decision changes as a page shows it."""
    return Undoing(
        text="" if shown.kind is None else _UNDOING[shown.kind],
        against=shown.against,
        warnings=shown.warnings,
        is_text=shown.is_text,
        layout=laid_out(shown.hunks),
        done=laid_out(hunks(shown.after or "", shown.before or "")) if shown.is_text else Layout(),
    )


class PastFile(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in a file past Reading Room, as a page shows it; `text` says why there is no difference, or is ""."""

    path: str
    before: str | None
    after: str | None
    warnings: tuple[str, ...]
    layout: Layout
    text: str


def past_file_of(shown: "PastUs") -> PastFile:
    """Give what changed in a file past Reading Room as a page shows it."""
    fault = shown.fault
    return PastFile(
        path=fault.path,
        before=fault.expected,
        after=fault.found,
        warnings=shown.warnings,
        layout=laid_out(shown.hunks),
        text=shown.text,
    )
