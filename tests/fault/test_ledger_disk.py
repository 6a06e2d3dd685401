"""The ledger on a disk that fails: each write, each sync once, or from one on until the fault ends.

Whoever writes is told; what was acknowledged is kept; after a fault nothing is written before the file has been looked
at anew; and when the fault has ended, all that was refused can be asked again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import apsw
import pytest
from msgspec.structs import replace

from readingroom.library import LedgerFull, LedgerUnusable, LibraryError
from readingroom.library.ledger import Ledger, faults, ledger, setup, soundness
from support.disks import FailingDisk
from support.ledgers import a_draft, an_operation, opened

T = TypeVar("T", bound=Callable[..., Any])

OPERATIONS = 4
FAULTS = {
    "a failed sync": ("sync", apsw.SQLITE_IOERR_FSYNC),
    "a failed write": ("write", apsw.SQLITE_IOERR_WRITE),
    "a full disk": ("write", apsw.SQLITE_FULL),
    "a failed cut": ("truncate", apsw.SQLITE_IOERR_TRUNCATE),
    "a failed removal": ("delete", apsw.SQLITE_IOERR_DELETE),
}


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    """A disk that does not fail yet."""
    found = FailingDisk("failing")
    yield found
    found.unregister()


@pytest.fixture
def frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is copied into the file every few commits."""
    monkeypatch.setattr(ledger, "_PAGES", 8)


class Faults:
    """Fails with `code` at the `at`th call of a kind, `times` times."""

    def __init__(self, kind: str, code: int, at: int, times: int) -> None:
        self.seen = 0
        self._kind = kind
        self._code = code
        self._failing = range(at, at + times)

    def __call__(self, what: str) -> int:
        """Whether it is time."""
        if what != self._kind:
            return 0
        self.seen += 1
        return self._code if self.seen in self._failing else 0


def operate(folder: Path, acknowledged: set[int]) -> int:
    """Ask what has not been acknowledged yet, as often as there are operations; how many were refused."""
    refused = 0
    try:
        with opened(folder, vfs="failing") as found:
            for number in range(OPERATIONS):
                refused += not _operate(found, number, acknowledged)
    except LibraryError:
        return refused + 1
    return refused


def _operate(found: Ledger, number: int, acknowledged: set[int]) -> bool:
    try:
        with found.writing() as writing:
            if writing.operation("local", f"key-{number}") is None:
                writing.put_draft(a_draft(f"d-{number}", content=bytes([number]) * 9000))
                writing.add_operation(an_operation(f"key-{number}", draft=f"d-{number}"))
    except (LedgerFull, LedgerUnusable):
        return False
    acknowledged.add(number)
    return True


def look(folder: Path, acknowledged: set[int]) -> None:
    """See that all that was acknowledged is there, and nothing is half there."""
    with opened(folder, vfs="failing") as found, found.reading() as reading:
        kept = {n for n in range(OPERATIONS) if reading.operation("local", f"key-{n}") is not None}
        assert kept == {n for n in range(OPERATIONS) if reading.draft(f"d-{n}") is not None}
        assert acknowledged <= kept
        assert found.check() == ()


def one_fault(folder: Path, disk: FailingDisk, failing: Faults) -> int:
    """Operate while it fails, look, and ask again when it has ended; how many were refused."""
    ledger._standings.clear()
    folder.mkdir()
    acknowledged: set[int] = set()
    disk.fails = failing
    refused = operate(folder, acknowledged)
    disk.fails = lambda _: 0
    look(folder, acknowledged)
    assert operate(folder, acknowledged) == 0
    assert acknowledged == set(range(OPERATIONS))
    look(folder, acknowledged)
    return refused


ASKED = [
    pytest.mark.filterwarnings(
        "ignore::pytest.PytestUnraisableExceptionWarning"
    ),  # where SQLite goes on after a fault
    pytest.mark.usefixtures("frequent"),
    pytest.mark.parametrize("times", [1, 10**6], ids=["once", "from then on"]),
    pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS),
]


def marked(test: T) -> T:
    """Try each fault, once and from then on."""
    for mark in ASKED:
        test = mark(test)
    return test


def at_positions(folder: Path, disk: FailingDisk, fault: tuple[str, int], times: int, step: int) -> None:
    """Fail at every so many of the calls of a kind."""
    kind, code = fault
    counting = Faults(kind, 0, 0, 0)
    one_fault(folder / "none", disk, counting)
    positions = range(1, counting.seen + 1, step)
    refused = [one_fault(folder / str(at), disk, Faults(kind, code, at, times)) for at in positions]
    assert kind in {"truncate", "delete"} or sum(refused) > 0


@marked
def test_a_fault_at_many_positions(
    tmp_path: Path, disk: FailingDisk, fault: tuple[str, int], times: int
) -> None:
    """At every third sync, cut and removal, and every ninth write."""
    at_positions(tmp_path, disk, fault, times, 9 if fault[0] == "write" else 3)


@pytest.mark.soak
@marked
def test_a_fault_at_each_position(
    tmp_path: Path, disk: FailingDisk, fault: tuple[str, int], times: int
) -> None:
    """At every one."""
    at_positions(tmp_path, disk, fault, times, 1)


@pytest.fixture
def failed(tmp_path: Path, disk: FailingDisk) -> Iterator[Ledger]:
    """A ledger whose last sync has failed; the disk is well again."""
    with opened(tmp_path, vfs="failing") as found:
        with found.writing() as writing:
            writing.put_draft(a_draft())
        disk.fails = lambda what: apsw.SQLITE_IOERR_FSYNC if what == "sync" else 0
        with pytest.raises(LedgerUnusable, match="cannot be used"), found.writing() as writing:
            writing.put_draft(a_draft("d-2"))
        disk.fails = lambda _: 0
        yield found


def refused(found: Ledger) -> str:
    """Why nothing can be written."""
    with pytest.raises(LedgerUnusable) as caught, found.writing():
        pass
    return str(caught.value)


def test_after_a_failed_sync_nothing_is_written_before_the_file_was_looked_at(
    failed: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By nobody in this process, nor by who opens it now. Who looks goes on."""
    with monkeypatch.context() as damaged:
        damaged.setattr(soundness, "faults_of", lambda _: ("a page is lost",))
        assert "a page is lost" in refused(failed)
        with pytest.raises(LedgerUnusable, match="a page is lost"):
            opened(tmp_path, vfs="failing")
        with failed.reading() as reading:
            assert reading.draft("d-1") == a_draft()
    with failed.writing() as writing:
        writing.put_draft(a_draft("d-3"))


def test_another_who_has_opened_it_looks_first_too(tmp_path: Path, disk: FailingDisk) -> None:
    """What one met concerns all who use the same file in this process."""
    with opened(tmp_path, vfs="failing") as one, opened(tmp_path, vfs="failing") as other:
        with one.writing() as writing, other.reading() as reading:
            writing.put_draft(a_draft())
            assert reading.drafts() == ()
        disk.fails = lambda what: apsw.SQLITE_IOERR_FSYNC if what == "sync" else 0
        with pytest.raises(LedgerUnusable), one.writing() as writing:
            writing.put_draft(a_draft("d-2"))
        assert "cannot be used" in refused(other)


def test_while_syncs_fail_nothing_is_written(failed: Ledger, disk: FailingDisk) -> None:
    """The look ends with a sync, too."""
    written: list[str] = []

    def fails(what: str) -> int:
        written.append(what)
        return apsw.SQLITE_IOERR_FSYNC if what == "sync" else 0

    disk.fails = fails
    refused(failed)
    refused(failed)
    assert written.count("sync") >= 2
    disk.fails = lambda _: 0
    with failed.writing() as writing:
        writing.put_draft(a_draft("d-3"))


def test_what_was_acknowledged_must_be_there(failed: Ledger) -> None:
    """A file that has gone back is not gone on with."""
    standing = ledger._standings[str(failed.path)]
    assert standing.acknowledged is not None
    standing.acknowledged = replace(standing.acknowledged, commits=standing.acknowledged.commits + 1)
    assert "lacks what was written into it last" in refused(failed)


@pytest.mark.usefixtures("frequent")
def test_a_fault_while_the_log_is_copied_is_heard(tmp_path: Path, disk: FailingDisk) -> None:
    """What was committed is acknowledged; the next writer has the file looked at first."""
    with opened(tmp_path, vfs="failing") as found:
        with found.writing() as writing:
            writing.put_draft(a_draft())
        syncs = Faults(
            "sync", apsw.SQLITE_IOERR_FSYNC, 3, 1
        )  # after those of the log: its header and its frames
        disk.fails = syncs
        with found.writing() as writing:
            writing.put_draft(a_draft("d-2", content=bytes(90_000)))
        disk.fails = lambda _: 0
        assert ledger._standings[str(found.path)].is_doubtful
        with found.writing() as writing:
            assert writing.draft("d-2") is not None
        assert not ledger._standings[str(found.path)].is_doubtful


def test_a_full_disk_casts_no_doubt(tmp_path: Path, disk: FailingDisk) -> None:
    """Nothing was kept, and the same can be asked again at once."""
    with opened(tmp_path, vfs="failing") as found:
        disk.fails = lambda what: apsw.SQLITE_FULL if what == "write" else 0
        with pytest.raises(LedgerFull, match="no room"), found.writing() as writing:
            writing.put_draft(a_draft())
        disk.fails = lambda _: 0
        assert not ledger._standings[str(found.path)].is_doubtful
        with found.writing() as writing:
            assert writing.draft("d-1") is None
            writing.put_draft(a_draft())


def test_a_ledger_that_may_not_grow_is_full(tmp_path: Path) -> None:
    """As SQLite's own bound has it."""
    with opened(tmp_path) as found:
        with found.writing() as writing:
            writing._do("PRAGMA max_page_count=40")
        with pytest.raises(LedgerFull), found.writing() as writing:
            writing.keep(bytes(500_000))


class Told:
    """A connection that says what the system told it."""

    def __init__(self, number: int) -> None:
        self.system_errno = number


@pytest.mark.parametrize(
    ("code", "number", "expected"),
    [
        (apsw.SQLITE_IOERR_WRITE, 27, LedgerFull),  # EFBIG
        (apsw.SQLITE_IOERR_SHMSIZE, 28, LedgerFull),  # ENOSPC
        (apsw.SQLITE_IOERR_FSYNC, 28, LedgerUnusable),
        (apsw.SQLITE_IOERR_WRITE, 5, LedgerUnusable),
        (apsw.SQLITE_READONLY, 0, LedgerUnusable),
        (apsw.SQLITE_CORRUPT, 0, LedgerUnusable),
    ],
)
def test_what_a_fault_is_taken_for(code: int, number: int, expected: type[Exception]) -> None:
    """No room is told from a disk that fails; a sync that fails is always grave."""
    assert isinstance(faults.of(apsw.exception_for(code), Path("l"), Told(number)), expected)


def test_the_first_look_tolerates_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While others use the log it cannot be begun anew, and need not."""
    monkeypatch.setattr(setup, "_SETTLE_MS", 1)
    with opened(tmp_path) as found, found.reading():
        with opened(tmp_path) as other, other.writing() as writing:
            writing.put_draft(a_draft())
        with opened(tmp_path) as other, other.writing() as writing:
            writing.put_draft(a_draft("d-2"))
