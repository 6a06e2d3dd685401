"""Cursors: only their maker reads them back, for one purpose and one principal."""

import base64

import pytest

from readingroom.protocol import BadSeal, Sealer

SEALER = Sealer(b"k" * 16)


def test_a_key_is_long_enough() -> None:
    """Fewer than sixteen bytes are refused."""
    with pytest.raises(ValueError, match="16 bytes"):
        Sealer(b"k" * 15)


@pytest.mark.parametrize("position", ["", "a", "лист", "x" * 5000, "\x00"])
def test_a_position_is_read_back(position: str) -> None:
    """The same position gives the same cursor, in characters that need no escaping (PAGE-3)."""
    cursor = SEALER.seal(position, purpose="tools/list", principal="me")
    assert SEALER.open(cursor, purpose="tools/list", principal="me") == position
    assert cursor == Sealer(b"k" * 16).seal(position, purpose="tools/list", principal="me")
    assert cursor.isascii()
    assert not set(cursor) & set('+/="\\')


@pytest.mark.parametrize(
    ("key", "purpose", "principal"),
    [
        (b"x" * 16, "tools/list", "me"),
        (b"k" * 16, "prompts/list", "me"),
        (b"k" * 16, "tools/list", "you"),
        (b"k" * 16, "tools/listm", "e"),
    ],
)
def test_a_cursor_is_good_for_its_own_place_alone(key: bytes, purpose: str, principal: str) -> None:
    """Another key, list or principal refuses it."""
    cursor = SEALER.seal("here", purpose="tools/list", principal="me")
    with pytest.raises(BadSeal):
        Sealer(key).open(cursor, purpose=purpose, principal=principal)


@pytest.mark.parametrize("cursor", ["", "A", "AAAA", "лист", "\ud800", "=", "x" * 1000, "A" * 22, "a b"])
def test_what_was_never_sealed_is_refused(cursor: str) -> None:
    """Whatever it is made of."""
    with pytest.raises(BadSeal):
        SEALER.open(cursor, purpose="tools/list")


def test_every_changed_character_is_noticed() -> None:
    """And so is another spelling of the same bytes: padding, junk between, bits that mean nothing."""
    cursor = SEALER.seal("some place", purpose="p")
    for place, old in enumerate(cursor):
        changed = cursor[:place] + ("A" if old != "A" else "B") + cursor[place + 1 :]
        with pytest.raises(BadSeal):
            SEALER.open(changed, purpose="p")
    for spelling in (cursor + "=", cursor + "==", cursor[:5] + "!" + cursor[5:], cursor + "\n", " " + cursor):
        with pytest.raises(BadSeal):
            SEALER.open(spelling, purpose="p")
    raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    with pytest.raises(BadSeal):
        SEALER.open(base64.b64encode(raw + b"x").decode(), purpose="p")
