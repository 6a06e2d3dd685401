"""What is said of words that occur nowhere, and the nearest words that do occur.

Only words of live documents of the one index at hand are ever named, and only by how often they occur there: the engine
keeps the words of deleted documents for a while, and those must not be heard of again.
"""

from collections.abc import Iterator

from readingroom.library.search.clauses import Clauses
from readingroom.library.search.snapshot import Snapshot
from readingroom.library.search.wanted import Wanted, Word
from readingroom.library.search.words import exact

_WORDS = 5
_NEAR = 3
# Words of the same first half that are looked through for near ones.
_WORDS_SEEN = 2_000
_ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψω")
_SHORTEST = 3
_LONGEST = 40
_FILTERED = "The words occur, but in no document that passes the filters; try without them."


def hint(snapshot: Snapshot, wanted: Wanted, *, empty: bool) -> str:
    """A sentence on an answer that is empty or does not have all the words; "" when there is nothing to say."""
    clauses = Clauses(snapshot.schema)
    absent = [word for word in wanted.words if not word.light and not snapshot.any(clauses.word(word))]
    unmet = [f"{prefix.text}*" for prefix in wanted.prefixes if not snapshot.any(clauses.prefix(prefix))]
    if not absent and not unmet:
        return _FILTERED if empty else ""
    named = [_named(snapshot, word, thorough=empty) for word in absent[:_WORDS]]
    named += [_quoted(text) for text in unmet[: _WORDS - len(named)]]
    left = len(absent) + len(unmet) - len(named)
    return f"No document has {', '.join(named)}{f', and {left} more' if left else ''}."


def not_as_written(wanted: Wanted) -> str:
    """What is said when no passage has the phrases that were asked for, and their words are looked for instead."""
    phrases = ", ".join(_quoted(phrase.text) for phrase in wanted.phrases)
    return f"No passage has {phrases} as written; these have its words."


def _named(snapshot: Snapshot, word: Word, *, thorough: bool) -> str:
    near = [] if word.run else near_words(snapshot, word.forms[0].exact, thorough=thorough)
    return _quoted(word.text) + (f" (near: {', '.join(near)})" if near else "")


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _LONGEST else word[:_LONGEST] + '…'}”"


def near_words(snapshot: Snapshot, word: str, *, thorough: bool) -> list[str]:
    """The nearest live words to a folded one that does not occur, nearest and then commonest first; at most three.

    Near is one slip for a short word and two for a longer one, in its second half; `thorough` also looks for words with
    one slip in the first half. Where there is none, words that begin with it are taken, as compounds do.
    """
    if len(word) < _SHORTEST:
        return []
    allowed = 1 if len(word) < 2 * _SHORTEST else 2
    half = max(2, len(word) // 2)
    found = [
        (slips, -count, term)
        for term, count in snapshot.beginning("bx", word[:half], _WORDS_SEEN, live=True)
        if (slips := distance(word, term, allowed)) <= allowed
    ]
    if not found and thorough:
        found = [(1, -count, term) for term, count in _with_early_slip(snapshot, word, half + 1)]
    if not found and len(word) > _SHORTEST:
        found = [(0, -count, term) for term, count in snapshot.beginning("bx", word, _NEAR, live=True)]
    return [term for _, _, term in sorted(found)[:_NEAR]]


def _with_early_slip(snapshot: Snapshot, word: str, half: int) -> Iterator[tuple[str, int]]:
    """The live terms that differ from a word by one slip among its first `half` letters, and how common they are."""
    letters = next((letters for letters in _ALPHABETS if word[0] in letters), "")
    variants = {word[:at] + word[at + 1 :] for at in range(half)}
    variants |= {
        word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(min(half, len(word) - 1))
    }
    variants |= {
        word[:at] + letter + word[at + more :] for at in range(half) for letter in letters for more in (0, 1)
    }
    for variant in sorted(variants - {word}):
        if (count := snapshot.counted("bx", variant)) and snapshot.any(exact(snapshot, variant)):
            yield variant, count


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
