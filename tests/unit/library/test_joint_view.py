"""Several collections in one view: one list of results, addresses that say which, and no collection takes another down."""

from collections.abc import Iterator

import pytest

from readingroom.library import (
    BadQuery,
    FolderUnusable,
    IndexUnusable,
    JointView,
    LibraryError,
    NotFound,
    Part,
    Principal,
    View,
)
from support.several import Several, two_and_an_empty_one


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Two collections with documents and a third without, which no test changes."""
    found = two_and_an_empty_one(tmp_path_factory.mktemp("several"))
    yield found
    found.close()


def test_one_list_of_results(several: Several) -> None:
    """Hits of all collections come best first, under addresses that begin with the collection's name."""
    answer = several.view().search("borrowed book")
    assert [hit.uri for hit in answer.items] == [
        "library:///notes/renew.md",
        "library:///manuals/pumps/pump.md",
    ]
    assert [hit.path for hit in answer.items] == ["notes/renew.md", "manuals/pumps/pump.md"]
    assert (answer.relaxed, answer.hint, answer.next, answer.reconciled) == (False, "", None, 1e9)


@pytest.mark.parametrize(
    ("path", "query", "found"),
    [
        ("notes", "book", ["notes/renew.md"]),
        ("library:///manuals/", "book", ["manuals/pumps/pump.md"]),
        ("manuals/pumps", "book", ["manuals/pumps/pump.md"]),
        ("pumps", "book", ["manuals/pumps/pump.md"]),
        ("nowhere", "book", []),
        ("empty", "book", []),
        (None, "book path:notes", ["notes/renew.md"]),
        (None, "book path:manuals/pumps", ["manuals/pumps/pump.md"]),
        (None, "book -path:notes", ["manuals/pumps/pump.md"]),
        (None, "path:pumps", ["manuals/pumps/pump.md"]),
        (None, "tag:loans", ["notes/renew.md"]),
    ],
)
def test_staying_in_a_collection(several: Several, path: str | None, query: str, found: list[str]) -> None:
    """A collection's name is the first folder of its documents, for the argument and in the query."""
    assert [hit.path for hit in several.view().search(query, path=path).items] == found


def test_what_is_said_of_missing_words(several: Several) -> None:
    """Said once where it holds for all, by collection where it does not, and not at all when one has all the words."""
    view = several.view()
    assert view.search("zzzq").hint == "No document has “zzzq”."
    relaxed = view.search("book zzzq")
    assert (relaxed.relaxed, relaxed.hint) == (True, "No document has “zzzq”.")
    assert view.search("greased pump").hint == ""
    apart = view.search("greased twice")
    assert apart.relaxed
    assert apart.hint.startswith("In manuals: No document has “twice”")
    assert "In notes: No document has “greased”" in apart.hint


@pytest.mark.parametrize(
    "asked",
    [
        "library:///notes/renew.md",
        "notes/renew.md",
        "./notes/renew.md",
        "renew.md",
        "library:///renew.md",
        "library:///.id/REN",
        "library:///notes/.id/REN",
        "LIBRARY:///n%6ftes/renew.md",
    ],
)
def test_a_document_by_its_names(several: Several, asked: str) -> None:
    """With the collection's name, and without it as from before there were several."""
    view = several.view()
    assert view.find(asked).uri == "library:///notes/renew.md"
    assert view.read(asked).document.path == "notes/renew.md"
    assert view.whole(asked)[0].path == "notes/renew.md"
    assert view.outline(asked).document.path == "notes/renew.md"


def test_a_name_that_several_have_is_asked_back(several: Several) -> None:
    """Nobody is given another's document: the addresses of all are named."""
    with pytest.raises(BadQuery, match=r"manuals/same\.md, library:///notes/same\.md"):
        several.view().find("same.md")
    assert several.view().find("grease").path == "manuals/pumps/pump.md"


@pytest.mark.parametrize(
    "asked", ["library:///manuals/renew.md", "empty/x.md", "none.md", "empty", "notes", ""]
)
def test_what_is_not_there(several: Several, asked: str) -> None:
    """The one refusal, in the words that were asked."""
    with pytest.raises(NotFound) as refused:
        several.view().read(asked)
    assert str(refused.value) == f"There is no document {asked!r} in this library."


def test_refusals_within_a_document(several: Several) -> None:
    """A section that is not there, and arguments out of bounds, are refused as ever."""
    view = several.view()
    with pytest.raises(NotFound, match="no section"):
        view.read("notes/renew.md", section="None")
    with pytest.raises(BadQuery, match="not both"):
        view.read("notes/renew.md", section="x", lines=(1, 2))
    with pytest.raises(BadQuery, match="limit must be"):
        view.list(limit=0)
    with pytest.raises(BadQuery, match="lone surrogate"):
        view.search("\ud800")
    with pytest.raises(BadQuery, match="identifier"):
        view.list("library:///.id/a/b")


def test_links_within_a_collection(several: Several) -> None:
    """Both ways, under the joint addresses."""
    view = several.view()
    outgoing = view.links("notes/same.md").outgoing
    assert [(link.uri, link.path, link.state) for link in outgoing] == [
        ("library:///notes/renew.md", "notes/renew.md", "found")
    ] * 2
    assert {link.path for link in view.links("notes/renew.md").incoming} == {"notes/same.md"}


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_listed_page_by_page(several: Several, limit: int) -> None:
    """All documents in order of their path, whatever the pages; the last page says that it is."""
    view = several.view()
    found: list[str] = []
    after: str | None = None
    while True:
        page = view.list(after=after, limit=limit)
        found += [item.path for item in page.items]
        after = page.next
        if after is None:
            break
    assert found == ["manuals/pumps/pump.md", "manuals/same.md", "notes/renew.md", "notes/same.md"]
    assert [item.path for item in view.list("notes").items] == ["notes/renew.md", "notes/same.md"]
    assert [item.path for item in view.list("manuals/pumps/").items] == ["manuals/pumps/pump.md"]
    assert [item.path for item in view.list(tags=["loans"]).items] == ["notes/renew.md"]


def test_completions(several: Several) -> None:
    """Names of collections first, then paths in those that are begun; an empty collection is not named."""
    view = several.view()
    assert view.complete_path("")[:2] == ("manuals/", "notes/")
    assert view.complete_path("no") == ("notes/renew.md", "notes/same.md")
    assert view.complete_path("manuals/p") == ("manuals/pumps/pump.md",)
    assert view.complete_path("em") == view.complete_path("empty/") == ()
    assert view.complete_path("", limit=3) == ("manuals/", "notes/", "manuals/pumps/pump.md")
    assert view.complete_identifier("R") == ("REN",)
    assert view.complete_title("same") == ("Same",)


def test_one_that_cannot_be_opened(several: Several) -> None:
    """Neither does a library that cannot even be opened take the others down."""

    def fails() -> View:
        raise FolderUnusable("no")

    principal = Principal("somebody")
    view = JointView(principal, [several.part("notes", principal), Part("gone", fails)])
    answer = view.search("book")
    assert ([hit.path for hit in answer.items], answer.hint) == (["notes/renew.md"], "")
    editor = JointView(
        Principal("somebody", "editor"), [several.part("notes", principal), Part("gone", fails)]
    )
    assert editor.search("book").hint == "These collections cannot be read now: gone."


def test_an_edition_that_is_replaced_is_asked_again(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between ranking and looking another may come: the search begins anew, a few times."""
    from readingroom.library import joint_searching

    real, failures = joint_searching.search, [1, 1]

    def search(*given: object) -> object:
        if failures.pop():
            raise IndexUnusable("replaced")
        return real(*given)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(joint_searching, "search", search)
    failures[:] = [0, 1, 1]
    assert several.view().search("book").items
    failures[:] = [1, 1, 1]
    with pytest.raises(LibraryError, match="replaced"):
        several.view().search("book")
