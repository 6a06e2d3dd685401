"""The part of the benchmark that is many small files: indexing, looking again, searching over MCP, and memory.

All servers stand over the same pages (see pages.py). Each round every server indexes them from nothing and looks at them
again with nothing changed, in a process of its own; then the servers are asked in turn, and what they hold is read.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pages
from bars import folder_bars, folder_search_bars, judge
from folders import FolderServer, wider_servers
from library import SEARCH_COLUMNS, Running
from outcome import Outcome
from report import figures
from rounds import Figures, Measure, Series, interleave

ASKED = 50
MOST_ROUNDS = 3
LIMIT: Figures = {"one": 1.0}
"""What an absolute bar is a multiple of."""

BUILD_COLUMNS = {
    "index_s": "indexing from nothing, s",
    "index_cpu_s": "processor time of it, s",
    "peak_mib": "memory while indexing, peak RSS, MiB",
    "again_s": "again with nothing changed, s",
    "again_cpu_s": "processor time of it, s",
}


def ran(server: FolderServer, command: list[str]) -> tuple[float, float, float]:
    """Run one command to its end: seconds, seconds of the processor, and the most memory it had, in MiB.

    Raises RuntimeError when it fails.
    """
    with tempfile.TemporaryFile() as said:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=server.environment(), stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise RuntimeError(f"{server.name}: {said.read()[-2000:].decode(errors='replace')}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def built(server: FolderServer) -> Figures:
    """Index from nothing, and look again."""
    empty(server.state)
    seconds, processor, peak = ran(server, server.index)
    again, again_processor, _ = ran(server, server.again or server.index)
    return {
        "index_s": seconds,
        "index_cpu_s": processor,
        "peak_mib": peak,
        "again_s": again,
        "again_cpu_s": again_processor,
    }


def empty(state: Path) -> None:
    """Take away what a server kept; the copy of the documents that one of them has stays."""
    for entry in state.iterdir():
        if entry.name == "desk":
            shutil.rmtree(entry / ".carrel", ignore_errors=True)
        elif entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def measure(rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Lay out the pages, index them with each server, ask. Raises Broken, WrongAnswer, RuntimeError."""
    with tempfile.TemporaryDirectory(prefix="readingroom-bench-") as place:
        folder, states = Path(place) / "documents", Path(place) / "states"
        states.mkdir()
        tell("the pages are laid out")
        what = pages.laid_out(folder)
        count = sum(1 for _ in folder.rglob("*.md"))
        servers = wider_servers(folder, states)
        todo: dict[str, list[Measure]] = {one.name: [partial(built, one)] for one in servers}
        builds = interleave({**todo, "limit": [lambda: LIMIT]}, rounds, tell)
        with Running(servers, pages.asked(folder, ASKED)) as running:
            searching: dict[str, list[Measure]] = {
                one.name: [partial(running.measure, one)] for one in servers
            }
            found = interleave({**searching, "limit": [lambda: LIMIT]}, max(rounds, 3), tell)
    return outcome(f"{count:,} small files, over stdio", what, servers, builds, found)


def outcome(title: str, what: str, servers: list[FolderServer], builds: Series, found: Series) -> Outcome:
    """The tables and the bars."""
    titles = {one.name: one.title for one in servers}
    missing = {"carrel", "qmd"} - titles.keys()
    remark = f"{what} {ASKED} questions in five languages, and the three longest words of each. " + (
        f"Not installed here, and so not measured: {', '.join(sorted(missing))}." if missing else ""
    )
    return Outcome(
        title,
        {
            "Indexing": figures(builds, titles, BUILD_COLUMNS),
            "Search, ten hits at most": figures(found, titles, SEARCH_COLUMNS),
        },
        [*judge(folder_bars(), builds), *judge(folder_search_bars(), found)],
        {"folder builds": builds, "folder searches": found},
        [remark],
    )
