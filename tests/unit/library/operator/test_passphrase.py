"""A passphrase is set, changed, reset and checked; wrong ones slow down what comes next, in every process."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library.ledger.ledger import Ledger
from readingroom.library.ledger.model import Chain, Decision
from readingroom.library.operator import derivation, passphrase, turns
from readingroom.library.operator.chain import DecisionKey, journal_faults
from readingroom.library.operator.passphrase import journal, reset_passphrase, set_passphrase, unlock
from readingroom.library.operator.refusals import (
    KeyExpired,
    NoPassphrase,
    PassphraseSet,
    PassphraseUnfit,
    TooSoon,
    WrongPassphrase,
)

FIRST, SECOND = "correct horse battery", "größere Wörter"
FILES = {"a.md": "sha256:" + "0" * 64}


class Time:
    """A wall clock, and sleeping that lets it go on; `slept` are the seconds."""

    def __init__(self) -> None:
        self.now = 1_790_000_000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        """Give the time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let scrypt cost the least that a ledger may ask for."""
    monkeypatch.setattr(derivation, "_N", 2**14)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """Give an empty ledger."""
    (tmp_path / "root").mkdir()
    made = Ledger.open(tmp_path / "root", tmp_path / "ledgers")
    yield made
    made.close()


@pytest.fixture
def time() -> Time:
    """Give a clock that sleeping moves."""
    return Time()


def begun(ledger: Ledger) -> DecisionKey:
    """Set the first passphrase."""
    return set_passphrase(ledger, "anna", FIRST, manifest=FILES)


def decisions(ledger: Ledger) -> tuple[Decision, ...]:
    """Give the journal."""
    with ledger.reading() as reading:
        return tuple(journal(reading))


def failed(ledger: Ledger) -> int:
    """Give how many attempts in a row have failed."""
    with ledger.reading() as reading:
        return reading.attempts()[0]


def wrongly(ledger: Ledger, time: Time, times: int = 1) -> WrongPassphrase:
    """Type wrong passphrases, and give the last refusal."""
    for _ in range(times):
        with pytest.raises(WrongPassphrase) as caught:
            unlock(ledger, "a wrong one", clock=time.clock, sleep=time.sleep)
    return caught.value


def added(ledger: Ledger, key: DecisionKey) -> Decision:
    """Have a decision signed and added."""
    last = decisions(ledger)[-1]
    unsigned = Decision(
        number=last.number + 1, at=1.0, kind="reject", operator="anna", chain=key.chain, mac=b""
    )
    values = {name: getattr(unsigned, name) for name in unsigned.__struct_fields__}
    made = Decision(**{**values, "mac": key.sign(last.mac, unsigned)})
    with ledger.writing() as writing:
        writing.append(made)
    return made


def test_the_first_passphrase(ledger: Ledger) -> None:
    """It begins the first chain with a decision that keeps what the folder holds, and gives its key."""
    key = begun(ledger)
    (first,) = decisions(ledger)
    assert (first.number, first.kind, first.operator, first.chain, first.comment) == (1, "set", "anna", 1, "")
    with ledger.reading() as reading:
        assert reading.manifest(first.manifest) == FILES
        assert key.belongs_to(reading.chain())
    assert journal_faults(decisions(ledger), key) == ()


def test_unlocking(ledger: Ledger, time: Time) -> None:
    """The passphrase, in any form of Unicode, gives the key that goes on with the chain."""
    begun(ledger)
    reset_passphrase(ledger, "anna", "gr\u00f6\u00dfere W\u00f6rter", manifest=FILES)
    key = unlock(ledger, "gro\u0308\u00dfere Wo\u0308rter", clock=time.clock, sleep=time.sleep)
    added(ledger, key)
    added(ledger, key)
    assert journal_faults(decisions(ledger), key) == ()
    assert time.slept == []
    assert failed(ledger) == 0


def test_no_passphrase(ledger: Ledger) -> None:
    """Without one nothing is unlocked, and there is none to reset."""
    with pytest.raises(NoPassphrase):
        unlock(ledger, FIRST)
    with pytest.raises(NoPassphrase):
        reset_passphrase(ledger, "anna", FIRST, manifest=FILES)
    assert decisions(ledger) == ()


def test_a_passphrase_that_is_not_fit(ledger: Ledger) -> None:
    """A short one is refused, and nothing is begun."""
    with pytest.raises(PassphraseUnfit):
        set_passphrase(ledger, "anna", "short", manifest=FILES)
    begun(ledger)
    with pytest.raises(PassphraseUnfit, match="the old one"):
        set_passphrase(ledger, "anna", FIRST, FIRST, manifest=FILES)
    with pytest.raises(PassphraseUnfit):
        reset_passphrase(ledger, "anna", "short", manifest=FILES)
    assert len(decisions(ledger)) == 1


def test_changing_it(ledger: Ledger) -> None:
    """The old passphrase is needed; the new chain is signed with both, and says that all before it held."""
    added(ledger, begun(ledger))
    with pytest.raises(PassphraseSet, match="the old one is needed"):
        set_passphrase(ledger, "anna", SECOND, manifest=FILES)
    key = set_passphrase(ledger, "anna", SECOND, FIRST, manifest=FILES)
    first = decisions(ledger)[-1]
    assert (first.number, first.kind, first.chain, len(first.mac)) == (3, "set", 2, 64)
    assert first.comment == "All decisions under the old passphrase held."
    assert journal_faults(decisions(ledger), key) == ()
    with pytest.raises(WrongPassphrase):
        unlock(ledger, FIRST)


def test_changing_it_with_a_wrong_one(ledger: Ledger, time: Time) -> None:
    """A wrong old passphrase counts as an attempt like any other."""
    begun(ledger)
    with pytest.raises(WrongPassphrase):
        set_passphrase(
            ledger, "anna", SECOND, "not it at all", manifest=FILES, clock=time.clock, sleep=time.sleep
        )
    assert failed(ledger) == 1
    assert len(decisions(ledger)) == 1


@pytest.mark.parametrize(("forged", "more"), [(1, False), (21, True)])
def test_changing_it_over_what_does_not_hold(ledger: Ledger, forged: int, more: bool) -> None:
    """What was forged under the old passphrase is named for good, since it can be checked this once."""
    begun(ledger)
    with ledger.writing() as writing:
        for number in range(2, 2 + forged):
            writing.append(
                Decision(number=number, at=1.0, kind="publish", operator="anna", chain=1, mac=b"m" * 32)
            )
    key = set_passphrase(ledger, "anna", SECOND, FIRST, manifest=FILES)
    comment = decisions(ledger)[-1].comment
    assert comment.startswith("Did not hold under the old passphrase: 2")
    assert comment.endswith(" and more.") is more
    assert journal_faults(decisions(ledger), key) == ()


def test_another_changed_it_meanwhile(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that change it at the same time, one does."""
    begun(ledger)
    begin = passphrase._begun

    def late(*given: object, **named: object) -> DecisionKey:
        monkeypatch.setattr(passphrase, "_begun", begin)
        reset_passphrase(ledger, "anna", "another new one", manifest=FILES)
        return begin(*given, **named)  # type: ignore[arg-type]  # whatever it is given, it passes on

    monkeypatch.setattr(passphrase, "_begun", late)
    with pytest.raises(KeyExpired, match="meanwhile"):
        set_passphrase(ledger, "anna", SECOND, FIRST, manifest=FILES)
    assert [one.kind for one in decisions(ledger)] == ["set", "reset"]


def test_resetting_it(ledger: Ledger) -> None:
    """A new chain begins without the old passphrase; the journal says "reset", and keeps what was decided before."""
    added(ledger, begun(ledger))
    key = reset_passphrase(ledger, "anna", SECOND, manifest=FILES)
    assert [(one.kind, one.chain) for one in decisions(ledger)] == [("set", 1), ("reject", 1), ("reset", 2)]
    assert len(decisions(ledger)[-1].mac) == 32
    assert journal_faults(decisions(ledger), key) == ()


def test_wrong_ones_slow_down(ledger: Ledger, time: Time) -> None:
    """The next one waits 1, 2, 4 … and at most 60 seconds, and the refusal says how long."""
    begun(ledger)
    waits = [wrongly(ledger, time).wait for _ in range(9)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert time.slept == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_right_one_waits_too(ledger: Ledger, time: Time) -> None:
    """It is not looked at earlier than a wrong one would be; then the count begins anew."""
    begun(ledger)
    wrongly(ledger, time, 3)
    time.now += 1.5
    unlock(ledger, FIRST, clock=time.clock, sleep=time.sleep)
    assert time.slept == [1, 2, 2.5]
    assert failed(ledger) == 0


def test_the_wait_begins_with_the_refusal(
    ledger: Ledger, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it took to look at the passphrase, the next one waits as long as was said."""
    begun(ledger)
    derived = passphrase.derived

    def slow(typed: bytes, chain: Chain) -> tuple[bytes, bytes]:
        time.now += 30
        return derived(typed, chain)

    monkeypatch.setattr(passphrase, "derived", slow)
    wrongly(ledger, time, 2)
    assert time.slept == [1]


def test_without_sleeping(ledger: Ledger, time: Time) -> None:
    """Who cannot wait is told how long, and the attempt counts for nothing."""
    begun(ledger)
    wrongly(ledger, time, 3)
    with pytest.raises(TooSoon, match="in 4 s") as caught:
        unlock(ledger, FIRST, clock=time.clock, sleep=None)
    assert caught.value.wait == 4
    assert failed(ledger) == 3
    time.now += 4
    assert unlock(ledger, FIRST, clock=time.clock, sleep=None)


def test_the_count_outlives_the_process(tmp_path: Path, ledger: Ledger, time: Time) -> None:
    """Another opening of the ledger waits as long as this one would."""
    begun(ledger)
    wrongly(ledger, time, 4)
    ledger.close()
    again = Ledger.open(tmp_path / "root", tmp_path / "ledgers")
    with pytest.raises(TooSoon) as caught:
        unlock(again, FIRST, clock=time.clock, sleep=None)
    again.close()
    assert caught.value.wait == 8


def test_a_clock_that_is_put_back(ledger: Ledger, time: Time) -> None:
    """It lets the wait begin anew, and no more."""
    begun(ledger)
    wrongly(ledger, time, 3)
    time.now -= 1_000_000
    unlock(ledger, FIRST, clock=time.clock, sleep=time.sleep)
    assert time.slept == [1, 2, 4]


def test_an_attempt_counts_before_it_is_looked_at(
    ledger: Ledger, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed while it looks has had its attempt."""
    begun(ledger)

    def killed(*_: object) -> tuple[bytes, bytes]:
        raise KeyboardInterrupt

    monkeypatch.setattr(passphrase, "derived", killed)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            unlock(ledger, FIRST, clock=time.clock, sleep=time.sleep)
    assert failed(ledger) == 3
    assert time.slept == [1, 2]


def test_many_at_once(ledger: Ledger, time: Time) -> None:
    """Of many attempts at the same moment one is looked at; the others would have to wait."""
    begun(ledger)
    ended: list[type[Exception]] = []
    begin = threading.Barrier(8)

    def guess() -> None:
        begin.wait()
        try:
            unlock(ledger, "a wrong one", clock=time.clock, sleep=None)
        except (TooSoon, WrongPassphrase) as error:
            ended.append(type(error))

    threads = [threading.Thread(target=guess) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(kind.__name__ for kind in ended) == ["TooSoon"] * 7 + ["WrongPassphrase"]
    assert failed(ledger) == 1


def test_two_right_ones_at_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits until the first has been looked at, for nobody has typed a wrong one; a key comes of both."""
    begun(ledger)
    derived = passphrase.derived
    begins, goes_on = threading.Event(), threading.Event()

    def slow(typed: bytes, chain: Chain) -> tuple[bytes, bytes]:
        begins.set()
        assert goes_on.wait(30)
        return derived(typed, chain)

    monkeypatch.setattr(passphrase, "derived", slow)
    monkeypatch.setattr(turns.time, "sleep", lambda _: goes_on.set())
    keys: list[DecisionKey] = []
    first = threading.Thread(target=lambda: keys.append(unlock(ledger, FIRST, sleep=None)))
    first.start()
    assert begins.wait(30)
    try:
        keys.append(unlock(ledger, FIRST, sleep=None))
    finally:
        goes_on.set()
        first.join()
    assert len(keys) == 2
    assert failed(ledger) == 0


def test_one_that_is_looked_at_for_ever(ledger: Ledger, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds up the others does so for seconds only; then its attempt counts like a wrong one."""
    begun(ledger)
    monkeypatch.setattr(passphrase, "_TURN_S", 0.0)
    with ledger.writing() as writing:
        writing.set_attempts(1, time.now)
    with turns.turn(ledger, lock="passphrase.lock"):
        with pytest.raises(TooSoon, match="or one that was broken off"):
            unlock(ledger, FIRST, clock=time.clock, sleep=None)
        unlock(ledger, FIRST, clock=time.clock, sleep=time.sleep)
    assert time.slept == [1]


def test_no_word_of_what_was_typed(ledger: Ledger, time: Time) -> None:
    """Neither the ledger nor a refusal holds a passphrase."""
    begun(ledger)
    assert "a wrong one" not in str(wrongly(ledger, time))
    ledger.close()
    kept = b"".join(file.read_bytes() for file in ledger.path.parent.iterdir())
    assert b"a wrong one" not in kept
    assert FIRST.encode() not in kept
