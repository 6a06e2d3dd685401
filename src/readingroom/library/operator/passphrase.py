"""The operator's passphrase: sets it, changes it, checks it, and gives the key that signs decisions. It is kept nowhere.

What is typed wrongly is counted in the ledger and slows down what comes next, in every process and after a restart. Knows
no terminal and no page; where a passphrase may come from is for them to see to.
"""

import hmac
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from ..ledger.model import Chain, Decision
from .chain import DecisionKey, journal_digest, journal_faults
from .derivation import derived, fit, new_chain, normalised
from .refusals import KeyExpired, NoPassphrase, PassphraseSet, PassphraseUnfit, TooSoon, WrongPassphrase

if TYPE_CHECKING:
    from ..ledger.ledger import Ledger
    from ..ledger.reading import LedgerReading
    from ..ledger.writing import LedgerWriting

MOST_WAIT_S = 60.0
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
    for nothing. After wrong ones the next waits 1, 2, 4 … at most 60 seconds, by `sleep`, or raises TooSoon when that is
    None; a right one ends that. Raises: NoPassphrase, WrongPassphrase, TooSoon; what a ledger raises.
    """
    chain, failed = _counted(ledger, clock, sleep)
    check, secret = derived(normalised(passphrase), chain)
    if not hmac.compare_digest(check, chain.check):
        _begin_waiting(ledger, clock)
        wait = _wait(failed)
        raise WrongPassphrase(
            f"That is not the passphrase; the next one is looked at after {wait:g} s.", wait
        )
    with ledger.writing() as writing:
        writing.set_attempts(0, 0.0)
    return DecisionKey(secret, chain, ticks=ticks)


def journal(reading: "LedgerReading") -> Iterator[Decision]:
    """Every decision there is, in its order."""
    after = 0
    while found := reading.decisions(after=after, limit=_PAGE):
        yield from found
        after = found[-1].number


def _counted(
    ledger: "Ledger", clock: Callable[[], float], sleep: Callable[[float], None] | None
) -> tuple[Chain, int]:
    """Count one attempt when its time has come, and give the chain and how many have failed if this one does."""
    while True:
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
                return chain, failed + 1
        if sleep is None:
            raise TooSoon(f"After a wrong passphrase the next one is looked at in {math.ceil(left)} s.", left)
        sleep(left)


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
