"""Tests of text as HTML in which nothing hides."""

import pytest

from readingroom.apps.page.seen import marked, path_seen, plain, seen, unseen


@pytest.mark.parametrize(
    "character",
    [
        "\u202e",
        "\u200b",
        "\u2066",
        "\ufeff",
        "\U000e0041",
        "\x1b",
        "\r",
        "\u2028",
        "\u00ad",
        "\ufe0f",
        "\u200d",
        "\x00",
    ],
)
def test_what_cannot_be_seen_is_named(character: str) -> None:
    """Wherever it does no work of a script or an emoji."""
    assert seen(f"a{character}b") == f'a<span class="unseen">⟨U+{ord(character):04X}⟩</span>b'
    assert plain(f"a{character}b") == f"a⟨U+{ord(character):04X}⟩b"
    assert unseen(f"a{character}\n{character}") == 2


@pytest.mark.parametrize("text", ["plain", "Привет, мир", "借阅规则", "a\n\tb", "می‌خواهم", ""])
def test_what_can_be_seen_stays(text: str) -> None:
    """Line ends and tabs among it."""
    assert seen(text) == plain(text) == text
    assert unseen(text) == 0


def test_markup_is_text() -> None:
    """Whatever looks like HTML is shown and not obeyed."""
    assert (
        seen("<script>alert('x')</script>&\"") == "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&#34;"
    )
    assert seen("<b\u202e>") == '&lt;b<span class="unseen">⟨U+202E⟩</span>&gt;'


def test_ranges_are_marked() -> None:
    """With what they hold escaped."""
    assert marked("a <b> c", [(2, 5)]) == "a <mark>&lt;b&gt;</mark> c"


@pytest.mark.parametrize(
    "ranges", [[(0, 2), (1, 3)], [(0, 3), (1, 2)], [(0, 3), (9, 12)], [(2, 1), (0, 3), (-5, 0)]]
)
def test_ranges_that_make_no_sense_lose_no_text(ranges: list[tuple[int, int]]) -> None:
    """They overlap, or lie outside, and every character is still there once."""
    assert marked("abcd", ranges).striptags().replace(" ", "") == "abcd"


@pytest.mark.parametrize("character", ["\u00a0", "\u3000", "\u2003", "\u2192", "\u202e", "\n"])
def test_a_name_does_not_look_like_another(character: str) -> None:
    """A blank that is no space is named in it, and an arrow that would look like a new name."""
    assert path_seen(f"a{character}<b.md") == f'a<span class="unseen">⟨U+{ord(character):04X}⟩</span>&lt;b.md'
    assert path_seen("a b/c-é.md") == "a b/c-é.md"
