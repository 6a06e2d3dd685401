"""A person who approves a text sees all that is in it."""

import unicodedata

import pytest

from readingroom.apps.revealing import is_odd_blank, revealed, revealed_path, shown_one_by_one
from readingroom.library.drafts.unseen import brought_in


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        "größer, größtes",
        "«постоянный адрес»",
        "图书馆",
        "a\tb",
        "नमस्ते",
        "مرحبا",
        "e\u0301",
        "100\u00a0km",
    ],
)
def test_text_of_any_language_stays(text: str) -> None:
    """Letters, signs that combine with them, tabs and no-break spaces are shown as they are."""
    assert revealed(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("user\u202enimda", "user⟨U+202E⟩nimda"),
        ("a\u2066b\u2069c", "a⟨U+2066⟩b⟨U+2069⟩c"),
        ("a\u200bb\ufeffc\u00ad", "a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩"),
        ("x\U000e0041\U000e007f", "x⟨U+E0041⟩⟨U+E007F⟩"),
        ("\x1b[2J\x9b\x07", "⟨U+001B⟩[2J⟨U+009B⟩⟨U+0007⟩"),
        ("a\rb\x00", "a⟨U+000D⟩b⟨U+0000⟩"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("\u3164\u115f\u2800\u034f", "⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩⟨U+034F⟩"),
        ("\ufff9x\U0001d173", "⟨U+FFF9⟩x⟨U+1D173⟩"),
        ("\udc80", "⟨U+DC80⟩"),
        ("\u2061\u2064", "⟨U+2061⟩⟨U+2064⟩"),
    ],
)
def test_what_hides_or_reorders(text: str, shown: str) -> None:
    """It is named by its number, in its place."""
    assert revealed(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d👧",
        "❤\ufe0f",
        "❤\ufe0f\u200d🔥",
        "می\u200cخواهم",
        "क्\u200dष",
        "1\ufe0f\u20e3",
        "🏳\ufe0f\u200d🌈 👩🏽\u200d🚀 🙂\u200d↔\ufe0f 🐦\u200d⬛",
        "۱۰\u200cها و PDF\u200cها، ه\u200d.ق",
        "র\u200d\u09cdয ക്\u200d ශ්\u200dරී",
        "ᠠ\u180bᠡ",
        "⠓⠑\u2800⠇",
    ],
)
def test_joiners_and_selectors_at_work(text: str) -> None:
    """Emoji and the scripts that need them are shown whole."""
    assert revealed(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ad\u200dmin", "ad⟨U+200D⟩min"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("👩\u200d", "👩⟨U+200D⟩"),
        ("\u200d👩", "⟨U+200D⟩👩"),
        ("😀\ufe01\ufe02\ufe03", "😀⟨U+FE01⟩⟨U+FE02⟩⟨U+FE03⟩"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f⟨U+FE0F⟩"),
        ("п\ufe07р\ufe03é\ufe0fα\ufe00", "п⟨U+FE07⟩р⟨U+FE03⟩é⟨U+FE0F⟩α⟨U+FE00⟩"),
        ("п\u200cр\u200dи", "п⟨U+200C⟩р⟨U+200D⟩и"),
        ("图\u200d书\ufe01馆\U000e0155", "图⟨U+200D⟩书⟨U+FE01⟩馆⟨U+E0155⟩"),
        ("ل\u200dل", "ل⟨U+200D⟩ل"),
        ("─\ufe0f═\ufe0e", "─⟨U+FE0F⟩═⟨U+FE0E⟩"),
        ("د\u180bд\u180f", "د⟨U+180B⟩д⟨U+180F⟩"),
        ("1\ufe0f2", "1⟨U+FE0F⟩2"),
        ("й\u200c\u200cй", "й⟨U+200C⟩⟨U+200C⟩й"),
        ("\u00a0\u200d\u00a0", "\u00a0⟨U+200D⟩\u00a0"),
    ],
)
def test_joiners_and_selectors_that_only_hide(text: str, shown: str) -> None:
    """Beside ASCII, in rows and at ends they carry something that nobody sees, and are named."""
    assert revealed(text) == shown


def test_one_by_one() -> None:
    """There is one text for each character, so that marks keep their places."""
    for text in ("plain", "a\u202eb\tc"):
        assert len(shown_one_by_one(text)) == len(text)


def test_blanks() -> None:
    """What looks like a space and is none can be told from it."""
    assert [is_odd_blank(one) for one in " \t\u00a0\u3000x"] == [False, True, True, True, False]


def test_paths() -> None:
    """No name passes for another one with spaces, nor for a rename."""
    assert revealed_path("a b.md") == "a b.md"
    assert revealed_path("a\u00a0b\u200b.md") == "a⟨U+00A0⟩b⟨U+200B⟩.md"
    assert revealed_path("a\u3000→ b.md") == "a⟨U+3000⟩⟨U+2192⟩ b.md"
    assert revealed_path("a.md", "b→.md") == "a.md → b⟨U+2192⟩.md"


def test_every_character() -> None:
    """Between letters of any script none is left that has no mark: by category, ignorable, unassigned or not."""
    numbers = (*range(0x20000), *range(0xE0000, 0xE1000))
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    ignorable = {
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xFFF0, 0xFFFC),
        *range(0xE0000, 0xE1000),
    }
    ignorable |= {0xFFFE, 0xFFFF, 0x1FFFE, *range(0xFDD0, 0xFDF0)}
    seen = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    for around in ("a{}b", "п{}р", "é{}é", "图{}书", "α{}β", "─{}─"):
        left = {
            number
            for number in numbers
            if (unicodedata.category(chr(number)) in hidden or number in ignorable)
            and revealed(around.format(chr(number))) == around.format(chr(number))
        }
        assert left - {0x09} <= seen


def test_warnings_and_what_is_shown_agree() -> None:
    """Whatever is named in a difference is warned of, and nothing else: there is one table."""
    for number in (
        0x200B,
        0x200D,
        0xFE07,
        0xFFF0,
        0xE0080,
        0xE0155,
        0xE01F0,
        0xE0FFF,
        0x2800,
        0x3164,
        0x202E,
        0x1B,
    ):
        text = f"п{chr(number)}р"
        assert (revealed(text) != text, [*brought_in("", text)] != []) == (True, True), hex(number)
    for text in ("❤\ufe0f", "می\u200cخواهم", "क्\u200dष", "größer"):
        assert (revealed(text), [*brought_in("", text)]) == (text, [])
