"""The part of a passage that is shown, and where the words of the query are in it.

Offsets are into the text that is returned, in characters. Knows no index: a hit and what was wanted are enough.
"""

from unicodedata import category

import msgspec

from readingroom.library.search.answer import RankedHit
from readingroom.library.search.marks import Marks, Place
from readingroom.library.search.wanted import Wanted

# Characters of context before the first word shown when a text is cut, and how far a border is looked for.
_BEFORE = 60


class Excerpt(msgspec.Struct, frozen=True):
    """A passage's text, cut or whole; the places of the query's words in it are in order and do not overlap."""

    text: str
    highlights: tuple[tuple[int, int], ...]
    cut: bool


def excerpt(hit: RankedHit, wanted: Wanted, width: int) -> Excerpt:
    """The passage if it has at most `width` characters, else the part of it with the most different words.

    A part begins and ends at the border of a line or a word where one is near; it is never wider than `width`.
    """
    marks = wanted.memory.get("marks")
    if not isinstance(marks, Marks):
        marks = wanted.memory["marks"] = Marks(wanted)
    text = hit.text
    places = marks.places(text, hit.language)
    begin, end = (0, len(text)) if len(text) <= width else _window(text, places, max(width, 0))
    inside = [(first - begin, last - begin) for first, last, _ in places if first >= begin and last <= end]
    return Excerpt(text[begin:end], tuple(_joined(inside)), cut=end - begin < len(text))


def _joined(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Overlapping places as one."""
    out: list[tuple[int, int]] = []
    for first, last in places:
        if out and first < out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out


def _window(text: str, places: list[Place], width: int) -> tuple[int, int]:
    """Where the part with the most different words begins and ends."""
    room = max(1, width - min(_BEFORE, width // 4))
    first, last = _richest(places, room)
    begin = max(0, min(first - (width - room), len(text) - width))
    begin = _border(text, begin, min(first, begin + _BEFORE))
    end = min(len(text), begin + width)
    return begin, end if end == len(text) else _border_before(text, max(last, end - _BEFORE), end)


def _richest(places: list[Place], room: int) -> tuple[int, int]:
    """The first place and the end of the last in the earliest stretch of `room` characters with the most words."""
    best, chosen = 0, (0, 0)
    counts: dict[int, int] = {}
    after = 0
    for first, _, number in places:
        while after < len(places) and places[after][1] - first <= room:
            counts[places[after][2]] = counts.get(places[after][2], 0) + 1
            after += 1
        if len(counts) > best:
            best, chosen = len(counts), (first, places[after - 1][1])
        if number in counts:
            counts[number] -= 1
            if not counts[number]:
                del counts[number]
    return chosen


def _border(text: str, begin: int, until: int) -> int:
    """The first beginning of a line, else of a word, from `begin` to `until`; `begin` itself if there is none."""
    if begin == 0:
        return 0
    line = text.find("\n", begin - 1, until)
    if line >= 0:
        return line + 1
    for at in range(begin, until):
        if text[at - 1].isspace() and not text[at].isspace():
            return at
    return begin


def _border_before(text: str, since: int, end: int) -> int:
    """The last end of a line, else of a word, from `since` to `end`; `end` itself if there is none."""
    line = text.rfind("\n", since, end + 1)
    if line >= 0:
        return line - 1 if text[line - 1 : line] == "\r" and line > since else line
    for at in range(end, since, -1):
        if text[at].isspace() and not text[at - 1].isspace():
            return at
    while end > since and category(text[end]).startswith("M"):
        end -= 1
    return end
