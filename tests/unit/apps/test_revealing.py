"""A person who approves a text sees all that is in it."""

import unicodedata

import pytest

from readingroom.apps.revealing import is_odd_blank, revealed, shown_one_by_one


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
        "葛\U000e0100",
        "1\ufe0f\u20e3"[2:],
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
        ("😀\ufe01\ufe02\ufe03", "😀\ufe01⟨U+FE02⟩⟨U+FE03⟩"),
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


def test_every_character() -> None:
    """Between ASCII letters no control, format character, separator or half pair is left as it is, but signs one sees."""
    numbers = (*range(0x20000), *range(0xE0000, 0xE1000))
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    left = [
        number
        for number in numbers
        if unicodedata.category(chr(number)) in hidden and revealed(f"a{chr(number)}b") == f"a{chr(number)}b"
    ]
    assert 0x202E not in left
    assert set(left) - {0x09} <= {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
