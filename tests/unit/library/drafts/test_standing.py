"""What stands in the folder as far as drafts may be about it, in words that tell no more than the rules."""

import os
from pathlib import Path

import pytest

from readingroom.library import entries, walk
from readingroom.library.drafts import standing as standing_module
from readingroom.library.drafts.standing import Standing
from readingroom.library.errors import DraftRefused, NotFound
from readingroom.library.ledger import digest_of
from readingroom.library.rules import Rules

RULES = Rules(leave_out=("private/", "*.tmp.md"), max_file_bytes=1000)


def made(root: Path, **files: bytes) -> Standing:
    """A folder with an ignore file and these documents, `_` for `/` in their names without suffix."""
    (root / ".gitignore").write_text("ignored/\nbuild*.md\n", "utf-8")
    for name, data in files.items():
        path = root / (name.replace("_", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Standing(root, RULES)


def code(standing: Standing, path: str, leaving: str = "") -> str:
    """How a new document at this path is refused, or "" """
    try:
        standing.check_vacant(path, leaving)
    except DraftRefused as error:
        return error.code
    return ""


def refusal(standing: Standing, path: str) -> tuple[str, str]:
    """How a draft about the document at this path is refused."""
    with pytest.raises(DraftRefused) as caught:
        standing.document(path)
    return caught.value.code, str(caught.value)


def test_a_document_is_read_as_it_is(tmp_path: Path) -> None:
    """Its bytes, whatever role may see it; another one is not there."""
    standing = made(tmp_path, a=b"one\n", folder_b=b"---\nvisibility: internal\n---\n")
    assert standing.document("a.md") == b"one\n"
    assert standing.document("folder/b.md").startswith(b"---")
    assert refusal(standing, "c.md")[0] == refusal(standing, "folder/none/c.md")[0] == "not_found"


def test_what_is_not_served_is_refused_in_the_same_words(tmp_path: Path) -> None:
    """Whether it is there or not, and whyever it is not served."""
    long = b"x" * 1001
    standing = made(
        tmp_path, private_a=b"x\n", ignored_a=b"x\n", build1=b"x\n", long=long, binary=b"a\0b", shy=b"x\n"
    )
    (tmp_path / "link.md").symlink_to(tmp_path / "shy.md")
    (tmp_path / "linked").symlink_to(tmp_path / "private")
    (tmp_path / ".hidden.md").write_bytes(b"x\n")
    os.mkfifo(tmp_path / "pipe.md")
    paths = [
        *(
            "private/a.md",
            "private/none.md",
            "ignored/a.md",
            "ignored/none/b.md",
            "build1.md",
            "build2.md",
            "long.md",
        ),
        *(
            "binary.md",
            "link.md",
            "linked/a.md",
            ".hidden.md",
            ".none.md",
            ".git/a.md",
            "a.tmp.md",
            "a.exe",
            "shy.md/a.md",
        ),
        *("pipe.md", "pipe.md/a.md"),
    ]
    assert len({refusal(standing, path) for path in paths}) == 1
    assert {code(standing, path) for path in paths} == {"path_not_served"}
    assert refusal(standing, paths[0])[0] == "path_not_served"


def test_an_ignore_file_below_counts_and_one_that_cannot_be_read_hides_all(tmp_path: Path) -> None:
    """What it hides is not known."""
    standing = made(tmp_path, folder_a=b"x\n")
    (tmp_path / "folder" / ".readingroomignore").write_text("new.md\n", "utf-8")
    assert code(standing, "folder/new.md") == "path_not_served"
    assert code(standing, "folder/other.md") == ""
    (tmp_path / "folder" / ".readingroomignore").write_bytes(b"\0")
    assert code(standing, "folder/other.md") == "path_not_served"
    assert refusal(standing, "folder/none.md")[0] == "path_not_served"


def test_a_new_document_stands_where_nothing_stands(tmp_path: Path) -> None:
    """In folders that are there or are to be made; not where a document or a folder is."""
    standing = made(tmp_path, a=b"x\n", folder_b=b"x\n")
    (tmp_path / "dir.md").mkdir()
    assert (
        code(standing, "new.md") == code(standing, "folder/new.md") == code(standing, "new/er/new.md") == ""
    )
    assert code(standing, "a.md") == code(standing, "folder/b.md") == "exists"
    assert code(standing, "dir.md") == "path_not_served"
    assert code(standing, "what?.md") == "bad_path"
    assert standing.is_taken("a.md")
    assert standing.is_taken("dir.md")
    assert not standing.is_taken("new.md")


def test_a_name_that_differs_in_case_alone_is_taken(tmp_path: Path) -> None:
    """At any step; but a document may itself get another case. What is left out is in nobody's way."""
    standing = made(tmp_path, Readme=b"x\n", Folder_b=b"x\n", Über=b"x\n")
    (tmp_path / "BUILD1.md").symlink_to("nowhere")
    assert (
        code(standing, "README.md")
        == code(standing, "folder/new.md")
        == code(standing, "über.md")
        == "exists"
    )
    assert code(standing, "README.md", leaving="Readme.md") == ""
    assert code(standing, "folder/B.md", leaving="Folder/b.md") == "exists"
    with pytest.raises(DraftRefused, match=r"Folder/b\.md is there"):
        standing.check_vacant("Folder/B.md")
    (tmp_path / "Secret.md").symlink_to("nowhere")
    assert code(standing, "secret.md") == ""


def test_another_spelling_in_unicode_is_the_same_name(tmp_path: Path) -> None:
    """The file is found under the name that the system has."""
    standing = made(tmp_path)
    (tmp_path / "u\u0308ber.md").write_bytes(b"x\n")
    assert standing.document("über.md") == b"x\n"
    assert code(standing, "über.md") == "exists"


def test_the_revision_is_that_of_the_bytes_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that has not changed is read once; few are remembered."""
    standing = made(tmp_path, a=b"one\n", b=b"two\n", long=b"x" * 1001)
    assert standing.revision("a.md") == digest_of(b"one\n")
    reads: list[bytes] = []

    def read(*_: object) -> bytes:
        reads.append(b"three\n")
        return reads[-1]

    monkeypatch.setattr(walk, "read", read)
    assert standing.revision("a.md") == digest_of(b"one\n")
    assert reads == []
    (tmp_path / "a.md").write_bytes(b"three\n")
    assert standing.revision("a.md") == digest_of(b"three\n")
    assert standing.revision("none.md") is None
    assert standing.revision("long.md") is None
    monkeypatch.setattr(standing_module, "_REMEMBERED", 1)
    standing.revision("b.md")
    assert len(standing._known) == 1


def test_a_file_that_goes_while_it_is_read_is_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As any other that cannot be read."""

    def gone(*_: object) -> bytes:
        raise NotFound("gone")

    standing = made(tmp_path, a=b"one\n")
    monkeypatch.setattr(walk, "read", gone)
    assert refusal(standing, "a.md")[0] == "path_not_served"
    assert standing.revision("a.md") is None


def test_a_folder_that_cannot_be_listed_takes_nothing_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands in it is not known."""

    def refuse(_: str) -> None:
        raise PermissionError

    standing = made(tmp_path)
    monkeypatch.setattr(entries, "listing", refuse)
    assert code(standing, "new.md") == "path_not_served"
