"""The chain of decisions: what of a decision is signed, the key that signs it, and what of a journal does not hold.

Every decision carries an HMAC-SHA256, under a key that only the operator's passphrase gives, over the code of the decision
before it and its own canonical encoding. Pure but for a clock: knows no ledger, no folder and no passphrase. The encoding is
part of the format of every journal: tests fix its bytes.
"""

import hashlib
import hmac
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NoReturn

import msgspec

from ..ledger.model import Chain, Decision
from .refusals import KeyExpired

KEPT_S = 300.0
"""How long a key is kept: five minutes of deciding, then the passphrase is asked for again."""

MAC_BYTES = 32
_LABEL = "readingroom decision 1"
_BEGINS = ("set", "reset")

FaultKind = Literal["forged", "missing", "unchecked", "past"]


class JournalFault(msgspec.Struct, frozen=True):
    """A decision that does not hold, by its number.

    "forged": it was not made with the passphrase, or was altered afterwards. "missing": it is not there any more.
    "unchecked": what it stands on is missing, so that nothing can be said of it. "past": this beginning of a chain is
    forged, or something before it is not what it was when the chain began.
    """

    number: int
    kind: FaultKind
    text: str


class DecisionKey:
    """Signs decisions of one chain, for five minutes of one process; shows its secret to nobody.

    It can be neither pickled nor copied. Raises KeyExpired from everything once its time is over or it was forgotten.
    """

    __slots__ = ("_chain", "_ends", "_secret", "_ticks")

    def __init__(self, secret: bytes, chain: Chain, *, ticks: Callable[[], float] | None = None) -> None:
        self._secret = bytearray(secret)
        self._chain = chain
        self._ticks = ticks or _seconds_also_asleep
        self._ends = self._ticks() + KEPT_S

    def __repr__(self) -> str:
        return f"<DecisionKey of chain {self._chain.number}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a DecisionKey stays in the process that it was made in")

    @property
    def chain(self) -> int:
        """The number of its chain."""
        return self._chain.number

    def is_spent(self) -> bool:
        """Whether it can sign no more; its secret is gone then."""
        if self._secret and self._ticks() >= self._ends:
            self.forget()
        return not self._secret

    def belongs_to(self, chain: Chain | None) -> bool:
        """Whether this is the key of that very chain, and not of another with its number."""
        return (
            chain is not None
            and chain.number == self.chain
            and hmac.compare_digest(chain.check, self._chain.check)
        )

    def sign(self, previous: bytes, decision: Decision) -> bytes:
        """The code of a decision of its chain, after the code of the one before. Raises: KeyExpired, ValueError."""
        if decision.chain != self.chain:
            raise ValueError(f"decision {decision.number} is of chain {decision.chain}, not {self.chain}")
        return self._code(previous, decision)

    def countersign(self, previous: bytes, first: Decision) -> bytes:
        """The code of the decision with which the next chain takes over from this one. Raises: KeyExpired, ValueError."""
        if first.kind != "set" or first.chain != self.chain + 1:
            raise ValueError(f"decision {first.number} does not begin chain {self.chain + 1}")
        return self._code(previous, first)

    def verify(self, previous: bytes, decision: Decision) -> bool:
        """Whether a decision carries the right code; of two, the first counts. Raises: KeyExpired, ValueError."""
        return hmac.compare_digest(self.sign(previous, decision), decision.mac[:MAC_BYTES])

    def _code(self, previous: bytes, decision: Decision) -> bytes:
        if self.is_spent():
            raise KeyExpired("Five minutes have passed since the passphrase was typed; type it again.")
        return hmac.digest(bytes(self._secret), previous + encoded(decision), "sha256")

    def forget(self) -> None:
        """Overwrite the secret, as far as Python lets us; the key signs no more."""
        for place in range(len(self._secret)):
            self._secret[place] = 0
        self._secret.clear()


def _seconds_also_asleep() -> float:
    """Seconds that go on while the machine sleeps, where the system counts them: a laptop that is shut keeps no key."""
    # Linux stops CLOCK_MONOTONIC in its sleep and has another one; macOS does not, but Python's own clock there stops.
    clock = getattr(time, "CLOCK_BOOTTIME", None) or getattr(time, "CLOCK_MONOTONIC", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def encoded(decision: Decision) -> bytes:
    """What of a decision is signed: a label and every field but the code, as one MessagePack array in this order."""
    return msgspec.msgpack.encode(
        (
            _LABEL,
            decision.number,
            float(decision.at),
            decision.kind,
            decision.operator,
            decision.draft,
            decision.draft_revision,
            decision.principal,
            decision.path,
            decision.to,
            decision.before,
            decision.after,
            decision.comment,
            decision.undoes,
            decision.manifest,
            decision.chain,
        )
    )


def journal_digest(decisions: Iterable[Decision]) -> bytes:
    """What the first decision of a chain is signed after: a digest of every decision before it, with its code."""
    digest = hashlib.sha256(b"readingroom journal 1")
    for decision in decisions:
        for part in (encoded(decision), decision.mac):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.digest()


def journal_faults(decisions: Iterable[Decision], key: DecisionKey) -> tuple[JournalFault, ...]:
    """What of a whole journal, in its order, does not hold under the key of its last chain.

    Decisions of this chain are checked one by one. What was decided before it began is checked as a whole, by its first
    decision. Decisions cut off at the end leave no trace here: what the folder and the drafts say shows them. Raises:
    KeyExpired.
    """
    before: list[Decision] = []
    walk = iter(decisions)
    for decision in walk:
        if decision.chain == key.chain:
            return (
                *_gaps(before, decision),
                *_of_beginning(before, decision, key),
                *_of_chain(decision, walk, key),
            )
        before.append(decision)
    return (JournalFault(len(before) + 1, "missing", f"the beginning of chain {key.chain} is missing"),)


def _gaps(before: list[Decision], first: Decision) -> Iterator[JournalFault]:
    """The numbers that are missing before a chain began."""
    last = 0
    for decision in (*before, first):
        yield from _missing(last, decision.number)
        last = decision.number


def _missing(last: int, number: int) -> Iterator[JournalFault]:
    if number == last + 2:
        yield JournalFault(last + 1, "missing", f"decision {last + 1} is missing")
    elif number > last + 2:
        yield JournalFault(last + 1, "missing", f"decisions {last + 1} to {number - 1} are missing")


def _of_beginning(before: list[Decision], first: Decision, key: DecisionKey) -> Iterator[JournalFault]:
    if first.kind not in _BEGINS:
        yield JournalFault(
            first.number,
            "unchecked",
            f"decision {first.number} cannot be checked, since the beginning of its chain is missing",
        )
    elif not key.verify(journal_digest(before), first):
        earlier = ", or a decision before it is not what it was when it was made" if before else ""
        kind: FaultKind = "past" if before else "forged"
        yield JournalFault(
            first.number, kind, f"decision {first.number} was not made with the passphrase{earlier}"
        )


def _of_chain(first: Decision, rest: Iterator[Decision], key: DecisionKey) -> Iterator[JournalFault]:
    last = first
    for decision in rest:
        if decision.number != last.number + 1:
            yield from _missing(last.number, decision.number)
            yield JournalFault(
                decision.number,
                "unchecked",
                f"decision {decision.number} cannot be checked, since the one before it is missing",
            )
        elif decision.chain != key.chain or decision.kind in _BEGINS or not key.verify(last.mac, decision):
            yield JournalFault(
                decision.number,
                "forged",
                f"decision {decision.number} was not made with the passphrase, or was altered afterwards",
            )
        last = decision
