"""A sealed state opens as it was sealed, and whatever is changed about it, it does not open."""

import os

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readingroom.protocol import BadSeal, CallParams, Meta
from readingroom.protocol.salient import salient
from readingroom.protocol.state_sealing import StateSealer

KEYS = (b"new key, 16 bytes", b"old key, 16 bytes")
ABOUTS = st.lists(st.text(max_size=8), max_size=5)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
ARGUMENTS = st.dictionaries(st.text(), VALUES, max_size=4)


def sealed(state: bytes, about: list[str]) -> tuple[StateSealer, str]:
    """A sealer and what it has sealed."""
    sealer = StateSealer(KEYS, os.urandom)
    return sealer, sealer.seal(state, about, 100)


@given(st.binary(max_size=200), ABOUTS)
def test_what_was_sealed_opens(state: bytes, about: list[str]) -> None:
    """Whatever it is, and whatever it is about."""
    sealer, text = sealed(state, about)
    assert sealer.open(text, about, 99) == state


@given(st.binary(max_size=40), st.data())
def test_a_change_of_any_character_is_refused(state: bytes, data: st.DataObject) -> None:
    """Another letter, one less, one more, at any place."""
    sealer, text = sealed(state, ["a"])
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="ascii"))
    changes = [
        text[:place] + letter + text[place + 1 :],
        text[:place] + text[place + 1 :],
        text[:place] + letter + text[place:],
    ]
    for changed in changes:
        if changed != text:
            with pytest.raises(BadSeal):
                sealer.open(changed, ["a"], 0)


@settings(max_examples=5)
@given(st.binary(max_size=40))
def test_a_flip_of_any_bit_is_refused(state: bytes) -> None:
    """Of every byte of the text, one after the other."""
    sealer, text = sealed(state, ["a"])
    for place, letter in enumerate(text):
        for bit in range(7):
            changed = text[:place] + chr(ord(letter) ^ (1 << bit)) + text[place + 1 :]
            with pytest.raises(BadSeal):
                sealer.open(changed, ["a"], 0)


@given(ABOUTS, ABOUTS)
def test_about_anything_else_it_is_refused(about: list[str], other: list[str]) -> None:
    """Another server, method, argument or principal."""
    sealer, text = sealed(b"state", about)
    if other == about:
        assert sealer.open(text, other, 0) == b"state"
    else:
        with pytest.raises(BadSeal):
            sealer.open(text, other, 0)


@given(ARGUMENTS, ARGUMENTS)
def test_arguments_are_told_apart_by_their_values(one: dict[str, object], other: dict[str, object]) -> None:
    """The same value in another order is the same, and another value is another."""

    def about(value: dict[str, object]) -> tuple[str, str]:
        return salient(CallParams(Meta("v", {}), "t", msgspec.Raw(msgspec.json.encode(value))))

    assert about(one) == about(dict(reversed(one.items())))
    assert (about(one) == about(other)) == (
        msgspec.json.encode(one, order="sorted") == msgspec.json.encode(other, order="sorted")
    )
