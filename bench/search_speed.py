"""Search inside the server's process, against the engine's own call on the same query: `search_speed.py ROUNDS`.

Makes 100,000 passages, or with `search_speed.py ROUNDS DOCUMENTS PLACE` takes what is there. Indexes them
through the library's front door, and times in turn: a question answered by a view, with the
texts and highlights of ten hits and each hit checked against its file; the engine's call that this answer
contains; and the engine's call for the question's words alone, which is the least that anybody could ask of it.
Prints the figures of each round as JSON, for `run.py` starts it as a process of its own.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from corpus import Corpus

DOCUMENTS, SECTIONS = 10_000, 10
ASKED = 100
HITS = 10
WAYS = {
    "search": "a question to the library's view: ten hits with texts and highlights, each checked against its file",
    "engine": "the engine's call in it: the same query, ten addresses, no texts",
    "words": "the engine's call for the question's words alone",
}


class Recorder:
    """Stands before the engine's searcher and remembers what it was asked."""

    def __init__(self, searcher: Any) -> None:
        self._searcher = searcher
        self.asked: list[tuple[int, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searcher, name)

    def search(self, query: Any, limit: int, **options: Any) -> Any:
        """Remember, and pass on."""
        self.asked.append((limit, query))
        return self._searcher.search(query, limit, **options)


class Question:
    """One question, with the two queries for the engine that belong to it."""

    def __init__(self, text: str, whole: Any, plain: Any) -> None:
        self.text = text
        self.whole = whole
        self.plain = plain


def timed(calls: list[Callable[[], object]]) -> dict[str, list[float]]:
    """The medians over some calls, in µs: by the clock, and of the processor's time, which other work on the machine
    does not lengthen.
    """
    clock, processor = [], []
    for call in calls:
        began, used = time.perf_counter_ns(), time.process_time_ns()
        call()
        processor.append((time.process_time_ns() - used) / 1000)
        clock.append((time.perf_counter_ns() - began) / 1000)
    return {"p50_us": [median(clock)], "cpu_us": [median(processor)]}


def prepared(view: Any, index: Any, texts: list[str]) -> list[Question]:
    """The questions with what the engine is asked for each. Raises ValueError when one finds fewer hits than it should."""
    from tantivy import Query

    from readingroom.library.search import Request, search
    from readingroom.library.search.clauses import Clauses

    snapshot, made = index.snapshot, []
    searcher = snapshot.searcher
    for text in texts:
        if len(view.search(text, limit=HITS).items) != HITS:
            raise ValueError(f"{text!r} does not find {HITS} passages")
        snapshot.searcher = Recorder(searcher)
        wanted = search(index, Request(text, limit=HITS)).wanted
        _, whole = max(snapshot.searcher.asked, key=lambda asked: asked[0])
        snapshot.searcher = searcher
        made.append(Question(text, whole, Query.boolean_query(Clauses(snapshot.schema).ranking(wanted))))
    return made


def one_round(
    view: Any, searcher: Any, questions: list[Question], number: int
) -> dict[str, dict[str, list[float]]]:
    """All questions each way, one way after the other, beginning with another one each round; the median of each way.

    Not question by question: the engine's call would find in the processor's caches what the search has just read.
    """
    ways: dict[str, Callable[[Question], object]] = {
        "search": lambda one: view.search(one.text, limit=HITS),
        "engine": lambda one: searcher.search(one.whole, HITS, count=False),
        "words": lambda one: searcher.search(one.plain, HITS, count=False),
    }
    order = [*ways][number % 3 :] + [*ways][: number % 3]
    return {way: timed([partial(ways[way], one) for one in questions]) for way in order}


def measured(
    folder: Path, state: Path, rounds: int, documents: int = DOCUMENTS
) -> list[dict[str, dict[str, list[float]]]]:
    """Index the folder and measure; one warm round goes before the counted ones."""
    from readingroom.library import Library, Principal

    with Library.open(folder, cache=state) as library:
        library.reconcile()
        view = library.view(Principal())
        texts = [one.question for one in Corpus(documents, SECTIONS).asked(ASKED)]
        view.search(texts[0])
        edition = library._shelf("reader").edition()  # noqa: SLF001  the bench looks inside on purpose
        assert edition is not None
        index = edition.index()
        questions = prepared(view, index, texts)
        one_round(view, index.snapshot.searcher, questions, 0)
        return [one_round(view, index.snapshot.searcher, questions, number) for number in range(rounds)]


def main() -> int:
    """Make the corpus unless it is there, measure, print; returns the exit code."""
    if len(sys.argv) > 2:
        given = Path(sys.argv[3])
        print(json.dumps(measured(given / "documents", given / "state", int(sys.argv[1]), int(sys.argv[2]))))
        return 0
    with tempfile.TemporaryDirectory(prefix="readingroom-bench-") as place:
        folder, state = Path(place) / "documents", Path(place) / "state"
        folder.mkdir()
        Corpus(DOCUMENTS, SECTIONS).write(folder)
        print(json.dumps(measured(folder, state, int(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
