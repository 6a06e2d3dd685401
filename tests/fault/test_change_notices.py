"""Files change in real folders under real servers, and each listener is told once; whoever may not see them hears nothing.

The servers scan once an hour: what they notice in time, the system has reported.
"""

import itertools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.library import Library, uri
from readingroom.library.hooks import Hooks
from support.processes import ServerProcess, until
from support.shelves import Shelves, view

pytestmark = pytest.mark.skipif(os.name == "nt", reason="files are changed as on POSIX")

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
TEXT = "# Apple\n\n" + "An apple a day.\n" * 20
MARK = "mark.md"
MARKS = itertools.count(1)


class Listener:
    """A server over a folder, and a client that listens to its list of documents and to some of them."""

    def __init__(self, shelves: Shelves, *paths: str, options: tuple[str, ...] = ()) -> None:
        self.shelves = shelves
        arguments = (str(shelves.docs), "--cache", str(shelves.cache), "--rescan", "3600", *options)
        self.process = ServerProcess("library.py", *arguments)
        self.request(
            1,
            "subscriptions/listen",
            notifications={
                "resourcesListChanged": True,
                "resourceSubscriptions": [uri(path) for path in (*paths, MARK)],
            },
        )
        assert self.process.take()["method"] == "notifications/subscriptions/acknowledged"
        self.until_mark()

    def request(self, number: int, method: str, **params: Any) -> None:
        """Send a request."""
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": META}}
        self.process.send(json.dumps(message).encode())

    def until_mark(self) -> list[str]:
        """Change the document that serves as a mark, and give what was told before that was: paths, or "list"."""
        (self.shelves.docs / MARK).write_text(TEXT + "x" * next(MARKS))
        return self.told_before_mark()

    def told_before_mark(self) -> list[str]:
        """Give what is told until the mark is told of."""
        told = []
        while (name := self.next()) != MARK:
            told.append(name)
        return told

    def next(self) -> str:
        """Give the next change that is told."""
        message = self.process.take()
        assert message["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": 1}
        if message["method"] == "notifications/resources/list_changed":
            return "list"
        assert message["method"] == "notifications/resources/updated"
        return str(message["params"]["uri"]).removeprefix("library:///")

    def expect(self, *names: str) -> None:
        """See that these are told, in whatever order, and nothing else."""
        assert sorted(self.next() for _ in names) == sorted(names)
        self.expect_nothing()

    def expect_nothing(self) -> None:
        """See that nothing is told before a change that is made now, nor along with it."""
        assert self.until_mark() == []
        assert self.until_mark() == []


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """Some documents."""
    shelves = Shelves(tmp_path)
    for name in ("a.md", "sub/b.md", MARK):
        shelves.document(name, TEXT)
    index(shelves)
    return shelves


def index(shelves: Shelves) -> None:
    """Make the index before a server begins: what is caught half written by the very first scan is taken as it is."""
    shelves.scanned("reader", "editor").close()


Listen = Callable[..., Listener]


@pytest.fixture
def listen(shelves: Shelves) -> Iterator[Listen]:
    """Give what starts a server and listens to it."""
    made: list[Listener] = []

    def start(*paths: str, options: tuple[str, ...] = (), at: Shelves = shelves) -> Listener:
        made.append(Listener(at, *paths, options=options))
        return made[-1]

    yield start
    for listener in made:
        listener.process.close()


def write(folder: Path) -> None:
    """As most programs do: the file is emptied and written."""
    (folder / "a.md").write_text(TEXT + "more\n")


def write_less(folder: Path) -> None:
    """The same, with less in it than before: at first it may be in the middle of being written."""
    (folder / "a.md").write_text("# Apple\n\nless\n")


def append(folder: Path) -> None:
    """As logs and notes grow."""
    with (folder / "a.md").open("a") as file:
        file.write("more\n")


def replace(folder: Path) -> None:
    """As careful editors save: a new file takes the old one's place."""
    (folder / ".a.md.new").write_text(TEXT + "more\n")
    (folder / ".a.md.new").replace(folder / "a.md")


def keep_a_copy(folder: Path) -> None:
    """As other editors save: the old file is moved away first."""
    (folder / "new.txt~").write_text(TEXT + "more\n")
    (folder / "a.md").rename(folder / "a.md~")
    (folder / "new.txt~").rename(folder / "a.md")
    (folder / "a.md~").unlink()


@pytest.mark.parametrize("save", [write, write_less, append, replace, keep_a_copy])
def test_a_document_that_is_saved_is_told_once(
    shelves: Shelves, listen: Listen, save: Callable[[Path], None]
) -> None:
    """However the program that saves it does so; the list is what it was."""
    listener = listen("a.md", "sub/b.md")
    save(shelves.docs)
    listener.expect("a.md")


def test_a_document_that_is_removed_or_moved_is_told_once(shelves: Shelves, listen: Listen) -> None:
    """At its old address and at its new one, and to who listens to the list."""
    listener = listen("a.md", "c.md", "sub/b.md")
    (shelves.docs / "a.md").unlink()
    listener.expect("a.md", "list")
    (shelves.docs / "sub/b.md").rename(shelves.docs / "c.md")
    listener.expect("sub/b.md", "c.md", "list")
    (shelves.docs / "sub").rename(shelves.docs / "way")
    (shelves.docs / "way/new.md").write_text(TEXT)
    listener.expect("list")


def test_what_is_only_touched_or_no_document_is_not_told(shelves: Shelves, listen: Listen) -> None:
    """The bytes are what they were; other files are nobody's."""
    listener = listen("a.md", "sub/b.md")
    (shelves.docs / "a.md").touch()
    (shelves.docs / "sub/b.md").write_text(TEXT)
    (shelves.docs / "photo.png").write_text("x")
    listener.expect_nothing()


def test_two_servers_on_one_folder_both_tell(shelves: Shelves, listen: Listen) -> None:
    """Only one of them writes the index, whichever hears of the change first."""
    first, second = listen("a.md"), listen("a.md")
    first.process.take()  # the mark that the second one made
    for _ in range(3):
        append(shelves.docs)
        assert first.next() == second.next() == "a.md"
    first.until_mark()
    assert second.next() == MARK


def test_a_server_whose_writer_was_killed_goes_on_telling(shelves: Shelves, listen: Listen) -> None:
    """Who followed takes over."""
    first, second = listen("a.md"), listen("a.md")
    first.process.process.kill()
    for _ in range(2):
        append(shelves.docs)
        second.expect("a.md")


def test_internal_documents_are_told_to_editors_alone(shelves: Shelves, listen: Listen) -> None:
    """They come, change and go while a reader listens to their very addresses; the reader hears of nothing."""
    editor = listen("x.md", options=("--role", "editor"))
    reader = listen("x.md")
    editor.told_before_mark()
    for text in ("# One\n", "# One two\n"):
        shelves.write("x.md", f"---\nvisibility: internal\n---\n{text}", at=None)
        assert sorted(editor.next() for _ in range(2)) == ["list", "x.md"]
    (shelves.docs / "x.md").unlink()
    assert sorted(editor.next() for _ in range(2)) == ["list", "x.md"]
    reader.expect_nothing()
    assert editor.told_before_mark() == []
    assert "x.md" not in reader.process.stderr()


def test_becoming_internal_looks_like_being_removed(tmp_path: Path, listen: Listen) -> None:
    """Frame by frame: what a reader hears of the one is what is heard of the other."""
    told = []
    for place, hides in ((tmp_path / "removed", False), (tmp_path / "hidden", True)):
        place.mkdir()
        shelves = Shelves(place)
        for name in ("a.md", MARK):
            shelves.document(name, TEXT)
        index(shelves)
        listener = listen("a.md", at=shelves)
        if hides:
            shelves.write("a.md", f"---\nvisibility: internal\n---\n{TEXT}", at=None)
        else:
            (shelves.docs / "a.md").unlink()
        told.append([listener.process.take_line() for _ in range(2)])
        listener.expect_nothing()
    assert told[0] == told[1]


def test_without_watching_changes_wait_for_the_scan(shelves: Shelves) -> None:
    """`--no-watch`: what is told then comes from scans, and from documents that somebody has read."""
    arguments = (str(shelves.docs), "--cache", str(shelves.cache), "--rescan", "1", "--no-watch")
    process = ServerProcess("library.py", *arguments)
    try:
        listen = {"resourceSubscriptions": [uri("a.md")]}
        message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen"}
        process.send(json.dumps({**message, "params": {"notifications": listen, "_meta": META}}).encode())
        process.take()
        append(shelves.docs)
        assert process.take()["params"]["uri"] == uri("a.md")
    finally:
        process.close()


@pytest.mark.slow
def test_ten_thousand_changes_cost_a_few_scans(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are gathered, and the index ends up as the folder is."""
    for number in range(250):
        shelves.document(f"d{number % 10}/{number}.md", TEXT)
    scans: list[object] = []
    scan = Library._scan

    def counted(self: Library, hooks: Hooks, paths: Any = None) -> None:
        scans.append(paths)
        scan(self, hooks, paths)

    with shelves.library() as library:
        monkeypatch.setattr(Library, "_scan", counted)
        library.start(every=3600, watch=True)
        assert library.wait(60)
        until(lambda: library._watching is not None and library._watching.is_watching.is_set())
        for turn in range(40):
            for number in range(250):
                (shelves.docs / f"d{number % 10}/{number}.md").write_text(f"{TEXT}turn {turn} of {number}\n")
        with Library.open(shelves.docs, cache=shelves.cache.with_name("fresh")) as fresh:
            fresh.reconcile()
            expected = view(fresh).generation
        until(lambda: view(library).generation == expected, 60)
    assert len(scans) < 300
