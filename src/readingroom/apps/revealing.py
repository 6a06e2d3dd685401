"""Text under review, with everything visible that a reader could not see: what is approved is what is seen.

Stricter than `characters`, which only keeps a terminal from harm: joiners and variation selectors stay hidden only where
they do their work, between or after letters and emoji. Pure.
"""

import unicodedata

from .characters import is_risky

_JOINERS = frozenset("\u200c\u200d")
_SELECTORS = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0x180B, 0x180E), 0x180F, *range(0xE0100, 0xE01F0)))
)
# Letters and signs by their category that leave no mark of their own on the screen.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Format characters that are seen: the signs over numbers and the ends of verses of Arabic, Syriac and Kaithi.
_SEEN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")


def revealed(text: str) -> str:
    """The text of one line with every invisible or direction-changing character, control and odd blank as ⟨U+202E⟩."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(shown_one_by_one(text))


def shown_one_by_one(text: str) -> list[str]:
    """What is shown for each character of one line; tabs stay."""
    if text.isascii() and text.isprintable():
        return list(text)
    return [_shown(text, place) for place in range(len(text))]


def named(character: str) -> str:
    """A character by its number."""
    return f"⟨U+{ord(character):04X}⟩"


def is_odd_blank(character: str) -> bool:
    """Whether it looks like a space and is none."""
    return character != " " and (character == "\t" or unicodedata.category(character) == "Zs")


def _shown(text: str, place: int) -> str:
    character = text[place]
    if character == "\t" or (character.isascii() and character.isprintable()):
        return character
    if character in _JOINERS:
        works = _carries(text, place - 1, selectors=True) and _carries(text, place + 1)
        return character if works else named(character)
    if character in _SELECTORS:
        return character if _carries(text, place - 1) else named(character)
    return named(character) if _hides(character) else character


def _hides(character: str) -> bool:
    if character in _BLANK or is_risky(character):
        return True
    return unicodedata.category(character) == "Cf" and character not in _SEEN


def _carries(text: str, place: int, *, selectors: bool = False) -> bool:
    """Whether a joiner or a selector beside this character has something to work on."""
    if not 0 <= place < len(text):
        return False
    character = text[place]
    if character in _SELECTORS:
        return selectors and _carries(text, place - 1)
    return (
        not character.isascii()
        and character not in _JOINERS
        and not character.isspace()
        and not _hides(character)
    )
