"""What an index knows around a draft."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.library import IndexUnusable, Library, Principal, View
from readingroom.library.drafts.surroundings import around
from readingroom.library.drafts.warnings import Around
from readingroom.library.ledger import Draft, digest_of


def draft(kind: Any, path: str = "a.md", content: bytes | None = None, **more: Any) -> Draft:
    """An open draft."""
    return Draft(
        id="d-x",
        principal="desk",
        kind=kind,
        path=path,
        base=None,
        content=content,
        digest=digest_of(content) if content is not None else "",
        state="open",
        revision=1,
        created=1.0,
        changed=1.0,
        **more,
    )


@pytest.fixture
def view(tmp_path: Path) -> Iterator[View]:
    """Of a document, two that link to it, and an internal one with an id."""
    root = tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_text("[itself](a.md)\n", "utf-8")
    (root / "b.md").write_text("x\n\n[link](a.md)\n", "utf-8")
    (root / "c.md").write_text("[[a]]\n", "utf-8")
    (root / "d.md").write_text("---\nid: taken\nvisibility: internal\n---\nx\n", "utf-8")
    with Library.open(root, roles=("editor",), cache=tmp_path / "cache") as library:
        library.reconcile()
        yield library.view(Principal("operator", "editor"))


def test_links_that_would_break_are_found(view: View) -> None:
    """Of a delete and a rename, in other documents."""
    expected = Around(incoming=(("b.md", 3), ("c.md", 1)))
    assert around(view, draft("delete")) == around(view, draft("rename", to="e.md")) == expected
    assert around(view, draft("edit", content=b"x\n")) == Around()


def test_an_identifier_that_is_taken_is_found(view: View) -> None:
    """But by the very document, or by none."""
    content = b"---\nid: taken\n---\nx\n"
    assert around(view, draft("create", "e.md", content)) == Around(same_id=("d.md",))
    assert around(view, draft("edit", "d.md", content)) == Around()
    assert around(view, draft("create", "e.md", b"---\nid: free\n---\nx\n")) == Around()


def test_without_an_index_nothing_is_known(tmp_path: Path) -> None:
    """That is said, and nobody is kept waiting."""
    root = tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_bytes(b"x\n")
    with Library.open(root, roles=("editor",), cache=tmp_path / "cache") as library:
        view = library.view(Principal("operator", "editor"))
        unknown = Around(is_known=False)
        assert around(view, draft("delete")) == around(view, draft("rename", to="e.md")) == unknown
        assert around(view, draft("create", "e.md", b"---\nid: taken\n---\nx\n")) == unknown
        assert around(view, draft("create", "e.md", b"x\n")) == Around()
        assert around(view, draft("create", "e.md", b"\0\xff")) == Around()


def test_of_a_document_that_the_index_has_not_yet_nothing_is_known(view: View, tmp_path: Path) -> None:
    """Links to it were not looked for."""
    (tmp_path / "docs" / "new.md").write_bytes(b"x\n")
    assert around(view, draft("delete", "new.md")) == Around(is_known=False)


def test_an_index_that_fails_knows_nothing(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of links, and of ids."""

    def fail(*_: Any, **__: Any) -> None:
        raise IndexUnusable("damaged")

    monkeypatch.setattr(View, "links", fail)
    monkeypatch.setattr(View, "find", fail)
    assert around(view, draft("delete")) == Around(is_known=False)
    assert around(view, draft("create", "e.md", b"---\nid: taken\n---\nx\n")) == Around(is_known=False)


def test_an_index_of_long_ago_is_called_so(view: View) -> None:
    """From a day on, where links are looked up in it."""
    scanned = view.reconciled
    assert scanned is not None
    for kind in ("delete", "rename"):
        assert around(view, draft(kind), lambda: scanned + 86_400).as_of is None
        assert around(view, draft(kind), lambda: scanned + 86_401).as_of == scanned
    assert around(view, draft("edit", content=b"x\n"), lambda: scanned + 86_401) == Around()


def test_an_index_that_goes_away_meanwhile(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has told stands."""
    answers: list[float | None] = [1.0]

    def reconciled(_: View) -> float | None:
        if not answers:
            raise IndexUnusable("gone")
        return answers.pop()

    monkeypatch.setattr(View, "reconciled", property(reconciled))
    assert around(view, draft("delete")) == Around(incoming=(("b.md", 3), ("c.md", 1)))
