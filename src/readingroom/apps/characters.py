"""Text from outside, made fit for a terminal: nothing in it moves the cursor, hides or reorders what stands beside it.

Pure: texts in, texts out. Widths are columns of a terminal, by Unicode's East Asian Width.
"""

import unicodedata

# Bidirectional embeddings, overrides, isolates and marks reorder a line; the tag characters and the rest are invisible.
_UNSEEN = frozenset(
    (
        *(0x00AD, 0x061C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFFF0, 0xFFFC),
    )
)
# Joiners hold emoji and the letters of some scripts together, and do nothing else.
_JOINERS = frozenset((0x200C, 0x200D))
# Tags and the rest of the plane's ignorable characters, most of them unassigned, but for the selectors of ideographs.
_TAGS = frozenset((*range(0xE0000, 0xE0100), *range(0xE01F0, 0xE1000)))


def harmless(text: str) -> str:
    """Show what a terminal would obey, or not show, as ⟨U+001B⟩; line ends and tabs stay, CR LF becomes LF."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(map(_shown, text))


def one_line(text: str) -> str:
    """Like `harmless`, for what belongs on one line: line ends and tabs are shown, too."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_named(character) if character in "\n\t" else _shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "\n\t" or not is_risky(character):
        return character
    return _named(character)


def is_risky(character: str) -> bool:
    """Whether a terminal would obey the character, reorder the line for it, or show nothing."""
    number = ord(character)
    if number in _JOINERS:
        return False
    if number in _UNSEEN or number in _TAGS:
        return True
    # Cc: the controls C0, DEL and C1. Zl, Zp: separators that some terminals take for line ends. Cs: half a pair.
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs")


def _named(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def width(text: str) -> int:
    """The columns that a line takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(character_width, text))


def character_width(character: str) -> int:
    """The columns of one character: 2 for wide ones, 0 for those that combine with the one before."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """The text if it fits into `columns`, else its beginning and an ellipsis."""
    if width(text) <= columns:
        return text
    taken, left = [], columns - 1
    for character in text:
        left -= character_width(character)
        if left < 0:
            break
        taken.append(character)
    return "".join(taken).rstrip() + "…"


def pad(text: str, columns: int) -> str:
    """The text with spaces to its right, up to `columns`."""
    return text + " " * (columns - width(text))
