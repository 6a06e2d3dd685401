"""Text under review, with everything visible that a reader could not see: what is approved is what is seen.

Stricter than `characters`, which only keeps a terminal from harm. What hides is `hiding`'s to say, for what is
shown here and for the warnings alike. Pure.
"""

import unicodedata

from ..library.drafts.hiding import places, suspects


def revealed(text: str) -> str:
    """The text of one line with every invisible or direction-changing character, control and odd blank as ⟨U+202E⟩."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(shown_one_by_one(text))


def shown_one_by_one(text: str) -> list[str]:
    """What is shown for each character of one line; tabs stay."""
    if text.isascii() and text.isprintable():
        return list(text)
    shown = list(text)
    for place in places(text, suspects(text)):
        shown[place] = named(text[place])
    return shown


def named(character: str) -> str:
    """A character by its number."""
    return f"⟨U+{ord(character):04X}⟩"


def is_odd_blank(character: str) -> bool:
    """Whether it looks like a space and is none."""
    return character != " " and (character == "\t" or unicodedata.category(character) == "Zs")
