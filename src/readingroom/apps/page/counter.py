"""The operator's door as the pages use it: what a passphrase opens is shut again before the answer is given."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from ..deciding import MOST_COMMENT
from ..git_publications import CommitIncomplete, GitPublications
from ..since import Since, since_of
from .forms import BadForm, Form

if TYPE_CHECKING:
    from ...library.ledger import Ledger
    from ...library.operator import Approval, DecisionKey, Operator, Outcome


class NotUnlocked(Exception):
    """The passphrase opens nothing now; the text says why, and `status` how the page says it."""

    def __init__(self, text: str, status: int = 403) -> None:
        super().__init__(text)
        self.status = status


class Counter:
    """Made of an operator and the ledger it works on. May be used from any thread; one decides at a time."""

    def __init__(self, operator: "Operator", ledger: "Ledger", git: GitPublications | None = None) -> None:
        self.operator = operator
        self.ledger = ledger
        self._git = git
        self._turn = threading.Lock()

    def publish(self, approvals: "Sequence[Approval]", form: Form, comment: str) -> "tuple[Outcome, ...]":
        """Publish what was approved. Raises NotUnlocked; BadForm; GitUnusable, with nothing decided."""
        with self.unlocked(form) as key:
            if self._git is not None:
                for approval in approvals:
                    self._git.check(approval.draft)
            return tuple(map(self._committed, self.operator.publish(approvals, key, comment)))

    def reject(self, approvals: "Sequence[Approval]", form: Form, comment: str) -> "tuple[Outcome, ...]":
        """Decide against what was shown. Raises NotUnlocked; BadForm."""
        with self.unlocked(form) as key:
            return self.operator.reject(approvals, key, comment)

    def undo(self, number: int, form: Form, comment: str) -> "Outcome":
        """Undo a decision. Raises NotUnlocked; BadForm; GitUnusable, with nothing decided."""
        with self.unlocked(form) as key:
            if self._git is not None:
                self._git.check_undo(number)
            return self._committed(self.operator.undo(number, key, comment))

    def _committed(self, outcome: "Outcome") -> "Outcome":
        """The outcome, with what git has to say of it."""
        if self._git is None or outcome.decision is None:
            return outcome
        try:
            commit = self._git.commit(outcome.decision)
        except CommitIncomplete as error:
            note = str(error)
        else:
            note = f"It is commit {commit[:10]}." if commit else ""
        return msgspec.structs.replace(outcome, notes=(*outcome.notes, note) if note else outcome.notes)

    def since(self) -> Since | None:
        """Since when the passphrase holds, and whether it was ever reset; None where there is none.

        A passphrase that somebody else has set is noticed by it.
        """
        with self.ledger.reading() as reading:
            return since_of(reading)

    @contextmanager
    def unlocked(self, form: Form) -> Iterator["DecisionKey"]:
        """Give the key that the form's passphrase gives, for as long as the block runs. Raises NotUnlocked; BadForm."""
        from ...library.operator import KeyExpired, NoPassphrase, TooSoon, WrongPassphrase, unlock

        passphrase = form.one("passphrase")
        if not passphrase:
            raise NotUnlocked("Type the passphrase.")
        with self._turn:
            try:
                key = unlock(self.ledger, passphrase, sleep=None)
            except NoPassphrase:
                raise NotUnlocked(
                    "No passphrase is set for this folder yet. Set one in the terminal: readingroom operator set FOLDER",
                    409,
                ) from None
            except (WrongPassphrase, TooSoon) as error:
                raise NotUnlocked(str(error)) from None
            try:
                yield key
            except KeyExpired as error:
                raise NotUnlocked(str(error)) from None
            finally:
                key.forget()


def comment_of(form: Form) -> str:
    """Give the comment of a form. Raises BadForm when it is too long."""
    comment = form.one("comment").strip()
    if len(comment) > MOST_COMMENT:
        raise BadForm(f"A comment may have at most {MOST_COMMENT:,} characters.")
    return comment
