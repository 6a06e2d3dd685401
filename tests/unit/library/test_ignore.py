"""Ignore files and settings over the folders of a path."""

import os
import pathlib

import pytest

from readingroom.library import ignore
from readingroom.library.opening import NotReadable
from readingroom.library.rules import Rules


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        ((), "a.md", False),
        (("private/",), "private/a.md", True),
        (("private/",), "x/private/y/a.md", True),
        (("/private/",), "x/private/a.md", False),
        (("private/",), "private.md", False),
        (("*.secret.md",), "x/a.secret.md", True),
        (("private/**",), "private/a/b.md", True),
        (("private/", "!private/open.md"), "private/open.md", True),
        (("private/*", "!private/open.md"), "private/open.md", False),
        (("a/b/c.md",), "a/b/c.md", True),
        (("личное/",), "личное/a.md", True),
    ],
)
def test_rules_make_documents_internal(patterns: tuple[str, ...], path: str, expected: bool) -> None:
    """A document is internal if a pattern matches it or a folder above it; below a folder nothing is taken back."""
    assert ignore.is_internal(path, Rules(internal=patterns)) is expected


def cascade(root: pathlib.Path, **files: str) -> ignore.Cascade:
    """What holds in `root` with these ignore files, named without their dot."""
    for name, text in files.items():
        (root / f".{name}").write_bytes(text.encode())
    return ignore.start(Rules()).within(str(root), b"", "", tuple(f".{name}" for name in files))


def test_a_verdict_names_file_line_and_pattern(tmp_path: pathlib.Path) -> None:
    """The reason says which file, which line and which pattern; a long one is cut, an odd one escaped."""
    held = cascade(tmp_path, gitignore=f"# x\n\n*.tmp.md\n{'y' * 200}\na\x07b\n")
    assert held.verdict("a.tmp.md") == "ignored by .gitignore, line 3: *.tmp.md"
    assert held.verdict("y" * 200) == f"ignored by .gitignore, line 4: {'y' * 100}…"
    assert held.verdict("a\x07b") == "ignored by .gitignore, line 5: 'a\\x07b'"
    assert held.verdict("b.md") is None


def test_the_deeper_file_wins_and_neither_kind_takes_back_for_the_other(tmp_path: pathlib.Path) -> None:
    """Within a kind the inner file overrules the outer; across kinds, and the rules, one is enough to leave out."""
    (tmp_path / "x").mkdir()
    (tmp_path / "x/.gitignore").write_text("!a.md\nc.md\n")
    (tmp_path / ".gitignore").write_text("a.md\n!b.md\n")
    (tmp_path / ".readingroomignore").write_text("b.md\n!c.md\n")
    outer = ignore.start(Rules(leave_out=("d.md", "!a.md"))).within(str(tmp_path), b"", "", ignore.FILES)
    inner = outer.within(str(tmp_path), b"x/", "x/", (".gitignore",))
    assert outer.verdict("a.md") == "ignored by .gitignore, line 1: a.md"
    assert inner.verdict("x/a.md") is None
    assert inner.verdict("x/b.md") == "ignored by .readingroomignore, line 1: b.md"
    assert inner.verdict("x/c.md") == "ignored by x/.gitignore, line 2: c.md"
    assert inner.verdict("x/d.md") == "ignored by the rules, line 1: d.md"


@pytest.mark.parametrize(
    "make",
    [
        lambda file: file.write_bytes(b"*.md\n" * 20_000),
        lambda file: file.write_bytes("*.md\n".encode("utf-16")),
        pytest.param(
            lambda file: file.symlink_to("/dev/null"),
            marks=pytest.mark.skipif(os.name == "nt", reason="makes a symbolic link"),
        ),
    ],
)
def test_an_ignore_file_that_cannot_be_read_is_an_error(tmp_path: pathlib.Path, make: object) -> None:
    """Too long, no text, no file or a link: what it hides is not known, and that is said."""
    make(tmp_path / ".gitignore")  # type: ignore[operator]  # a lambda of one argument
    with pytest.raises(NotReadable, match=r"what its \.gitignore hides is not known"):
        ignore.start(Rules()).within(str(tmp_path), b"", "", (".gitignore",))


def test_bytes_that_are_no_utf8_match_nothing(tmp_path: pathlib.Path) -> None:
    """An ignore file in another encoding still counts by its lines in ASCII."""
    (tmp_path / ".gitignore").write_bytes(b"caf\xe9\n*.tmp\n")
    held = ignore.start(Rules()).within(str(tmp_path), b"", "", (".gitignore",))
    assert held.verdict("café") is None
    assert held.verdict("a.tmp")


def test_present_names_the_ignore_files_of_a_folder(tmp_path: pathlib.Path) -> None:
    """The ignore files of a folder are found by name, a folder of that name is none; one that has gone counts nothing."""
    (tmp_path / ".readingroomignore").write_text("a")
    (tmp_path / ".gitignore").mkdir()
    assert ignore.present(str(tmp_path)) == (".readingroomignore",)
    (tmp_path / ".gitignore").rmdir()
    gone = ignore.start(Rules()).within(str(tmp_path), b"", "", (".gitignore",))
    assert gone.verdict("a") is None
