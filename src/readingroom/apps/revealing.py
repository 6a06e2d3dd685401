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


def revealed_path(path: str, to: str = "") -> str:
    """A path, and where it moves: blanks that are no spaces are named as well, and an arrow that is not ours."""
    if to:
        return f"{revealed_path(path)} → {revealed_path(to)}"
    return "".join(
        named(one) if is_odd_blank(one) or one == "→" else shown
        for one, shown in zip(path, shown_one_by_one(path), strict=True)
    )


def named(character: str) -> str:
    """A character by its number."""
    return f"⟨U+{ord(character):04X}⟩"


def is_odd_blank(character: str) -> bool:
    """Whether it looks like a space and is none."""
    return character != " " and (character == "\t" or unicodedata.category(character) == "Zs")
