"""Names that are nearly others: what the operator is told of case, of hard links, and of patterns that miss."""

import os
from pathlib import Path

import pytest

from readingroom.library import comparison
from readingroom.library.census import Seen, Verdict
from readingroom.library.model import FileState, LeftOut
from readingroom.library.operator import Notice, status
from readingroom.library.operator.likenesses import likenesses
from readingroom.library.patterns import IGNORE_CASE
from readingroom.library.rules import Rules
from support.shelves import Shelves

CASE = "its name is that of {} but for case: where the system does not tell case apart, only one of them can be kept"
exact = pytest.mark.skipif(IGNORE_CASE, reason="patterns do not tell case apart on this system")


def seen(number: int, verdict: Verdict = "public", inode: int | None = None) -> Seen:
    """A file of its own, or one with this inode."""
    return Seen(FileState(1, 1, 7, number if inode is None else inode), str(inode or number), verdict)


def told(
    *paths: str, rules: Rules | None = None, left_out: tuple[LeftOut, ...] = ()
) -> list[tuple[str, str]]:
    """What is said of these files, each of its own."""
    files = {path: seen(number) for number, path in enumerate(paths, 1)}
    return list(likenesses(files, left_out, rules or Rules()))


def test_documents_told_apart_by_case_alone_are_named() -> None:
    """Also by the case of a folder; others are not."""
    assert told("README.md", "a/x.md", "readme.md", "A/X.md", "b.md") == [
        ("a/x.md", CASE.format("A/X.md")),
        ("readme.md", CASE.format("README.md")),
    ]


def test_what_is_left_out_counts_by_its_name_too() -> None:
    """A document and a file or folder that is left out, told apart by case alone."""
    left_out = (LeftOut("NOTES.md", "hidden"), LeftOut("b", "hidden"))
    assert told("notes.md", "B/c.md", left_out=left_out) == [("notes.md", CASE.format("NOTES.md"))]


def test_one_file_under_two_names_is_named() -> None:
    """With what differs between them; files that are merely equal, or of which nothing is known yet, are not."""
    files = {
        "a.md": seen(1, inode=5),
        "b.md": seen(2, inode=5),
        "c.md": seen(3, "internal", inode=5),
        "d.md": seen(4, "internal", inode=6),
        "e.md": seen(5, inode=6),
        "f.md": seen(6, inode=0),
        "g.md": seen(7, inode=0),
        "h.md": Seen(FileState(1, 1, 8, 5), "5", "public"),
        "i.md": Seen(FileState(1, 1, 7, 5), "", "refused"),
    }
    same = "it is the same file as {} (a hard link)"
    assert list(likenesses(files, (), Rules())) == [
        ("b.md", same.format("a.md")),
        ("c.md", same.format("a.md") + ": internal here, public there"),
        ("e.md", same.format("d.md") + ": public here, internal there"),
    ]


@exact
def test_a_pattern_that_misses_by_its_case_is_named() -> None:
    """Whoever gave it; one that matches anything, or nothing in any case, is not."""
    rules = Rules(
        internal=("Vault/", "plans/", "none", "!VAULT/a.md"), leave_out=("*.TXT", "Gone"), narrowed=("STAFF",)
    )
    assert told(
        "plans/a.md", "Plans/b.md", "staff/c.md", "t.txt", "vault/d.md", "vault/e.md", rules=rules
    ) == [
        ("vault/d.md", "--internal Vault/ makes nothing internal: it would match this, but case counts"),
        (
            "staff/c.md",
            ".readingroom.toml STAFF makes nothing internal: it would match this, but case counts",
        ),
        ("t.txt", "--leave-out *.TXT leaves nothing out: it would match this, but case counts"),
    ]


@exact
def test_a_pattern_that_leaves_out_what_it_matches_is_not_named() -> None:
    """What it leaves out is no document any more, but it has been left out for its sake."""
    gone = LeftOut("a.TXT", "ignored by the rules, line 1: *.TXT")
    assert told("t.txt", rules=Rules(leave_out=("*.TXT",)), left_out=(gone,)) == []


@exact
def test_status_tells_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among the warnings, from the folder itself."""
    monkeypatch.setattr(comparison, "_UNSETTLED_NS", -1)  # no file is too young to be known again
    shelves = Shelves(tmp_path)
    shelves.document("vault/a.md", "# A\n")
    os.link(shelves.docs / "vault/a.md", shelves.docs / "b.md")
    shelves.write("out.TXT", "x")
    shelves.write("in.txt", "x")
    with shelves.library(rules=Rules(internal=("Vault/",), leave_out=("*.TXT",))) as library:
        library.reconcile()
        notices = status(library).notices
    assert (
        Notice("vault/a.md", "--internal Vault/ makes nothing internal: it would match this, but case counts")
        in notices
    )
    assert Notice("vault/a.md", "it is the same file as b.md (a hard link)") in notices
    assert not [notice for notice in notices if notice.path == "in.txt"]
