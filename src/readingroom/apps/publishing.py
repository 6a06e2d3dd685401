"""Publishing and undoing what a person has seen, each with its commit in git if that is asked for.

Git is asked before whether it could, and commits after. What it cannot do after a publication does not take that back: it is
said, with what to do by hand.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from . import exit_codes
from .by_hand import command_lines
from .git_publications import CommitIncomplete, GitPublications

if TYPE_CHECKING:
    from ..library.operator import DecisionKey, Operator, Outcome, Shown
    from .terminal import Terminal


class Publishing:
    """Carries decisions out in the folder, and in git when `git` is given.

    `is_incomplete` once something was published that git has not taken; `by_hand` are the commands that do what is left.
    """

    def __init__(self, operator: "Operator", git: GitPublications | None) -> None:
        self._operator = operator
        self._git = git
        self.is_incomplete = False
        self.by_hand: list[str] = []

    def tell(self, out: "Terminal") -> None:
        """Tell what is left to do by hand, when something is."""
        if self.by_hand:
            out.line("To do by hand what git has not done:")
        for line in command_lines(self.by_hand, out.paint, out.whole_width):
            out.line(line)

    def code(self, code: int) -> int:
        """Give the exit code of a command: FAILED where all went well but git."""
        return exit_codes.FAILED if self.is_incomplete and code == exit_codes.OK else code

    def check(self, shown: "Sequence[Shown]") -> None:
        """See that git could commit each of them. Raises: GitUnusable, which names the first that it could not."""
        if self._git is not None:
            for one in shown:
                self._git.check(one.draft.id)

    def check_undo(self, number: int) -> None:
        """See that git could commit the undoing of a decision. Raises: GitUnusable."""
        if self._git is not None:
            self._git.check_undo(number)

    def publish(self, shown: "Shown", key: "DecisionKey", comment: str = "") -> "Outcome":
        """Publish exactly what was shown, with its commit. Raises: KeyExpired; what a ledger raises."""
        (outcome,) = self._operator.publish([shown.approval], key, comment)
        return self._committed(outcome)

    def undo(self, number: int, key: "DecisionKey", comment: str = "") -> "Outcome":
        """Undo a decision, with its commit. Raises: KeyExpired; what a ledger raises."""
        return self._committed(self._operator.undo(number, key, comment))

    def _committed(self, outcome: "Outcome") -> "Outcome":
        if outcome.decision is None or self._git is None:
            return outcome
        try:
            commit = self._git.commit(outcome.decision)
        except CommitIncomplete as error:
            self.is_incomplete = True
            self.by_hand += error.by_hand
            told = f"Git: {error.reason}"
        else:
            told = f"Git: it is commit {commit[:12]}."
        return msgspec.structs.replace(outcome, notes=(*outcome.notes, told))
