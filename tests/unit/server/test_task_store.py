"""What every store of tasks promises, of both that there are; and what a file adds to it."""

import multiprocessing
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from readingroom.errors import UsageError
from readingroom.server import task_store_sqlite
from readingroom.server.task_store import MemoryTasks, Task, TaskBounds, TaskStore
from readingroom.server.task_store_sqlite import SqliteTasks

ROOM = TaskBounds(tasks=100, tasks_of_one=100, size=1000)


def task(task_id: str, principal: str = "me", created: float = 0.0, ttl_ms: int | None = None) -> Task:
    """A new task."""
    return Task(
        id=task_id,
        principal=principal,
        method="tools/call",
        name="work",
        owner="owner",
        created=created,
        updated=created,
        ttl_ms=ttl_ms,
    )


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> TaskStore:
    """A store without tasks, of each kind."""
    return MemoryTasks() if request.param == "memory" else SqliteTasks(tmp_path / "tasks.db")


def test_what_was_added_is_given_as_it_is(store: TaskStore) -> None:
    """With everything in it, and its version."""
    full = replace(
        task("a", ttl_ms=5),
        poll_ms=7,
        status="failed",
        message="читать",
        asked={"k": b"{}"},
        answers={"l": b"\x00"},
        cancel=True,
        result=b"r",
        error=b"e",
    )
    assert store.add(full, ROOM)
    assert store.get("a") == full
    assert store.get("b") is None
    assert full.is_final
    assert full.size == 2 + 1 + 1 + 1


def test_a_task_is_replaced_by_who_knows_its_version(store: TaskStore) -> None:
    """And by nobody else; the version is counted up each time."""
    store.add(task("a"), ROOM)
    first = store.get("a")
    assert first is not None
    assert store.replace(replace(first, message="one"))
    assert not store.replace(replace(first, message="two"))
    second = store.get("a")
    assert second is not None
    assert (second.message, second.version) == ("one", first.version + 1)
    assert not store.replace(task("b"))
    assert store.get("b") is None


def test_versions_are_given_of_those_that_are_there(store: TaskStore) -> None:
    """However many are asked for."""
    store.add(task("a"), ROOM)
    store.add(task("b"), ROOM)
    assert store.versions([]) == {}
    before = store.versions({"a", "b", "c"})
    assert set(before) == {"a", "b"}
    found = store.get("a")
    assert found is not None
    store.replace(found)
    after = store.versions(["a", "b"])
    assert (after["a"], after["b"]) == (before["a"] + 1, before["b"])


def test_a_pulse_changes_with_each_beat(store: TaskStore) -> None:
    """Of one process apart from the others."""
    store.add(task("a"), ROOM)
    seen = [store.pulse("owner")]
    for _ in range(3):
        store.beat("owner")
        seen.append(store.pulse("owner"))
    assert len(set(seen)) == 4
    assert store.pulse("another") == store.pulse("unknown")


@pytest.mark.parametrize(
    "bounds",
    [
        TaskBounds(tasks=2, tasks_of_one=9, size=9),
        TaskBounds(tasks=9, tasks_of_one=2, size=9),
        TaskBounds(tasks=9, tasks_of_one=9, size=3),
    ],
)
def test_no_more_is_kept_than_the_bounds_allow(store: TaskStore, bounds: TaskBounds) -> None:
    """Tasks in all, tasks of one principal, bytes; those that have expired make room."""
    assert store.add(task("a", ttl_ms=1000), bounds)
    assert store.add(task("b"), bounds)
    found = store.get("a")
    assert found is not None
    assert store.replace(replace(found, result=b"123"))
    assert not store.add(task("c", created=0.999), bounds)
    assert store.get("c") is None
    assert store.add(task("c", created=1.0), bounds)
    assert store.get("a") is None
    assert not store.replace(found)


def test_one_principal_takes_no_room_of_another(store: TaskStore) -> None:
    """As long as there is room for all."""
    bounds = TaskBounds(tasks=3, tasks_of_one=1, size=9)
    assert store.add(task("a", "me"), bounds)
    assert not store.add(task("b", "me"), bounds)
    assert store.add(task("b", "you"), bounds)


def test_of_many_at_once_one_succeeds(store: TaskStore) -> None:
    """Eight threads count to twenty together, and none of the counts is lost."""
    store.add(task("a"), ROOM)

    def count() -> None:
        for _ in range(20):
            while True:
                found = store.get("a")
                assert found is not None
                if store.replace(replace(found, message=str(int(found.message or 0) + 1))):
                    break

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.get("a")
    assert found is not None
    assert (found.message, found.version) == ("160", 160)


def test_a_file_is_its_owners_and_is_found_again(tmp_path: Path) -> None:
    """By another store on it, and after it was closed."""
    path = tmp_path / "tasks.db"
    first = SqliteTasks(path)
    first.close()
    assert first.add(task("a"), ROOM)
    if os.name == "posix":
        modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert modes == {0o600}
    first.close()
    second = SqliteTasks(str(path))
    assert second.get("a") == task("a")


def test_a_task_is_on_the_disk_when_it_was_added(tmp_path: Path) -> None:
    """A process that ends at once, without closing anything, leaves it there (TASK-5)."""
    path = tmp_path / "tasks.db"
    program = (
        "import os, sys; from readingroom.server.task_store import TaskBounds, Task\n"
        "from readingroom.server.task_store_sqlite import SqliteTasks\n"
        "task = Task(id='a', principal='me', method='m', name='n', owner='o', created=0, updated=0, ttl_ms=None)\n"
        "assert SqliteTasks(sys.argv[1]).add(task, TaskBounds(tasks=1, tasks_of_one=1, size=1))\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    found = SqliteTasks(path).get("a")
    assert found is not None
    assert found.owner == "o"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_opens_the_file_itself(tmp_path: Path) -> None:
    """And both go on using it."""
    store = SqliteTasks(tmp_path / "tasks.db")
    assert store.add(task("a"), ROOM)
    child = multiprocessing.get_context("fork").Process(target=store.add, args=(task("b"), ROOM))
    child.start()
    child.join()
    assert child.exitcode == 0
    assert set(store.versions(["a", "b"])) == {"a", "b"}


def test_many_may_make_the_file_at_once(tmp_path: Path) -> None:
    """One makes it, the others find it."""
    stores: list[SqliteTasks] = []
    begin = threading.Barrier(8)

    def make() -> None:
        begin.wait()
        stores.append(SqliteTasks(tmp_path / "tasks.db"))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 8
    assert stores[0].add(task("a"), ROOM)
    assert all(store.get("a") for store in stores)


def test_who_comes_while_the_file_is_being_made_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says busy at once, without waiting, when two change the journal's mode."""
    bring_up_to_date = task_store_sqlite._bring_up_to_date
    busy = iter((True, True, False))

    def sometimes_busy(connection: apsw.Connection, path: Path) -> None:
        if next(busy):
            raise apsw.BusyError("database is locked")
        bring_up_to_date(connection, path)

    monkeypatch.setattr(task_store_sqlite, "_bring_up_to_date", sometimes_busy)
    store = SqliteTasks(tmp_path / "tasks.db")
    assert store.add(task("a"), ROOM)
    assert all(entry.name.startswith("tasks.db") for entry in tmp_path.iterdir())


def test_a_file_that_another_holds_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for ever: the refusal says that another process holds it."""
    monkeypatch.setattr(task_store_sqlite, "_BUSY_MS", 0)
    holder = apsw.Connection(str(tmp_path / "tasks.db"))
    holder.execute("BEGIN EXCLUSIVE; CREATE TABLE held(x)")
    with pytest.raises(UsageError, match="another process holds it"):
        SqliteTasks(tmp_path / "tasks.db")
    holder.execute("ROLLBACK")
    holder.close()
    SqliteTasks(tmp_path / "tasks.db").close()


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    """A folder that is not there, a file that is no database, one of another program's, one of a later version's."""
    with pytest.raises(UsageError, match="cannot be kept"):
        SqliteTasks(tmp_path / "none" / "tasks.db")
    (tmp_path / "text").write_text("no database" * 100)
    with pytest.raises(UsageError, match="cannot be kept"):
        SqliteTasks(tmp_path / "text")
    apsw.Connection(str(tmp_path / "other.db")).execute("CREATE TABLE tasks(id)")
    with pytest.raises(UsageError, match="another program"):
        SqliteTasks(tmp_path / "other.db")
    SqliteTasks(tmp_path / "late.db")
    apsw.Connection(str(tmp_path / "late.db")).execute("PRAGMA user_version=99")
    with pytest.raises(UsageError, match="newer version"):
        SqliteTasks(tmp_path / "late.db")


def test_a_fault_leaves_nothing_half_done(tmp_path: Path) -> None:
    """The transaction is undone, and the store goes on."""
    store = SqliteTasks(tmp_path / "tasks.db")
    store.add(task("a"), ROOM)
    with pytest.raises(apsw.ConstraintError):
        store.add(task("a"), ROOM)
    assert store.add(task("b"), ROOM)


def test_a_full_disk_costs_the_task_and_nothing_else(tmp_path: Path) -> None:
    """The fault is told, and the store goes on when there is room again."""
    store = SqliteTasks(tmp_path / "tasks.db")
    store.add(task("a"), ROOM)
    with store._writing as connection:
        connection.execute("PRAGMA max_page_count=1")
    with pytest.raises(apsw.FullError):
        store.add(replace(task("b"), result=b"x" * 100_000), ROOM)
    with store._writing as connection:
        connection.execute("PRAGMA max_page_count=1000000")
    assert store.add(task("b"), ROOM)
    assert store.versions(["a", "b"]) == {"a": 0, "b": 0}


def test_a_file_that_has_gone_is_told_each_time(tmp_path: Path) -> None:
    """Nobody waits for it."""
    store = SqliteTasks(tmp_path / "tasks.db")
    (tmp_path / "tasks.db").unlink()
    for _ in range(2):
        with pytest.raises(apsw.CantOpenError):
            store.get("a")
    (tmp_path / "tasks.db").touch()
