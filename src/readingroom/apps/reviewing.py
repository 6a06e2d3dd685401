"""`readingroom review` at a terminal: draft after draft is shown, and the person says what becomes of it.

Only what was shown can be decided, and exactly as it was shown. Knows no argument and no file.
"""

import time
from typing import TYPE_CHECKING

from . import exit_codes
from .counting import counted
from .deciding import Signing, Undecided, comment_of
from .faults import UsageFault
from .git_commits import GitUnusable
from .person import Person
from .publishing import Publishing
from .revealing import revealed, revealed_path
from .review_hunks import left_out
from .review_text import draft_lines, outcome_lines, queue_lines
from .review_text import told as lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..library.operator import Operator, Outcome, Shown
    from .terminal import Terminal

_KEYS = "[p]ublish  [r]eject  [m]ark  publish [a]ll marked  [n]ext  [b]ack  [l]ist  [q]uit > "
_HELP = """\
  p  publish this draft                 n  show the next one        (Enter, too)
  r  reject it, with a comment          b  show the one before
  m  mark it, or take the mark away     l  list all that wait
  a  publish all that are marked        q  leave
The passphrase is asked for with the first decision, and again after five minutes."""
_WORDS = {
    "publish": "p",
    "reject": "r",
    "mark": "m",
    "all": "a",
    "next": "n",
    "": "n",
    "back": "b",
    "list": "l",
}


class Review:
    """One sitting. `decided` and `refused` count what became of what was asked."""

    def __init__(
        self, operator: "Operator", publishing: Publishing, signing: Signing, person: Person, out: "Terminal"
    ) -> None:
        self._operator = operator
        self._publishing = publishing
        self._signing = signing
        self._person = person
        self._out = out
        self._marked: dict[str, Shown] = {}
        self._place = 0
        self._waiting = 0
        self._is_long = False
        self.decided = 0
        self.refused = 0

    def run(self) -> None:
        """Show and ask until nothing waits or the person leaves. Raises: what deciding raises."""
        self._list()
        try:
            self._signing.check()
        except Undecided as error:
            self._out.line(self._out.paint("mark", revealed(f"You may look: {error}")))
        while (shown := self._current()) is not None:
            while (is_over := self._asked(shown)) is None:
                pass
            if is_over:
                return
        self._out.line("Nothing waits any more." if self.decided else "Nothing waits.")

    def _asked(self, shown: "Shown") -> bool | None:
        """Ask what to do and do it; True when the person leaves, False when something is to be shown, else None."""
        answer = self._person.ask(_KEYS)
        if answer is None or answer.lower() in ("q", "quit"):
            return True
        ways: dict[str, Callable[[Shown], bool]] = {
            "p": lambda one: self._publish([one]),
            "r": self._reject,
            "m": self._mark,
            "a": lambda _: self._publish(list(self._marked.values())),
            "n": lambda _: self._move(1),
            "b": lambda _: self._move(-1),
            "l": lambda _: self._list(),
        }
        way = ways.get(_WORDS.get(answer.lower(), answer.lower()))
        if way is None:
            self._out.line(_HELP)
            return None
        return False if self._done(way, shown) else None

    def _done(self, way: "Callable[[Shown], bool]", shown: "Shown") -> bool:
        """Do it, and tell what passes and need not end the review, nor take the marks away."""
        from ..library import LedgerBusy, LedgerFull
        from ..library.operator import WrongPassphrase

        try:
            return way(shown)
        except (UsageFault, GitUnusable, LedgerBusy, LedgerFull) as error:
            self._out.line(self._out.paint("mark", revealed(str(error))))
            return True
        except (Undecided, WrongPassphrase) as error:
            self.refused += 1
            self._out.line(self._out.paint("mark", revealed(f"Nothing was decided: {error}")))
            return True

    def _list(self) -> bool:
        pending = self._operator.queue()
        for line in (
            queue_lines(pending, self._out.paint, time.time(), self._out.whole_width) if pending else ()
        ):
            self._out.line(line)
        return False

    def _current(self) -> "Shown | None":
        """Show the draft whose turn it is; None when nothing waits."""
        pending = self._operator.queue()
        if not pending:
            return None
        self._waiting = len(pending)
        self._place = min(max(self._place, 0), self._waiting - 1)
        shown = self._operator.show(pending[self._place].draft.id)
        if self._marked.get(shown.draft.id, shown).approval != shown.approval:
            self._marked.pop(shown.draft.id)  # what was marked is not what there is now
        mark = ", marked" if shown.draft.id in self._marked else ""
        self._out.line()
        count = 0
        place = f"{self._place + 1} of {self._waiting}{mark}"
        for line in draft_lines(shown, self._out.paint, time.time(), place, self._out.whole_width):
            self._out.line(line)
            count += 1
        self._out.line()
        self._is_long = count >= (self._out.rows or count + 1)
        return shown

    def _move(self, by: int) -> bool:
        """Go to another draft; at an end one stays, and it is said."""
        if 0 <= self._place + by < self._waiting:
            self._place += by
            return True
        self._out.line(f"This is the {'last' if by > 0 else 'first'} draft.")
        return False

    def _mark(self, shown: "Shown") -> bool:
        if self._marked.pop(shown.draft.id, None) is None:
            if not may_publish(shown, self._person, self._out):
                return False
            self._marked[shown.draft.id] = shown
        self._move(1)
        return True

    def _publish(self, chosen: "Sequence[Shown]") -> bool:
        if not chosen:
            self._out.line("Nothing is marked.")
            return False
        if not self._may_publish(chosen):
            return False
        self._publishing.check(chosen)
        for one in chosen:
            self._tell(published(one, self._publishing, self._signing))
        return True

    def _may_publish(self, chosen: "Sequence[Shown]") -> bool:
        """One key publishes a draft that has nothing to beware of and is seen whole; all others want a word."""
        first = chosen[0]
        if first.draft.id in self._marked:
            return agreed(chosen, self._person, self._out)
        if not may_publish(first, self._person, self._out):
            return False
        return not (first.warnings or self._is_long) or agreed(chosen, self._person, self._out)

    def _reject(self, shown: "Shown") -> bool:
        self._signing.check()
        comment = self._person.ask(
            "Why? The app that proposed it will read this (Enter for nothing, . to go back) > "
        )
        if comment is None or comment == ".":
            return False
        self._tell(rejected(shown, self._operator, self._signing, comment))
        return True

    def _tell(self, outcome: "Outcome") -> None:
        self._marked.pop(outcome.draft, None)
        self.decided += outcome.decision is not None
        self.refused += outcome.decision is None
        told([outcome], self._out)


def told(outcomes: "Iterable[Outcome]", out: "Terminal") -> int:
    """Tell what becomes of decisions, each when it has been made, and give the exit code."""
    code = exit_codes.OK
    for outcome in outcomes:
        for line in outcome_lines(outcome, out.paint, out.whole_width):
            out.line(line)
        if outcome.decision is None:
            code = exit_codes.UNDECIDED
    return code


def published(shown: "Shown", publishing: Publishing, signing: Signing) -> "Outcome":
    """Publish one draft with the person's key, which is asked for when there is none."""
    return signing.signed(lambda key: publishing.publish(shown, key))


def rejected(shown: "Shown", operator: "Operator", signing: Signing, comment: str) -> "Outcome":
    """Reject one draft with the person's key, which is asked for when there is none. Raises: UsageFault."""
    comment = comment_of(comment)
    (outcome,) = signing.signed(lambda key: operator.reject([shown.approval], key, comment))
    return outcome


def may_publish(shown: "Shown", person: Person, out: "Terminal") -> bool:
    """Whether a draft can be published at all, and the person takes what could not be shown of it."""
    if shown.is_outdated:
        out.line("It cannot be published as it is: the app has to update it, or you reject it.")
        return False
    missing = left_out(shown.hunks)
    if missing:
        question = (
            f"{counted(missing, 'changed line')} could not be shown. Publish them unseen? Type: unseen > "
        )
        return person.ask(question) == "unseen"
    return True


def agreed(shown: "Sequence[Shown]", person: Person, out: "Terminal") -> bool:
    """Whether the person agrees to publish all of them, whose names are told once more, and what to beware of."""
    for one in shown:
        where = revealed_path(one.draft.path, one.draft.to)
        for line in lines_of([(where, "")], out.paint, out.whole_width, f"  {one.draft.kind:7} "):
            out.line(line)
        warn(one.warnings, out)
    return person.agrees(f"Publish {these(shown)}?")


def these(shown: "Sequence[Shown]") -> str:
    """Drafts, as a question about all of them names them."""
    return "this draft" if len(shown) == 1 else f"these {len(shown)} drafts"


def warn(warnings: "Iterable[str]", out: "Terminal") -> None:
    """Tell once more, right before a question, what to beware of: a long difference has moved it off the screen."""
    for sentence in warnings:
        for line in lines_of([(sentence, "mark")], out.paint, out.whole_width, "  ! "):
            out.line(line)
