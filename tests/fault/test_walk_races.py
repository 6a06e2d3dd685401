"""The folder changes under the walk's feet: whatever is exchanged with what, nothing outside it is ever read, and nothing
that blocks is waited for.

Each exchange is made at the very moment that matters; one test exchanges at random moments, and decides by what was read.
"""

import contextlib
import os
import shutil
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.library import Library, NotFound, opening, walk
from readingroom.library.operator import status
from support.shelves import Shelves, bytes_under, edition, found, paths, view

SECRET = "zanzibar"

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="makes links, FIFOs and sockets as POSIX has them"),
    pytest.mark.timeout(300),
]


@pytest.fixture(params=["beneath", "stepwise"], autouse=True)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With openat2 where there is one, and step by step."""
    if request.param == "stepwise":
        monkeypatch.setattr(opening, "open_beneath", lambda *_: None)


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """Two documents, and a secret beside the folder under the name of one of them."""
    shelves = Shelves(tmp_path)
    shelves.document("a/b/c.md", "# Open\n\napple\n")
    shelves.document("z.md", "# Other\n\napple\n")
    outside = tmp_path / "outside/b"
    outside.mkdir(parents=True)
    (outside / "c.md").write_text(f"# Secret\n\n{SECRET}\n")
    (outside / "d.md").write_text(f"# Secret\n\n{SECRET}\n")
    return shelves


def exchanges(shelves: Shelves) -> dict[str, Callable[[], Any]]:
    """What the file, or a folder on its way, is exchanged with."""
    docs, outside = shelves.docs, shelves.docs.parent / "outside"
    file = docs / "a/b/c.md"

    def instead_of(path: Path, make: Callable[[Path], Any]) -> None:
        path.rename(docs.parent / "away")
        make(path)

    def bind(path: Path) -> None:
        here = os.open(path.parent, os.O_RDONLY)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(f"/proc/self/fd/{here}/{path.name}")  # the path of a socket is short
        os.close(here)

    return {
        "a link": lambda: instead_of(file, lambda path: path.symlink_to(outside / "b/c.md")),
        "a link to itself": lambda: instead_of(file, lambda path: path.symlink_to(path.name)),
        "a FIFO": lambda: instead_of(file, os.mkfifo),
        "a socket": lambda: instead_of(file, bind),
        "a folder": lambda: instead_of(file, Path.mkdir),
        "nothing": lambda: instead_of(file, lambda _: None),
        "a folder's link": lambda: instead_of(docs / "a/b", lambda path: path.symlink_to(outside / "b")),
        "a further folder's link": lambda: instead_of(docs / "a", lambda path: path.symlink_to(outside)),
        "the folder's file": lambda: instead_of(docs / "a/b", Path.touch),
    }


KINDS = [
    "a link", "a link to itself", "a FIFO", "a socket", "a folder", "nothing", "a folder's link",
    "a further folder's link", "the folder's file",
]  # fmt: skip


def nothing_leaked(library: Library, shelves: Shelves) -> None:
    """No word of the secret is anywhere, and the rest is served."""
    for role in library.roles:
        assert SECRET.encode() not in bytes_under(edition(library, role))
    assert found(library, SECRET) == []
    assert "z.md" in paths(library)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_exchanged_between_the_walk_and_the_reading_is_not_read(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The scan leaves it out and goes on; the next one tells what stands there now, if it is more than a folder."""
    change, read = exchanges(shelves)[kind], walk.read

    def changed_first(*given: Any) -> bytes:
        if given[1].path == "a/b/c.md" and not (shelves.docs.parent / "away").exists():
            change()
        return read(*given)

    monkeypatch.setattr(walk, "read", changed_first)
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        nothing_leaked(library, shelves)
        library.reconcile()
        nothing_leaked(library, shelves)
        assert paths(library) == ["z.md"]
        left_out = [item.path for item in status(library).left_out]
    assert bool(left_out) is (kind not in ("nothing", "a folder"))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_exchanged_after_the_scan_is_not_served(shelves: Shelves, kind: str) -> None:
    """Found, listed and read are what stands there now, and a link is nothing."""
    with shelves.scanned("reader", "editor") as library:
        exchanges(shelves)[kind]()
        assert found(library, "apple") == ["z.md"]
        assert paths(library) == ["z.md"]
        with pytest.raises(NotFound):
            view(library).read("a/b/c.md")
        nothing_leaked(library, shelves)


@pytest.mark.parametrize("kind", ["a folder's link", "a further folder's link"])
def test_a_folder_exchanged_with_a_link_before_it_is_entered_shows_nothing(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """What stands behind the link may be listed by then, and not a byte of it is read."""
    change, listing = exchanges(shelves)[kind], walk.listing
    last = "a" if kind == "a further folder's link" else "b"

    def changed_first(folder: str) -> Any:
        if Path(folder).name == last and not (shelves.docs.parent / "away").exists():
            change()
        return listing(folder)

    monkeypatch.setattr(walk, "listing", changed_first)
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        nothing_leaked(library, shelves)
        assert paths(library) == ["z.md"]


@contextlib.contextmanager
def flipping(one: Path, other: Path) -> Iterator[None]:
    """Two entries change places as fast as they can."""
    ending, spare = threading.Event(), one.with_name("spare")

    def flip() -> None:
        while not ending.is_set():
            one.rename(spare)
            other.rename(one)
            spare.rename(other)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()


@pytest.mark.parametrize("what", ["a/b/c.md", "a/b", "a"])
def test_at_no_moment_is_a_link_followed(shelves: Shelves, what: str) -> None:
    """A file, and each folder on its way, is exchanged with a link without end; what is read is the file or nothing."""
    link = shelves.docs / "link"
    link.symlink_to(shelves.docs.parent / "outside" / what.removeprefix("a/").removeprefix("a"))
    assert (link / Path("a/b/c.md").relative_to(what)).read_text() == f"# Secret\n\n{SECRET}\n"
    read = 0
    with flipping(shelves.docs / what, link):
        for _ in range(2_000):
            with contextlib.suppress(NotFound):
                assert opening.content(str(shelves.docs), b"a/b/c.md", 100) == b"# Open\n\napple\n"
                read += 1
    print(f"{read} of 2000 were read")


def test_special_files_hold_nobody_up(shelves: Shelves) -> None:
    """FIFOs, sockets, devices and folders under a document's name, and under that of an ignore file."""
    os.mkfifo(shelves.docs / "fifo.md")
    (shelves.docs / "folder.md").mkdir()
    (shelves.docs / "folder.md/in.md").write_text("# In\n")
    (shelves.docs / "e").mkdir()
    os.mkfifo(shelves.docs / "e/.gitignore")
    (shelves.docs / "e/f.md").write_text("# Hidden, perhaps\n")
    expected = {"fifo.md", "e"}
    with contextlib.suppress(PermissionError):
        os.mknod(shelves.docs / "zero.md", stat.S_IFCHR | 0o600, os.makedev(1, 5))
        expected.add("zero.md")
    with shelves.scanned() as library:
        assert paths(library) == ["a/b/c.md", "folder.md/in.md", "z.md"]
        assert {item.path for item in status(library).left_out} == expected


def test_a_hard_link_is_the_file_itself(shelves: Shelves) -> None:
    """Under each of its names, also when another one lies outside; what is written to one is found under both."""
    os.link(shelves.docs / "z.md", shelves.docs / "y.md")
    os.link(shelves.docs.parent / "outside/b/c.md", shelves.docs / "x.md")
    with shelves.scanned() as library:
        assert paths(library) == ["a/b/c.md", "x.md", "y.md", "z.md"]
        assert sorted(found(library, "apple")) == ["a/b/c.md", "y.md", "z.md"]
        with (shelves.docs / "y.md").open("a") as file:
            file.write("\nquince\n")
        library.reconcile()
        assert sorted(found(library, "quince")) == ["y.md", "z.md"]


def test_folders_without_permission_are_left_out_and_told(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be listed and a file that cannot be opened, as for a user who is not root."""
    listing, opened = walk.listing, os.open

    def listed(folder: str) -> Any:
        if folder.endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return listing(folder)

    def refusing(path: Any, *given: Any, **more: Any) -> int:
        if os.fsencode(path).endswith(b"z.md"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *given, **more)

    shelves.document("y.md", "# Free\n")
    with monkeypatch.context() as patch:
        patch.setattr(walk, "listing", listed)
        patch.setattr(opening, "open_beneath", lambda *_: None)
        patch.setattr(os, "open", refusing)
        with shelves.library() as library:
            library.reconcile()
            assert paths(library) == ["y.md"]
            told = {item.path: item.reason for item in status(library).left_out}
    assert told == dict.fromkeys(("a", "z.md"), "cannot be read: Permission denied")
    with shelves.scanned() as library:
        assert paths(library) == ["a/b/c.md", "y.md", "z.md"]


def test_a_folder_that_becomes_readable_comes_back(shelves: Shelves) -> None:
    """And one that has gone for good leaves nothing behind."""
    with shelves.scanned() as library:
        shutil.move(shelves.docs / "a", shelves.docs.parent / "elsewhere")
        library.reconcile()
        assert paths(library) == ["z.md"]
        shutil.move(shelves.docs.parent / "elsewhere", shelves.docs / "a")
        library.reconcile()
        assert paths(library) == ["a/b/c.md", "z.md"]
