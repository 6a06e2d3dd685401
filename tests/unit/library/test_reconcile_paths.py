"""A look at single places: the index becomes what a scan of everything would have made it, and nothing is noted as one."""

import random
import shutil
from collections.abc import Collection
from pathlib import Path

import pytest

from readingroom.library import Library, Role, Rules, comparison, places, walk
from readingroom.library.cataloging import Cataloguer
from readingroom.library.census import Census, Seen
from readingroom.library.hooks import Hooks
from readingroom.library.model import Found, LeftOut
from support.processes import until
from support.shelves import Shelves, edition, found, paths, view

ROLES: tuple[Role, ...] = ("reader", "editor")
HOOKS = Hooks(pause=lambda: None, tell=lambda progress: None)


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A small folder."""
    shelves = Shelves(tmp_path)
    shelves.document("a.md", "# Apple\n")
    shelves.document("sub/b.md", "# Pear\n")
    shelves.document("sub/deep/c.md", "# Plum\n")
    shelves.document("sub.md", "# Beside\n")
    shelves.document("sub-way/d.md", "# Way\n")
    return shelves


def look(library: Library, *at: str) -> None:
    """Look at these places."""
    library._scan(HOOKS, at)


def census(library: Library) -> dict[str, Seen]:
    """What the last scans found of each file."""
    opened = Census(library.home.census)
    try:
        return opened.files()
    finally:
        opened.close()


def state(library: Library) -> list[object]:
    """All that the library says of its documents, for both roles, and what it notes of files."""
    said: list[object] = [{path: (seen.revision, seen.verdict) for path, seen in census(library).items()}]
    for role in library.roles:
        current = library._shelf(role).edition()
        assert current is not None
        facts = current.catalog.facts()
        said.append((paths(library, role), facts.content, facts.listing, facts.documents))
    return said


def test_a_place_that_is_named_is_seen_and_no_other(shelves: Shelves) -> None:
    """A document that has come or changed, where it is asked for; and one that has gone, after which all is built anew."""
    library = shelves.scanned()
    for name in ("a.md", "new.md", "other.md", "sub/b.md"):
        shelves.document(name, "# Cherry\n\ncherry\n")
    look(library, "a.md", "new.md", "missing.md")
    assert sorted(found(library, "cherry")) == ["a.md", "new.md"]
    (shelves.docs / "sub.md").unlink()
    look(library, "sub.md")
    assert "sub.md" not in paths(library)
    assert sorted(found(library, "cherry")) == ["a.md", "new.md", "other.md", "sub/b.md"]


def test_under_a_folder_everything_is_seen(shelves: Shelves) -> None:
    """What is in it at whatever depth; not what merely begins with its name."""
    library = shelves.scanned()
    for name in ("sub/b.md", "sub/deep/new.md", "sub.md", "sub-way/d.md"):
        shelves.document(name, "# Cherry\n\ncherry\n")
    look(library, "sub")
    assert sorted(found(library, "cherry")) == ["sub/b.md", "sub/deep/new.md"]
    shutil.rmtree(shelves.docs / "sub")
    look(library, "sub")
    assert paths(library) == ["a.md", "sub-way/d.md", "sub.md"]


def test_it_is_not_noted_as_a_scan_of_everything(shelves: Shelves) -> None:
    """Neither a look at a place nor one at all of the folder, nor the building anew that may follow from either."""
    library = shelves.scanned(*ROLES)
    since = [view(library, role).reconciled for role in ROLES]
    shelves.document("a.md", "# Apple\n\nmore\n")
    look(library, "a.md")
    shelves.document("new.md", "# New\n")
    look(library, "")
    assert "new.md" in paths(library)
    before = edition(library)
    shelves.document("a.md", "# Apple\n", visibility="internal")
    look(library, "a.md")
    assert edition(library) != before
    assert "a.md" not in paths(library)
    assert [view(library, role).reconciled for role in ROLES] == since


def test_where_nothing_has_changed_nothing_is_written(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second process that heard of the same change finds it done."""
    monkeypatch.setattr(comparison, "_UNSETTLED_NS", -(10**15))
    library = shelves.scanned(*ROLES)
    library.close()
    before = {file: file.stat().st_mtime_ns for file in library.home.folder.rglob("*.db*")}
    look(library, "a.md", "sub", "missing.md")
    assert {file: file.stat().st_mtime_ns for file in library.home.folder.rglob("*.db*")} == before


@pytest.mark.parametrize("spoil", ["retire", "condemn"])
def test_an_edition_that_must_be_built_anew_is_built_from_everything(shelves: Shelves, spoil: str) -> None:
    """A look at a place cannot fill it."""
    library = shelves.scanned(*ROLES)
    getattr(places, spoil)(edition(library))
    look(library, "a.md")
    assert len(paths(library)) == 5
    assert library.since() is not None


def test_a_look_that_died_between_its_two_commits_is_made_up_for(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is ahead of its catalogue then: the next look builds the edition anew, from everything."""
    library = shelves.scanned(*ROLES)
    shelves.document("a.md", "# Cherry\n\ncherry\n")
    with monkeypatch.context() as patch:
        patch.setattr(Cataloguer, "commit", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            look(library, "a.md")
    shelves.document("sub.md", "# Cherry\n\ncherry\n")
    look(library, "sub-way")
    assert sorted(found(library, "cherry")) == ["a.md", "sub.md"]


def test_before_the_first_scan_a_look_becomes_one(shelves: Shelves) -> None:
    """An index of some places would be taken for that of the folder."""
    library = shelves.library()
    look(library, "a.md")
    assert len(paths(library)) == 5
    assert library.since() is not None


def test_looks_leave_the_library_as_scans_would(tmp_path: Path) -> None:
    """After random changes, of which every one is hinted at by its path, it says what a fresh one says."""
    dice = random.Random(7)
    shelves = Shelves(tmp_path)
    for number in range(12):
        shelves.document(name(dice), f"# Start {number}\n")
    library = shelves.scanned(*ROLES)
    for turn in range(25):
        look(
            library, *{changed for _ in range(dice.randint(1, 4)) for changed in change(shelves, dice, turn)}
        )
        if turn % 5 == 4:
            with Library.open(shelves.docs, cache=tmp_path / f"fresh{turn}", roles=ROLES) as fresh:
                fresh.reconcile()
                assert state(library) == state(fresh)


def name(dice: random.Random) -> str:
    """A path in a few folders, some with names that begin alike."""
    return dice.choice(["", "a/", "a/b/", "a-b/", "a0/", "c/"]) + dice.choice(
        ["x.md", "y.md", "é.md", "a.md"]
    )


def change(shelves: Shelves, dice: random.Random, turn: int) -> Collection[str]:
    """Write, hide, move or remove a document, or move, remove or ignore a folder; the paths where something happened."""
    path, other = name(dice), name(dice)
    file, target = shelves.docs / path, shelves.docs / other
    kind = dice.choice(["write", "write", "hide", "move", "remove", "move folder", "remove folder", "ignore"])
    folder = dice.choice(["a", "a/b", "a-b", "c"])
    if kind == "write":
        shelves.document(path, f"# Title {turn % 3}\n\n{dice.random()}\n")
    elif kind == "hide":
        shelves.document(path, f"# Hidden {turn}\n\n{dice.random()}\n", visibility="internal")
    elif kind == "move" and file.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        file.rename(target)
        return path, other
    elif kind == "remove" and file.is_file():
        file.unlink()
    elif kind == "move folder" and (shelves.docs / folder).is_dir():
        (shelves.docs / folder).rename(shelves.docs / f"moved{turn}{dice.random()}")
        return "", folder
    elif kind == "remove folder":
        shutil.rmtree(shelves.docs / folder, ignore_errors=True)
        return (folder,)
    elif kind == "ignore" and (shelves.docs / folder).is_dir():
        (shelves.docs / folder / ".gitignore").write_text(dice.choice(["x.md\n", "b/\n", ""]))
        return (folder,)
    return (path,)


def test_a_walk_at_places_says_what_the_walk_of_everything_says(shelves: Shelves) -> None:
    """Of what is left out, too, and of what stands below it; where nothing stands, nothing."""
    shelves.write("sub/.gitignore", "deep/\n*.txt\n")
    shelves.write("sub/x.txt")
    shelves.write("photo.png")
    (shelves.docs / "link").symlink_to(shelves.docs / "sub")
    everything = {item.path: item for item in walk.walk(shelves.docs, Rules())}
    assert list(walk.walk_at(shelves.docs, Rules(), [""])) == list(everything.values())
    at = {
        item.path: item
        for item in walk.walk_at(shelves.docs, Rules(), ["sub", "photo.png", "link", "none", "../x"])
    }
    assert at == {path: item for path, item in everything.items() if path[:4] in ("sub/", "phot", "link")}
    (below,) = walk.walk_at(shelves.docs, Rules(), ["sub/deep/c.md"])
    assert isinstance(below, LeftOut)
    assert [type(item) for item in walk.walk_at(shelves.docs, Rules(), ["a.md"])] == [Found]


def test_a_folder_that_cannot_be_listed_is_left_out_at_its_place(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason; one that goes while it is looked at is not there."""
    listing = walk.listing

    def refusing(folder: str) -> object:
        if folder.endswith("deep"):
            raise PermissionError(13, "Permission denied")
        if folder.endswith("way"):
            raise FileNotFoundError
        return listing(folder)

    monkeypatch.setattr(walk, "listing", refusing)
    (item,) = walk.walk_at(shelves.docs, Rules(), ["sub/deep", "sub-way"])
    assert isinstance(item, LeftOut)
    assert item.path == "sub/deep"
    names = {
        Path(folder).relative_to(shelves.docs).as_posix() for folder in walk.folders(shelves.docs, Rules())
    }
    assert names == {".", "sub"}


def test_what_cannot_be_looked_at_is_no_folder_and_no_document(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry whose status the system refuses is left out with its reason; one that has just gone is not there."""
    decided = walk._decided

    def refusing(place: walk._Place, listed: walk.Listed, rules: Rules) -> object:
        if listed.key in ("sub/", "sub.md"):
            raise PermissionError(13, "Permission denied")
        if listed.key == "a.md":
            raise FileNotFoundError
        return decided(place, listed, rules)

    monkeypatch.setattr(walk, "_decided", refusing)
    assert [type(item) for item in walk.walk_at(shelves.docs, Rules(), ["sub", "a.md"])] == [LeftOut]
    said = {item.path: type(item) for item in walk.walk(shelves.docs, Rules())}
    assert said == {"sub": LeftOut, "sub.md": LeftOut, "sub-way/d.md": Found}
    names = {
        Path(folder).relative_to(shelves.docs).as_posix() for folder in walk.folders(shelves.docs, Rules())
    }
    assert names == {".", "sub-way"}


def test_a_library_that_watches_finds_what_changes(shelves: Shelves) -> None:
    """Between two scans of everything, which come once an hour; closed, it finds nothing more."""
    with shelves.library() as library:
        library.start(every=3600, watch=True)
        assert library.wait(30)
        shelves.write("new/late.md", "# Cherry\n\ncherry\n", at=None)
        until(lambda: found(library, "cherry") == ["new/late.md"])
        watching = library._watching
        assert watching is not None
    until(lambda: not watching._thread.is_alive())


def test_folders_are_those_that_are_entered(shelves: Shelves) -> None:
    """Neither links nor what is hidden or ignored; at places, what is under them."""
    for folder in (".git/x", "out/y"):
        (shelves.docs / folder).mkdir(parents=True)
    (shelves.docs / "link").symlink_to(shelves.docs / "sub")

    def names(*at: str) -> set[str]:
        listed = walk.folders(shelves.docs, Rules(leave_out=("out/",)), at or ("",))
        return {Path(folder).relative_to(shelves.docs).as_posix() for folder in listed}

    assert names() == {".", "sub", "sub/deep", "sub-way"}
    assert names("sub", "a.md", "none", "out/y", ".git") == {"sub", "sub/deep"}
