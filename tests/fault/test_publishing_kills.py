"""Publishing that is killed: before each of its calls, at random moments, and at system calls that strace stops.

After the next start nothing is lost, nothing is torn, nothing is there twice, and folder and ledger agree. That the tests
can fail is shown by publishing that has a fault built in.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.publisher import CONTROLS, WAYS
from support.publishing import in_memory

TESTS = Path(__file__).resolve().parents[1]
SEED = 7
CALLS = (
    "write,pwrite64,fsync,fdatasync,ftruncate,fchmod,mkdir,renameat,renameat2,rename,unlink,unlinkat,rmdir"
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="what is killed here is a fork")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that waits for no disk."""
    with in_memory(tmp_path) as folder:
        yield folder


def program(*arguments: object) -> list[str]:
    """How the publisher is run."""
    return [sys.executable, "-m", "support.publisher", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Ours, without what measures coverage: it would be killed, too."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    return kept | {"PYTHONPATH": str(TESTS)}


def run(*arguments: object) -> dict[str, Any]:
    """What the publisher tells at its end."""
    done = subprocess.run(program(*arguments), capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    print(told)
    return told


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("way", WAYS)
def test_killed_before_any_of_its_calls_it_is_whole_or_not_at_all(place: Path, way: str) -> None:
    """And whoever was told that it is kept was told so rightly; what was not decided can be decided then."""
    told = run(place, "every", "none", way)
    assert told["problems"] == []
    assert told["points"] > 20
    assert told["decided"] > 0
    assert told["absent"] > 0


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("control", sorted(set(CONTROLS) - {"none"}))
def test_publishing_with_a_fault_is_found_out(place: Path, control: str) -> None:
    """Each of the faults that are built in leaves folder and ledger apart at some call."""
    assert run(place, "every", control, "replace")["problems"] != []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_at_random_moments_nothing_is_lost(place: Path) -> None:
    """A hundred times, on one folder and one ledger, recovery included."""
    _check_random(run(place, "random", "none", 100, SEED), 100)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_killed_a_thousand_times_nothing_is_lost(place: Path) -> None:
    """The same, for longer."""
    _check_random(run(place, "random", "none", 1000, SEED + 1), 1000)


def _check_random(told: dict[str, Any], kills: int) -> None:
    assert told["problems"] == []
    assert told["kills"] == kills
    assert told["midway"] > kills // 4
    assert told["acknowledged"] > 0


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("way", ["create deep", "replace", "rename", "delete"])
def test_killed_at_each_system_call_it_is_whole_or_not_at_all(place: Path, way: str) -> None:
    """The calls as the system sees them, SQLite's own among them."""
    template, work = place / "template", place / "work"
    subprocess.run(program(work, "prepare", "none", way), check=True, env=environment())
    work.rename(template)
    shutil.copytree(template, work)
    counts = _calls(place, work, way)
    assert sum(counts.values()) > 30
    states = set()
    for call, count in counts.items():
        for number in range(1, count + 1):
            shutil.rmtree(work)
            shutil.copytree(template, work)
            inject = ["strace", "-f", "-o", os.devnull, "-e", f"trace={call}"]
            inject += ["-e", f"inject={call}:signal=KILL:when={number}"]
            subprocess.run([*inject, *program(work, "once", "none", way)], env=environment())
            judged = subprocess.run(
                program(work, "judge", "none", way), capture_output=True, text=True, env=environment()
            )
            assert judged.returncode == 0, (call, number, judged.stderr)
            first, *rest = [json.loads(line) for line in judged.stdout.splitlines()]
            assert (first["faults"], first["under_way"]) == ([], 0), (call, number)
            assert first["decided"] or rest[0]["text"] == "", (call, number, rest)
            states.add(first["decided"])
    print(f"{way}: {sum(counts.values())} calls")
    assert states == {False, True}


def _calls(place: Path, work: Path, way: str) -> dict[str, int]:
    """How often the program makes each of the calls that change something."""
    log = place / "calls"
    traced = ["strace", "-f", "-o", str(log), "-e", f"trace={CALLS}", *program(work, "once", "none", way)]
    subprocess.run(traced, check=True, env=environment())
    counts: dict[str, int] = {}
    for line in log.read_text("utf-8", "replace").splitlines():
        if found := re.match(r"\d+ +(\w+)\(", line):
            counts[found[1]] = counts.get(found[1], 0) + 1
    return counts
