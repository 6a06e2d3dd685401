"""The index under fire: processes that are killed at random moments, and two that start cold at the same time.

Whatever happens, the next scan ends with an index that holds exactly the folder, and nobody who asks meanwhile is told
anything that is not so.
"""

import hashlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

from readingroom.library import Library, comparison
from readingroom.library.hooks import Hooks
from support.shelves import Shelves, found, paths

BUILD = """
import sys
from pathlib import Path
from readingroom.library import Library, comparison
comparison._FIRST_COMMIT_S = 0.02
comparison._LAST_COMMIT_S = 0.02
library = Library.open(sys.argv[1], cache=Path(sys.argv[2]), roles=("reader", "editor"))
print("scanning", flush=True)
library.reconcile()
print("done", flush=True)
"""

HOLD = """
import sys, time
from pathlib import Path
from readingroom.library import Library
def hold(progress):
    if progress.phase == "reading" and progress.done > 5:
        print("holding", flush=True)
        time.sleep(60)
Library.open(sys.argv[1], cache=Path(sys.argv[2]), roles=("reader", "editor")).reconcile(hold)
"""

SERVE = """
import sys
from pathlib import Path
from readingroom.library import Library, Principal
library = Library.open(sys.argv[1], cache=Path(sys.argv[2]))
library.start(every=3600)
answer = library.view(Principal()).search("apple", limit=50, wait=50)
assert answer.items, answer
assert library.wait(50)
print(len(library.view(Principal()).list(limit=1000).items), flush=True)
library.close()
"""


def own(number: int) -> str:
    """A word that only one document has."""
    return "zz" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A folder that takes a moment to index."""
    shelves = Shelves(tmp_path)
    for number in range(120):
        hidden = {"visibility": "internal"} if number % 5 == 0 else {}
        text = f"# Note {number}\n\n" + f"apple {own(number)} " * 40
        shelves.document(f"d{number % 7}/{number:03}.md", text, **hidden)
    return shelves


def run(code: str, shelves: Shelves) -> "subprocess.Popen[str]":
    """A process of its own on the folder."""
    arguments = [sys.executable, "-c", code, str(shelves.docs), str(shelves.cache)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def digest(folder: Path) -> str:
    """Of every name and byte in the folder."""
    whole = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        whole.update(str(file).encode())
        whole.update(file.read_bytes() if file.is_file() else b"")
    return whole.hexdigest()


def check(shelves: Shelves, library: Library) -> None:
    """The index holds the folder, for each role, and is found by words."""
    everything = sorted(str(file.relative_to(shelves.docs)) for file in shelves.docs.rglob("*.md"))
    open_ones = [path for path in everything if b"internal" not in (shelves.docs / path).read_bytes()]
    assert paths(library) == open_ones
    assert paths(library, "editor") == everything
    for path in (open_ones[0], open_ones[-1]):
        assert found(library, own(int(Path(path).stem))) == [path]


@pytest.mark.parametrize("seed", range(3))
def test_a_build_that_is_killed_is_gone_on_with(shelves: Shelves, seed: int) -> None:
    """At whatever moment: what was committed is served, and the next scan completes it."""
    dice = random.Random(seed)
    before = digest(shelves.docs)
    for _ in range(3):
        with run(BUILD, shelves) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "scanning\n"
            try:
                process.wait(dice.uniform(0.05, 0.8))
            except subprocess.TimeoutExpired:
                process.kill()
        with shelves.library("reader", "editor") as library:
            for path in found(library, "apple"):
                assert b"internal" not in (shelves.docs / path).read_bytes()
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        check(shelves, library)
    assert digest(shelves.docs) == before


@pytest.mark.parametrize("seed", range(2))
def test_a_rebuild_that_is_killed_leaves_the_old_index_or_the_new(shelves: Shelves, seed: int) -> None:
    """A document has become internal: whoever is killed on the way, its text is served to no reader."""
    dice = random.Random(seed)
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        secret = shelves.docs / paths(library)[3]
    secret.write_text("---\nvisibility: internal\n---\n# Secret\n\napple zanzibar\n")
    for _ in range(3):
        with run(BUILD, shelves) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "scanning\n"
            try:
                process.wait(dice.uniform(0.02, 0.5))
            except subprocess.TimeoutExpired:
                process.kill()
        with shelves.library("reader", "editor") as library:
            hits = found(library, "apple")
            assert len(hits) > 40
            assert str(secret.relative_to(shelves.docs)) not in hits
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        assert found(library, "zanzibar") == []
        check(shelves, library)


def test_two_that_start_cold_at_once_share_the_work(shelves: Shelves) -> None:
    """Both answer from the first commit on and end with the whole, whoever of them indexed it."""
    both = [run(SERVE, shelves) for _ in range(2)]
    counts = [process.communicate(timeout=55)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert counts == ["96\n", "96\n"]


def test_who_follows_takes_over_from_the_dead(shelves: Shelves) -> None:
    """The process that scans is killed; the one that waited for it finishes the work."""
    with run(HOLD, shelves) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "holding\n"
        with shelves.library("reader", "editor") as library:
            library.start(every=3600)
            assert not library.wait(0)
            holder.kill()
            assert library.wait(50)
            check(shelves, library)


def test_a_thread_that_dies_between_the_two_commits_is_made_up_for(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is committed, its catalogue is not: the next scan builds afresh, and nothing is lost or doubled."""
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        shelves.document("d1/001.md", f"# Note 1\n\n{own(1)} apple pear\n")

        def die(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("readingroom.library.cataloging.Cataloguer.commit", die)
            with pytest.raises(KeyboardInterrupt):
                library.reconcile()
        assert len(found(library, "apple")) == 50
        library.reconcile()
        assert found(library, "pear") == ["d1/001.md"]
        check(shelves, library)


def test_every_moment_of_a_build_can_be_its_last(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended before each of some files in turn, a scan is gone on with from there."""
    monkeypatch.setattr(comparison, "_FIRST_COMMIT_S", -1.0)
    with shelves.library("reader", "editor") as library:
        for last in (1, 2, 30, 50):
            calls = iter(range(1000))

            def pause(calls: "object" = calls, last: int = last) -> None:
                if next(calls) == last:  # type: ignore[call-overload]  # an iterator of numbers
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                library._scan(Hooks(pause=pause, tell=lambda _: None))
        library.reconcile()
        check(shelves, library)
