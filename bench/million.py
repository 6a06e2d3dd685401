"""A million passages: the first hit of a fresh process, and questions inside the server's process.

Half an hour goes into the index, so a run that is not told to leaves this part out. READINGROOM_BENCH_MILLION names a
folder where documents and index are kept from one run to the next.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import search_speed
from bars import judge, million_bars
from contestants import environment
from corpus import Corpus
from folders import reading_room
from library import START_COLUMNS, first_hit
from outcome import Outcome
from report import figures
from rounds import Measure, Series, interleave

DOCUMENTS, SECTIONS = 100_000, 10
STARTS = 5
SPEED_COLUMNS = {"p50_us": "p50, µs", "cpu_us": "p50 of processor time, µs"}
LIMIT = "limit"
VARIABLE = "READINGROOM_BENCH_MILLION"


def laid_out(place: Path, tell: Callable[[str], None]) -> Corpus:
    """The documents in their folder, written unless they are there."""
    corpus, folder = Corpus(DOCUMENTS, SECTIONS), place / "documents"
    if not folder.is_dir():
        tell(f"{DOCUMENTS:,} documents are written")
        corpus.write(folder)
    return corpus


def asked(place: Path, rounds: int) -> Series:
    """The questions of search_speed.py over this folder. Raises RuntimeError when the process fails."""
    command = [sys.executable, search_speed.__file__, str(rounds), str(DOCUMENTS), str(place)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"search_speed.py failed: {done.stderr[-2000:]}")
    series = Series()
    for measured in json.loads(done.stdout):
        for name, gathered in {**measured, LIMIT: {"one": [1.0]}}.items():
            series.add(name, gathered)
    return series


def measure(rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Lay out, index, start, ask. Raises Broken, WrongAnswer, RuntimeError."""
    with ExitStack() as stack:
        given = os.environ.get(VARIABLE)
        temporary = given or stack.enter_context(tempfile.TemporaryDirectory(prefix="readingroom-bench-"))
        place = Path(temporary)
        corpus = laid_out(place, tell)
        (place / "state").mkdir(exist_ok=True)
        server = reading_room(place / "documents", place / "state")
        tell(f"{DOCUMENTS * SECTIONS:,} passages are indexed")
        built = server.build()
        words = next(iter(corpus.asked(1)))
        first_hit(server, words)
        todo: dict[str, list[Measure]] = {
            server.name: [partial(first_hit, server, words)] * STARTS,
            LIMIT: [lambda: {"one": 1.0}],
        }
        starts = interleave(todo, rounds, tell)
        tell("questions in one process")
        found = asked(place, rounds)
    return Outcome(
        f"{DOCUMENTS * SECTIONS:,} passages in {DOCUMENTS:,} documents",
        {
            "Start with the index in place and its files in the system's cache": figures(
                starts, {server.name: server.title}, START_COLUMNS
            ),
            "Questions in the server's process, top ten": figures(found, search_speed.WAYS, SPEED_COLUMNS),
        },
        [*judge(million_bars()[:1], starts), *judge(million_bars()[1:], found)],
        {"million starts": starts, "million questions": found},
        [f"The index was brought in step in {built:.0f} s before."],
    )
