"""Decisions are signed one after another; whatever of a journal does not hold is named by its number."""

import copy
import hmac
import pickle

import pytest
from msgspec.structs import replace

from readingroom.library.ledger.model import Chain, Decision, DecisionKind
from readingroom.library.operator.chain import (
    KEPT_S,
    DecisionKey,
    encoded,
    journal_digest,
    journal_faults,
)
from readingroom.library.operator.refusals import KeyExpired

SECRET = bytes(range(32))


class Ticks:
    """Seconds that pass when they are told to."""

    now = 100.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


def chain(number: int = 1, check: bytes = b"c" * 32) -> Chain:
    """Give a chain."""
    return Chain(number=number, salt=b"s" * 16, n=2**17, r=8, p=1, check=check, began=1.0)


def key(number: int = 1, secret: bytes = SECRET) -> DecisionKey:
    """Give the key of a chain."""
    return DecisionKey(secret, chain(number), ticks=Ticks())


def decision(number: int, of: int = 1, kind: DecisionKind = "publish") -> Decision:
    """Give an unsigned decision."""
    return Decision(
        number=number,
        at=1_790_000_000.5,
        kind=kind,
        operator="anna",
        chain=of,
        mac=b"",
        draft="d-x",
        draft_revision=2,
        principal="local",
        path="größe.md",
        before="sha256:" + "0" * 64,
        after=None,
        comment="ja",
    )


def journal(count: int = 5) -> list[Decision]:
    """Give a journal of one chain."""
    made: list[Decision] = []
    for number in range(1, count + 1):
        unsigned = decision(number, kind="set" if number == 1 else "publish")
        made.append(signed(unsigned, made))
    return made


def signed(unsigned: Decision, before: list[Decision], by: DecisionKey | None = None) -> Decision:
    """Sign a decision as the next of a journal."""
    begins = unsigned.kind in ("set", "reset")
    previous = journal_digest(before) if begins else before[-1].mac
    return replace(unsigned, mac=(by or key(unsigned.chain)).sign(previous, unsigned))


def told(decisions: list[Decision], by: DecisionKey | None = None) -> list[tuple[int, str]]:
    """Give the faults of a journal."""
    return [(fault.number, fault.kind) for fault in journal_faults(decisions, by or key())]


def test_the_encoding_is_fixed() -> None:
    """Every journal there is was signed over these bytes: they may never change."""
    assert encoded(decision(7)) == (
        b"\xdc\x00\x10"
        b"\xb6readingroom decision 1"
        b"\x07\xcbA\xda\xacN\xe0 \x00\x00\xa7publish\xa4anna\xa3d-x\x02\xa5local\xaagr\xc3\xb6\xc3\x9fe.md\xa0"
        b"\xd9Gsha256:" + b"0" * 64 + b"\xc0\xa2ja\xc0\xa0\x01"
    )
    assert journal_digest([]).hex() == "c84bb42e0915f07552224ac690297149b955cf0cdda76891cfbb4cc1195ad995"
    assert (
        journal_digest(journal(2)).hex() == "c04a351e1a47333fdec7675b594ed5847dc648b0b5f77b02ac46872da2c9d26f"
    )
    assert key().sign(b"p" * 32, decision(7)) == hmac.digest(
        SECRET, b"p" * 32 + encoded(decision(7)), "sha256"
    )


def test_a_code_covers_every_field() -> None:
    """A change of any field but the code itself changes what is signed."""
    base = decision(7)
    others = {
        "number": 8,
        "at": 1.0,
        "kind": "reject",
        "operator": "bert",
        "chain": 2,
        "draft": "d-y",
        "draft_revision": 3,
        "principal": "other",
        "path": "b.md",
        "to": "c.md",
        "before": None,
        "after": "sha256:1",
        "comment": "nein",
        "undoes": 3,
        "manifest": "sha256:2",
    }
    assert {*others, "mac"} == set(Decision.__struct_fields__)
    assert all(encoded(replace(base, **{name: value})) != encoded(base) for name, value in others.items())
    assert encoded(replace(base, mac=b"x")) == encoded(base)


def test_a_journal_that_holds() -> None:
    """Nothing is named in a journal that is as it was made."""
    assert told(journal()) == []


def test_an_altered_decision() -> None:
    """It is named, and no other is: each stands on the code before it, which stayed."""
    made = journal()
    made[2] = replace(made[2], path="other.md")
    assert told(made) == [(3, "forged")]


def test_a_forged_decision() -> None:
    """One that another key signed, or none, is named, wherever it stands."""
    made = journal(3)
    foreign = signed(decision(4), made, key(secret=b"f" * 32))
    assert told([*made, foreign]) == [(4, "forged")]
    assert told([*made, replace(foreign, mac=b"")]) == [(4, "forged")]
    assert told([*made, signed(decision(4), made), replace(decision(5), mac=b"m" * 32)]) == [(5, "forged")]


def test_a_code_of_another_place() -> None:
    """A decision that was signed once is forged where it stands a second time."""
    made = journal(3)
    assert told([*made, replace(made[2], number=4)]) == [(4, "forged")]


def test_a_second_beginning() -> None:
    """A chain begins once: a set among its decisions is forged, though the key signed it."""
    made = journal(2)
    again = decision(3, kind="set")
    assert told([*made, replace(again, mac=key().sign(made[-1].mac, again))]) == [(3, "forged")]


def test_a_chain_that_was_left() -> None:
    """A decision under an earlier chain, after another has begun, is forged."""
    made = journal(2)
    made.append(signed(decision(3, 2, "reset"), made))
    late = decision(4)
    assert told([*made, replace(late, mac=key().sign(made[-1].mac, late))], key(2)) == [(4, "forged")]


@pytest.mark.parametrize(
    ("gone", "faults"),
    [
        ({3}, [(3, "missing"), (4, "unchecked")]),
        ({2, 3, 4}, [(2, "missing"), (5, "unchecked")]),
        ({1}, [(1, "missing"), (2, "unchecked")]),
    ],
)
def test_missing_decisions(gone: set[int], faults: list[tuple[int, str]]) -> None:
    """Numbers that are not there are named; of the one after them nothing can be said."""
    assert told([one for one in journal() if one.number not in gone]) == faults


def test_a_chain_that_is_missing() -> None:
    """A journal without the chain of the key holds nothing of it."""
    assert told([]) == [(1, "missing")]
    assert told(journal(2), key(2)) == [(3, "missing")]


def test_what_was_before_a_chain() -> None:
    """The first decision of a chain vouches for all before it: an altered or missing one is noticed."""
    made = journal(3)
    made.append(signed(decision(4, 2, "reset"), made))
    made.append(signed(decision(5, 2), made))
    assert told(made, key(2)) == []
    assert told([made[0], replace(made[1], comment="x"), *made[2:]], key(2)) == [(4, "past")]
    assert told([made[0], *made[2:]], key(2)) == [(2, "missing"), (4, "past")]


def test_faults_are_told_in_words() -> None:
    """One missing number, and several, read as sentences."""
    texts = [fault.text for fault in journal_faults([one for one in journal() if one.number != 3], key())]
    assert texts == [
        "decision 3 is missing",
        "decision 4 cannot be checked, since the one before it is missing",
    ]
    texts = [
        fault.text for fault in journal_faults([one for one in journal() if one.number not in (2, 3)], key())
    ]
    assert texts[0] == "decisions 2 to 3 are missing"


def test_two_codes() -> None:
    """A chain that takes over is signed with the new key and then the old; only such a decision can be."""
    made, old, new = journal(2), key(), key(2, b"n" * 32)
    first = decision(3, 2, "set")
    previous = journal_digest(made)
    both = replace(first, mac=new.sign(previous, first) + old.countersign(previous, first))
    assert told([*made, both], new) == []
    assert len(both.mac) == 64
    for other in (decision(3, 2, "reset"), decision(3, 3, "set"), decision(3)):
        with pytest.raises(ValueError, match="begin"):
            old.countersign(previous, other)
    with pytest.raises(ValueError, match="chain 2"):
        old.sign(previous, first)


def test_a_key_keeps_its_secret() -> None:
    """Neither repr nor str nor pickle nor copy gives it away."""
    one = key()
    assert repr(one) == str(one) == "<DecisionKey of chain 1>"
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="stays"):
            attempt(one)


def test_a_key_is_kept_for_five_minutes() -> None:
    """After that it signs and verifies nothing, and its secret is gone, whatever the wall clock says."""
    ticks = Ticks()
    one = DecisionKey(SECRET, chain(), ticks=ticks)
    ticks.now += KEPT_S - 0.1
    assert not one.is_spent()
    assert one.sign(b"", decision(7))
    ticks.now += 0.1
    for attempt in (one.sign, one.verify):
        with pytest.raises(KeyExpired, match="type it again"):
            attempt(b"", decision(7))
    assert one.is_spent()
    ticks.now -= KEPT_S
    assert one.is_spent()


@pytest.mark.parametrize("missing", [(), ("CLOCK_BOOTTIME",), ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC")])
def test_the_clock_of_a_key(monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]) -> None:
    """It never goes back, whichever clocks the system has."""
    for name in missing:
        monkeypatch.delattr(f"time.{name}", raising=False)
    one = DecisionKey(SECRET, chain())
    assert not one.is_spent()


def test_a_key_is_forgotten() -> None:
    """A key that was forgotten signs nothing more; forgetting twice is no fault."""
    one = DecisionKey(SECRET, chain())
    assert one.sign(b"", decision(7))
    one.forget()
    one.forget()
    assert one.is_spent()


def test_whose_key_it_is() -> None:
    """A key is that of one chain, by its check and not only by its number."""
    assert key().belongs_to(chain())
    assert not key().belongs_to(chain(2))
    assert not key().belongs_to(chain(check=b"d" * 32))
    assert not key().belongs_to(None)
