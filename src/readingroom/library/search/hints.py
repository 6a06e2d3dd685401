"""What an empty answer says: which words occur nowhere, and the nearest words that do. Live words of one index only."""

from readingroom.library.search.clauses import Clauses
from readingroom.library.search.engine import Snapshot
from readingroom.library.search.wanted import Wanted


def missing(snapshot: Snapshot, clauses: Clauses, wanted: Wanted, *, filtered: bool) -> str:
    """A sentence or two for an answer without hits."""
    absent = [
        word.text
        for word in wanted.words
        if not snapshot.searcher.search(clauses.word(word), 1, count=False).hits
    ]
    if not absent:
        return "Nothing that passes the filters has these words." if filtered else "Nothing has these words."
    return "These words occur nowhere: " + ", ".join(absent) + "."
