"""`.readingroom.toml` in the folder leaves out more and makes more internal, and nothing else."""

from pathlib import Path

import pytest

from readingroom.library import BadQuery, FolderUnusable, Library, Principal, Role, Rules
from readingroom.library.ignore import internal_by
from readingroom.library.model import Found
from readingroom.library.narrowing import (
    FILE,
    NOTHING,
    Narrowing,
    Narrowings,
    decoded,
    narrowed,
    narrowing_of,
)
from readingroom.library.opening import NotReadable
from readingroom.library.operator import status
from readingroom.library.walk import folders, walk, walk_at
from support.shelves import Shelves, bytes_under, edition


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """Three public documents about the same thing."""
    made = Shelves(tmp_path)
    for path in ("open.md", "desk/plans.md", "old/letters.md"):
        made.document(path, f"# Of {path}\n\nThe borrowing of books.\n")
    return made


def found(library: Library, role: Role = "reader") -> list[str]:
    """The paths that a role finds."""
    return sorted(item.path for item in library.view(Principal(role=role)).search("borrowing", wait=0).items)


def listed(library: Library, role: Role = "reader") -> list[str]:
    """The paths that a role can list."""
    return [item.path for item in library.view(Principal(role=role)).list(wait=0).items]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("internal = [", "line 1: this is no TOML"),
        ("internl = []", "line 1: there is no key internl; did you mean internal"),
        ('\nrole = "editor"', "line 2: there is no key role: a folder may only leave out more"),
        ('internal = "secret"', "line 1: internal must be an array of patterns"),
        ("leave_out = [1]", "line 1: leave_out must be an array of patterns"),
        ('leave_out = ["a", "sec//ret"]', "leave_out has a pattern that can match no path, number 2"),
        ("[internal]", "line 1: internal must be an array of patterns"),
    ],
)
def test_what_is_not_understood(tmp_path: Path, text: str, told: str) -> None:
    """Whatever else it says refuses the folder; the reason names line and key, and never a pattern."""
    with pytest.raises(BadQuery) as caught:
        decoded(text.encode())
    assert told in str(caught.value)
    assert "sec" not in str(caught.value)
    (tmp_path / FILE).write_text(text)
    with pytest.raises(NotReadable, match=r"what its \.readingroom\.toml hides is not known"):
        narrowing_of(str(tmp_path))
    for walked in (walk(tmp_path, Rules()), walk_at(tmp_path, Rules(), [""]), folders(tmp_path, Rules())):
        with pytest.raises(FolderUnusable, match="cannot be served"):
            list(walked)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """What it says may be anything, so it is not read."""
    (tmp_path / "other.toml").write_text("internal = []")
    (tmp_path / FILE).symlink_to(tmp_path / "other.toml")
    with pytest.raises(NotReadable):
        narrowing_of(str(tmp_path))


def test_without_one(tmp_path: Path) -> None:
    """Nothing is narrowed."""
    assert narrowing_of(str(tmp_path)) == Narrowings(str(tmp_path)).now() == NOTHING
    assert NOTHING.over("a.md", "public") == "public"


def test_it_can_only_narrow(shelves: Shelves) -> None:
    """What it takes back it takes back from itself: rules and ignore files stand."""
    shelves.write(".gitignore", "old/\n")
    shelves.write(FILE, 'internal = ["!desk/", "!*"]\nleave_out = ["!old/", "!*"]\n')
    rules = Rules(internal=("desk/",), leave_out=("open.md",))
    assert [item.path for item in walk(shelves.docs, rules) if isinstance(item, Found)] == ["desk/plans.md"]
    assert internal_by("desk/plans.md", narrowed(str(shelves.docs), rules)) == "desk/"
    assert Narrowing(internal=("desk/", "!desk/plans.md")).over("desk/plans.md", "public") == "internal"
    assert Narrowing(internal=("*.md", "!open.md")).over("open.md", "public") == "public"
    assert Narrowing(internal=("!*",)).over("open.md", "internal") == "internal"


def test_a_folder_below_has_none(shelves: Shelves) -> None:
    """Only the one at the root counts; another is a hidden file."""
    shelves.write(f"desk/{FILE}", 'leave_out = ["plans.md"]\n')
    assert [item.path for item in walk(shelves.docs, Rules()) if isinstance(item, Found)] == [
        *("desk/plans.md", "old/letters.md", "open.md"),
    ]


def test_what_it_hides(shelves: Shelves) -> None:
    """Left out for everybody, internal for readers; `status` names both with their reasons."""
    shelves.write(FILE, 'internal = ["desk/"]\nleave_out = ["old/"]\n')
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        assert found(library) == listed(library) == ["open.md"]
        assert found(library, "editor") == listed(library, "editor") == ["desk/plans.md", "open.md"]
        told = status(library)
    assert (told.public, told.internal) == (1, 1)
    assert [(kept.path, kept.reason) for kept in told.internal_documents] == [
        ("desk/plans.md", "matches desk/ in .readingroom.toml")
    ]
    assert ("old", "ignored by .readingroom.toml, pattern 1: old/") in [
        (item.path, item.reason) for item in told.left_out
    ]


def test_changes_while_serving(shelves: Shelves) -> None:
    """What becomes internal is never served again, from that moment on; what is open again is found after the next scan."""
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        assert len(found(library)) == 3
        shelves.write(FILE, 'internal = ["desk/"]\n')
        assert found(library) == listed(library) == ["old/letters.md", "open.md"]
        assert len(found(library, "editor")) == 3
        assert b"desk/plans.md" in bytes_under(edition(library))
        library.reconcile()
        library.reconcile()
        assert b"desk/plans.md" not in bytes_under(edition(library))
        reader = library.view(Principal(role="reader"))
        assert found(library) == ["old/letters.md", "open.md"]
        assert "desk" not in str(reader.search("desk plans", wait=0).items)
        shelves.write(FILE, 'internal = ["old/"]\n')
        library.reconcile()
        assert found(library) == ["desk/plans.md", "open.md"]
        (shelves.docs / FILE).unlink()
        library.reconcile()
        assert len(found(library)) == 3


def test_a_broken_one_refuses_all(shelves: Shelves) -> None:
    """Nobody gets anything, in the same words, and the index stays as it was until the file is mended."""
    shelves.write(FILE, 'internal = ["desk/"]\n')
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        shelves.write(FILE, 'internal = ["desk/"')
        roles: tuple[Role, ...] = ("reader", "editor")
        for role in roles:
            with pytest.raises(FolderUnusable, match="readingroom config check"):
                found(library, role)
            with pytest.raises(FolderUnusable, match="readingroom config check"):
                library.view(Principal(role=role)).search("nowhere", wait=0)
        with pytest.raises(FolderUnusable, match="line 1"):
            library.reconcile()
        assert "cannot be understood" in status(library).trouble
        shelves.write(FILE, 'internal = ["desk/"]\n# mended\n')
        assert found(library) == ["old/letters.md", "open.md"]
