"""How a replace is written: in the document's encoding and with its line ends, where those are told for certain."""

from pathlib import Path

import pytest

from readingroom.library.drafts.proposing import Wish, propose
from readingroom.library.drafts.showing import view_of
from readingroom.library.drafts.standing import Standing
from readingroom.library.errors import DraftRefused
from readingroom.library.ledger import Ledger, digest_of
from readingroom.library.rules import Rules
from support.ledgers import a_draft

RUSSIAN = "Привет, мир, это письмо с вложением и ответом на вопрос\n"


def replaced(root: Path, before: bytes, content: str) -> bytes | None:
    """The bytes that would stand there."""
    (root / "a.md").write_bytes(before)
    wish = Wish(kind="replace", path="a.md", base_revision=digest_of(before), content=content)
    return propose(Standing(root, Rules()), wish, 10_000).content


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_and_what_it_tells_stay(tmp_path: Path, encoding: str) -> None:
    """The rest is written anew."""
    assert replaced(tmp_path, "один\n".encode(encoding), "два 😀\n") == "два 😀\n".encode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_in_the_text_is_refused(tmp_path: Path, encoding: str) -> None:
    """Whether the document has one or not: there is never a second one."""
    with pytest.raises(DraftRefused) as caught:
        replaced(tmp_path, "# B\n".encode(encoding), "\ufeff# B2\n")
    assert caught.value.code == "not_text"


def test_the_order_of_bytes_stays(tmp_path: Path) -> None:
    """Of the other kind as well."""
    before = "\ufeffодин\n".encode("utf-16-be")
    assert replaced(tmp_path, before, "два\n") == "\ufeffдва\n".encode("utf-16-be")


def test_an_encoding_that_is_not_told_becomes_utf_8(tmp_path: Path) -> None:
    """It holds every character, and is certain."""
    assert replaced(tmp_path, RUSSIAN.encode("cp1251"), RUSSIAN) == RUSSIAN.encode()


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"a\r\nb\r\n", "c\nd\n", b"c\r\nd\r\n"),
        (b"a\rb\r", "c\nd\n", b"c\rd\r"),
        (b"a\nb\n", "c\nd\n", b"c\nd\n"),
        (b"a\r\nb\n", "c\nd\n", b"c\nd\n"),
        (b"a\r\nb\r\n", "c\r\nd\n", b"c\r\nd\n"),
        (b"a", "c\nd\n", b"c\nd\n"),
    ],
)
def test_line_ends_are_the_documents_if_it_has_one_kind(
    tmp_path: Path, before: bytes, content: str, after: bytes
) -> None:
    """Unless the new text has others than LF itself."""
    assert replaced(tmp_path, before, content) == after


def test_bytes_that_nobody_can_read_are_shown_as_nothing(tmp_path: Path) -> None:
    """Should the ledger hold such; the draft can still be read and withdrawn."""
    draft = a_draft("d-x", b"\0", path="b.md")
    with Ledger.open(tmp_path, tmp_path.parent / "ledger").reading() as look:
        view = view_of(draft, Standing(tmp_path, Rules()), look)
    assert (view.draft.state, view.diff) == ("open", "")


@pytest.mark.parametrize(
    "wish",
    [
        Wish(kind="create", path="new.ipynb", content="{}"),
        Wish(kind="replace", path="a.IPYNB", base_revision=digest_of(b"{}"), content="{}"),
        Wish(kind="delete", path="a.IPYNB", base_revision=digest_of(b"{}")),
        Wish(kind="rename", path="a.md", to="b.ipynb", base_revision=digest_of(b"{}")),
    ],
)
def test_no_draft_is_made_of_what_is_no_text_file(tmp_path: Path, wish: Wish) -> None:
    """What an app reads of a converted document is not what its file holds."""
    for name in ("a.md", "a.IPYNB"):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(DraftRefused, match="no text file") as caught:
        propose(Standing(tmp_path, Rules()), wish, 10_000)
    assert caught.value.code == "not_text"
