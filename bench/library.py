"""The library's part of the benchmark: its start over 10,000 documents, and its search over MCP beside other servers.

All index the same folder beforehand; starts are measured with that index in place. Searches go one at a time to servers
that stay up over all rounds, once as questions and once as bare words; how many found nothing is counted.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Self

import calls
import memory
from bars import judge, library_bars
from child import Child
from contestants import Contestant, all_contestants
from corpus import Asked, Corpus
from folders import FolderServer, folder_servers
from measures import discovered, start
from outcome import Outcome
from report import figures
from rounds import Figures, Measure, Series, interleave

DOCUMENTS, SECTIONS = 10_000, 3
ASKED = 50
STARTS = 3
MOST_ROUNDS = 3
"""The others take seconds to start, and the figures of this part vary little."""

START_COLUMNS = {"start_ms": "start to first answer, ms", "first_hit_ms": "start to first hit, ms"}
SEARCH_COLUMNS = {
    "question_p50_ms": "question, p50, ms",
    "question_p95_ms": "question, p95, ms",
    "question_empty": "questions without a hit, %",
    "words_p50_ms": "three words, p50, ms",
    "words_p95_ms": "three words, p95, ms",
    "words_empty": "words without a hit, %",
    "pss_mib": "memory, PSS, MiB",
}


def first_hit(server: FolderServer, asked: Asked) -> Figures:
    """Start one process: to its first answer, and to its first hit, asked for as soon as that has come."""
    with Child(server.serve, server.environment(), allowed=120) as child:
        began = discovered(child)
        moment, line = child.exchange(calls.call(1, server.tool, server.arguments(asked.words)))
        if not server.hits(calls.result_of(line, 1)):
            raise calls.WrongAnswer(f"{server.name} found nothing for {asked.words!r}")
        return {"start_ms": began, "first_hit_ms": 1000 * (moment - child.began)}


def searches(child: Child, server: FolderServer, queries: list[str], kind: str, first: int) -> Figures:
    """Some searches in a row, one at a time."""
    asked = [
        calls.call(first + number, server.tool, server.arguments(query))
        for number, query in enumerate(queries)
    ]
    seconds, answers = child.one_by_one(asked)
    hits = [server.hits(calls.result_of(line, first + number)) for number, line in enumerate(answers)]
    parts = quantiles((1000 * second for second in seconds), n=20, method="inclusive")
    return {
        f"{kind}_p50_ms": parts[9],
        f"{kind}_p95_ms": parts[18],
        f"{kind}_empty": 100 * hits.count(0) / len(hits),
    }


REMARK = f"""{ASKED} questions in five languages and the three words of each, one at a time; every answer was checked. The
other servers answer with snippets, Reading Room with whole passages. contextpull does not look at the folder again when
it starts; the other two do."""


class Running:
    """Servers that stay up over all rounds, and the queries they are sent."""

    def __init__(self, servers: list[FolderServer], asked: list[Asked]) -> None:
        self._servers = servers
        self._asked = asked
        self._children: dict[str, Child] = {}
        self._next = 1

    def __enter__(self) -> Self:
        for server in self._servers:
            self._children[server.name] = Child(server.serve, server.environment(), allowed=120)
            self._children[server.name].exchange(calls.discover())  # not every one knows it, but all answer
            self.measure(server)
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children.values():
            child.end()

    def measure(self, server: FolderServer) -> Figures:
        """All queries once, as questions and as words, and the memory after that."""
        child, self._next = self._children[server.name], self._next + 2 * len(self._asked)
        questions = [one.question for one in self._asked]
        found = searches(child, server, questions, "question", self._next)
        words = [one.words for one in self._asked]
        found |= searches(child, server, words, "words", self._next + len(words))
        held = memory.held_by(child.process.pid)
        return found if held is None else found | {"pss_mib": held["pss"]}


def measure_starts(
    servers: list[FolderServer], bare: Contestant, rounds: int, asked: Asked, tell: Callable[[str], None]
) -> Series:
    """Starts in turn: of the bare server of the official SDK, of ours, and once a round of the slower ones."""
    todo: dict[str, list[Measure]] = {bare.name: [lambda: start(bare)] * STARTS}
    for server in servers:
        times = STARTS if server.name == "readingroom" else 1
        todo[server.name] = [partial(first_hit, server, asked)] * times
    return interleave(todo, rounds, tell)


def measure(rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Make the corpus, index it with each server, measure. Raises Broken, WrongAnswer, RuntimeError."""
    corpus = Corpus(DOCUMENTS, SECTIONS)
    asked = list(corpus.asked(ASKED))
    bare = next(one for one in all_contestants() if one.name == "mcp")
    with tempfile.TemporaryDirectory(prefix="readingroom-bench-") as place:
        folder, states = Path(place) / "documents", Path(place) / "states"
        folder.mkdir()
        states.mkdir()
        corpus.write(folder)
        servers = folder_servers(folder, states)
        built = Series()
        for server in servers:
            tell(f"{server.name} indexes {DOCUMENTS:,} documents")
            built.add(server.name, {"index_s": [server.build()]})
        start(bare)
        starts = measure_starts(servers, bare, rounds, asked[0], tell)
        with Running(servers, asked) as running:
            todo: dict[str, list[Measure]] = {
                server.name: [partial(running.measure, server)] for server in servers
            }
            found = interleave(todo, rounds, tell)
    titles = {bare.name: f"{bare.title}, bare server of one tool", **{one.name: one.title for one in servers}}
    return Outcome(
        f"The library over {DOCUMENTS:,} documents ({DOCUMENTS * SECTIONS:,} passages), over stdio",
        {
            "Start with the index in place": figures(starts, titles, START_COLUMNS),
            "Search, ten hits at most": figures(found, titles, SEARCH_COLUMNS),
            "Indexing from nothing, once each": figures(built, titles, {"index_s": "seconds"}),
        },
        judge(library_bars(), starts),
        {"library starts": starts, "library searches": found, "library builds": built},
        [f"{rounds} rounds. {REMARK}"],
    )
