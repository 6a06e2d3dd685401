"""Text from outside cannot steer, reorder or hide anything on a terminal; widths are those of a terminal."""

import sys
import unicodedata

import pytest

from readingroom.apps.characters import character_width, cut, harmless, is_risky, one_line, pad, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "⟨U+001B⟩[2J"),
        ("\x1b]52;c;cm0=\x07", "⟨U+001B⟩]52;c;cm0=⟨U+0007⟩"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("safe\rover", "safe⟨U+000D⟩over"),
        ("a\x7fb", "a⟨U+007F⟩b"),
        ("user\u202efdp.exe", "user⟨U+202E⟩fdp.exe"),
        ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("half\ud800", "half⟨U+D800⟩"),
        ("line\u2028end", "line⟨U+2028⟩end"),
        ("plain\r\nlines\tand tabs\n", "plain\nlines\tand tabs\n"),
        ("缓存 ё é 👩‍👩‍👧 नमस्ते", "缓存 ё é 👩‍👩‍👧 नमस्ते"),
    ],
)
def test_harmless(text: str, shown: str) -> None:
    """What a terminal would obey or not show is named; everything else stays."""
    assert harmless(text) == shown


def test_every_character_is_either_shown_or_named() -> None:
    """Of all planes, no control and no bidirectional mark gets through, and no letter is lost."""
    # The planes in which characters are assigned that are no ideographs; beyond the last of them nothing new is said.
    for number in (*range(0x20000), *range(0xE0000, 0xE1000), sys.maxunicode):
        character = chr(number)
        category = unicodedata.category(character)
        shown = harmless(character)
        if character in "\n\t":
            assert shown == character
        elif category in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(character) in (
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        ):  # fmt: skip
            assert shown == f"⟨U+{number:04X}⟩"
        elif category[0] in "LMNPS" and not is_risky(character):
            assert shown == character


def test_one_line_has_one_line() -> None:
    """A field of one line cannot begin another one."""
    assert one_line("name\nstatus: ok\tyes") == "name⟨U+000A⟩status: ok⟨U+0009⟩yes"
    assert one_line("plain name") == "plain name"


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("缓存", 4), ("e\u0301", 1), ("ガ", 2), ("한국", 4), ("ёж", 2), ("Ａ", 2)],
)
def test_width(text: str, columns: int) -> None:
    """Wide characters take two columns, combining ones none."""
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("缓存缓存", 8, "缓存缓存"),
        ("缓存缓存", 7, "缓存缓…"),
        ("缓存缓存", 6, "缓存…"),
        ("a b", 2, "a…"),
        ("ab  cd", 4, "ab…"),
    ],
)
def test_cut(text: str, columns: int, shown: str) -> None:
    """What is cut fits, ends with an ellipsis, and does not part a wide character."""
    assert cut(text, columns) == shown
    assert width(shown) <= columns


def test_pad_counts_columns() -> None:
    """Names in any script are padded to the same width."""
    assert [width(pad(name, 6)) for name in ("ab", "缓存", "ёж", "")] == [6, 6, 6, 6]
    assert pad("already long", 3) == "already long"


def test_a_joiner_takes_no_column() -> None:
    """Joiners are kept and take no room."""
    assert character_width("‍") == 0
