"""Publishing where the system fails: a full disk, a folder that cannot be written, syncs that fail, a ledger that is held.

It is refused and said so, nothing is acknowledged that is not kept, and all is right again when the fault ends.
"""

import errno
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from readingroom.library.errors import LedgerBusy, LibraryError
from readingroom.library.ledger import connections
from readingroom.library.operator import OUTCOME_CODES, Outcome, deciding
from support.disks import FailingDisk
from support.publisher import WAYS, decide, prepare
from support.publishing import Desk, in_memory
from support.stopping import Points, failing, hooked

TESTS = Path(__file__).resolve().parents[1]
REFUSED = ("disk_full", "not_writable", "failed", "unknown", "base_changed", "path_not_served")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that waits for no disk."""
    with in_memory(tmp_path) as folder:
        yield folder


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    """A disk for the ledger that waits for no real one, and fails when it is told to."""
    disk = FailingDisk("failing")
    yield disk
    disk.unregister()


def attempted(desk: Desk, way: str) -> Outcome | LibraryError:
    """What came of a decision, or why it could not begin."""
    try:
        return decide(desk, way, desk.key())
    except LibraryError as error:
        return error


def check(desk: Desk, before: Any, outcome: Outcome | LibraryError, way: str) -> None:
    """After the fault: what was acknowledged is there, and what was not can be decided now."""
    acknowledged = isinstance(outcome, Outcome) and outcome.decision is not None
    if isinstance(outcome, Outcome) and not acknowledged:
        assert outcome.code in OUTCOME_CODES
        assert outcome.text
    desk.operator.recover()
    verified = desk.operator.verify(desk.key())
    assert verified.is_sound, verified
    assert desk.under_way() == 0
    wanted = 3 if way.startswith("undo") else 2
    if verified.decisions < wanted:
        assert not acknowledged
        assert desk.tree() == before
        outcome = decide(desk, way, desk.key())
        assert outcome.decision is not None, outcome
    assert not [name for name in desk.tree() if "/." in f"/{name}"]


@pytest.mark.parametrize("way", ["create deep", "replace", "rename", "delete", "undo"])
@pytest.mark.parametrize(("number", "every"), [(errno.EIO, False), (errno.EROFS, True)])
def test_a_call_on_the_folder_that_fails_is_a_refusal(
    place: Path, disk: FailingDisk, way: str, number: int, every: bool
) -> None:
    """Each call of ours in turn: once, or from there on until the fault ends; fsync of file and folder among them."""
    turn, ended = 0, False
    while not ended:
        turn += 1
        prepare(place / str(turn), way)
        desk = Desk(place / str(turn), vfs="failing")
        before = desk.tree()
        points = Points(turn, failing(number), every=every)
        with hooked(points):
            outcome = attempted(desk, way)
        ended = points.count < turn
        if isinstance(outcome, Outcome) and outcome.decision is None:
            assert outcome.code in REFUSED
        check(desk, before, outcome, way)
        desk.ledger.close()
    assert turn > 10


@pytest.mark.parametrize(
    ("way", "code", "every"),
    [
        ("replace", apsw.SQLITE_FULL, False),
        ("replace", apsw.SQLITE_FULL, True),
        ("replace", apsw.SQLITE_IOERR_FSYNC, False),
        ("replace", apsw.SQLITE_IOERR_FSYNC, True),
        ("create", apsw.SQLITE_IOERR_WRITE, False),
        ("undo", apsw.SQLITE_IOERR_FSYNC, False),
        ("undo", apsw.SQLITE_IOERR_WRITE, True),
    ],
)
def test_a_call_on_the_ledger_that_fails_is_a_refusal(
    place: Path, disk: FailingDisk, way: str, code: int, every: bool
) -> None:
    """Each write and sync of SQLite's in turn, once or until the fault ends."""
    turn, ended = 0, False
    while not ended:
        turn += 1
        prepare(place / str(turn), way)
        disk.fails = lambda _what: 0
        desk = Desk(place / str(turn), vfs="failing")
        before = desk.tree()
        count = 0

        def fails(_what: str, turn: int = turn) -> int:
            nonlocal count
            count += 1
            return code if count == turn or (every and count > turn) else 0

        disk.fails = fails
        outcome = attempted(desk, way)
        disk.fails = lambda _what: 0
        ended = count < turn
        check(desk, before, outcome, way)
        desk.ledger.close()
    assert turn > 10


def test_a_folder_that_was_not_synced_is_taken_back(
    place: Path, disk: FailingDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new file stands there for a moment, and the decision does not."""
    desk = Desk(place, vfs="failing")
    desk.write("a.md", b"# A\n")
    key = desk.begin()
    draft = desk.draft("replace", "a.md", b"# B\n")
    seen: list[Any] = []

    def fail(_self: Any) -> None:
        seen.append(desk.tree())
        if len(seen) == 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("readingroom.library.operator.folder.Folder.sync", fail)
    outcome = desk.publish(draft, key)
    assert (outcome.code, outcome.text) == ("failed", "a.md could not be changed: Input/output error.")
    assert seen[0]["a.md"] == b"# B\n"
    assert desk.tree() == {"a.md": b"# A\n"}
    assert desk.read(draft.id).state == "open"


def held(desk: Desk, until: threading.Event) -> threading.Thread:
    """Somebody who is writing the ledger until told to end."""
    begun = threading.Event()

    def hold() -> None:
        with Desk(desk.docs.parent).ledger.writing():
            begun.set()
            until.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(30)
    return thread


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writers who do not wait long."""
    monkeypatch.setattr(connections, "BUSY_S", 0.1)


@pytest.mark.usefixtures("impatient")
def test_a_ledger_that_is_held_is_a_refusal(place: Path, disk: FailingDisk) -> None:
    """Nothing is done to the folder; when it is free again, the same can be decided."""
    prepare(place, "replace")
    desk = Desk(place, vfs="failing")
    before = desk.tree()
    until = threading.Event()
    thread = held(desk, until)
    outcome = attempted(desk, "replace")
    until.set()
    thread.join()
    assert isinstance(outcome, Outcome)
    assert outcome.code == "busy"
    assert desk.tree() == before
    check(desk, before, outcome, "replace")


@pytest.mark.usefixtures("impatient")
def test_a_ledger_that_is_held_from_midway_on_leaves_it_to_the_next_command(
    place: Path, disk: FailingDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decision cannot be kept, nor taken back: it says so, and the next command does."""
    prepare(place, "replace")
    desk = Desk(place, vfs="failing")
    before = desk.tree()
    until, threads = threading.Event(), []
    carry_out = deciding.carry_out

    def slow(*args: Any) -> None:
        carry_out(*args)
        threads.append(held(desk, until))

    monkeypatch.setattr(deciding, "carry_out", slow)
    outcome = attempted(desk, "replace")
    monkeypatch.setattr(deciding, "carry_out", carry_out)
    until.set()
    threads[0].join()
    assert isinstance(outcome, Outcome)
    assert outcome.code == "unknown"
    assert "is being written by another process" in outcome.text
    assert desk.tree() != before
    check(desk, before, outcome, "replace")


def test_a_turn_that_is_taken_is_waited_for_and_then_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process is publishing: what it has under way is left to it."""
    from readingroom.library.operator import turns

    prepare(place, "replace")
    desk = Desk(place)
    monkeypatch.setattr(turns, "_PATIENCE_S", 0.0)
    with turns.turn(desk.ledger), pytest.raises(LedgerBusy), turns.turn(desk.ledger, 0.05):
        pass


def cramped(place: Path, mode: str, way: str) -> dict[str, Any]:
    """What happens on a file system of its own."""
    command = ["unshare", "-Urm", sys.executable, "-m", "support.cramped", str(place), mode, way]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    environment = kept | {"PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _may_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = ["unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(tried, capture_output=True).returncode == 0


alone = pytest.mark.skipif(not _may_mount(), reason="no mounts of one's own are to be had here")


@alone
@pytest.mark.slow
@pytest.mark.parametrize("way", ["replace", "create"])
def test_a_full_disk_is_a_refusal(tmp_path: Path, way: str) -> None:
    """With room for few pages or many; when there is room again, the same can be decided."""
    told = cramped(tmp_path, "full", way)
    assert told["problems"] == []
    assert told["codes"]["disk_full"] > 0
    assert told["codes"]["decided"] > 0
    assert set(told["codes"]) <= {"decided", "disk_full", "unknown", "failed", "LedgerUnusable", "LedgerFull"}


@alone
@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("reject", "undo delete")])
def test_a_folder_that_may_not_be_written_is_a_refusal(tmp_path: Path, way: str) -> None:
    """Nothing is changed, and when it may be written the same can be decided."""
    told = cramped(tmp_path, "read-only", way)
    assert told["code"] == "not_writable"
    assert told["unchanged"]
    assert (told["found"]["faults"], told["found"]["under_way"], told["afterwards"]) == ([], 0, "")
