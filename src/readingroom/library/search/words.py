"""What the words of one index tell: the language of a query, the words that begin with a prefix, near words for a hint.

Everything is asked of the snapshot at hand and of its live documents; nothing is remembered from one index to another.
"""

from math import log

import tantivy

from readingroom.library.search.characters import is_run
from readingroom.library.search.languages import evidence, runs_speak
from readingroom.library.search.snapshot import Snapshot
from readingroom.library.search.stems import default_language, script, script_of, stem

# How many documents' worth of evidence is held before any is seen, and how often a listed function word is expected.
_WEIGHT = 8.0
_LISTED = 0.4
_PRIOR = 1.0
# A language must beat the script's default by this much (in nats) to be taken for the query's.
_MARGIN = 0.5
_SEVERAL = 2


def query_language(snapshot: Snapshot, words: list[str], given: str) -> str:
    """The primary tag of the language that a query's words (lowered, with accents) are taken to be written in.

    `given`, when it is not empty, decides. Else the script does, and where several languages share it, the words of
    the library's documents and the lists of function words together.
    """
    if given:
        return given
    spaced = [word for word in words if word[0].isalpha() and not is_run(word)]
    if (runs := runs_speak("".join(words), spaced)) or not spaced:
        return runs
    scripts = [script(word) for word in spaced]
    main = max(set(scripts), key=lambda name: (scripts.count(name), name))
    candidates = {name: count for name, count in snapshot.languages.items() if script_of(name) == main}
    default = default_language(main)
    if len(candidates) <= 1:
        return next(iter(candidates), default)
    return _likeliest(snapshot, [w for w in spaced if script(w) == main], candidates, default)


def _likeliest(snapshot: Snapshot, words: list[str], candidates: dict[str, int], default: str) -> str:
    total = sum(candidates.values())
    scores = {name: _PRIOR * log(count / total) for name, count in candidates.items()}
    for word in set(words):
        listed = dict(evidence(word))
        found = {name: known_as(snapshot, word, name) for name in candidates}
        share = (sum(found.values()) + 0.5) / (total + 1.0)
        for name, count in candidates.items():
            expected = max(share, _LISTED) if name in listed else share * (0.3 if listed else 1.0)
            scores[name] += log((found[name] + _WEIGHT * expected) / (count + _WEIGHT))
    best = max(scores, key=lambda name: (scores[name], candidates[name], name))
    if default in scores and scores[best] - scores[default] < _MARGIN:
        return default
    return best


def known_as(snapshot: Snapshot, word: str, language: str) -> int:
    """How many documents in a language have a word of its stem."""
    return snapshot.counted("words", f"{language}:{stem(word, language)}")


def word_language(snapshot: Snapshot, word: str, language: str) -> str:
    """The language whose stem of a word is to be looked for: that of the query, unless only another one has the word.

    The other one is that of the most documents with the word, for a query may hold words of more than one language.
    """
    if len(snapshot.languages) < _SEVERAL or snapshot.counted("bs", stem(word, language)):
        return language
    others = [name for name in snapshot.languages if script_of(name) == script(word) and name != language]
    counts = {name: known_as(snapshot, word, name) for name in others}
    best = max(counts, key=lambda name: (counts[name], name), default=language)
    return best if counts.get(best) else language


def with_prefix(snapshot: Snapshot, prefix: str, limit: int) -> list[str]:
    """The commonest live terms that begin with a folded prefix, those of the greatest number of passages first."""
    found = snapshot.beginning("bx", prefix, 2 * limit, live=False)
    live = [term for term, _ in found if snapshot.any(exact(snapshot, term))][:limit]
    if len(live) < limit and len(found) == 2 * limit:
        live = [term for term, _ in snapshot.beginning("bx", prefix, limit, live=True)]
    return live


def exact(snapshot: Snapshot, term: str) -> tantivy.Query:
    """The passages that have an exact term in their text."""
    return tantivy.Query.term_query(snapshot.schema, "bx", term, "freq")
