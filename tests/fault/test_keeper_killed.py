"""The process that keeps the index is killed while it writes, again and again, on a folder that keeps changing.

Three processes share a folder; each of them keeps the index or follows, and asks all the time. Whoever holds the writer's
lock is killed, after a random number of calls or at a random moment: no answer of the others is ever wrong or an error,
another one writes on, and in the end every role's rows are those of an index that was built afresh.
"""

import json
import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.keepers import PATIENCE_S, change, check_rows, doom, furnished, put, told_times
from support.shelves import Shelves

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


class Crew:
    """Processes on one folder, and what they say."""

    def __init__(self, shelves: Shelves, control: Path) -> None:
        self.shelves = shelves
        self.control = control
        self.said: queue.Queue[dict[str, Any]] = queue.Queue()
        self.errors: list[dict[str, Any]] = []
        self.members: dict[int, subprocess.Popen[bytes]] = {}
        self._log = (control / "log").open("ab")

    def hire(self) -> None:
        """One more."""
        arguments = [str(self.shelves.docs), str(self.shelves.cache), str(self.control)]
        member = subprocess.Popen(
            [sys.executable, "-m", "support.keeping", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self.members[member.pid] = member
        threading.Thread(target=self._hear, args=(member,), daemon=True).start()

    def _hear(self, member: "subprocess.Popen[bytes]") -> None:
        assert member.stdout is not None
        for line in member.stdout:
            self.said.put(json.loads(line) | {"pid": member.pid})
        self.said.put({"dead": time.monotonic(), "pid": member.pid})

    def take(self, *kinds: str, within: float = PATIENCE_S) -> dict[str, Any] | None:
        """The next of these that somebody says; None when nobody does in time. Errors are kept, whatever is waited for."""
        end = time.monotonic() + within
        while (left := end - time.monotonic()) > 0:
            try:
                said = self.said.get(timeout=left)
            except queue.Empty:
                return None
            if "error" in said:
                self.errors.append(said)
            elif not said.keys().isdisjoint(kinds):
                return said
        return None

    def bury(self, pid: int) -> int:
        """Part with one that is dead; how it ended."""
        member = self.members.pop(pid)
        for pipe in (member.stdin, member.stdout):
            assert pipe is not None
            pipe.close()
        return member.wait(PATIENCE_S)

    def dismiss(self) -> list[int]:
        """End them all, and hear what they have yet to say."""
        left = set(self.members)
        for member in self.members.values():
            assert member.stdin is not None
            member.stdin.close()
        while left and (said := self.take("dead")) is not None:
            left.discard(said["pid"])
        for pid in left:
            self.members[pid].kill()
        return [self.bury(pid) for pid in list(self.members)]

    def close(self) -> None:
        """End what is left after a test that failed."""
        for pid, member in list(self.members.items()):
            member.kill()
            self.bury(pid)
        self._log.close()


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    """A folder with an index, and nobody there yet."""
    shelves, control = furnished(tmp_path)
    crew = Crew(shelves, control)
    yield crew
    crew.close()


def kill(crew: Crew, dice: random.Random, turn: int) -> float:
    """Change until the keeper has died; the seconds until a change made then is found through another one's writing."""
    docs = crew.shelves.docs
    doom(crew.control, dice)
    for step in range(2_000):
        change(docs, dice, turn * 100 + step)
        if (died := crew.take("dead", within=dice.uniform(0.01, 0.1))) is not None:
            break
    else:
        pytest.fail("nobody held the lock")
    assert crew.bury(died["pid"]) == -9
    word = f"qz{turn}x"
    put(docs / "steady/0.md", f"# Steady\n\nsteady apple {word}\n")
    put(crew.control / "ask", word)
    at = time.monotonic()
    while (found := crew.take("found")) is not None and found["found"] != word:
        pass
    assert found is not None, f"nobody took over after death {turn}"
    crew.hire()
    return float(found["at"]) - at


def check(crew: Crew, kills: int, seed: int) -> None:
    """Kill so often, and see that it made no difference."""
    dice = random.Random(seed)
    for _ in range(3):
        crew.hire()
    for _ in range(3):
        assert crew.take("ready") is not None
    took = [kill(crew, dice, turn) for turn in range(kills)]
    assert_same = check_rows(crew.shelves, lambda: crew.take(within=0.1))
    assert set(crew.dismiss()) == {0}
    print(told_times(took))
    assert crew.errors == []
    assert_same()


@pytest.mark.timeout(600)
def test_a_keeper_that_is_killed_is_not_missed(crew: Crew) -> None:
    """A few times; readers get no error, others write on, and the index ends up as one that is built afresh."""
    check(crew, 6, 1)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_keeper_that_is_killed_two_hundred_times_is_not_missed(crew: Crew) -> None:
    """The same, for longer."""
    check(crew, 200, 2)
