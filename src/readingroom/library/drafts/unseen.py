"""Characters that nobody sees, or that reorder what one sees: where a change brings them in, or a name holds them. Pure."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from ..lines import Lines, cut_lines
from . import hiding

_NAMES = {
    "turning": "Characters that change the direction of text",
    "invisible": "Invisible characters",
    "control": "Control characters",
}
_LINE_ENDS = "\n\r\f"  # every text has them; the difference says where they change
_NAMED = 5
_LOOKED_AT = 10_000  # places of one kind; a document with more of them is a trap, and the first ones are told


def brought_in(before: str, after: str) -> Iterator[str]:
    """A sentence for each kind of such characters on the lines that the change adds or alters."""
    found = _places(after)
    if not any(found.values()):
        return
    lines, known = Lines(after), set(cut_lines(before))
    for kind, places in found.items():
        told = [(bisect_right(lines.starts, place), after[place]) for place in places]
        fresh = [(line, character) for line, character in told if lines.contents[line - 1] not in known]
        if fresh:
            yield f"{_NAMES[kind]} stand in what is added or changed: {_told(fresh)}."


def in_name(path: str) -> Iterator[str]:
    """A sentence for each kind that stands in a path."""
    for kind, places in _places(path).items():
        if places:
            codes = sorted({_code(path[place]) for place in places})
            yield f"{_NAMES[kind]} stand in the path: {', '.join(codes)}."


def hides(name: str) -> bool:
    """Whether such a character stands in a name."""
    return any(_places(name).values())


def _places(text: str) -> dict[str, list[int]]:
    """Where those of each kind stand."""
    of = hiding.suspects(text).difference(_LINE_ENDS)
    return {
        kind: list(islice(hiding.places(text, {one for one in of if hiding.kind(one) == kind}), _LOOKED_AT))
        for kind in _NAMES
    }


def _told(found: list[tuple[int, str]]) -> str:
    places = list(dict.fromkeys(f"{_code(character)} (line {line})" for line, character in found))
    more = f" and {len(places) - _NAMED:,} more" if len(places) > _NAMED else ""
    return ", ".join(places[:_NAMED]) + more


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
