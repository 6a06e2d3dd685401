"""Characters that nobody sees, or that reorder what one sees: where a change brings them in. Pure."""

from bisect import bisect_right
from collections.abc import Iterator

from ..lines import Lines, cut_lines

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029"
# What hides a text within a text: more of these in a row than any emoji or script needs.
_SMUGGLED = "[\ufe00-\ufe0f\u200c\u200d]{3,}"

_KINDS = (
    (f"[{_DIRECTION}]", "Characters that change the direction of text"),
    (f"[{_INVISIBLE}]|{_SMUGGLED}", "Invisible characters"),
    (f"[{_CONTROL}]", "Control characters"),
)
_NAMED = 5
_LOOKED_AT = 10_000  # places of one kind; a document with more of them is a trap, and the first ones are told


def brought_in(before: str, after: str) -> Iterator[str]:
    """A sentence for each kind of such characters on the lines that the change adds or alters."""
    found = [(name, _places(pattern, after)) for pattern, name in _KINDS]
    if not any(places for _, places in found):
        return
    lines, known = Lines(after), set(cut_lines(before))
    for name, places in found:
        told = [(bisect_right(lines.starts, place), character) for place, character in places]
        fresh = [(line, character) for line, character in told if lines.contents[line - 1] not in known]
        if fresh:
            yield f"{name} stand in what is added or changed: {_told(fresh)}."


def in_name(path: str) -> Iterator[str]:
    """A sentence for each kind that stands in a path."""
    import re

    for pattern, name in _KINDS:
        found = re.findall(pattern, path)
        if found:
            codes = sorted({_code(character[0]) for character in found})
            yield f"{name} stand in the path: {', '.join(codes)}."


def is_unseen(character: str) -> bool:
    """Whether the character is of one of these kinds by itself."""
    import re

    return any(re.fullmatch(pattern, character) for pattern, _ in _KINDS)


def _places(pattern: str, text: str) -> list[tuple[int, str]]:
    """Where each place is, and its first character."""
    import re
    from itertools import islice

    return [(place.start(), place[0][0]) for place in islice(re.finditer(pattern, text), _LOOKED_AT)]


def _told(found: list[tuple[int, str]]) -> str:
    places = list(dict.fromkeys(f"{_code(character)} (line {line})" for line, character in found))
    more = f" and {len(places) - _NAMED:,} more" if len(places) > _NAMED else ""
    return ", ".join(places[:_NAMED]) + more


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
