"""Whether the journal, the drafts and the folder agree: what was decided, and what was done past Reading Room.

With the key every decision of its chain is checked; without, only what can be seen without a secret. A journal that was
cut off at the end is seen by the drafts and the files that were decided on; whoever also puts these back, with the whole
ledger, leaves nothing to be seen.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from ..ledger.model import Decision
from ..ledger.reading import LedgerReading
from ..rules import Rules
from .chain import DecisionKey, JournalFault, journal_faults
from .kept import draft_faults, kept_faults
from .manifest import manifest_of, why_missing
from .passphrase import journal

_MANIFESTS = ("set", "reset", "accept")


class FileFault(msgspec.Struct, frozen=True):
    """A file that is not as the newest decision about it, or else the manifest, left it; revisions, None for no file."""

    path: str
    kind: Literal["changed", "added", "missing"]
    expected: str | None
    found: str | None
    text: str


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What was found. `is_checked` says whether a key was there, so that a forged decision could be seen.

    `journal` are decisions that do not hold, `drafts` sentences about drafts that are damaged, gone, or not what was
    decided on them, `kept` sentences about bytes and manifests that decisions name and the ledger keeps no more. `files`
    is what changed past Reading Room since decision `since`, whose manifest begins it. `notes` are sentences about what
    could not be looked at; `manifest` is the folder as it was found.
    """

    is_checked: bool
    journal: tuple[JournalFault, ...]
    drafts: tuple[str, ...]
    files: tuple[FileFault, ...]
    since: int | None
    decisions: int
    notes: tuple[str, ...]
    manifest: dict[str, str] = {}
    kept: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing was found."""
        return not (self.journal or self.drafts or self.kept or self.files)


def verify(reading: LedgerReading, root: Path, rules: Rules, key: DecisionKey | None) -> Verified:
    """Look at everything. Raises FolderUnusable, LedgerUnusable, KeyExpired."""
    decisions = tuple(journal(reading))
    faults = _gaps(decisions) if key is None else journal_faults(decisions, key)
    doubted = {fault.number for fault in faults}
    held = [decision for decision in decisions if decision.number not in doubted]
    notes = [_without_key()] if key is None else _earlier(decisions, key)
    since, expected = _expected(reading, held, notes)
    found = manifest_of(root, rules)
    files = () if expected is None else tuple(_files(root, rules, expected, found))
    return Verified(
        is_checked=key is not None,
        journal=faults,
        drafts=tuple(draft_faults(reading, decisions)),
        kept=tuple(kept_faults(reading, decisions)),
        files=files,
        since=since,
        decisions=len(decisions),
        notes=tuple(notes),
        manifest=found,
    )


def _without_key() -> str:
    return "Without the passphrase a forged or altered decision cannot be told from a true one."


def _earlier(decisions: Sequence[Decision], key: DecisionKey) -> list[str]:
    earlier = sum(decision.chain != key.chain for decision in decisions)
    if not earlier:
        return []
    what = "that they are what they were when the present one was set is checked as a whole"
    return [f"{earlier:,} decisions were made under earlier passphrases: {what}."]


def _gaps(decisions: Sequence[Decision]) -> tuple[JournalFault, ...]:
    """What is missing, as far as the numbers say it."""
    faults: list[JournalFault] = []
    last = 0
    for decision in decisions:
        if decision.number != last + 1:
            what = f"decisions {last + 1} to {decision.number - 1} are missing"
            faults.append(JournalFault(last + 1, "missing", what))
        last = decision.number
    if decisions and decisions[0].number == 1 and decisions[0].kind not in _MANIFESTS[:2]:
        faults.append(JournalFault(1, "forged", "the journal does not begin with a passphrase"))
    return tuple(faults)


def _expected(
    reading: LedgerReading, held: Sequence[Decision], notes: list[str]
) -> tuple[int | None, dict[str, str] | None]:
    """The newest manifest that holds, with every decision since; and the number of the decision it is of."""
    begins = [decision for decision in held if decision.kind in _MANIFESTS and decision.manifest]
    if not begins:
        notes.append("No manifest holds, so the files cannot be compared; `accept` begins anew.")
        return None, None
    begin = begins[-1]
    if fault := reading.manifest_fault(begin.manifest):
        notes.append(f"The manifest of decision {begin.number} is {fault}, so the files cannot be compared.")
        return None, None
    expected = dict(reading.manifest(begin.manifest))
    for decision in held:
        if decision.number > begin.number and decision.kind in ("publish", "undo"):
            _apply(expected, decision)
    return begin.number, expected


def _apply(expected: dict[str, str], decision: Decision) -> None:
    if decision.to or decision.after is None:
        expected.pop(decision.path, None)
    if decision.after is not None:
        expected[decision.to or decision.path] = decision.after


def _files(root: Path, rules: Rules, expected: dict[str, str], found: dict[str, str]) -> Iterator[FileFault]:
    for path in sorted(expected.keys() | found.keys()):
        wanted, now = expected.get(path), found.get(path)
        if wanted is None:
            yield FileFault(path, "added", None, now, f"{path} is there without a decision")
        elif now is None:
            why = why_missing(root, rules, path)
            yield FileFault(path, "missing", wanted, None, f"{path} should be there: {why}")
        elif wanted != now:
            yield FileFault(path, "changed", wanted, now, f"{path} was changed past Reading Room")
