"""Near-duplicates: of passages that say the same, a page shows the first, and names where the others stand.

Copies of a page, versions of a manual, a licence under every file: they match a query alike and would fill the page. What is
short is left alone, for there one word makes the difference.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from readingroom.library.search.records import Stored

_LEAST_CHARACTERS = 200
_LEAST_WORDS = 12
# How much of their words two passages share, and how far their lengths may be apart.
_ALIKE = 0.9
_LENGTHS = 0.85


def folded(passages: Iterable[Stored], groups: int) -> list[list[Stored]]:
    """The passages in their order, each with the later ones that say the same behind it, until there are so many groups."""
    found: list[list[Stored]] = []
    words: dict[int, frozenset[str]] = {}
    for passage in passages:
        group = _same(passage, found, words)
        if group is not None:
            group.append(passage)
        elif len(found) == groups:
            break
        else:
            found.append([passage])
    return found


def _same(
    passage: Stored, found: Sequence[list[Stored]], words: dict[int, frozenset[str]]
) -> list[Stored] | None:
    """The group whose first passage says the same, if there is one."""
    size = len(passage.text)
    if size < _LEAST_CHARACTERS:
        return None
    own: frozenset[str] | None = None
    for at, group in enumerate(found):
        other = len(group[0].text)
        if other < _LEAST_CHARACTERS or min(size, other) < _LENGTHS * max(size, other):
            continue
        if at not in words:
            words[at] = _words(group[0].text)
        own = _words(passage.text) if own is None else own
        if len(own & words[at]) >= _ALIKE * len(own | words[at]):
            return group
    return None


def _words(text: str) -> frozenset[str]:
    """What stands between spaces; where there are few of them, the pairs of characters."""
    words = frozenset(text.split())
    if len(words) >= _LEAST_WORDS:
        return words
    return frozenset(map("".join, pairwise(text)))
