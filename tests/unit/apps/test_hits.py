"""Hits are told so that a person can go there: path and lines, address, heading, and the words around what was found."""

from typing import Any

import msgspec

from readingroom.apps.characters import width
from readingroom.apps.hits import hit_lines, lines_text, tell_hits, without_heading
from readingroom.library import Hit, SearchAnswer

from .streams import console, written

HIT = Hit(
    uri="library:///borrowing/rules.md",
    title="Borrowing",
    path="borrowing/rules.md",
    section=("Borrowing", "How long"),
    lines=(24, 37),
    text="## How long\n\nA book may be kept for\nfour weeks.",
    highlights=((3, 6), (15, 19)),
    revision="sha256:" + "0" * 64,
)


def changed(**fields: Any) -> Hit:
    """Give the hit with some fields changed."""
    return msgspec.structs.replace(HIT, **fields)


def answer(*hits: Hit, **fields: Any) -> SearchAnswer:
    """Give an answer with these hits."""
    return msgspec.structs.replace(SearchAnswer(hits, None, False, "", False, 0.0), **fields)


def test_a_hit() -> None:
    """Number, path with lines, title and headings; address; text without the heading."""
    assert hit_lines(1, HIT, console().out) == [
        "  1 borrowing/rules.md:24-37  Borrowing › How long",
        "    library:///borrowing/rules.md",
        "    A book may be kept for four weeks.",
    ]


def test_highlights_are_marked_where_colours_are() -> None:
    """The words that were found are painted, on a terminal alone."""
    lines = hit_lines(1, HIT, console(environment={"FORCE_COLOR": "1"}).out)
    assert lines[-1] == "    A \x1b[1;33mbook\x1b[0m may be kept for four weeks."


def test_a_long_heading_has_a_line_of_its_own() -> None:
    """What does not fit beside the path stands under it."""
    lines = hit_lines(12, changed(section=("Borrowing", "long " * 20)), console().out)
    assert lines[0] == " 12 borrowing/rules.md:24-37"
    assert lines[1].startswith("    Borrowing › long long")


def test_a_long_text_is_cut() -> None:
    """At most six lines of a passage are shown, and it is told that there are more."""
    lines = hit_lines(1, changed(text="word " * 200, highlights=()), console().out)
    assert len(lines) == 2 + 6
    assert lines[-1].endswith(" …")
    assert max(map(len, lines)) <= 82


def test_the_words_that_were_found_are_shown() -> None:
    """When they stand far down, the rows around them are shown, and what is left out on either side is told."""
    text = "\n\n".join(f"line {number}" for number in range(20))
    at = text.index("line 12")
    lines = hit_lines(1, changed(text=text, highlights=((at, at + 4),)), console().out)
    assert lines[2:] == [
        "    … line 11",
        *(f"    line {number}" for number in range(12, 16)),
        "    line 16 …",
    ]
    at = text.index("line 19")
    lines = hit_lines(1, changed(text=text, highlights=((at, at + 4),)), console().out)
    assert (lines[2], lines[-1]) == ("    … line 14", "    line 19")


def test_a_wide_text_fits() -> None:
    """Lines of Chinese are broken at the same width."""
    lines = hit_lines(1, changed(text="缓存的有效期是七天。" * 20, highlights=()), console().out)
    assert max(map(width, lines[2:7])) <= 80


def test_a_text_cannot_steer_the_terminal() -> None:
    """Escapes and line ends in any field are shown by name."""
    evil = changed(
        path="a\nb.md", title="\x1b]0;x\x07", section=("\x1b[2J",), text="\x1b[31m", uri="library:///\x9b"
    )
    shown = "\n".join(hit_lines(1, evil, console(out_is_terminal=True).out))
    assert shown.count("\n") == len(hit_lines(1, evil, console().out)) - 1
    assert not any(character in shown for character in "\x1b\x07\x9b")
    assert "a⟨U+000A⟩b.md" in shown


def test_without_heading() -> None:
    """The passage's own heading is left out, with its underline, and the highlights move along."""
    assert without_heading(HIT) == ("\nA book may be kept for\nfour weeks.", ((3, 7),))
    underlined = changed(text="How long\n========\n\nA book", highlights=((21, 25),))
    assert without_heading(underlined) == ("\nA book", ((3, 7),))


def test_other_beginnings_stay() -> None:
    """A text that does not begin with its heading, or is nothing but it, stays."""
    for same in (
        changed(text="A book\nof ours"),
        changed(text="## How long"),
        changed(section=()),
        changed(text="How long\n\n"),
    ):
        assert without_heading(same) == (same.text, same.highlights)
    ruled = changed(text="## How long\n---\n", highlights=())
    assert without_heading(ruled)[0] == "---\n"


def test_lines() -> None:
    """One line is told as one."""
    assert lines_text((3, 3)) == "3"
    assert lines_text((3, 4)) == "3-4"


def test_all_hits() -> None:
    """Hits are parted by an empty line; what is said of the whole answer goes to stderr."""
    given = console()
    tell_hits(answer(HIT, HIT, relaxed=True, hint="Try more words.\x1b"), given)
    assert written(given.out).count("\n\n  2 borrowing/rules.md:24-37") == 1
    assert (
        written(given.err) == "No passage has all the words; these come nearest.\nTry more words.⟨U+001B⟩\n"
    )


def test_nothing_is_said_where_nothing_is_to_be_said() -> None:
    """A plain answer has no notes."""
    given = console()
    tell_hits(answer(HIT), given)
    assert written(given.err) == ""
