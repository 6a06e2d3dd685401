"""Which characters of a text nobody sees, or reorder what one sees: the one table, for warnings and for what is shown.

By properties of Unicode: controls, separators and formats (Cc, Zl, Zp, Cs, Cf), Default_Ignorable_Code_Point with the
unassigned ranges that it reserves, noncharacters, and letters and signs without a mark. Joiners and variation selectors
count unless they do their work where they stand. Pure.
"""

import unicodedata
from collections.abc import Iterator

_JOINERS = "\u200c\u200d"
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_MONGOLIAN_SELECTORS = "\u180b\u180c\u180d\u180f"
_KEYCAP = "\u20e3"
# Default_Ignorable_Code_Point where the category alone does not tell (DerivedCoreProperties.txt), what is unassigned, too.
_IGNORABLE = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)
# Not ignorable by that property, and without a mark all the same: fillers and a note without a head.
_BLANK = "\u2800\U00016fe4\U0001d159"
# Prepended_Concatenation_Mark: format characters that are seen, over numbers and at the ends of verses.
_SEEN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Bases of emoji-variation-sequences.txt that stand outside the blocks of pictures.
_SELECTABLE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194\u2195\u2196\u2197\u2198\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u24c2"
    "\u25aa\u25ab\u25b6\u25c0\u25fb\u25fc\u25fd\u25fe\u2934\u2935\u2b05\u2b06\u2b07\u2b1b\u2b1c\u2b50\u2b55"
    "\u3030\u303d\u3297\u3299"
)
_PICTURES = ((0x23E9, 0x23FA), (0x2600, 0x27BF), (0x1F000, 0x1FAFF))
_VIRAMA = 9


def suspects(text: str) -> set[str]:
    """The characters of a text that hide or reorder if they do no work where they stand."""
    return set() if text.isascii() and text.isprintable() else {one for one in set(text) if kind(one)}


def places(text: str, of: set[str]) -> Iterator[int]:
    """Where those of some suspects stand that do hide or reorder, in order."""
    if not of:
        return
    import re

    for found in re.finditer(f"[{re.escape(''.join(of))}]", text):
        if not _works(text, found.start()):
            yield found.start()


def kind(character: str) -> str:
    """What a character is if it does no work where it stands: "control", "turning" or "invisible"; "" for all others."""
    if character == "\t" or (character.isascii() and character.isprintable()):
        return ""
    if character in _TURNING:
        return "turning"
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp", "Cs"):
        return "control"
    is_hidden = category == "Cf" or character in _BLANK or _lies(character, _IGNORABLE)
    return "invisible" if (is_hidden and character not in _SEEN) or _is_noncharacter(character) else ""


def _is_noncharacter(character: str) -> bool:
    number = ord(character)
    return 0xFDD0 <= number <= 0xFDEF or number & 0xFFFE == 0xFFFE


def _lies(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in ranges)


def _works(text: str, place: int) -> bool:
    """Whether a character that is invisible by itself changes what is seen here, as its script or an emoji needs it."""
    character = text[place]
    before, after = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
    if character in _EMOJI_SELECTORS:
        return _is_picture(before) or (before in tuple("0123456789#*") and after == _KEYCAP)
    if character in _MONGOLIAN_SELECTORS:
        return _is_mongolian(before)
    if character in _JOINERS:
        return _joins(text, place)
    return character == "\u2800" and (_is_braille(before) or _is_braille(after))


def _joins(text: str, place: int) -> bool:
    """Beside a virama; between pictures; between or after letters that are joined in writing."""
    before, after = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
    if not before:
        return False
    if text[place] == "\u200d" and after and _is_picture(after):
        base = text[max(place - 2, 0) : place - 1] if before in _EMOJI_SELECTORS else before
        return _is_picture(base)
    if _VIRAMA in (unicodedata.combining(before), unicodedata.combining(after or " ")):
        return before not in _JOINERS
    if (
        text[place] == "\u200c"
    ):  # it parts letters that would be joined, and an ending from a number or a foreign word
        return _is_joined_up(after) and unicodedata.category(before)[0] in "LMN"
    is_inside = after != "" and unicodedata.category(after)[0] in "LM"
    return (
        _is_joined_up(_base(text, place)) and not is_inside
    )  # it joins what is joined anyway, but at the end of a word


def _base(text: str, place: int) -> str:
    """The letter before a place, past the marks on it."""
    place -= 1
    while (
        place >= 0 and unicodedata.category(text[place]) == "Mn" and text[place] not in _MONGOLIAN_SELECTORS
    ):
        place -= 1
    return text[place] if place >= 0 else ""


def _is_joined_up(letter: str) -> bool:
    """Whether letters of its script are joined in writing: Arabic and Syriac by their class, and Mongolian."""
    return letter != "" and (unicodedata.bidirectional(letter) == "AL" or _is_mongolian(letter))


def _is_mongolian(letter: str) -> bool:
    return letter != "" and 0x1820 <= ord(letter) <= 0x18AA


def _is_braille(sign: str) -> bool:
    return sign != "" and 0x2801 <= ord(sign) <= 0x28FF


def _is_picture(sign: str) -> bool:
    """Whether emoji are made of it, or it may be shown as one."""
    return sign != "" and (sign in _SELECTABLE or _lies(sign, _PICTURES))
