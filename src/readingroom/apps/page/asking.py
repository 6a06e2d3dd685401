"""What all pages that ask for a decision have in common: the form that is shown once more, and what came of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse

from .changes import became
from .counter import Counter, NotUnlocked
from .forms import Form
from .showing import Showing, visit_of

if TYPE_CHECKING:
    from ...library.operator import Outcome


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a form shows of the time before: what was typed, and why it decided nothing. `status` is that of the answer."""

    said: str = ""
    was_read: bool = False
    error: str = ""
    passphrase_error: str = ""
    status: int = 200

    @classmethod
    def again(cls, form: Form, error: str, status: int) -> Self:
        """Keep what was typed, and say what is to be done about it."""
        return cls(said=form.one("comment"), was_read=_was_read(form), error=error, status=status)

    @classmethod
    def locked(cls, form: Form, refused: NotUnlocked) -> Self:
        """Keep what was typed, but for the passphrase, which opened nothing."""
        return cls(
            said=form.one("comment"),
            was_read=_was_read(form),
            passphrase_error=str(refused),
            status=refused.status,
        )


def _was_read(form: Form) -> bool:
    return form.one("read") == "yes"


class Told(msgspec.Struct, frozen=True):
    """One line of what came of a decision."""

    name: str
    text: str
    is_done: bool = False


def told_of(outcome: "Outcome", name: str) -> Told:
    """Give the line of an outcome; `name` stands for one that has no path."""
    notes = " ".join(outcome.notes)
    if outcome.decision is None:
        return Told(outcome.path or name, f"{outcome.text} {notes}".strip())
    text = f"{became(outcome.decision)}: decision {outcome.decision.number}. {notes}"
    return Told(outcome.path or name, text.strip(), is_done=True)


class Asking:
    """Made with the counter at which decisions are made; `here` is the part of the site that the pages stand in."""

    here: ClassVar[str]

    def __init__(self, counter: Counter, showing: Showing) -> None:
        self._counter = counter
        self._showing = showing

    def _asked(self, request: Request, template: str, asked: Asked, **values: Any) -> HTMLResponse:
        """Show what is to be decided, with the form that asks for it."""
        return self._showing.page(
            template,
            visit_of(request),
            status=asked.status,
            here=self.here,
            said=asked.said,
            was_read=asked.was_read,
            error=asked.error,
            passphrase_error=asked.passphrase_error,
            since=self._counter.since(),
            **values,
        )

    def _ended(
        self,
        request: Request,
        heading: str,
        lines: Sequence[Told],
        ways: Sequence[tuple[str, str]],
        *,
        status: int = 200,
    ) -> HTMLResponse:
        """Say what came of it, and where one may go from there: addresses, each with its words."""
        return self._showing.page(
            "outcome.html",
            visit_of(request),
            status=status,
            here=self.here,
            heading=heading,
            lines=lines,
            ways=ways,
        )
