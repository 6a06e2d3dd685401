"""The driver of the benchmark against its smallest server."""

import os
import sys
from pathlib import Path

import pytest

BARE = Path(__file__).resolve().parents[3] / "bench" / "servers" / "add_bare.py"


def test_calls_one_by_one_and_all_at_once_are_all_answered() -> None:
    """Every request gets its answer, however many are written without waiting."""
    import calls
    from child import Child

    with Child([sys.executable, str(BARE)]) as child:
        calls.check_discovered(child.exchange(calls.discover())[1])
        seconds, answers = child.one_by_one([calls.add(number) for number in range(1, 20)])
        assert len(seconds) == 19
        calls.check_sums(answers, 1, 19)
        _, lines = child.pipelined([calls.add(number) for number in range(20, 3020)])
        calls.check_sums(lines, 20, 3000)
    assert child.process.returncode == 0


def test_a_server_that_ends_early_is_reported_with_its_last_words() -> None:
    """What the server wrote to standard error stands in the message."""
    from child import Broken, Child

    code = "import sys; sys.stdin.readline(); sys.exit('out of paper')"
    with Child([sys.executable, "-c", code]) as child, pytest.raises(Broken, match="out of paper"):
        child.exchange(b"{}\n")


def test_a_server_that_takes_too_long_is_killed() -> None:
    """A hanging server ends the exchange, not the benchmark's patience."""
    from child import Broken, Child

    code = "import signal, time; time.sleep(600)"
    with Child([sys.executable, "-c", code], allowed=0.2) as child, pytest.raises(Broken):
        child.exchange(b"{}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_the_memory_of_children_counts() -> None:
    """A process tree holds more than its root."""
    import memory
    from child import Child

    code = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'print(1, flush=True); input()']);"
        " p.wait()"
    )
    with Child([sys.executable, "-c", code]) as child:
        child.exchange(b"")
        assert len(memory.tree(child.process.pid)) == 2
        held = memory.held_by(child.process.pid)
        assert held is not None
        assert held["peak"] >= held["rss"] >= held["pss"] > 0
        alone = memory.held_by(os.getpid())
        assert alone is not None
