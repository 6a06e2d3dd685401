"""The search-speed part of the benchmark: runs `search_speed.py` in a process of its own and makes tables of its figures."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import search_speed
from bars import judge, search_bars
from contestants import environment
from outcome import Outcome
from report import figures
from rounds import Series

SCRIPT = Path(__file__).resolve().parent / "search_speed.py"


def measure(rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Measure. Raises RuntimeError when the process fails."""
    passages = search_speed.DOCUMENTS * search_speed.SECTIONS
    tell(f"search in one process over {passages:,} passages, {rounds} rounds")
    command = [sys.executable, str(SCRIPT), str(rounds)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"search_speed.py failed: {done.stderr[-2000:]}")
    series = Series()
    for measured in json.loads(done.stdout):
        for name, gathered in measured.items():
            series.add(name, gathered)
    return Outcome(
        f"Search in the server's process, {passages:,} passages",
        {
            "Question form, top ten": figures(
                series, search_speed.WAYS, {"p50_us": "p50, µs", "cpu_us": "p50 of processor time, µs"}
            )
        },
        judge(search_bars(), series),
        {"search speed": series},
        [
            f"{search_speed.ASKED} questions in five languages a round, asked in the three ways, one way after the other."
        ],
    )
