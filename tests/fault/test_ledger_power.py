"""The ledger when power is lost: what was acknowledged is there, and all that is there is whole.

A loss is tried before every write, sync and removal that SQLite makes, with nothing, all, or a random part of what was not
synced surviving; writes may be torn at a sector. That the tests can fail is shown by ledgers that sync too little.
"""

import contextlib
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from readingroom.library import LedgerUnusable, LibraryError
from readingroom.library.ledger import Ledger, connections, ledger, setup
from support.disks import FailingDisk, Image, LosingDisk
from support.ledgers import a_draft, an_operation, opened

OPERATIONS = 10
SEED = 7


class Losses:
    """What a loss of power would have left at each event, and how many operations had been acknowledged by then."""

    def __init__(self, every: int, trials: int) -> None:
        self.acknowledged = 0
        self.found: list[tuple[int, Image]] = []
        self.events = 0
        self._every = every
        self._hows = ["none", "all", *["random"] * trials]
        self._chance = random.Random(SEED)
        self.disk = LosingDisk("losing", self._event)

    def _event(self) -> None:
        self.events += 1
        if self.events % self._every == 0:
            for how in self._hows:
                self.found.append((self.acknowledged, self.disk.lose(how, self._chance)))


@pytest.fixture(autouse=True)
def unsynced() -> Iterator[FailingDisk]:
    """Another disk, to look at what is left on, without waiting for the real one."""
    disk = FailingDisk("unsynced")
    yield disk
    disk.unregister()


@pytest.fixture
def frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is copied into the file every few commits."""
    monkeypatch.setattr(ledger, "_PAGES", 20)


def operate(folder: Path, losses: Losses) -> None:
    """Write operations and drafts, closing and opening the ledger once on the way."""
    for half in range(2):
        with opened(folder, vfs="losing") as found:
            for number in range(half * OPERATIONS // 2, (half + 1) * OPERATIONS // 2):
                with found.writing() as writing:
                    writing.put_draft(a_draft(f"d-{number}", content=bytes([number]) * 3000))
                    writing.add_operation(an_operation(f"key-{number}", draft=f"d-{number}"))
                losses.acknowledged = number + 1


def verdicts(folder: Path, losses: Losses) -> Counter[str]:
    """What became of the ledger after each loss."""
    name = next((folder / "ledgers").iterdir()).name
    return Counter(
        verdict(folder, folder / f"after-{number}" / name, acknowledged, image)
        for number, (acknowledged, image) in enumerate(losses.found)
    )


def verdict(folder: Path, place: Path, acknowledged: int, image: Image) -> str:
    """`whole`, `lost`, `torn` or `damaged`."""
    place.mkdir(parents=True)
    for name, content in image.items():
        (place / name).write_bytes(content)
    try:
        with Ledger.open(folder / "documents", place.parent, vfs="unsynced") as found:
            return look(found, acknowledged)
    except LibraryError:
        return "damaged"


def look(found: Ledger, acknowledged: int) -> str:
    """Look, and go on writing."""
    with found.writing() as writing:
        keys = [n for n in range(OPERATIONS) if writing.operation("local", f"key-{n}") is not None]
        drafts = [n for n in range(OPERATIONS) if writing.draft(f"d-{n}") is not None]
        writing.add_operation(an_operation("key-after"))
    if found.check() != ():
        return "damaged"
    if keys != drafts or keys != list(range(len(keys))):
        return "torn"
    return "whole" if len(keys) >= acknowledged else "lost"


@contextlib.contextmanager
def losing(every: int, trials: int) -> Iterator[Losses]:
    """A disk that loses."""
    losses = Losses(every, trials)
    try:
        yield losses
    finally:
        losses.disk.unregister()


@pytest.mark.usefixtures("frequent")
def test_no_acknowledged_operation_is_lost(tmp_path: Path) -> None:
    """At every third event."""
    with losing(every=3, trials=1) as losses:
        operate(tmp_path, losses)
    assert losses.acknowledged == OPERATIONS
    assert len(losses.found) > 200
    assert verdicts(tmp_path, losses) == {"whole": len(losses.found)}


@pytest.mark.soak
@pytest.mark.usefixtures("frequent")
@pytest.mark.timeout(600)
def test_no_acknowledged_operation_is_lost_at_any_event(tmp_path: Path) -> None:
    """At each, with several random parts surviving."""
    with losing(every=1, trials=6) as losses:
        operate(tmp_path, losses)
    assert verdicts(tmp_path, losses) == {"whole": len(losses.found)}


@pytest.mark.usefixtures("frequent")
@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_a_ledger_that_syncs_too_little_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synchronous: str
) -> None:
    """The control: the same tests find what such a ledger loses."""
    less = connections._SETTINGS.replace("synchronous=EXTRA", f"synchronous={synchronous}")
    assert less != connections._SETTINGS
    monkeypatch.setattr(connections, "_SETTINGS", less)
    with losing(every=9, trials=1) as losses:
        operate(tmp_path, losses)
    found = verdicts(tmp_path, losses)
    assert found["lost"] > 0
    assert synchronous == "NORMAL" or found["damaged"] + found["torn"] > 0


def after_a_failed_sync(folder: Path, losses: Losses) -> None:
    """A process whose syncs fail ends, leaving its log; another one opens it and acknowledges an operation."""
    operate(folder, losses)
    failing = opened(folder, vfs="losing")
    with failing.writing() as writing:
        writing.add_operation(an_operation("key-before"))
    losses.disk.is_failing = True
    with pytest.raises(LedgerUnusable), failing.writing() as writing:
        writing.add_operation(an_operation("key-failed"))
    failing.close()
    losses.disk.is_failing = False
    ledger._standings.clear()  # as in another process
    another = opened(folder, vfs="losing")
    with another.writing() as writing:
        writing.add_operation(an_operation("key-acknowledged"))
    losses.found.append((OPERATIONS, losses.disk.lose("none", random.Random(SEED))))
    another.close()


def kept_after_a_failed_sync(folder: Path) -> bool:
    """Whether what was acknowledged then outlives a loss of power."""
    with losing(every=10**9, trials=0) as losses:
        after_a_failed_sync(folder, losses)
    ((_, image),) = losses.found
    place = folder / "after" / next((folder / "ledgers").iterdir()).name
    place.mkdir(parents=True)
    for name, content in image.items():
        (place / name).write_bytes(content)
    with Ledger.open(folder / "documents", place.parent, vfs="unsynced") as found, found.reading() as reading:
        return reading.operation("local", "key-acknowledged") is not None


def test_what_a_failed_sync_left_in_the_log_is_not_built_upon(tmp_path: Path) -> None:
    """The system takes it for written; the next writer first has it written again."""
    assert kept_after_a_failed_sync(tmp_path)


def test_a_ledger_that_builds_upon_it_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr(setup, "settle", lambda _: None)
    assert not kept_after_a_failed_sync(tmp_path)


def test_the_library_of_sqlite_is_one_without_the_known_race() -> None:
    """Before 3.51.3 two processes could lose a log that was begun anew."""
    assert tuple(int(part) for part in apsw.sqlite_lib_version().split(".")) >= (3, 51, 3)
