"""The operator's passphrase: sets it, changes it, checks it, and gives the key that signs decisions. It is kept nowhere.

What is typed wrongly is counted in the ledger and slows down what comes next, in every process and after a restart. Knows
no terminal and no page; where a passphrase may come from is for them to see to.
"""

import hmac
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from ..errors import LedgerBusy
from ..ledger.model import Chain, Decision
from .chain import DecisionKey, journal_digest, journal_faults
from .derivation import derived, fit, new_chain, normalised
from .refusals import KeyExpired, NoPassphrase, PassphraseSet, PassphraseUnfit, TooSoon, WrongPassphrase
from .turns import turn

if TYPE_CHECKING:
    from ..ledger.ledger import Ledger
    from ..ledger.reading import LedgerReading
    from ..ledger.writing import LedgerWriting

MOST_WAIT_S = 60.0
_TURN_S = 10.0
_PAGE = 500
_NAMED = 20


def set_passphrase(
    ledger: "Ledger",
    operator: str,
    new: str,
    old: str | None = None,
    *,
    manifest: Mapping[str, str],
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] | None = time.sleep,
) -> DecisionKey:
    """Set the first passphrase, or change it with the old one, and give the key of the chain that begins with it.

    The first decision of a chain that takes over from another is signed with both: its code is that of the new key, then
    that of the old. What of the old chain did not hold at that moment is said in the decision's comment. Raises:
    PassphraseUnfit; PassphraseSet when there is one and `old` was not given; what `unlock` raises; what a ledger raises.
    """
    typed = fit(new)
    if old is None:
        return _begun(ledger, "set", operator, typed, manifest, clock)
    key = unlock(ledger, old, clock=clock, sleep=sleep)
    try:
        if normalised(old) == typed:
            raise PassphraseUnfit("The new passphrase is the old one.")
        return _begun(ledger, "set", operator, typed, manifest, clock, key)
    finally:
        key.forget()


def reset_passphrase(
    ledger: "Ledger",
    operator: str,
    new: str,
    *,
    manifest: Mapping[str, str],
    clock: Callable[[], float] = time.time,
) -> DecisionKey:
    """Begin a chain under a new passphrase without the old one, for whoever has forgotten it; the journal says "reset".

    Decisions before it can no longer be checked one by one, only that they stayed as they were at the reset. Raises:
    PassphraseUnfit; NoPassphrase when there is nothing to reset; what a ledger raises.
    """
    return _begun(ledger, "reset", operator, fit(new), manifest, clock)


def unlock(
    ledger: "Ledger",
    passphrase: str,
    *,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] | None = time.sleep,
    ticks: Callable[[], float] | None = None,
) -> DecisionKey:
    """Check a passphrase and give the key of the last chain.

    Every attempt is counted in the ledger before it is looked at, so that neither a second process nor a kill gives one
    for nothing; one at a time is looked at, and the others wait for it. After wrong ones the next waits 1, 2, 4 … at most
    60 seconds, by `sleep`, or raises TooSoon when that is None; a right one ends that. Raises: NoPassphrase,
    WrongPassphrase, TooSoon; what a ledger raises.
    """
    while True:
        with _alone(ledger):
            chain, failed, left = _counted(ledger, clock)
            if left <= 0:
                return DecisionKey(_looked_at(ledger, passphrase, chain, failed, clock), chain, ticks=ticks)
        if sleep is None:
            raise TooSoon(
                "After a wrong passphrase, or one that was broken off, the next one is looked at in "
                f"{math.ceil(left)} s.",
                left,
            )
        sleep(left)


def journal(reading: "LedgerReading") -> Iterator[Decision]:
    """Every decision there is, in its order."""
    after = 0
    while found := reading.decisions(after=after, limit=_PAGE):
        yield from found
        after = found[-1].number


@contextmanager
def _alone(ledger: "Ledger") -> Iterator[None]:
    """Let no other passphrase be looked at meanwhile, or, when one has been for too long, go on beside it: it counts."""
    with ExitStack() as held:
        with suppress(LedgerBusy):
            held.enter_context(turn(ledger, _TURN_S, lock="passphrase.lock"))
        yield


def _counted(ledger: "Ledger", clock: Callable[[], float]) -> tuple[Chain, int, float]:
    """Count one attempt if its time has come: the chain, how many will have failed with it, and the seconds to wait."""
    with ledger.writing() as writing:
        chain = writing.chain()
        if chain is None:
            raise NoPassphrase("No passphrase is set for this folder yet.")
        failed, last = writing.attempts()
        now = clock()
        if (
            now < last
        ):  # the clock was put back: the wait begins anew, and does not last until the old time comes
            last = now
            writing.set_attempts(failed, last)
        left = last + _wait(failed) - now
        if left <= 0:
            writing.set_attempts(failed + 1, now)
        return chain, failed + 1, left


def _looked_at(
    ledger: "Ledger", passphrase: str, chain: Chain, failed: int, clock: Callable[[], float]
) -> bytes:
    """The secret that the passphrase gives. Raises WrongPassphrase; what a ledger raises."""
    check, secret = derived(normalised(passphrase), chain)
    if not hmac.compare_digest(check, chain.check):
        _begin_waiting(ledger, clock)
        wait = _wait(failed)
        raise WrongPassphrase(
            f"That is not the passphrase; the next one is looked at after {wait:g} s.", wait
        )
    with ledger.writing() as writing:
        writing.set_attempts(0, 0.0)
    return secret


def _begin_waiting(ledger: "Ledger", clock: Callable[[], float]) -> None:
    """Let the wait begin when the refusal is given: how long scrypt took takes nothing from it."""
    with ledger.writing() as writing:
        failed, last = writing.attempts()
        writing.set_attempts(failed, max(last, clock()))


def _wait(failed: int) -> float:
    """How long the attempt after this many failed ones waits."""
    return min(MOST_WAIT_S, 2.0 ** min(failed - 1, 10)) if failed > 0 else 0.0


def _begun(
    ledger: "Ledger",
    kind: Literal["set", "reset"],
    operator: str,
    typed: bytes,
    manifest: Mapping[str, str],
    clock: Callable[[], float],
    old: DecisionKey | None = None,
) -> DecisionKey:
    """Begin a chain, in one transaction with its first decision."""
    made, secret = new_chain(1, typed, clock())
    with ledger.writing() as writing:
        last = writing.chain()
        _check(kind, last, old)
        chain = made if last is None else replace(made, number=last.number + 1)
        key = DecisionKey(secret, chain)
        writing.begin_chain(chain)
        writing.append(_first(writing, kind, operator, manifest, chain, key, old))
        writing.set_attempts(0, 0.0)
    return key


def _check(kind: str, last: Chain | None, old: DecisionKey | None) -> None:
    if kind == "reset" and last is None:
        raise NoPassphrase("No passphrase is set for this folder yet, so there is none to reset.")
    if kind == "set" and last is not None and old is None:
        raise PassphraseSet(
            "A passphrase is set for this folder already; to change it, the old one is needed."
        )
    if old is not None and not old.belongs_to(last):
        raise KeyExpired("The passphrase was changed meanwhile; type it again.")


def _first(
    writing: "LedgerWriting",
    kind: Literal["set", "reset"],
    operator: str,
    manifest: Mapping[str, str],
    chain: Chain,
    key: DecisionKey,
    old: DecisionKey | None,
) -> Decision:
    """The decision that begins a chain: it stands on the digest of all that was decided before."""
    before = tuple(journal(writing))
    first = Decision(
        number=before[-1].number + 1 if before else 1,
        at=chain.began,
        kind=kind,
        operator=operator,
        chain=chain.number,
        mac=b"",
        comment="" if old is None else _held(before, old),
        manifest=writing.keep_manifest(dict(manifest)),
    )
    previous = journal_digest(before)
    signed = key.sign(previous, first)
    return replace(first, mac=signed if old is None else signed + old.countersign(previous, first))


def _held(before: tuple[Decision, ...], old: DecisionKey) -> str:
    """What is said of the old chain when another takes over from it, for it can be checked this once."""
    faults = [fault.number for fault in journal_faults(before, old)]
    if not faults:
        return "All decisions under the old passphrase held."
    named = ", ".join(str(number) for number in faults[:_NAMED])
    return f"Did not hold under the old passphrase: {named}{' and more' if len(faults) > _NAMED else ''}."
