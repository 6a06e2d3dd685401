"""The operator's commands in this process, with a person who answers what is asked by a script."""

import importlib
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from readingroom.apps import faults, running
from readingroom.apps.console import Console
from readingroom.apps.person import NoPerson, Person
from readingroom.apps.terminal import Terminal
from readingroom.library.operator import derivation
from support.proposals import Proposals

PASSPHRASE = "correct horse battery"
KEY = ("Passphrase (set on", PASSPHRASE)
"""What is asked for a decision, and answered."""
ACTION = "[p]ublish"
"""A part of the question of a review."""
ASKING = ("commands.operator", "commands.review", "commands.log", "sitting")


class Scripted(Person):
    """A person whose answers are given beforehand, each with a part of the question that it is for."""

    def __init__(self, shown: Terminal, answers: Sequence[tuple[str, str | None]]) -> None:
        super().__init__(-1, shown)
        self._out = shown
        self._answers = list(answers)

    def __exit__(self, *_: object) -> None:
        assert not self._answers, f"nobody asked {self._answers[0][0]!r}"

    def _next(self, question: str) -> str | None:
        self._out.line(question)
        expected, answer = self._answers.pop(0) if self._answers else ("no more questions", None)
        assert expected in question, f"{question!r} was asked, and not {expected!r}"
        return answer

    def ask(self, question: str) -> str | None:
        """Answer."""
        return self._next(question)

    def secret(self, question: str) -> str:
        """Answer without being shown."""
        answer = self._next(question)
        if answer is None:
            raise NoPerson("nothing was typed")
        return answer


class Seat:
    """A folder with drafts, and the operator's seat before it."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.proposals = Proposals(place)
        self.person: type[Scripted] = Scripted
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(derivation, "_N", 2**14)
        monkeypatch.setattr("readingroom.apps.deciding.time.sleep", lambda _: None)

    def run(self, command: str, *more: str, typed: Sequence[tuple[str, str | None]] = ()) -> tuple[int, str]:
        """Run a command with its answers, and give the exit code and all that was shown."""
        out = io.StringIO()
        given = {"NO_COLOR": "1"}
        console = Console(Terminal(out, given), Terminal(out, given), given)
        first, *rest = command.split()
        for name in ASKING:
            module = importlib.import_module(f"readingroom.apps.{name}")
            self._monkeypatch.setattr(module, "person_at", lambda shown, **_: self.person(shown, typed))
        try:
            code = running.run([first, *rest, *self.proposals.options, *more], console)
        except Exception as error:
            if not faults.is_foreseen(error):
                raise
            code, lines = faults.lines_of(error)
            out.write("\n".join(lines) + "\n")
        return code, out.getvalue()

    def set_passphrase(self) -> None:
        """Set the passphrase."""
        code, shown = self.run(
            "operator set", typed=[("New passphrase", PASSPHRASE), ("The same again", PASSPHRASE)]
        )
        assert code == 0, shown


def kinds(seat: Seat) -> list[str]:
    """Give the kinds of all decisions."""
    return [decision.kind for decision in seat.proposals.decisions()]
