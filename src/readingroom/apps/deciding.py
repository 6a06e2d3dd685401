"""Deciding at a terminal: the passphrase is asked for when a decision needs it, and its key is kept for the next ones.

The key lives as long as the command, and five minutes at most. Knows nothing of what is decided.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, TypeVar

from . import exit_codes
from .counting import moment
from .faults import CommandFault, UsageFault
from .person import Person
from .since import since_of

if TYPE_CHECKING:
    from ..library.ledger import Ledger
    from ..library.operator import DecisionKey
    from .terminal import Terminal

MOST_COMMENT = 2000
_TRIES = 3
_Result = TypeVar("_Result")


class Undecided(CommandFault):
    """Nothing was decided; the text says why, and what to do."""

    code = exit_codes.UNDECIDED


class Signing:
    """Gives the key of the passphrase that a person types, and asks for it again when its time is over."""

    def __init__(self, ledger: "Ledger", person: Person, out: "Terminal", folder: str) -> None:
        self._ledger = ledger
        self._person = person
        self._out = out
        self._folder = folder
        self._key: DecisionKey | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the key."""
        if self._key is not None:
            self._key.forget()
            self._key = None

    def check(self) -> None:
        """See that there is a passphrase at all. Raises: Undecided."""
        with self._ledger.reading() as reading:
            if reading.chain() is None:
                raise Undecided(
                    "no passphrase is set for this folder yet, so nothing can be decided: set one with "
                    f"`readingroom operator set {self._folder}`"
                )

    def signed(self, decide: "Callable[[DecisionKey], _Result]") -> _Result:
        """Decide with the key. Raises: Undecided, WrongPassphrase after three wrong ones, NoPerson; what a ledger raises."""
        from ..library.operator import KeyExpired

        for _ in range(_TRIES):
            try:
                return decide(self._ready())
            except KeyExpired:  # between its asking and its use, or because another changed the passphrase
                self.forget()
        raise Undecided("the passphrase is being changed elsewhere; nothing was decided")

    def _ready(self) -> "DecisionKey":
        if self._key is None or self._key.is_spent():
            self.check()
            self._key, _ = asked(self._ledger, self._person, self._out)
        return self._key


def asked(
    ledger: "Ledger", person: Person, out: "Terminal", which: str = "Passphrase"
) -> "tuple[DecisionKey, str]":
    """Ask for the passphrase, up to three times, and give its key and what was typed.

    Raises: WrongPassphrase, NoPassphrase, NoPerson; what a ledger raises.
    """
    from ..library.operator import WrongPassphrase, unlock

    tries = 0
    while True:
        typed = person.secret(f"{which}{_since(ledger)}: ")
        tries += 1
        try:
            return unlock(ledger, typed, sleep=lambda seconds: slowly(seconds, out)), typed
        except WrongPassphrase as error:
            if tries == _TRIES:
                raise
            out.line(str(error))


def _since(ledger: "Ledger") -> str:
    """Since when the passphrase holds, and whether it was ever reset, so that one that somebody else has set is noticed."""
    with ledger.reading() as reading:
        since = since_of(reading)
    if since is None:
        return ""
    if since.is_reset:
        return f" (RESET on {moment(since.at)})"
    reset = (
        "" if since.reset_at is None else f"; RESET by decision {since.reset_by} on {moment(since.reset_at)}"
    )
    return f" (set on {moment(since.at)}{reset})"


def comment_of(text: str) -> str:
    """A comment as it is kept. Raises: UsageFault when it is too long."""
    comment = text.strip()
    if len(comment) > MOST_COMMENT:
        raise UsageFault(
            f"a comment may have at most {MOST_COMMENT:,} characters, and this one has {len(comment):,}"
        )
    return comment


def slowly(seconds: float, out: "Terminal") -> None:
    """Wait, and say why."""
    out.line(
        "After a wrong passphrase, or one that was broken off, the next one is looked at "
        f"{seconds:.0f} s later; waiting."
    )
    out.flush()
    time.sleep(seconds)
