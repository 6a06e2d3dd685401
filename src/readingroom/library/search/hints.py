"""What is said of words that occur nowhere, and the nearest words that do occur.

Only words of live documents of the one index at hand are ever named, and only by how often they occur there: the engine
keeps the words of deleted documents for a while, and those must not be heard of again.
"""

from collections.abc import Iterator

import tantivy

from readingroom.library.search.clauses import Clauses
from readingroom.library.search.engine import Snapshot
from readingroom.library.search.wanted import Wanted, Word

_WORDS = 5
_NEAR = 3
# Words looked through for near ones: those of the same first half; and of the same first letter when all else failed.
_NARROW = 2_000
_WIDE = 20_000
_SHORTEST = 3
_LONGEST = 40


def hint(snapshot: Snapshot, wanted: Wanted, *, empty: bool, filtered: bool) -> str:
    """A sentence or two on an answer that is empty or does not have all the words; "" when there is nothing to say."""
    clauses = Clauses(snapshot.schema)
    absent = [word for word in wanted.words if not word.light and not _occurs(snapshot, clauses.word(word))]
    unmet = [f"{prefix.text}*" for prefix in wanted.prefixes if not _occurs(snapshot, clauses.prefix(prefix))]
    if not absent and not unmet:
        return _nothing_absent(filtered=filtered) if empty else ""
    named = [_named(snapshot, word, thorough=empty) for word in absent[:_WORDS]]
    named += [_quoted(text) for text in unmet[: _WORDS - len(named)]]
    left = len(absent) + len(unmet) - len(named)
    return f"No document has {', '.join(named)}{f', and {left} more' if left else ''}."


def _nothing_absent(*, filtered: bool) -> str:
    if filtered:
        return "The words occur, but in no document that passes the filters; try without them."
    return "No passage has these words; try others."


def _occurs(snapshot: Snapshot, query: tantivy.Query) -> bool:
    return bool(snapshot.searcher.search(query, 1, count=False).hits)


def _named(snapshot: Snapshot, word: Word, *, thorough: bool) -> str:
    near = [] if word.run else near_words(snapshot, word.forms[0].exact, thorough=thorough)
    return _quoted(word.text) + (f" (near: {', '.join(near)})" if near else "")


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _LONGEST else word[:_LONGEST] + '…'}”"


def near_words(snapshot: Snapshot, word: str, *, thorough: bool) -> list[str]:
    """The nearest live words to a folded one that does not occur, nearest and then commonest first; at most three.

    Near is one slip for a short word and two for a longer one. `thorough` also looks for slips in its first half.
    """
    if len(word) < _SHORTEST:
        return []
    allowed = 1 if len(word) < 2 * _SHORTEST else 2
    for beginnings, limit in _beginnings(word, thorough=thorough):
        found: dict[str, tuple[int, int, str]] = {}
        for beginning in beginnings:
            live = snapshot.searcher.terms_with_prefix("bx", beginning, tantivy.Query.all_query(), limit)
            for term, count in live:
                if count and (slips := distance(word, term, allowed)) <= allowed:
                    found[term] = (slips, -count, term)
        if found:
            return sorted(found, key=lambda term: found[term])[:_NEAR]
    return []


def _beginnings(word: str, *, thorough: bool) -> Iterator[tuple[list[str], int]]:
    yield [word[: max(2, len(word) // 2)]], _NARROW
    if thorough:
        yield sorted({word[0], word[1]}), _WIDE


def distance(one: str, other: str, limit: int) -> int:
    """The slips (a letter more, less, other, or two swapped) between two words; `limit` + 1 when there are more."""
    if abs(len(one) - len(other)) > limit or len(set(one) ^ set(other)) > 2 * limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row = row, [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before = last
    return row[-1]
