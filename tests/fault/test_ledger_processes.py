"""The ledger among processes: killed at any moment, held by another, crowded, on a full disk or one that may only be read.

What was acknowledged is there, each key is executed once, and whoever is refused is told why.
"""

import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.library import LedgerBusy
from readingroom.library.ledger import connections, restore
from support.ledger_work import ended, operate, started, told
from support.ledgers import a_draft, opened

IN_MEMORY = Path("/dev/shm")
SEED = 11


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder on a fast disk, where there is one."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


def kill_often(folder: Path, times: int) -> dict[str, int]:
    """Kill a process that asks for operations, each time at another moment; then look."""
    chance = random.Random(SEED)
    found = {"killed": 0, "amid": 0, "lost": 0, "torn": 0, "acknowledged": 0}
    publisher = started("publish", folder)
    number = 0
    try:
        for _ in range(times):
            asked, acknowledged = _killed(publisher, number, chance.randint(0, 12), chance.uniform(0, 0.004))
            found["killed"] += 1
            found["amid"] += asked > acknowledged
            number = _look(folder, number, acknowledged, found)
    finally:
        publisher.communicate()
    return found


def _killed(publisher: Any, number: int, lines: int, delay: float) -> tuple[int, int]:
    """Let it speak so many lines and go on for so long, then kill it; the numbers after the last it asked and had."""
    asked = acknowledged = number
    publisher.stdin.write(f"{number}\n")
    publisher.stdin.flush()
    child = None
    killer: threading.Timer | None = None
    while True:
        line = told(publisher)
        if isinstance(line, int):
            if child is None:
                child = line
            else:
                assert line == -signal.SIGKILL
                return asked, acknowledged
        else:
            what, which = line
            asked = max(asked, which + 1)
            acknowledged = which + 1 if what == "acknowledged" else acknowledged
            lines -= 1
        if child is not None and lines <= 0 and killer is None:
            killer = threading.Timer(delay, os.kill, (child, signal.SIGKILL))
            killer.start()


def _look(folder: Path, number: int, acknowledged: int, found: dict[str, int]) -> int:
    """See what is there; the number to go on with is the first that is not."""
    found["acknowledged"] += acknowledged - number
    with opened(folder) as ledger, ledger.reading() as reading:
        while True:
            operation = reading.operation("local", f"key-{number}")
            draft = reading.draft(f"d-key-{number}")
            found["torn"] += (operation is None) != (draft is None)
            if operation is None:
                break
            found["torn"] += operation.result != b"%d" % number
            number += 1
        found["lost"] += number < acknowledged
        found["torn"] += ledger.check() != ()
    return number


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_process_that_is_killed_loses_nothing_that_it_acknowledged(folder: Path) -> None:
    """Forty times, at random moments of opening and writing."""
    found = kill_often(folder, 40)
    assert (found["killed"], found["lost"], found["torn"]) == (40, 0, 0)
    assert found["acknowledged"] > 0
    assert found["amid"] > 0


@pytest.mark.soak
@pytest.mark.timeout(300)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_process_that_is_killed_many_times_loses_nothing(folder: Path) -> None:
    """Four hundred times."""
    found = kill_often(folder, 400)
    assert (found["killed"], found["lost"], found["torn"]) == (400, 0, 0)


def test_eight_writers_with_the_same_keys(folder: Path) -> None:
    """Each of 200 keys is executed once, by one of them; all others are given what was answered. Nobody is refused."""
    opened(folder).close()
    writers = [started("crowd", folder, f"writer-{number}", 200) for number in range(8)]
    answers = _at_once(writers)
    assert sum(answer["executed"] for answer in answers) == 200
    with opened(folder) as ledger, ledger.reading() as reading:
        kept = [reading.operation("local", f"key-{number}") for number in range(200)]
        assert all(operation is not None for operation in kept)
        assert reading.commits == 200
        assert len(reading.drafts(limit=1000)) == 200
        assert ledger.check() == ()


def test_eight_processes_open_a_new_ledger_at_once(folder: Path) -> None:
    """One makes it; all have the same."""
    processes = [started("race", folder) for _ in range(8)]
    assert _at_once(processes) == ["done"] * 8
    with opened(folder) as ledger:
        assert ledger.changes() == 8


def test_backups_while_others_write(folder: Path) -> None:
    """Each is of one moment, and sound."""
    ledger = opened(folder)
    writers = [started("crowd", folder, f"writer-{number}", 60) for number in range(3)]
    assert {told(writer) for writer in writers} == {"ready"}
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    found = [ledger.backup(folder / f"{number}.ledger") for number in range(6)]
    for writer in writers:
        ended(writer)
    assert all(info.drafts == info.operations for info in found)
    assert [info.operations for info in found] == sorted(info.operations for info in found)
    assert ledger.backup(folder / "last.ledger").operations == 60
    ledger.close()


def test_a_backup_put_back_while_others_write(folder: Path) -> None:
    """Nobody is refused, and nothing is half there."""
    with opened(folder) as ledger:
        operate(ledger, "key-0", b"from the backup")
        ledger.backup(folder / "backup.ledger")
        writers = [started("crowd", folder, f"writer-{number}", 100) for number in range(3)]
        assert {told(writer) for writer in writers} == {"ready"}
        for writer in writers:
            writer.stdin.write("\n")
            writer.stdin.flush()
        for _ in range(3):
            restore(folder / "backup.ledger", folder / "documents", folder / "ledgers", replace=True)
        for writer in writers:
            ended(writer)
        assert ledger.check() == ()
        with ledger.reading() as reading:
            kept = [key for key in range(100) if reading.operation("local", f"key-{key}") is not None]
            assert len(reading.drafts(limit=1000)) == len(kept)
            operation = reading.operation("local", "key-0")
            assert operation is not None
            assert operation.result == b"from the backup"


def test_restoring_that_is_killed(folder: Path) -> None:
    """The ledger holds all of the one or all of the other, and can be restored again."""
    sizes = (3, 40)
    with opened(folder) as ledger:
        for size in sizes:
            for number in range(size):
                operate(ledger, f"key-{number}", b"x")
            ledger.backup(folder / f"{size}.ledger")
    chance = random.Random(SEED)
    for _ in range(8):
        process = started("restore_for_ever", folder, *(folder / f"{size}.ledger" for size in sizes))
        assert told(process) == "ready"
        killer = threading.Timer(chance.uniform(0, 0.3), process.kill)
        killer.start()
        process.communicate()
        with opened(folder) as ledger, ledger.reading() as reading:
            assert len(reading.drafts(limit=1000)) in sizes
            assert ledger.check() == ()


def _at_once(processes: list[Any]) -> list[Any]:
    """Wait until all are ready, let them go, and give what they say."""
    assert {told(process) for process in processes} == {"ready"}
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [told(process) for process in processes]
    for process in processes:
        ended(process)
    return answers


def test_a_ledger_that_another_process_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes is refused in the end; who opens and who looks does not wait. A short wait is waited."""
    opened(folder).close()
    holder = started("hold", folder)
    assert told(holder) == "holding"
    with monkeypatch.context() as impatient:
        impatient.setattr(connections, "BUSY_S", 0.05)
        with opened(folder) as ledger:
            with pytest.raises(LedgerBusy, match="another process"):
                operate(ledger, "key-1", b"1")
            with ledger.reading() as reading:
                assert reading.draft("d-held") is None
    with opened(folder) as ledger:
        writer = threading.Thread(target=operate, args=(ledger, "key-1", b"1"))
        writer.start()
        assert holder.stdin is not None
        holder.stdin.write("\n")
        holder.stdin.flush()
        writer.join()
        with ledger.reading() as reading:
            assert reading.draft("d-held") == a_draft("d-held")
            assert reading.operation("local", "key-1") is not None
    ended(holder)


UNSHARE = shutil.which("unshare")
APART = (UNSHARE or "", "-Urm")
"""What gives a process disks of its own."""


def _can_mount() -> bool:
    if UNSHARE is None:
        return False
    return (
        subprocess.run([*APART, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
    )


mounting = pytest.mark.skipif(not _can_mount(), reason="this system lets no user mount a disk of their own")


@pytest.mark.parametrize(
    ("limit", "before"),
    [
        pytest.param(0, APART, marks=mounting, id="a full disk"),
        pytest.param(1_000_000, (), id="a limit to the size of files"),
    ],
)
def test_no_room(folder: Path, limit: int, before: tuple[str, ...]) -> None:
    """Who looks goes on; who writes is told; when there is room, what was refused is executed, once."""
    if os.name == "nt":
        pytest.skip("there are no such limits on this system")
    process = started("fill", folder, limit, before=before)
    answer = told(process)
    ended(process)
    assert 0 < answer["acknowledged"] < 120
    assert answer["seen"] == answer["acknowledged"]
    assert answer["acknowledged"] + answer["later"] == 120
    assert answer["faults"] == []


@mounting
def test_a_disk_that_may_only_be_read(folder: Path) -> None:
    """It is told, and all goes on when it may be written again."""
    process = started("read_only", folder, before=APART)
    assert "LedgerUnusable" in told(process)
    assert told(process) == [False, True]
    ended(process)
