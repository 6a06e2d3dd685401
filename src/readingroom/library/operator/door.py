"""The operator's door to one folder: what waits, what it would change, the decisions, and whether all of it holds.

Put together by `apps` alone. What decides asks for a key, which only the passphrase gives.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from ..drafts.warnings import Around
from ..errors import LedgerBusy
from ..ledger.ledger import Ledger
from ..ledger.model import Decision, Draft
from ..rules import Rules
from .around import left_out
from .chain import DecisionKey
from .deciding import Deciding
from .looking_back import ShownUndo, show_undo
from .manifest import manifest_of
from .outcomes import Outcome
from .past_us import PastUs, past_us
from .refusals import KeyExpired
from .settling import settle_all
from .turns import turn
from .verifying import FileFault, Verified, verify
from .waiting import Approval, Pending, Shown, queue, show


class Operator:
    """May be used from any thread. Methods raise LedgerBusy, LedgerFull and LedgerUnusable where they cannot begin.

    `operator` is a login name, for information. `around` gives what is known of other documents around a draft.
    """

    def __init__(
        self,
        root: Path,
        rules: Rules,
        ledger: Ledger,
        *,
        operator: str,
        clock: Callable[[], float] = time.time,
        around: Callable[[Draft], Around] | None = None,
    ) -> None:
        self._root = root
        self._rules = rules
        self._ledger = ledger
        self._operator = operator
        self._clock = clock
        self._around = around

    def recover(self) -> tuple[str, ...]:
        """End what an interrupted publication left, and say so in sentences. Every command of the operator begins so.

        What another process is publishing right now is left to it.
        """
        with self._ledger.reading() as reading:
            if not reading.publications():
                return ()
        try:
            with turn(self._ledger, patience=0.0):
                return settle_all(self._root, self._ledger)
        except LedgerBusy:
            return ()

    def queue(self) -> tuple[Pending, ...]:
        """Every open draft, the oldest first."""
        with self._ledger.reading() as reading:
            return queue(reading, self._root, self._rules)

    def show(self, draft_id: str) -> Shown:
        """A draft, whatever its state, with what it would change and the approval to decide with. Raises NotFound."""
        with self._ledger.reading() as reading:
            return show(reading, self._root, self._rules, draft_id, self._known_around)

    def publish(
        self, approvals: Sequence[Approval], key: DecisionKey, comment: str = ""
    ) -> tuple[Outcome, ...]:
        """Publish what was approved, each by itself and in this order; one that is refused does not stop the others.

        Raises KeyExpired when nothing was decided for want of a key; had something been, the outcomes say so.
        """
        with turn(self._ledger):
            told = settle_all(self._root, self._ledger)
            deciding = self._deciding(key)
            return _told(told, [deciding.publish(approval, comment) for approval in approvals])

    def reject(
        self, approvals: Sequence[Approval], key: DecisionKey, comment: str = ""
    ) -> tuple[Outcome, ...]:
        """Decide against what was shown, each by itself; the comment is for who proposed it. Raises as `publish` does."""
        deciding = self._deciding(key)
        return _told((), [deciding.reject(approval, comment) for approval in approvals])

    def undo(self, number: int, key: DecisionKey, comment: str = "") -> Outcome:
        """Bring back the bytes from before a decision, unless the file has changed since: then it is refused.

        What it undoes is a publication or an undo; it is a decision of its own, and can be undone. A file that comes back
        after a delete has the mode of a new one; folders that a create made stay. Raises KeyExpired.
        """
        with turn(self._ledger):
            told = settle_all(self._root, self._ledger)
            return _told(told, [self._deciding(key).undo(number, comment)])[0]

    def show_undo(self, number: int) -> ShownUndo:
        """What undoing a decision would change now, with why it would be refused. Raises NotFound."""
        with self._ledger.reading() as reading:
            return show_undo(reading, self._root, self._rules, number, self._known_around)

    def history(self, after: int = 0, limit: int = 100, path: str = "") -> tuple[Decision, ...]:
        """Decisions in order, from the one after the number `after`; of one path, new names included."""
        with self._ledger.reading() as reading:
            return reading.decisions(after=after, limit=limit, path=path)

    def verify(self, key: DecisionKey | None) -> Verified:
        """Look whether journal, drafts and folder agree. Raises FolderUnusable; KeyExpired."""
        with self._ledger.reading() as reading:
            return verify(reading, self._root, self._rules, key)

    def past_us(self, fault: FileFault) -> PastUs:
        """What changed in a file that `verify` names, against what was decided."""
        with self._ledger.reading() as reading:
            return past_us(reading, self._root, self._rules, fault)

    def manifest(self) -> dict[str, str]:
        """Path → revision of every file that is served, as they are now. Raises FolderUnusable."""
        return manifest_of(self._root, self._rules)

    def accept(self, key: DecisionKey, comment: str = "", manifest: dict[str, str] | None = None) -> Decision:
        """Decide that the folder is right as it was found with this manifest, or as it is now without one.

        Raises FolderUnusable; KeyExpired.
        """
        with turn(self._ledger):
            settle_all(self._root, self._ledger)
            found = self.manifest() if manifest is None else manifest
            return self._deciding(key).accept(found, comment)

    def _deciding(self, key: DecisionKey) -> Deciding:
        return Deciding(self._root, self._rules, self._ledger, key, self._operator, self._clock)

    def _known_around(self, draft: Draft) -> Around:
        known = Around() if self._around is None else self._around(draft)
        return left_out(known, self._root, self._rules, draft)


def _told(sentences: tuple[str, ...], outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """What was settled first is said with the first outcome. Raises KeyExpired when there is none but for want of a key."""
    expired = [outcome.text for outcome in outcomes if outcome.code == "key_expired"]
    if expired and not any(outcome.decision for outcome in outcomes):
        raise KeyExpired(expired[0])
    if not outcomes:
        return ()
    first, *others = outcomes
    return replace(first, notes=(*sentences, *first.notes)), *others
