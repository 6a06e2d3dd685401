"""What an editor is told of its drafts. Values only; times are seconds since the epoch."""

from typing import Literal, TypeAlias

import msgspec

from ..ledger.model import Edit, Kind
from .diff import Hunk

PREFIX = "library:///.draft/"
"""How the address of a draft begins; its id follows. The folder would be hidden, so no document stands there."""

DraftState: TypeAlias = Literal["open", "outdated", "published", "rejected", "withdrawn"]
"""As the ledger has it, but that an open draft is outdated when its document is not any more what it was made against."""

DraftEdit: TypeAlias = Edit
"""One splice: `old`, which occurs exactly once in the document, becomes `new`."""


Reason: TypeAlias = Literal["", "changed", "gone", "taken", "not_served", "undone"]
"""Why a draft is outdated: its document has changed, is gone or is served no more, or something stands at its new path by
now. Of a published one: that the publication was undone."""


class Candidate(msgspec.Struct, frozen=True):
    """A place in the base text that an edit may have meant: its line, what stands there, and which edit, from 1."""

    line: int
    text: str
    edit: int = 0


class DraftInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A draft without its text. `base_revision` is "" of a create, `to` but of a rename; `comment` is the operator's.

    `changed` is when it was last written or decided on.
    """

    id: str
    uri: str
    kind: Kind
    path: str
    to: str
    base_revision: str
    draft_revision: int
    state: DraftState
    note: str
    comment: str
    created: float
    changed: float
    reason: Reason = ""


class DraftAnswer(msgspec.Struct, frozen=True):
    """What was kept; `replayed` when the operation had been carried out before, and this was its answer then.

    `now` is the draft as it is by the time of a replay, None where that cannot be told.
    """

    draft: DraftInfo
    replayed: bool = False
    now: DraftInfo | None = None


class DraftView(msgspec.Struct, frozen=True):
    """A draft with its change: `hunks` of lines against the base, and the same as a unified diff.

    `content` is the whole text proposed, None of a rename or delete. Nothing is shown of a base that is not served any more:
    `diff` is None then. `guessed` is the encoding in which an edit is written where nothing in the document tells it, or "".
    """

    draft: DraftInfo
    hunks: tuple[Hunk, ...]
    diff: str | None
    content: str | None
    guessed: str = ""


class DraftPage(msgspec.Struct, frozen=True):
    """Drafts in the order of their list; `next` is what to go on after, or None at the end."""

    items: tuple[DraftInfo, ...]
    next: str | None
