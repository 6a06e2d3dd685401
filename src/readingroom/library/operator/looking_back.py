"""What undoing a decision would change, as a draft of the same change would be shown: warnings first, then the difference.

Reads the ledger and the folder; decides and changes nothing.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from ..drafts.diff import Hunk, hunks
from ..drafts.warnings import Around, Change, warnings
from ..errors import NotFound
from ..ledger.model import Decision, Draft, Kind, Publication
from ..ledger.reading import LedgerReading
from ..rules import Rules
from .outcomes import Refused
from .standing import check
from .undoing import reason_against, wanted
from .waiting import text_of


class ShownUndo(msgspec.Struct, frozen=True, kw_only=True):
    """The change that undoing `decision` would make, the other way round than that decision made it.

    `against` says in sentences why it would be refused as things are now; `kind` is None when the decision changed no file.
    `warnings` are sentences to be read before the difference. `before` and `after` are texts, None where there is no file
    or no text; `is_text` says that both sides are known.
    """

    decision: Decision
    kind: Kind | None = None
    path: str = ""
    to: str = ""
    against: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    before: str | None = None
    after: str | None = None
    is_text: bool = True


def show_undo(
    reading: LedgerReading, root: Path, rules: Rules, number: int, around: Callable[[Draft], Around]
) -> ShownUndo:
    """What undoing the decision would change now. Raises NotFound when there is no such decision."""
    decision = reading.decision(number)
    if decision is None:
        raise NotFound(f"There is no decision {number}.")
    against = reason_against(reading, decision)
    if decision.kind not in ("publish", "undo"):
        return ShownUndo(decision=decision, against=(against,))
    change = wanted(decision)
    reasons = (against,) if against else (*_damage(reading, change), *_standing(root, rules, change, number))
    return _shown(reading, rules, decision, change, reasons, around)


def _shown(
    reading: LedgerReading,
    rules: Rules,
    decision: Decision,
    change: Publication,
    against: tuple[str, ...],
    around: Callable[[Draft], Around],
) -> ShownUndo:
    before, after = (_kept(reading, digest) for digest in (change.before, change.after))
    texts = text_of(before), text_of(after)
    is_text = (texts[0] is None, texts[1] is None) == (change.before is None, change.after is None)
    told: tuple[str, ...] = ()
    if is_text or (before is not None and after is not None):
        told = warnings(
            Change(change.kind, change.path, change.to, before, after),
            rules,
            around(_as_draft(change, before, after)),
        )
    return ShownUndo(
        decision=decision,
        kind=change.kind,
        path=change.path,
        to=change.to,
        against=against,
        warnings=told,
        hunks=hunks(texts[0] or "", texts[1] or "") if is_text else (),
        before=texts[0],
        after=texts[1],
        is_text=is_text,
    )


def _damage(reading: LedgerReading, change: Publication) -> tuple[str, ...]:
    """That the bytes which would come back are not there any more."""
    fault = reading.content_fault(change.after) if change.after and change.kind != "rename" else ""
    return (f"What stood at {change.path} before is {fault} in the ledger.",) if fault else ()


def _standing(root: Path, rules: Rules, change: Publication, number: int) -> tuple[str, ...]:
    """Why the folder as it is now is in the way."""
    try:
        check(root, rules, change.path, change.to, change.before)
    except Refused as refused:
        if refused.code == "base_changed":
            return (f"{change.path} is not what decision {number} left: it has changed since.",)
        return (str(refused),)
    except OSError as error:
        return (f"{change.path} cannot be looked at: {error.strerror or type(error).__name__}.",)
    return ()


def _kept(reading: LedgerReading, digest: str | None) -> bytes | None:
    return None if digest is None or reading.content_fault(digest) else reading.content(digest)


def _as_draft(change: Publication, before: bytes | None, after: bytes | None) -> Draft:
    """The change as a draft would put it, for what is known around one."""
    return Draft(
        id=change.draft,
        principal=change.principal,
        kind=change.kind,
        path=change.path,
        to=change.to,
        base=change.before,
        base_content=before,
        content=None if change.kind in ("rename", "delete") else after,
        digest=change.after or "",
        state="open",
        revision=change.draft_revision,
        created=0.0,
        changed=0.0,
    )
