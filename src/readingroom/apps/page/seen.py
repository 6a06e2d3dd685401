"""Text from documents as HTML in which nothing hides: what is invisible, or turns the direction, is shown by its number.

Pure. Every text of a document, a draft or a search goes through here before it stands in a page; what counts as hidden is
`revealing`'s to say, for the terminal and the page alike.
"""

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from ..revealing import is_odd_blank, named, revealed, shown_one_by_one


def seen(text: str) -> Markup:
    """Give the text as HTML; line ends and tabs stay."""
    return Markup("\n").join([_line(line) for line in text.split("\n")])


def plain(text: str) -> str:
    """Give the text for where no HTML can stand, as in a title."""
    return "\n".join([revealed(line) for line in text.split("\n")])


def unseen(text: str) -> int:
    """Count the characters that are shown by their numbers."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return 0
    return sum(len(shown) > 1 for line in text.split("\n") for shown in shown_one_by_one(line))


def marked(text: str, ranges: Iterable[tuple[int, int]]) -> Markup:
    """Give the text as HTML with these ranges in `<mark>`; ranges that overlap, or lie outside, are cut."""
    parts: list[Markup] = []
    start = 0
    for first, last in sorted(ranges):
        first, last = max(first, start), min(last, len(text))  # noqa: PLW2901  -- cut to what is left
        if first < last:
            parts += [seen(text[start:first]), Markup("<mark>{}</mark>").format(seen(text[first:last]))]
            start = last
    return Markup("").join([*parts, seen(text[start:])])


def path_seen(path: str) -> Markup:
    """Give a path as HTML: blanks that are no spaces are shown by their numbers as well, and an arrow that is not ours."""
    shown = [
        named(character) if is_odd_blank(character) or character == "→" else one
        for character, one in zip(path, shown_one_by_one(path), strict=True)
    ]
    return _html(path, shown)


def _line(line: str) -> Markup:
    if line.isascii() and line.isprintable():
        return escape(line)
    return _html(line, shown_one_by_one(line))


def _html(line: str, shown: Sequence[str]) -> Markup:
    """The line with what is shown for each of its characters."""
    parts: list[Markup] = []
    start = 0
    for place, one in enumerate(shown):
        if one != line[place]:
            parts += [escape(line[start:place]), Markup('<span class="unseen">{}</span>').format(one)]
            start = place + 1
    return Markup("").join([*parts, escape(line[start:])])
