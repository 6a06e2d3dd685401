"""What is deleted is served to nobody from the moment its file is gone, whatever the index still holds.

Nobody scans in the first tests, so that the index is as old as can be; in the last one files go while somebody asks and
another thread keeps the index.
"""

import random
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from readingroom.library import FolderUnusable, Library, NotFound, View, identifier_uri
from support.processes import until
from support.shelves import Shelves, view

COUNT = 60


def own(number: int) -> str:
    """A word that only one document has."""
    return "zz" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def path_of(number: int) -> str:
    """Where a document lies."""
    return f"d{number % 6}/{number:03}.md"


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """Documents that all link to each other, every third a copy of another, but for a word."""
    shelves = Shelves(tmp_path)
    for number in range(COUNT):
        links = f"[next]({(number + 6) % COUNT:03}.md) [[{own((number + 1) % COUNT)}]]"
        text = f"# Title {own(number)}\n\napple {own(number)}\n\n## Part\n\n{links}\n"
        shelves.document(path_of(number), text, id=own(number), aliases=f"[alias-{own(number)}]")
    return shelves


def everything(asked: View, number: int) -> bytes:
    """Whatever might still tell of a document, as bytes; what is refused tells nothing."""
    word, path = own(number), path_of(number)
    asks: list[Callable[[], object]] = [
        lambda: asked.read(path),
        lambda: asked.find(path),
        lambda: asked.outline(path),
        lambda: asked.links(path),
        lambda: asked.whole(path),
        lambda: asked.read(identifier_uri(word)),
        lambda: asked.read(f"alias-{word}"),
        lambda: asked.search(word).items,
        lambda: asked.search("apple", limit=50, per_document=1).items,
        lambda: asked.search(f"{word} apple", limit=50).items,
        lambda: asked.search(f"path:{path}").items,
        lambda: asked.list(limit=1000),
        lambda: asked.list(f"d{number % 6}"),
        lambda: asked.complete_path(path[:-2]),
        lambda: asked.complete_identifier(word),
        lambda: asked.complete_title(f"title {word}"),
        lambda: asked.links(path_of((number + 6) % COUNT)).incoming,
    ]
    told = []
    for ask in asks:
        try:
            told.append(msgspec.json.encode(ask()))
        except NotFound:
            continue
    return b"\n".join(told)


def served(asked: View, number: int) -> bool:
    """Whether anything tells of it."""
    return path_of(number).encode() in everything(asked, number)


WAYS: dict[str, Callable[[Path], object]] = {
    "removed": lambda file: file.unlink(),
    "moved away": lambda file: file.rename(file.parents[2] / "elsewhere.md"),
    "its folder removed": lambda file: shutil.rmtree(file.parent),
    "its folder moved away": lambda file: file.parent.rename(file.parents[2] / "elsewhere"),
    "a folder in its place": lambda file: [step(file) for step in (Path.unlink, Path.mkdir)],
    "internal now": lambda file: file.write_text("---\nvisibility: internal\n---\nzanzibar\n"),
    "no text any more": lambda file: file.write_bytes(b"\x00\x01\x02\xff" * 50),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_gone_is_not_served_before_any_scan(shelves: Shelves, way: str) -> None:
    """In whatever way it went, and however it is asked for."""
    with shelves.scanned() as library:
        asked = view(library)
        assert all(served(asked, number) for number in (7, 8))
        WAYS[way](shelves.docs / path_of(7))
        assert not served(asked, 7)
        assert b"zanzibar" not in everything(asked, 7)
        assert served(asked, 8)


def test_a_folder_that_is_gone_as_a_whole_serves_nothing(shelves: Shelves) -> None:
    """Not one of its documents, and it is said why."""
    with shelves.scanned() as library:
        shelves.docs.rename(shelves.docs.with_name("elsewhere"))
        with pytest.raises(FolderUnusable):
            view(library).search("apple")


def test_what_goes_while_somebody_asks_is_not_served(shelves: Shelves) -> None:
    """An answer that is asked for after the file has gone never has it, whatever the keeper of the index is just doing."""
    with shelves.library() as library:
        library.start(every=0.5, watch=True)
        assert library.wait(60)
        gone: list[int] = []
        wrong: list[tuple[int, bytes]] = []
        ended = threading.Event()
        asking = [
            threading.Thread(target=_ask, args=(library, gone, wrong, ended, seed)) for seed in range(2)
        ]
        for thread in asking:
            thread.start()
        order = list(range(COUNT))
        random.Random(1).shuffle(order)
        for number in order[:40]:
            (shelves.docs / path_of(number)).unlink()
            gone.append(number)
            ended.wait(0.02)
        until(lambda: len(view(library).list(limit=1000).items) == COUNT - 40)
        ended.set()
        for thread in asking:
            thread.join(60)
    assert wrong == []


def _ask(
    library: Library, gone: list[int], wrong: list[tuple[int, bytes]], ended: threading.Event, seed: int
) -> None:
    dice = random.Random(seed)
    asked = view(library)
    while not ended.is_set():
        before = list(gone)
        answers = msgspec.json.encode(
            [asked.search("apple", limit=50, per_document=1).items, asked.list(limit=1000).items]
        )
        wrong += [(number, answers) for number in before if path_of(number).encode() in answers]
        if before and served(asked, number := dice.choice(before)):
            wrong.append((number, b"everything"))
