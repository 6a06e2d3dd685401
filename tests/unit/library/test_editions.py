"""Editions: which one is gone on with, which is given up, and when the next one takes its place."""

import os
import shutil
import time
from pathlib import Path

import pytest

from readingroom.library import catalog, editions, places
from readingroom.library.cataloging import Cataloguer
from readingroom.library.editions import Edition
from readingroom.library.model import FileState, Found, Parsed, Passage
from readingroom.library.search import engine


def put(edition: Edition, path: str, word: str = "apple") -> None:
    """Take a document in."""
    found = Found(path, path.encode(), "markdown", FileState(1, 2, 3, 4))
    parsed = Parsed(
        "markdown", word, "utf-8", f"sha256:{word}", path, "en", (), (), "", "public", (),
        (Passage((), 1, 1, word),), (), (),
    )  # fmt: skip
    edition.put(found, parsed, bulk=False)


@pytest.fixture
def role(tmp_path: Path) -> Path:
    """The reader's folder."""
    return tmp_path / "reader"


def built(role: Path, *paths: str, reconciled: float | None = 1.0) -> Path:
    """An edition with these documents, as a finished scan leaves it."""
    edition = Edition.open("reader", role)
    for path in paths:
        put(edition, path)
    edition.commit(reconciled)
    edition.close()
    return edition.folder


def test_the_first_edition_is_served_from_its_first_commit(role: Path) -> None:
    """Not before, when there is nothing in it."""
    edition = Edition.open("reader", role)
    put(edition, "a.md")
    assert places.current(role) is None
    edition.commit()
    assert places.current(role) == edition.folder
    edition.close()


def test_a_sound_edition_is_gone_on_with(role: Path) -> None:
    """What it knows is known, and the catalogue names the index's last commit."""
    folder = built(role, "a.md")
    before = engine.Index.open(folder / editions.INDEX).generation
    edition = Edition.open("reader", role)
    assert (edition.folder, list(edition.known)) == (folder, ["a.md"])
    put(edition, "b.md")
    edition.drop("a.md")
    edition.commit(2.0)
    edition.close()
    again = Edition.open("reader", role)
    assert list(again.known) == ["b.md"]
    assert engine.Index.open(folder / editions.INDEX).generation > before
    again.close()


def test_a_commit_without_changes_leaves_the_index_alone(role: Path) -> None:
    """Only the catalogue notes when the scan began."""
    folder = built(role, "a.md")
    before = engine.Index.open(folder / editions.INDEX).generation
    edition = Edition.open("reader", role)
    edition.commit(5.0)
    edition.close()
    assert engine.Index.open(folder / editions.INDEX).generation == before


def test_what_was_not_committed_is_given_up(role: Path) -> None:
    """In the index and in the catalogue."""
    folder = built(role, "a.md")
    edition = Edition.open("reader", role)
    put(edition, "b.md")
    edition.close()
    again = Edition.open("reader", role)
    assert (again.folder, list(again.known)) == (folder, ["a.md"])
    again.close()


def test_a_retired_edition_is_served_until_the_next_is_whole(role: Path) -> None:
    """The fresh one takes its place at the end of a full scan, not before."""
    old = built(role, "a.md")
    places.retire(old)
    edition = Edition.open("reader", role)
    assert edition.beside
    put(edition, "a.md")
    edition.commit()
    assert places.current(role) == old
    edition.commit(2.0)
    assert places.current(role) == edition.folder != old
    edition.close()


def test_a_retired_edition_that_was_never_whole_is_replaced_at_once(role: Path) -> None:
    """There is no reason to wait for the sake of a part."""
    old = built(role, "a.md", reconciled=None)
    places.retire(old)
    edition = Edition.open("reader", role)
    assert not edition.beside
    edition.commit()
    assert places.current(role) == edition.folder
    edition.close()


def test_a_large_edition_goes_on_for_a_while(role: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is replaced when the first mark is old, however often it has been marked since, or has a time yet to come."""
    monkeypatch.setattr(editions, "_SMALL", 1)
    old = built(role, "a.md", "b.md")

    def opened() -> Path:
        edition = Edition.open("reader", role)
        edition.close()
        return edition.folder

    places.retire(old)
    assert opened() == old
    now = time.time()
    os.utime(old / "retired", (now - 590, now - 590))
    places.retire(old)
    assert opened() == old
    for at in (now - 610, now + 3_600):
        os.utime(old / "retired", (at, at))
        assert opened() != old


def test_a_large_edition_that_is_not_whole_is_replaced_at_once(
    role: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its index and its catalogue are of different commits."""
    monkeypatch.setattr(editions, "_SMALL", 1)
    old = built(role, "a.md", "b.md")
    with engine.Index.open(old / editions.INDEX).writer(bulk=False) as writer:
        writer.remove("a.md")
        writer.commit()
    edition = Edition.open("reader", role)
    assert edition.folder != old
    edition.close()


@pytest.mark.parametrize("damage", ["marked", "no index", "no catalogue", "broken index", "another version"])
def test_a_damaged_edition_is_given_up_at_once(role: Path, damage: str) -> None:
    """A fresh one is served from its first commit, since the other one cannot be."""
    old = built(role, "a.md")
    if damage == "marked":
        places.condemn(old)
    elif damage == "no index":
        shutil.rmtree(old / editions.INDEX)
    elif damage == "no catalogue":
        (old / catalog.FILE).unlink()
    elif damage == "broken index":
        (old / editions.INDEX / "meta.json").write_text("{")
    else:
        connection = catalog.connect(old / catalog.FILE)
        connection.execute("PRAGMA user_version=77")
        connection.close()
    edition = Edition.open("reader", role)
    assert edition.folder != old
    assert (edition.beside, edition.known) == (False, {})
    edition.commit()
    assert places.current(role) == edition.folder
    edition.close()


def test_a_death_between_the_two_commits_is_noticed(role: Path) -> None:
    """The index is ahead of the catalogue: nobody knows of what, so a fresh edition is built beside it."""
    old = built(role, "a.md")
    index = engine.Index.open(old / editions.INDEX)
    with index.writer(bulk=False) as writer:
        writer.remove("a.md")
        writer.commit()
    edition = Edition.open("reader", role)
    assert (edition.folder == old, edition.beside, edition.known) == (False, True, {})
    edition.close()


def test_a_worn_edition_is_built_anew(role: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine counts the words of what was replaced; when that is as much as there is, it counts afresh."""
    monkeypatch.setattr(editions, "_WORN_LEAST", 2)
    old = built(role, "a.md")
    for number, same in ((1, True), (2, True), (3, False)):
        edition = Edition.open("reader", role)
        put(edition, "a.md", f"word{number}")
        edition.commit(2.0 + number)
        edition.close()
        again = Edition.open("reader", role)
        assert (again.folder == old) == same
        again.close()


def test_other_editions_are_swept(role: Path) -> None:
    """What a killed process left is removed before a scan."""
    kept = built(role, "a.md")
    orphan = places.new_edition(role)
    Edition.open("reader", role).close()
    assert (kept.exists(), orphan.exists()) == (True, False)


def test_a_catalogue_that_exists_already_is_not_overwritten(tmp_path: Path) -> None:
    """Creating one is for an empty edition."""
    Cataloguer.create(tmp_path / "x.db").close()
    with pytest.raises(FileExistsError):
        Cataloguer.create(tmp_path / "x.db")
