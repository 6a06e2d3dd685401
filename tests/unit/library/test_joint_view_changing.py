"""Several collections in one view while they change, go, or are not there yet: none takes another down."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library import FolderUnusable, JointView, NotFound, Principal, places
from readingroom.library.searching import INDEXING
from support.several import Several, two_and_an_empty_one


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Several]:
    """Two collections with documents and a third without."""
    found = two_and_an_empty_one(tmp_path)
    yield found
    found.close()


def test_a_search_goes_on_where_a_page_ended(several: Several) -> None:
    """Pages of the merged list hold each hit once, in the order of one large page."""
    for number in range(30):
        place = f"{('notes', 'manuals')[number % 2]}/n{number:02}.md"
        several.write(place, f"# N\n\nvalve {'valve ' * (number % 5)}{number}\n")
    view = several.scan().view()
    whole = [hit.path for hit in view.search("valve", limit=50, max_chars=50_000).items]
    pages: list[str] = []
    start: int | None = 0
    while start is not None:
        answer = view.search("valve", limit=7, start=start)
        pages += [hit.path for hit in answer.items]
        start = answer.next
    assert len(whole) == 30
    assert pages == whole


def test_texts_share_one_size(several: Several) -> None:
    """The answer is bounded as that of one library is, and says that it was cut."""
    for name in ("notes", "manuals"):
        for number in range(5):
            several.write(
                f"{name}/long{number}.md", f"# Long {number}\n\n{f'gasket {number} and more words. ' * 40}\n"
            )
    answer = several.scan().view().search("gasket", max_chars=1_500)
    assert answer.cut
    assert 0 < sum(len(hit.text) for hit in answer.items) <= 1_500


def test_its_generation_follows_each(several: Several) -> None:
    """Another set of documents, another name; and nothing of the empty one."""
    view = several.view()
    before = view.generation
    several.write("manuals/new.md", "# New\n")
    assert view.generation == before
    several.scan()
    assert view.generation != before
    assert "empty" not in view.generation
    assert view.reconciled == 1e9


def test_a_folder_that_has_gone_takes_none_down(several: Several) -> None:
    """The others answer; whoever could see something in it before is told that it cannot be read."""
    view = several.view()
    shutil.rmtree(several.shelves["manuals"].docs)
    answer = view.search("book")
    assert [hit.path for hit in answer.items] == ["notes/renew.md"]
    assert answer.hint == "These collections cannot be read now: manuals."
    assert view.read("notes/renew.md").total_lines
    assert [item.path for item in view.list().items] == ["notes/renew.md", "notes/same.md"]


def test_an_empty_folder_that_has_gone_is_not_named_to_readers(several: Several) -> None:
    """A reader never saw anything in it; an editor is told."""
    shutil.rmtree(several.shelves["empty"].docs)
    assert several.view().search("book").hint == ""
    assert several.view("editor").search("book").hint == "These collections cannot be read now: empty."


def test_when_none_can_be_read(several: Several) -> None:
    """An answer that finds nothing is not given for want of folders."""
    view = several.view()
    for name in ("notes", "manuals"):
        shutil.rmtree(several.shelves[name].docs)
    for ask in (lambda: view.search("book"), view.list, lambda: view.read("notes/renew.md")):
        with pytest.raises(FolderUnusable, match="These collections cannot be read now: manuals, notes"):
            ask()
    shutil.rmtree(several.shelves["empty"].docs)
    with pytest.raises(FolderUnusable, match="No folder"):
        view.search("book")


def test_while_one_is_being_indexed(several: Several, tmp_path: Path) -> None:
    """What is there answers, and it is said that more may come; the time of the scan is not known yet."""
    (tmp_path / "more").mkdir()
    new = Several(tmp_path / "more", ["new"])
    principal = Principal("somebody")
    view = JointView(principal, [several.part("notes", principal), new.part("new", principal)])
    answer = view.search("book", wait=0)
    assert [hit.path for hit in answer.items] == ["notes/renew.md"]
    assert (answer.hint, answer.reconciled, view.reconciled) == (INDEXING, None, None)
    with pytest.raises(NotFound, match=INDEXING):
        view.read("new/x.md", wait=0)


def test_an_index_that_is_broken_takes_none_down(several: Several) -> None:
    """It is found out and given up; the others answer meanwhile."""
    edition = places.current(several.libraries["manuals"].home.role("reader"))
    assert edition is not None
    for file in edition.rglob("*"):
        if file.is_file():
            file.write_bytes(b"nonsense")
    answer = several.view().search("book")
    assert [hit.path for hit in answer.items] == ["notes/renew.md"]
