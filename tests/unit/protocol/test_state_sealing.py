"""Sealed states: what was sealed opens, for what it is about and in its time; nothing else does."""

import base64
import os
import sys

import pytest

from readingroom.errors import UsageError
from readingroom.protocol import BadSeal
from readingroom.protocol.state_sealing import StateSealer

KEY, OLDER = b"k" * 16, b"o" * 32
ABOUT = ("server", "tools/call", "book", "digest", "me")


def sealer(*keys: bytes) -> StateSealer:
    """One with these keys."""
    return StateSealer(keys or (KEY,), os.urandom)


def test_what_was_sealed_opens() -> None:
    """By whoever has the key, as long as it is good."""
    text = sealer().seal(b"state", ABOUT, 100)
    assert sealer().open(text, ABOUT, 99.9) == b"state"
    assert text.startswith("v1.")
    assert text.isascii()
    assert b"state" not in base64.urlsafe_b64decode(text.split(".")[2] + "==")


def test_an_empty_state_is_one() -> None:
    """Nothing is a state like any other."""
    assert sealer().open(sealer().seal(b"", ABOUT, 100), ABOUT, 0) == b""


def test_no_text_is_given_twice() -> None:
    """Nobody can tell whether two of them hold the same."""
    assert sealer().seal(b"state", ABOUT, 100) != sealer().seal(b"state", ABOUT, 100)


@pytest.mark.parametrize("now", [100, 100.1, 1e12])
def test_it_expires(now: float) -> None:
    """At its second, not after."""
    with pytest.raises(BadSeal, match="expired"):
        sealer().open(sealer().seal(b"state", ABOUT, 100), ABOUT, now)


def test_keys_are_rotated() -> None:
    """The newest seals, all of them open; a key that was taken away opens nothing more."""
    old = sealer(OLDER).seal(b"state", ABOUT, 100)
    new = sealer(KEY, OLDER).seal(b"state", ABOUT, 100)
    assert sealer(KEY, OLDER).open(old, ABOUT, 0) == b"state"
    assert sealer(KEY).open(new, ABOUT, 0) == b"state"
    for keys in ((KEY,), (b"n" * 16, KEY)):
        with pytest.raises(BadSeal):
            sealer(*keys).open(old, ABOUT, 0)


@pytest.mark.parametrize("place", range(len(ABOUT)))
def test_it_is_about_one_thing(place: int) -> None:
    """About anything else it does not open (MRTR-12)."""
    text = sealer().seal(b"state", ABOUT, 100)
    for other in ("", ABOUT[place] + "x"):
        with pytest.raises(BadSeal):
            sealer().open(text, (*ABOUT[:place], other, *ABOUT[place + 1 :]), 0)
    with pytest.raises(BadSeal):
        sealer().open(text, ABOUT[:-1], 0)


def test_parts_of_what_it_is_about_do_not_run_together() -> None:
    """The bounds between them count."""
    text = sealer().seal(b"state", ("ab", "c"), 100)
    with pytest.raises(BadSeal):
        sealer().open(text, ("a", "bc"), 0)


@pytest.mark.parametrize("text", ["", "v1", "v1.", "v1..", "..", "\ud800", "ü" * 40, "v1.é.é", "x" * 100])
def test_what_is_no_state_is_refused(text: str) -> None:
    """Whatever it is."""
    with pytest.raises(BadSeal):
        sealer().open(text, ABOUT, 0)


def test_other_texts_under_its_head_are_refused() -> None:
    """Too short, not base64, and spelled another way."""
    text = sealer().seal(b"stat", ABOUT, 100)
    head, payload = text[: text.rindex(".") + 1], text[text.rindex(".") + 1 :]
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    others = [last[last.index(payload[-1]) ^ 1]] if len(payload) % 4 else []
    assert others  # of these letters some bits do not count, so another letter spells the same bytes
    for changed in (
        "", "A", "AAAA", "ü", payload[:-4], payload + "=", payload + "\n", "é" + payload, payload[:32],
        " " + payload, payload + "AAAA", payload[:-1] + others[0],
    ):  # fmt: skip
        with pytest.raises(BadSeal):
            sealer().open(head + changed, ABOUT, 0)
    for changed in ("v2." + text[3:], "v1.000000000000." + payload, text.upper()):
        with pytest.raises(BadSeal):
            sealer().open(changed, ABOUT, 0)


@pytest.mark.parametrize("keys", [(), b"k" * 32, (b"k" * 15,), (b"k" * 16, "k" * 16), ("k" * 16,), None])
def test_keys_that_are_none(keys: object) -> None:
    """Several bytes, long enough, or it is a mistake of the program."""
    with pytest.raises(UsageError, match="state_keys"):
        StateSealer(keys, os.urandom)  # type: ignore[arg-type]  # what a program may give by mistake


def test_without_cryptography_nothing_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the error says what to install."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(UsageError, match=r"readingroom\[rounds\]"):
        sealer().seal(b"state", ABOUT, 100)
