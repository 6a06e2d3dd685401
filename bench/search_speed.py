"""Search inside the server's process, against the engine's own call on the same query: `search_speed.py ROUNDS`.

Makes 100,000 passages, indexes them through the library's front door, and times in turn: a question answered by a view,
with the texts and highlights of ten hits and each hit checked against its file; the engine's call that this answer
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


def microseconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    began = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - began) / 1000


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


def one_round(view: Any, searcher: Any, questions: list[Question]) -> dict[str, dict[str, list[float]]]:
    """Every question once, each way in turn; the median of each way."""
    ways: dict[str, list[float]] = {"search": [], "engine": [], "words": []}
    for one in questions:
        ways["search"].append(microseconds(partial(view.search, one.text, limit=HITS)))
        ways["engine"].append(microseconds(partial(searcher.search, one.whole, HITS, count=False)))
        ways["words"].append(microseconds(partial(searcher.search, one.plain, HITS, count=False)))
    return {name: {"p50_us": [median(values)]} for name, values in ways.items()}


def measured(folder: Path, state: Path, rounds: int) -> list[dict[str, dict[str, list[float]]]]:
    """Index the folder and measure; one warm round goes before the counted ones."""
    from readingroom.library import Library, Principal

    with Library.open(folder, cache=state) as library:
        library.reconcile()
        view = library.view(Principal())
        texts = [one.question for one in Corpus(DOCUMENTS, SECTIONS).asked(ASKED)]
        view.search(texts[0])
        edition = library._shelf("reader").edition()  # noqa: SLF001  the bench looks inside on purpose
        assert edition is not None
        index = edition.index()
        questions = prepared(view, index, texts)
        one_round(view, index.snapshot.searcher, questions)
        return [one_round(view, index.snapshot.searcher, questions) for _ in range(rounds)]


def main() -> int:
    """Make the corpus, measure, print; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="readingroom-bench-") as place:
        folder, state = Path(place) / "documents", Path(place) / "state"
        folder.mkdir()
        Corpus(DOCUMENTS, SECTIONS).write(folder)
        print(json.dumps(measured(folder, state, int(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
