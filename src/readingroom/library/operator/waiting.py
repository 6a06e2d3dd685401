"""What waits for the operator, and what a draft would change: all that a decision stands on, with what names it exactly.

Reads the ledger and the folder; decides and changes nothing.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from ..digest import digest_of
from ..drafts.diff import Hunk
from ..drafts.warnings import Around
from ..errors import NotFound
from ..ledger.model import Draft
from ..ledger.reading import LedgerReading
from ..rules import Rules
from .kept import damage_of
from .standing import reasons_against

_PAGE = 100
_DAMAGED = (
    "The draft is damaged: {}. Reject it, or put a backup of the ledger back; `readingroom log --verify` names what else "
    "was altered."
)


class Approval(msgspec.Struct, frozen=True):
    """What was shown, exactly: the draft and its revision, and the file it was made against; `digest` is that of
    everything that it proposes: kind, paths, text, and what is said of it. A decision on anything else is refused."""

    draft: str
    revision: int
    digest: str
    base: str | None


class Pending(msgspec.Struct, frozen=True):
    """A draft that waits, without its bytes; `is_outdated` when the folder has gone on, or it is damaged."""

    draft: Draft
    is_outdated: bool


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A draft as the operator sees it.

    `before` and `after` are texts, None where there is no file or no text; of a rename they are the same. The difference
    is that against the base, also when the draft is outdated; `outdated` says why it is, in sentences. `approval` is what
    to decide with; `warnings` are sentences to be read before the difference.
    """

    draft: Draft
    approval: Approval
    is_outdated: bool
    outdated: tuple[str, ...]
    warnings: tuple[str, ...]
    hunks: tuple[Hunk, ...]
    before: str | None
    after: str | None


def approval_of(draft: Draft) -> Approval:
    """What names this draft as it is now."""
    proposed = (draft.kind, draft.path, draft.to, draft.digest, draft.principal, draft.note)
    return Approval(draft.id, draft.revision, digest_of(msgspec.msgpack.encode(proposed)), draft.base)


def queue(reading: LedgerReading, root: Path, rules: Rules) -> tuple[Pending, ...]:
    """Every open draft, the oldest first."""
    found: list[Pending] = []
    after = ""
    while page := reading.drafts(state="open", after=after, limit=_PAGE):
        found += [Pending(draft, bool(_reasons_against(reading, root, rules, draft))) for draft in page]
        after = page[-1].id
    return tuple(found)


def _reasons_against(reading: LedgerReading, root: Path, rules: Rules, draft: Draft) -> tuple[str, ...]:
    """Why an open draft could not be published now: it is damaged, or the folder has gone on."""
    if draft.state != "open":
        return ()
    if damage := damage_of(reading, draft):
        return (_DAMAGED.format(damage),)
    return reasons_against(root, rules, draft)


def show(
    reading: LedgerReading, root: Path, rules: Rules, draft_id: str, around: Callable[[Draft], Around]
) -> Shown:
    """The draft with that id, whatever its state; of one that is damaged no text. Raises NotFound when there is none."""
    bare = reading.draft(draft_id, contents=False)
    if bare is None:
        raise NotFound("There is no such draft.")
    against = _reasons_against(reading, root, rules, bare)
    draft = None if damage_of(reading, bare) else reading.draft(draft_id)
    if draft is None:
        return _without_text(bare, against)
    base = draft.base_content
    after = base if draft.kind == "rename" else draft.content
    texts = text_of(base), text_of(after)
    return Shown(
        draft=msgspec.structs.replace(draft, content=None, base_content=None),
        approval=approval_of(draft),
        is_outdated=bool(against),
        outdated=against,
        warnings=(*_alike(root, rules, draft), *_warnings(draft, base, after, rules, around(draft))),
        hunks=_hunks(*texts),
        before=texts[0],
        after=texts[1],
    )


def _without_text(draft: Draft, against: tuple[str, ...]) -> Shown:
    return Shown(
        draft=draft,
        approval=approval_of(draft),
        is_outdated=bool(against),
        outdated=against,
        warnings=(),
        hunks=(),
        before=None,
        after=None,
    )


def _warnings(
    draft: Draft, before: bytes | None, after: bytes | None, rules: Rules, around: Around
) -> tuple[str, ...]:
    from ..drafts.warnings import Change, warnings

    return warnings(Change(draft.kind, draft.path, draft.to, before, after), rules, around)


def _alike(root: Path, rules: Rules, draft: Draft) -> tuple[str, ...]:
    """What no app was told: that what is left out has the new name, but for case."""
    from ..drafts.standing import Standing

    if draft.state != "open" or draft.kind not in ("create", "rename"):
        return ()
    other = Standing(root, rules).left_out_alike(draft.to or draft.path)
    sentence = (
        f"{other} is there and left out, and its name differs in case alone: many systems take them for one, and what is "
        "there would be written over."
    )
    return (sentence,) if other else ()


def _hunks(before: str | None, after: str | None) -> tuple[Hunk, ...]:
    from ..drafts.diff import hunks

    return hunks(before or "", after or "")


def text_of(content: bytes | None) -> str | None:
    """The text of bytes; None where there are none, or they are no text."""
    from ..decode import NotText, decode

    if content is None:
        return None
    try:
        return decode(content).text
    except NotText:
        return None
