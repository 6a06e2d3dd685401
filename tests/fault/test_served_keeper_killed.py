"""`readingroom serve` is killed while it writes the index, again and again, as apps go on asking the servers that are left.

Four servers on stdio share a folder that keeps changing, two for readers and two for editors; each is asked all the time.
Whichever takes the writer's lock is killed, after a random number of calls or at a random moment: the others answer every
request, and rightly; one of them writes on; and in the end every role's rows are those of an index that was built afresh.
"""

import contextlib
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

from readingroom.library import Role
from support.keepers import PATIENCE_S, change, check_rows, doom, furnished, put, told_times
from support.keeping import SECRET, STEADY
from support.messages import call
from support.shelves import Shelves

SEATS: tuple[Role, ...] = ("reader", "reader", "editor", "editor")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


class Gone(Exception):
    """The server has ended in the midst of a request."""


class Seat:
    """One server, and an app that asks it as fast as it answers. What is worth telling goes to `said`."""

    def __init__(
        self, role: Role, shelves: Shelves, control: Path, said: "queue.Queue[dict[str, Any]]"
    ) -> None:
        self.role: Role = role
        self._control = control
        self._said = said
        self._asked = 0
        self._leaving = threading.Event()
        self._log = (control / "log").open("ab")
        options = [
            "--role",
            role,
            "--cache",
            str(shelves.cache),
            "--ledger",
            str(control / "ledger"),
            "--rescan",
            "2",
        ]
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "support.keeping_served",
                str(control),
                "serve",
                *options,
                str(shelves.docs),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self._thread = threading.Thread(target=self._sit, daemon=True)
        self._thread.start()

    def _sit(self) -> None:
        dice, last, first = random.Random(self.process.pid), "", True
        try:
            while not self._leaving.is_set():
                if problem := self._wrong(dice):
                    self._say(error=problem)
                if first:
                    self._say(ready=True)
                    first = False
                word = (self._control / "ask").read_text()
                if word != last and self._found(word):
                    last = word
                    self._say(found=word, at=time.monotonic())
        except Gone:
            self._say(gone=True)
        except Exception as error:  # noqa: BLE001  -- whatever it is, it is what the test looks for
            self._say(error=repr(error))

    def _say(self, **what: Any) -> None:
        self._said.put(what | {"seat": self})

    def _ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call, whatever it is."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        self._asked += 1
        try:
            stdin.write(call(self._asked, tool, arguments) + b"\n")
            stdin.flush()
        except BrokenPipeError:
            raise Gone from None
        line = stdout.readline()
        if not line.endswith(b"\n"):
            raise Gone
        answer = json.loads(line)
        assert answer["id"] == self._asked
        return dict(answer["result"])

    def _found(self, query: str) -> list[dict[str, Any]]:
        result = self._ask("library_search", query=query, limit=50)
        assert not result.get("isError"), result
        return list(result["structuredContent"]["items"])

    def _wrong(self, dice: random.Random) -> str:
        """What is not as it must be in some answers, whatever happens to the index; "" when nothing is."""
        if missing := set(STEADY) - {hit["path"] for hit in self._found("steady")}:
            return f"steady documents are not found: {sorted(missing)}"
        result = self._ask("library_list", path="steady")
        listed = {item["path"] for item in result["structuredContent"]["items"]}
        if missing := set(STEADY) - listed:
            return f"steady documents are not listed: {sorted(missing)}"
        if (result := self._ask("library_read", path=dice.choice(STEADY))).get("isError"):
            return f"a steady document is not read: {result}"
        read = self._ask("library_read", path=f"d{dice.randrange(4)}/{dice.randrange(40):02}.md")
        told = json.dumps([read, self._found(f"apple {SECRET}")])
        return "a reader is told a secret" if self.role == "reader" and SECRET in told else ""

    def leave(self, *, kill: bool = False) -> int:
        """Ask no more; how the server ended."""
        self._leaving.set()
        if kill:
            self.process.kill()
        self._thread.join(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # half a request to one that is dead
                pipe.close()
        self._log.close()
        return self.process.wait(PATIENCE_S)


class House:
    """A folder, and the servers on it."""

    def __init__(self, place: Path) -> None:
        self.shelves, self.control = furnished(place)
        self.said: queue.Queue[dict[str, Any]] = queue.Queue()
        self.errors: list[dict[str, Any]] = []
        self.seats: list[Seat] = []

    def seat(self, role: Role) -> None:
        """One more server."""
        self.seats.append(Seat(role, self.shelves, self.control, self.said))

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

    def kill(self, dice: random.Random, turn: int) -> float:
        """Change until one that writes has died; the seconds until a change made then is found through another one's work.

        The other one is of the same role: it alone keeps that role's index now.
        """
        doom(self.control, dice)
        for step in range(4_000):
            change(self.shelves.docs, dice, turn * 100 + step)
            if (gone := self.take("gone", within=dice.uniform(0.01, 0.1))) is not None:
                break
        else:
            pytest.fail("nobody held the lock")
        dead: Seat = gone["seat"]
        self.seats.remove(dead)
        assert dead.leave() == -9
        word = f"qz{turn}x"
        put(self.shelves.docs / "steady/0.md", f"# Steady\n\nsteady apple {word}\n")
        put(self.control / "ask", word)
        at = time.monotonic()
        while (found := self.take("found")) is not None:
            if found["found"] == word and found["seat"].role == dead.role:
                break
        assert found is not None, f"nobody took over after death {turn}: {self.errors}"
        self.seat(dead.role)
        assert self.take("ready") is not None
        return float(found["at"]) - at

    def close(self) -> None:
        """End what is left after a test that failed."""
        for seat in self.seats:
            seat.leave(kill=True)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A folder with an index, and nobody there yet."""
    house = House(tmp_path)
    yield house
    house.close()


def check(house: House, kills: int, seed: int) -> None:
    """Kill so often, and see that it made no difference."""
    dice = random.Random(seed)
    for role in SEATS:
        house.seat(role)
    for _ in SEATS:
        assert house.take("ready") is not None
    took = [house.kill(dice, turn) for turn in range(kills)]
    assert_same = check_rows(house.shelves, lambda: house.take(within=0.1))
    ended = {house.seats.pop().leave() for _ in SEATS}
    while house.take(within=0.01) is not None:
        pass
    print(told_times(took))
    assert house.errors == []
    assert ended == {0}
    assert_same()


@pytest.mark.timeout(600)
def test_a_server_that_is_killed_while_it_writes_is_not_missed(house: House) -> None:
    """A few times; no app gets a wrong answer or an error, another server writes on, and the index ends as a fresh one."""
    check(house, 4, 1)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_server_that_is_killed_two_hundred_times_is_not_missed(house: House) -> None:
    """The same, for longer."""
    check(house, 200, 2)
