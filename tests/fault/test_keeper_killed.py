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
import tantivy

from readingroom.library import Library, Role, catalog
from support.keeping import SECRET, STEADY
from support.shelves import Shelves, edition

PATIENCE_S = 60.0
ROLES: tuple[Role, ...] = ("reader", "editor")
TABLES = {
    "documents": "path, format, size, revision, title, language, tags, identifier, aliases",
    "outlines": "*",
    "tags": "*",
    "names": "*",
    "links": "*",
}

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


def put(file: Path, text: str) -> None:
    """Write a file in one step."""
    beside = file.with_suffix(".new")
    beside.write_text(text)
    beside.replace(file)


def change(docs: Path, dice: random.Random, turn: int) -> None:
    """One change as people and programs make them."""
    file = docs / f"d{dice.randrange(4)}/{dice.randrange(40):02}.md"
    kind = dice.choice(["write", "write", "replace", "append", "hide", "remove", "move"])
    text = f"---\nid: D-{turn % 50}\ntags: [t{turn % 3}]\n---\n# Turn {turn}\n\napple turn {turn}\n\n## More\n\n[x](00.md)\n"
    if kind == "hide":
        text = f"---\nvisibility: internal\n---\n# Hidden\n\napple {SECRET} {turn}\n"
    if kind in ("write", "hide"):
        file.write_text(text)
    elif kind == "replace":
        put(file, text)
    elif not file.exists():
        return
    elif kind == "append" and SECRET not in file.read_text():
        file.write_text(file.read_text() + f"\n\n## Turn {turn}\n\napple pear {turn}\n")
    elif kind == "remove":
        file.unlink()
    elif kind == "move":
        file.rename(docs / f"d{dice.randrange(4)}/{dice.randrange(40):02}.md")


def doom(control: Path, dice: random.Random) -> None:
    """Who gets the lock next dies, early or late."""
    kind = (
        f"point {int(10 ** dice.uniform(0, 4.3))}" if dice.random() < 0.6 else f"time {dice.uniform(0, 0.06)}"
    )
    put(control / "doom", kind)


def rows(library: Library, role: Role) -> dict[str, list[Any]]:
    """Every live row of a role's index and of its catalogue."""
    folder = edition(library, role)
    index = tantivy.Index.open(str(folder / "index"))
    connection = catalog.connect(folder / catalog.FILE)
    try:
        found = {
            table: sorted(connection.execute(f"SELECT {columns} FROM {table}"))  # noqa: S608  -- constants
            for table, columns in TABLES.items()
        }
    finally:
        connection.close()
    searcher = index.searcher()
    stored = [
        searcher.doc(at).get_first("stored") or b""
        for _, at in searcher.search(tantivy.Query.all_query(), 100_000).hits
    ]
    return found | {"passages": sorted(stored)}


def fresh_rows(shelves: Shelves, name: str) -> dict[str, dict[str, list[Any]]]:
    """The rows of an index that is built now, elsewhere."""
    cache = shelves.cache.with_name(name)
    with Library.open(shelves.docs, cache=cache, roles=ROLES) as fresh:
        fresh.reconcile()
        return {role: rows(fresh, role) for role in ROLES}


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    """A folder with an index, and nobody there yet."""
    shelves, control = Shelves(tmp_path), tmp_path / "control"
    control.mkdir()
    (control / "ask").write_text("steady")
    for path in STEADY:
        shelves.document(path, "# Steady\n\nsteady apple\n")
    for number in range(160):
        shelves.document(f"d{number % 4}/{number // 4:02}.md", f"# Note {number}\n\napple {number}\n")
    shelves.scanned(*ROLES).close()
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
    took = sorted(kill(crew, dice, turn) for turn in range(kills))
    expected = fresh_rows(crew.shelves, "fresh")
    end = time.monotonic() + PATIENCE_S
    with crew.shelves.library(*ROLES) as library:
        while (got := {role: rows(library, role) for role in ROLES}) != expected and time.monotonic() < end:
            crew.take(within=0.1)
    assert set(crew.dismiss()) == {0}
    late = sum(seconds > 2 for seconds in took)
    middle, most = took[kills // 2], took[int(kills * 0.95)]
    print(
        f"{kills} kills, taken over p50 {middle:.2f} s, p95 {most:.2f} s, at most {took[-1]:.2f} s, {late} over 2 s"
    )
    assert crew.errors == []
    for role in ROLES:
        for table, wanted in expected[role].items():
            assert got[role][table] == wanted, (role, table)


def test_a_keeper_that_is_killed_is_not_missed(crew: Crew) -> None:
    """A few times; readers get no error, others write on, and the index ends up as one that is built afresh."""
    check(crew, 6, 1)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_keeper_that_is_killed_two_hundred_times_is_not_missed(crew: Crew) -> None:
    """The same, for longer."""
    check(crew, 200, 2)
