"""A ledger is shared by threads and processes, gives each who looks one snapshot, and knows what is no ledger of its own."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from readingroom.library import LedgerBusy, LedgerUnusable
from readingroom.library.ledger import Ledger, LedgerReading, connections, place, setup, soundness
from readingroom.library.ledger.schema import STEPS
from support.ledgers import a_decision, a_draft, opened


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger that nothing has been written into."""
    with opened(tmp_path) as found:
        yield found


def test_what_was_written_is_there_for_all(ledger: Ledger, tmp_path: Path) -> None:
    """Also for one opened afterwards."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
    with opened(tmp_path) as other, other.reading() as reading:
        assert reading.draft("d-1") == a_draft()


def test_who_looks_sees_one_moment(ledger: Ledger) -> None:
    """What is written meanwhile is not seen, and is seen by the next look."""
    with ledger.reading() as before:
        with ledger.writing() as writing:
            writing.put_draft(a_draft())
            assert before.drafts() == ()
        assert before.drafts() == ()
        with ledger.reading() as after:
            assert len(after.drafts()) == 1
            assert after.commits == before.commits + 1


def test_a_block_left_by_an_exception_writes_nothing(ledger: Ledger) -> None:
    """And the exception goes on."""

    def write() -> None:
        with ledger.writing() as writing:
            writing.put_draft(a_draft())
            raise LookupError

    with pytest.raises(LookupError):
        write()
    with ledger.reading() as reading:
        assert reading.drafts() == ()


def test_changes_differ_after_every_commit(ledger: Ledger, tmp_path: Path) -> None:
    """Whoever made it; a block that wrote nothing, or was undone, made none."""
    first = ledger.changes()
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
    second = ledger.changes()
    with opened(tmp_path) as other, other.writing() as writing:
        writing.set_attempts(1, 1.0)
    third = ledger.changes()
    with ledger.writing() as writing:
        assert writing.draft("d-1") is not None
    assert len({first, second, third}) == 3
    assert ledger.changes() == third


def test_a_second_writer_is_refused_in_the_end(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of this process as of another; who looks goes on, and the next writer, too."""
    monkeypatch.setattr(connections, "BUSY_S", 0.05)
    with opened(tmp_path) as other:
        with ledger.writing() as writing:
            writing.put_draft(a_draft())
            with pytest.raises(LedgerBusy, match="another process"), other.writing():
                pass
            told: list[str] = []
            thread = threading.Thread(target=_write, args=(ledger, told))
            thread.start()
            thread.join()
            assert "another thread" in told[0]
            with other.reading() as reading:
                assert reading.drafts() == ()
        with other.writing() as writing:
            writing.put_draft(a_draft("d-2"))


def _write(ledger: Ledger, told: list[str]) -> None:
    try:
        with ledger.writing():
            pass
    except LedgerBusy as error:
        told.append(str(error))


def test_many_threads(ledger: Ledger) -> None:
    """Each writes, and each commit is counted."""

    def work(name: str) -> None:
        for number in range(5):
            with ledger.writing() as writing:
                writing.put_draft(a_draft(f"d-{name}-{number}"))
            with ledger.reading() as reading:
                assert reading.draft(f"d-{name}-{number}") is not None

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ledger.reading() as reading:
        assert (len(reading.drafts()), reading.commits) == (30, 30)


def test_a_closed_ledger_is_refused(tmp_path: Path) -> None:
    """Nothing is left open, also of who was still looking or writing; the log is gone."""
    ledger = opened(tmp_path)
    with ledger.reading() as reading, ledger.writing() as writing:
        writing.put_draft(a_draft())
        ledger.close()
        assert reading.drafts() == ()
    assert [file.name for file in ledger.path.parent.iterdir()] == ["ledger.db"]
    with pytest.raises(LedgerUnusable, match="closed"), ledger.reading():
        pass
    with pytest.raises(LedgerUnusable, match="closed"), ledger.writing():
        pass


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    """A database, or no database at all; it is left as it is."""
    file = place.file_of(tmp_path / "documents", tmp_path / "ledgers")
    file.parent.mkdir(parents=True)
    other = apsw.Connection(str(file))
    other.execute("CREATE TABLE theirs(x)")
    other.close()
    before = file.read_bytes()
    with pytest.raises(LedgerUnusable, match="another program"):
        opened(tmp_path)
    assert file.read_bytes() == before
    file.write_bytes(b"no database" * 1000)
    with pytest.raises(LedgerUnusable, match="not a database"):
        opened(tmp_path)


def test_a_newer_versions_ledger_is_refused(tmp_path: Path) -> None:
    """It is left as it is."""
    opened(tmp_path).close()
    file = place.file_of(tmp_path / "documents", tmp_path / "ledgers")
    newer = apsw.Connection(str(file))
    newer.execute(f"PRAGMA user_version={len(STEPS) + 1}")
    newer.close()
    with pytest.raises(LedgerUnusable, match="newer version"):
        opened(tmp_path)


def test_an_older_versions_ledger_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once; what it held is still there."""
    with opened(tmp_path) as ledger, ledger.writing() as writing:
        writing.append(a_decision())
    more = (*STEPS, "CREATE TABLE more(x TEXT) STRICT")
    monkeypatch.setattr(setup, "STEPS", more)
    monkeypatch.setattr(soundness, "STEPS", more)
    for _ in range(2):
        with opened(tmp_path) as ledger, ledger.reading() as reading:
            assert reading.decision(1) == a_decision()
            assert ledger.check() == ()


def test_a_ledger_that_was_removed_is_told(ledger: Ledger, tmp_path: Path) -> None:
    """Nothing is written where nobody finds it again; a new one in its place is not taken for it."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
    for file in list(ledger.path.parent.iterdir()):
        file.unlink()
    with pytest.raises(LedgerUnusable, match="is gone"), ledger.writing():
        pass
    with pytest.raises(LedgerUnusable, match="is gone"), ledger.reading():
        pass
    with pytest.raises(LedgerUnusable, match="lacks what was written"):
        opened(tmp_path)


def test_a_copy_in_its_place_is_looked_at(ledger: Ledger, tmp_path: Path) -> None:
    """One that holds all that was acknowledged is gone on with; an older one is not."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
    older = tmp_path / "older.db"
    _copy(ledger, older)
    with ledger.writing() as writing:
        writing.put_draft(a_draft("d-2"))
    newer = tmp_path / "newer.db"
    _copy(ledger, newer)
    _put(newer, ledger.path)
    with ledger.writing() as writing:
        assert len(writing.drafts()) == 2
    _put(older, ledger.path)
    with ledger.reading() as reading:
        assert len(reading.drafts()) == 1
    with pytest.raises(LedgerUnusable, match="lacks what was written"), ledger.writing():
        pass


def _copy(ledger: Ledger, target: Path) -> None:
    connection = apsw.Connection(str(ledger.path))
    connection.execute("VACUUM INTO ?", (str(target),))
    connection.close()


def _put(copy: Path, file: Path) -> None:
    for name in ("ledger.db-wal", "ledger.db-shm"):
        file.with_name(name).unlink(missing_ok=True)
    copy.replace(file)


def test_damage_is_told_by_name(ledger: Ledger) -> None:
    """Rows that were written past the ledger, and tables that are not as they were made."""
    with ledger.writing() as writing:
        writing.append(a_decision(1))
        writing.append(a_decision(2))
        digest = writing.keep(b"bytes")
    assert ledger.check() == ()
    past = apsw.Connection(str(ledger.path))
    past.execute(
        "DROP TRIGGER decisions_are_kept; DELETE FROM decisions WHERE number = 1; DROP TRIGGER contents_stay"
    )
    past.execute("UPDATE contents SET bytes = x'00'")
    past.close()
    assert ledger.check() == (
        "its trigger contents_stay is not as Reading Room made it",
        "its trigger decisions_are_kept is not as Reading Room made it",
        "of 2 decisions in the journal 1 are missing",
        f"it holds other bytes for {digest}",
    )


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    """The look at it says so, and what cannot be read is no empty answer."""
    with opened(tmp_path) as ledger, ledger.writing() as writing:
        for number in range(200):
            writing.put_draft(a_draft(f"d-{number}", note="x" * 500))
    pages = ledger.path.read_bytes()
    ledger.path.write_bytes(pages[: -4096 * 10] + b"\xff" * 4096 * 10)
    with opened(tmp_path) as damaged:
        assert damaged.check() != ()
        with pytest.raises(LedgerUnusable, match="malformed"), damaged.reading() as reading:
            reading.drafts(limit=1000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_process_that_is_forked_opens_its_own(ledger: Ledger) -> None:
    """Parent and child both go on, and none is taken for the other."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
    assert _in_a_fork(lambda: _put_draft(ledger, "d-2")) == 0
    with ledger.writing() as writing:
        writing.put_draft(a_draft("d-3"))
        assert len(writing.drafts()) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_process_that_is_forked_while_it_is_in_use_may_not_use_it(ledger: Ledger, tmp_path: Path) -> None:
    """Nor open it anew: SQLite would take its own locks for the parent's. The parent goes on."""

    with ledger.reading() as reading:
        assert _in_a_fork(lambda: _refused_when_opened(ledger, tmp_path)) == 0
        assert reading.drafts() == ()
    with ledger.writing() as writing:
        assert _in_a_fork(lambda: _refused_when_opened(ledger, tmp_path)) == 0
        writing.put_draft(a_draft())
    assert ledger.changes() == 1


def _put_draft(ledger: Ledger, name: str) -> None:
    with ledger.writing() as writing:
        writing.put_draft(a_draft(name))


def _refused_when_opened(ledger: Ledger, folder: Path) -> None:
    with pytest.raises(LedgerUnusable, match="was forked"):
        ledger.changes()
    with pytest.raises(LedgerUnusable, match="was forked"):
        opened(folder)


def _in_a_fork(work: object) -> int:
    """Do it in a child; 0 when it went well."""
    assert callable(work)
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(BaseException):
        work()
        os._exit(0)
    os._exit(1)


@pytest.mark.parametrize(
    ("spoil", "look"),
    [
        ("DELETE FROM facts", lambda ledger: ledger.changes()),
        ("DELETE FROM facts", lambda ledger: _looked(ledger).attempts()),
        ("UPDATE drafts SET edits = x'7b'", lambda ledger: _looked(ledger).drafts()),
    ],
)
def test_rows_that_are_none_are_told(ledger: Ledger, spoil: str, look: Callable[[Ledger], object]) -> None:
    """Whoever wrote past the ledger gets no fault of ours."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
    past = apsw.Connection(str(ledger.path))
    past.execute(spoil)
    past.close()
    with pytest.raises(LedgerUnusable, match="is damaged"):
        look(ledger)


def _looked(ledger: Ledger) -> LedgerReading:
    """What can be asked, without the first look at how often it was written."""
    return LedgerReading(apsw.Connection(str(ledger.path)), ledger.path, 0.0)


def test_a_ledger_that_is_new_and_held_is_waited_for(tmp_path: Path) -> None:
    """To make the tables and to begin a log, SQLite does not always wait by itself."""
    file = Ledger.place(tmp_path / "documents", tmp_path / "ledgers")
    place.make(file)
    holder = apsw.Connection(str(file))
    holder.execute("BEGIN EXCLUSIVE")
    told: list[str] = []
    opening = threading.Thread(target=lambda: told.append(str(opened(tmp_path).check())))
    opening.start()
    holder.execute("ROLLBACK")
    holder.close()
    opening.join()
    assert told == ["()"]


def test_a_ledger_that_is_new_and_held_for_too_long_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told after a while."""
    monkeypatch.setattr(connections, "BUSY_S", 0.05)
    file = Ledger.place(tmp_path / "documents", tmp_path / "ledgers")
    place.make(file)
    holder = apsw.Connection(str(file))
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LedgerBusy, match="another process"):
        opened(tmp_path)
    holder.close()
    opened(tmp_path).close()
