"""The library's front door: opening, keeping in step, waiting for the first index, forgetting."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from readingroom.library import (
    BadQuery,
    FolderUnusable,
    IndexBusy,
    IndexUnusable,
    LedgerUnusable,
    Library,
    NotFound,
    Principal,
    Rules,
    comparison,
    forget,
    places,
    room,
)
from readingroom.library import library as front
from readingroom.library.lock import WriterLock
from readingroom.library.search import engine
from readingroom.library.searching import INDEXING
from support.shelves import Shelves, edition, found, paths, view

POSIX = pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind here")


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A folder with one document."""
    shelves = Shelves(tmp_path)
    shelves.document("a.md", "# A\n\napple")
    return shelves


def test_opening_looks_and_does_nothing(shelves: Shelves) -> None:
    """Neither a cache nor anything in the folder is made, and nothing heavy is loaded."""
    code = (
        "import sys; from pathlib import Path; from readingroom.library import Library, Principal\n"
        f"library = Library.open({str(shelves.docs)!r}, cache=Path({str(shelves.cache)!r}))\n"
        "library.view(Principal())\n"
        "heavy = {'tantivy', 'apsw', 'yaml', 'pyromark', 'pathspec', 'platformdirs', 'Stemmer', 'selectolax',\n"
        "         'charset_normalizer', 'logging', 'hashlib', 'shutil', 'asyncio', 'dataclasses'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=unmeasured, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
    assert not shelves.cache.exists()


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_root_that_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    """With its name and what is wrong with it."""
    root = tmp_path / kind
    if kind == "file":
        root.write_text("")
    with pytest.raises(FolderUnusable, match=kind):
        Library.open(root)


@POSIX
def test_a_root_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """With the system's reason."""
    root = tmp_path / "locked"
    root.mkdir(mode=0)
    with pytest.raises(FolderUnusable, match="Permission"):
        Library.open(root)


def test_a_cache_among_the_documents_is_refused(shelves: Shelves) -> None:
    """Nothing is ever written into the folder."""
    with pytest.raises(FolderUnusable, match="inside the folder"):
        Library.open(shelves.docs, cache=shelves.docs / "cache")


def test_the_platforms_cache_is_used_when_none_is_given(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it may not lie among the documents either."""
    monkeypatch.setattr(places, "default_cache", lambda: shelves.cache)
    library = Library.open(shelves.docs)
    assert library.home.folder.parent == shelves.cache
    monkeypatch.setattr(places, "default_cache", lambda: shelves.docs / "cache")
    with pytest.raises(FolderUnusable):
        _ = Library.open(shelves.docs).home


def test_other_rules_are_another_index(shelves: Shelves) -> None:
    """No view ever opens an index that was made under other rules."""
    plain = shelves.scanned()
    narrow = shelves.library(rules=Rules(internal=("a.md",)))
    assert paths(plain) == ["a.md"]
    assert paths(narrow) == []
    narrow.reconcile()
    assert paths(narrow) == []
    assert plain.home != narrow.home
    plain.close()
    narrow.close()


def test_a_view_needs_an_index_for_its_role(shelves: Shelves) -> None:
    """A library that was opened for readers has nothing an editor could see more in."""
    library = shelves.library()
    with pytest.raises(BadQuery, match="editor"):
        library.view(Principal("x", "editor"))
    assert library.view(Principal("x")).principal == Principal("x", "reader")


def test_the_thread_keeps_the_index_in_step(shelves: Shelves) -> None:
    """It scans at once, again when it is nudged, and ends with the library."""
    with shelves.library() as library:
        library.start(every=3600)
        library.start(every=3600)
        assert library.wait(30)
        assert found(library, "apple") == ["a.md"]
        assert library.is_running
        before = library.since()
        shelves.document("b.md", "# B\n\napple")
        library.nudge()
        assert until(lambda: library.since() != before)
        assert found(library, "apple") == ["a.md", "b.md"]
    assert not library.is_running
    library.close()


def until(done: Callable[[], bool]) -> bool:
    """Wait, for as long as a test may take, until something has come about."""
    for _ in range(3000):
        if done():
            return True
        threading.Event().wait(0.01)
    return False


@pytest.fixture
def held(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Library, threading.Event]]:
    """A library whose first scan has committed a.md and is held before b.md until the event is set."""
    shelves.document("b.md", "# B\n\napple")
    monkeypatch.setattr(comparison, "_FIRST_COMMIT_S", -1.0)
    go_on = threading.Event()
    take = comparison.Comparison._take

    def slowly(self: comparison.Comparison, item: comparison.Found, *, bulk: bool) -> None:
        if item.path == "b.md":
            go_on.wait(50)
        take(self, item, bulk=bulk)

    monkeypatch.setattr(comparison.Comparison, "_take", slowly)
    library = shelves.library()
    library.start(every=3600)
    assert until(lambda: paths(library) == ["a.md"])
    yield library, go_on
    go_on.set()
    library.close()


def test_a_search_answers_from_a_part_of_the_index_when_its_time_is_up(
    held: tuple[Library, threading.Event],
) -> None:
    """And says that more may be found; meanwhile it tells how many documents there are."""
    library, _ = held
    told: list[int] = []
    answer = view(library).search("apple", wait=0.1, progress=told.append)
    assert [hit.path for hit in answer.items] == ["a.md"]
    assert (answer.hint, answer.reconciled) == (INDEXING, None)
    assert told == [1]
    with pytest.raises(NotFound, match="still being indexed"):
        view(library).read("b.md", wait=0.05)


def test_a_search_waits_for_the_first_index_to_be_whole(held: tuple[Library, threading.Event]) -> None:
    """And reading for the document that is asked for."""
    library, go_on = held
    threading.Timer(0.05, go_on.set).start()
    answer = view(library).search("apple", wait=50)
    assert [hit.path for hit in answer.items] == ["a.md", "b.md"]
    assert (answer.hint, answer.reconciled is None) == ("", False)
    assert view(library).read("b.md", wait=50).document.path == "b.md"


def test_nobody_waits_where_nobody_scans(shelves: Shelves) -> None:
    """Without a thread of its own a library answers at once."""
    library = shelves.library()
    assert view(library).search("apple", wait=3600).items == ()
    with pytest.raises(NotFound):
        view(library).read("a.md", wait=3600)
    assert not library.wait(0)


def test_an_edition_that_takes_anothers_place_is_followed(shelves: Shelves) -> None:
    """A view that is open goes on with the new one."""
    library, other = shelves.scanned(), shelves.library()
    opened = view(library)
    assert len(opened.search("apple").items) == 1
    places.retire(edition(library))
    shelves.document("b.md", "# B\n\napple")
    other.reconcile()
    assert len(opened.search("apple").items) == 2
    library.close()
    other.close()


@pytest.mark.parametrize("damage", ["catalog.db", "index/meta.json"])
def test_a_damaged_index_is_condemned_and_built_anew(shelves: Shelves, damage: str) -> None:
    """Whoever meets it says so; the next scan replaces it; nobody gets a wrong answer."""
    shelves.scanned().close()
    library = shelves.library()
    folder = edition(library)
    for file in folder.glob(damage + "*"):
        file.write_bytes(b"\x07" * 5000)
    with pytest.raises(IndexUnusable):
        view(library).search("apple")
    assert places.is_condemned(folder)
    assert library.since() is None
    library.start(every=3600)
    assert [hit.path for hit in view(library).search("apple", wait=30).items] == ["a.md"]
    assert edition(library) != folder
    library.close()


def test_a_fault_of_the_moment_condemns_nothing(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without descriptors nothing can be opened, but nothing is damaged either."""
    library = shelves.scanned()
    folder = edition(library)

    def exhausted(*_: object) -> None:
        raise IndexUnusable("x") from OSError(24, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(engine.Index, "open", exhausted)
        with pytest.raises(IndexUnusable):
            view(library).search("apple")
    assert not places.is_condemned(folder)
    assert found(library, "apple") == ["a.md"]
    assert room._is_passing(IndexUnusable("IO error: Too many open files (os error 24)"))
    assert not room._is_passing(IndexUnusable("truncated"))
    library.close()


def test_forgetting_removes_every_index_of_the_folder(shelves: Shelves) -> None:
    """Whatever the rules; other folders' indexes stay; and it can be indexed again."""
    library = shelves.scanned("reader", "editor")
    shelves.library(rules=Rules(leave_out=("x",))).reconcile()
    (shelves.cache / "other").mkdir()
    assert library.forget() == 2
    assert [entry.name for entry in shelves.cache.iterdir()] == ["other"]
    assert forget(shelves.docs, shelves.cache) == 0
    again = shelves.scanned()
    assert paths(again) == ["a.md"]
    again.close()


def test_an_index_that_is_being_written_is_not_forgotten(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one of which something is in use and stays."""
    library = shelves.scanned()
    with WriterLock(library.home.lock), pytest.raises(IndexBusy):
        forget(shelves.docs, shelves.cache)
    monkeypatch.setattr(places, "remove", lambda home: False)
    with pytest.raises(IndexBusy, match="in use"):
        library.forget()
    library.close()


def test_a_folder_that_is_gone_can_be_forgotten(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its index holds its texts, and nobody else would remove them."""
    shelves.scanned().close()
    (shelves.docs / "a.md").unlink()
    shelves.docs.rmdir()
    monkeypatch.setattr(places, "default_cache", lambda: shelves.cache)
    assert forget(shelves.docs) == 1


def test_a_view_outlives_an_index_that_was_forgotten(shelves: Shelves) -> None:
    """It answers that there is none, and from the next one when there is."""
    library = shelves.scanned()
    opened = view(library)
    assert opened.search("apple").items
    forget(shelves.docs, shelves.cache)
    assert opened.search("apple").items == ()
    library.reconcile()
    assert opened.search("apple").items
    library.close()


def test_many_threads_ask_one_view(shelves: Shelves) -> None:
    """While a scan changes the index under them, each answer is whole."""
    for number in range(20):
        shelves.document(f"{number}.md", f"# N {number}\n\napple")
    library = shelves.scanned()
    opened = view(library)
    faults: list[BaseException] = []

    def ask() -> None:
        try:
            for _ in range(10):
                assert len(opened.search("apple", limit=50).items) >= 20
                assert opened.read("0.md").document.path == "0.md"
                assert len(opened.list().items) >= 20
        except BaseException as fault:
            faults.append(fault)
            raise

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(20, 24):
        shelves.document(f"{number}.md", f"# N {number}\n\napple")
        library.reconcile()
    for thread in threads:
        thread.join()
    assert faults == []
    library.close()


def test_the_scan_gives_way_to_requests(shelves: Shelves) -> None:
    """What a library scans with stops at the gate that its views go through."""
    library = shelves.library()
    passed: list[str] = []
    library.gate.give_way = lambda: passed.append("gate")  # type: ignore[method-assign]  # to count how often
    library.reconcile()
    assert passed
    assert front.SCAN_EVERY_S == 30
    library.close()


def test_the_ledger_is_opened_with_its_first_use(shelves: Shelves) -> None:
    """It lies where it is placed, keyed by the folder alone, is closed with the library, and is one until then."""
    place = shelves.docs.parent / "ledgers"
    library = Library.open(shelves.docs, cache=shelves.cache, ledger=place)
    assert not place.exists()
    ledger = library.ledger
    assert library.ledger is ledger
    assert ledger.path.is_relative_to(place)
    library.close()
    with pytest.raises(LedgerUnusable, match="closed"):
        ledger.changes()


def test_the_ledger_is_never_among_the_documents(shelves: Shelves) -> None:
    """A place among them is refused before anything is made there."""
    with pytest.raises(LedgerUnusable, match="inside the folder"):
        Library.open(shelves.docs, ledger=shelves.docs / "ledgers")
    assert not (shelves.docs / "ledgers").exists()
