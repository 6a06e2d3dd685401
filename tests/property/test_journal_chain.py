"""Whatever is done to a journal past the key is named, at the place where it was done; what was not touched is not."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from readingroom.library.ledger import Chain, Decision
from readingroom.library.operator import DecisionKey, journal_faults
from readingroom.library.operator.chain import journal_digest

SECRET = b"s" * 32
TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=12)
REVISIONS = st.one_of(st.none(), TEXTS)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "at": st.floats(0, 2**40),
    "kind": st.sampled_from(["publish", "reject", "undo", "accept"]),
    "operator": TEXTS,
    "draft": TEXTS,
    "draft_revision": st.integers(0, 2**31),
    "principal": TEXTS,
    "path": TEXTS,
    "to": TEXTS,
    "before": REVISIONS,
    "after": REVISIONS,
    "comment": TEXTS,
    "undoes": st.one_of(st.none(), st.integers(1, 2**31)),
    "manifest": TEXTS,
}
KINDS = st.fixed_dictionaries(FIELDS)


def key(chain: int, secret: bytes = SECRET) -> DecisionKey:
    """Give the key of a chain."""
    made = Chain(number=chain, salt=b"", n=2, r=8, p=1, check=b"c" * 32, began=0.0)
    return DecisionKey(secret, made)


def journal(chains: list[list[dict[str, Any]]]) -> list[Decision]:
    """Give a journal with these decisions after the beginning of each chain."""
    made: list[Decision] = []
    for chain, decisions in enumerate(chains, 1):
        first = {"at": 1.0, "kind": "set" if chain == 1 else "reset", "operator": "anna"}
        for fields in (first, *decisions):
            bare = Decision(number=len(made) + 1, chain=chain, mac=b"", **fields)
            previous = journal_digest(made) if fields is first else made[-1].mac
            made.append(replace(bare, mac=key(chain).sign(previous, bare)))
    return made


JOURNALS = st.lists(st.lists(KINDS, min_size=1, max_size=4), min_size=1, max_size=3).map(journal)


def named(decisions: list[Decision], chain: int) -> set[int]:
    """Give the numbers that are named."""
    return {fault.number for fault in journal_faults(decisions, key(chain))}


@given(JOURNALS)
def test_what_nobody_touched(made: list[Decision]) -> None:
    """It holds."""
    assert named(made, made[-1].chain) == set()


@given(JOURNALS, st.data())
def test_a_field_that_is_altered(made: list[Decision], data: st.DataObject) -> None:
    """Of the last chain the decision itself is named, of an earlier one the beginning of the last."""
    place = data.draw(st.integers(0, len(made) - 1))
    name = data.draw(st.sampled_from([*FIELDS, "mac"]))
    value = data.draw(st.binary(max_size=40) if name == "mac" else FIELDS[name])
    before = made[place]
    altered = replace(before, **{name: value})
    if altered == before:
        return
    last = made[-1].chain
    first = next(one.number for one in made if one.chain == last)
    found = named([*made[:place], altered, *made[place + 1 :]], last)
    assert (altered.number if altered.number >= first else first) in found
    if name != "mac":
        assert len(found) == 1


@given(JOURNALS, st.data())
def test_a_decision_that_is_taken_out(made: list[Decision], data: st.DataObject) -> None:
    """Its number is named, wherever it stood but at the end."""
    place = data.draw(st.integers(0, len(made) - 2))
    assert place + 1 in named([*made[:place], *made[place + 1 :]], made[-1].chain)


@given(JOURNALS, KINDS, st.binary(min_size=0, max_size=64))
def test_a_decision_that_is_added(made: list[Decision], fields: dict[str, Any], mac: bytes) -> None:
    """Without the key nobody adds one, with whatever code, or signed with another."""
    bare = Decision(number=len(made) + 1, chain=made[-1].chain, mac=b"", **fields)
    for code in (mac, key(bare.chain, b"x" * 32).sign(made[-1].mac, bare)):
        assert named([*made, replace(bare, mac=code)], bare.chain) == {bare.number}


@given(JOURNALS)
def test_another_key(made: list[Decision]) -> None:
    """Under a key that is not the chain's nothing of it holds."""
    last = made[-1].chain
    found = {fault.number for fault in journal_faults(made, key(last, b"x" * 32))}
    assert found == {one.number for one in made if one.chain == last}
