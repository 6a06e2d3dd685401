"""Reading: by address, path, id and alias; whole, by section and by lines; always the bytes as they are now."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from readingroom.library import BadQuery, FolderUnusable, Library, NotFound, identifier_uri, parse, uri
from support.shelves import OLD, Shelves, view

TEXT = "# Top\n\nintro\n\n## One\n\nfirst\n\n### Deep\n\ndown\n\n## Two\n\nsecond\n"


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """An empty folder."""
    return Shelves(tmp_path)


def filled(shelves: Shelves) -> Library:
    """Two public documents and an internal one, scanned for the reader."""
    shelves.write("a b/doc.md", TEXT)
    shelves.document("named.md", "# Named\n", id="N-1", aliases="[old-name.md, Other]")
    shelves.document("hidden.md", "# Hidden\n", id="H-1", aliases="[shadow]", visibility="internal")
    return shelves.scanned()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library that no test changes."""
    with filled(Shelves(tmp_path_factory.mktemp("kept"))) as library:
        yield library


@pytest.mark.parametrize(
    "asked",
    ["library:///a%20b/doc.md", "LIBRARY:///a b/doc.md".replace(" ", "%20"), "a b/doc.md", "./a b/doc.md"],
)
def test_a_document_is_found_by_address_and_path(library: Library, asked: str) -> None:
    """Whatever its spelling, the answer names it by its one address."""
    answer = view(library).read(asked)
    assert (answer.document.uri, answer.text) == (uri("a b/doc.md"), TEXT.rstrip("\n"))
    assert (answer.lines, answer.total_lines, answer.next, answer.section) == ((1, 15), 15, None, ("Top",))
    assert view(library).find(asked) == answer.document


@pytest.mark.parametrize("asked", [identifier_uri("N-1"), "old-name.md", "other"])
def test_a_document_is_found_by_its_id_and_its_aliases(library: Library, asked: str) -> None:
    """Aliases are names that were used before, in any case."""
    assert view(library).read(asked).document.path == "named.md"


@pytest.mark.parametrize("asked", ["hidden.md", uri("hidden.md"), identifier_uri("H-1"), "shadow"])
def test_an_internal_document_is_refused_like_a_missing_one(library: Library, asked: str) -> None:
    """In the same words, by each of the methods, but for the name that was asked for."""
    reader = view(library)
    for method in (reader.read, reader.find, reader.outline, reader.links):
        with pytest.raises(NotFound) as hidden:
            method(asked)
        with pytest.raises(NotFound) as missing:
            method("missing")
        assert str(hidden.value).replace(repr(asked), "") == str(missing.value).replace("'missing'", "")


@pytest.mark.parametrize(
    "asked", ["library:///", "library://name/a.md", "library:///a%2", "library:///a/../b.md"]
)
def test_a_malformed_address_is_said_to_be_one(library: Library, asked: str) -> None:
    """That depends on the request alone."""
    with pytest.raises(BadQuery):
        view(library).read(asked)


@pytest.mark.parametrize("asked", ["../docs/named.md", "/named.md", "named.md/", "a b", "named.md\0", ""])
def test_a_path_that_names_no_document_is_not_found(library: Library, asked: str) -> None:
    """Paths are looked up, never walked."""
    with pytest.raises(NotFound):
        view(library).read(asked)


@pytest.mark.parametrize(
    ("section", "lines"),
    [
        ("One", (5, 12)),
        ("## one", (5, 12)),
        ("Top > One > Deep", (9, 12)),
        (("One", "Deep"), (9, 12)),
        ("two", (13, 15)),
    ],
)
def test_a_section_is_read_by_its_title_or_trail(
    library: Library, section: str | tuple[str, ...], lines: tuple[int, int]
) -> None:
    """With its subsections, up to the next heading of its level."""
    answer = view(library).read("a b/doc.md", section=section)
    file = TEXT.split("\n")
    assert answer.lines == lines
    assert answer.text == "\n".join(file[lines[0] - 1 : lines[1]])


def test_what_a_document_does_not_have_is_not_found(library: Library) -> None:
    """A section or lines beyond its end; the sentence says so, since the document itself may be seen."""
    reader = view(library)
    with pytest.raises(NotFound, match="no section 'Three'"):
        reader.read("a b/doc.md", section="Three")
    with pytest.raises(NotFound, match="no section"):
        reader.read("a b/doc.md", section=())
    with pytest.raises(NotFound, match="ends with line 15"):
        reader.read("a b/doc.md", lines=(16, 20))
    with pytest.raises(NotFound, match="read on"):
        reader.read("a b/doc.md", start=10_000)


def test_lines_are_read_as_asked(library: Library) -> None:
    """From the first to the last, or to the end of the document."""
    answer = view(library).read("a b/doc.md", lines=(5, 7))
    assert (answer.text, answer.lines, answer.section) == ("## One\n\nfirst", (5, 7), ("Top", "One"))
    assert view(library).read("a b/doc.md", lines=(15, 99)).lines == (15, 15)


@pytest.mark.parametrize(
    "arguments",
    [
        {"lines": (0, 3)},
        {"lines": (3, 2)},
        {"start": -1},
        {"max_chars": 1},
        {"section": "One", "lines": (1, 2)},
    ],
)
def test_arguments_out_of_bounds_are_refused(library: Library, arguments: dict[str, int]) -> None:
    """Before anything is looked for."""
    with pytest.raises(BadQuery):
        view(library).read("a b/doc.md", **arguments)  # type: ignore[arg-type]  # a table of arguments
    with pytest.raises(BadQuery):
        view(library).read("\udfff")


def test_a_long_document_is_read_on_to_its_end(shelves: Shelves) -> None:
    """Whole lines each time; a line longer than an answer comes in pieces; put together it is the document."""
    text = "".join(f"line {number}\r\n" for number in range(40)) + "x" * 450 + "\r\nlast"
    shelves.write("long.txt", text)
    library = shelves.scanned()
    pieces, start, ends = [], None, []
    while True:
        part = view(library).read("long.txt", start=start, max_chars=100)
        assert len(part.text) <= 100
        pieces.append(part.text)
        ends.append(part.lines)
        if part.next is None:
            break
        start = part.next
    assert "".join(pieces).replace("\r\n", "") == text.replace("\r\n", "")
    assert ends[0] == (1, 12)
    assert ends[-1][1] == 42
    library.close()


def test_an_empty_document_reads_as_empty(shelves: Shelves) -> None:
    """It has no lines, and that is no error."""
    shelves.write("empty.txt", "")
    library = shelves.scanned()
    answer = view(library).read("empty.txt")
    assert (answer.text, answer.total_lines, answer.next) == ("", 0, None)
    library.close()


def test_a_changed_document_is_read_as_it_is_now(shelves: Shelves) -> None:
    """Its revision, title, lines and headings are those of the bytes that are served."""
    library = filled(shelves)
    shelves.document("named.md", "# Renamed\n\n## New part\n\ntext\n")
    reader = view(library)
    answer = reader.read("named.md", section="New part")
    assert answer.text.startswith("## New part")
    assert (answer.document.title, answer.document.identifier) == ("Renamed", "")
    assert [heading.title for heading in reader.outline("named.md").headings] == ["Renamed", "New part"]
    library.reconcile()
    assert reader.find("named.md").revision == answer.document.revision
    library.close()


CALLED = [identifier_uri("ONE"), "was-one.md"]


@pytest.mark.parametrize("asked", CALLED)
@pytest.mark.parametrize("now", ["another document", "no name at all"])
def test_a_name_never_leads_to_another_document(shelves: Shelves, asked: str, now: str) -> None:
    """Whose bytes have taken the file's place since the scan: what is called so is not found before the next one."""
    shelves.document("a.md", "# One\n", id="ONE", aliases="[was-one.md]")
    shelves.document("b.md", "# Two\n", id="TWO", aliases="[was-two.md]")
    with shelves.scanned() as library:
        one, two = shelves.docs / "a.md", shelves.docs / "b.md"
        if now == "another document":
            for file, to in ((one, "free.txt"), (two, "a.md"), (shelves.docs / "free.txt", "b.md")):
                file.rename(shelves.docs / to)
        else:
            one.write_text("# One\n")
        reader = view(library)
        for method in (reader.read, reader.find, reader.outline, reader.links, reader.whole):
            with pytest.raises(NotFound, match="There is no document"):
                method(asked)
        assert reader.read("a.md").document.identifier == ("TWO" if now == "another document" else "")
        if now == "another document":
            library.reconcile()
            assert reader.read(asked).document.path == "b.md"


@pytest.mark.parametrize("asked", CALLED)
def test_a_name_still_leads_to_its_document_when_that_has_changed(shelves: Shelves, asked: str) -> None:
    """What it is called has not."""
    shelves.document("a.md", "# One\n", id="ONE", aliases="[was-one.md]")
    with shelves.scanned() as library:
        shelves.document("a.md", "# One\n\nMore.\n", id="ONE", aliases="[was-one.md]")
        assert "More." in view(library).read(asked).text
        assert view(library).find(asked).path == "a.md"


def test_bytes_that_nobody_understands_are_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever parsing raises: their visibility cannot be known."""
    shelves = Shelves(tmp_path)
    library = filled(shelves)
    shelves.document("named.md", "# Changed\n")

    def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(parse, "parse", fail)
    with pytest.raises(NotFound):
        view(library).read("named.md")
    library.close()


@pytest.mark.parametrize("change", ["internal", "gone", "binary", "link"])
def test_a_document_that_may_not_be_served_any_more_is_not(
    shelves: Shelves, tmp_path: Path, change: str
) -> None:
    """Although the index still has it: what counts are the bytes that would be served."""
    library = filled(shelves)
    file = shelves.docs / "named.md"
    if change == "internal":
        shelves.document("named.md", "# Named\n", visibility="internal")
    elif change == "binary":
        shelves.write("named.md", b"\0")
    else:
        file.unlink()
    if change == "link":
        secret = tmp_path / "secret.md"
        secret.write_text("# Secret\n")
        file.symlink_to(secret)
    reader = view(library)
    for method in (reader.read, reader.find, reader.outline, reader.links):
        with pytest.raises(NotFound):
            method("named.md")
    library.close()


def test_an_outline_gives_the_headings_with_their_extent(library: Library) -> None:
    """And the length of the whole."""
    outline = view(library).outline("a b/doc.md")
    assert [(heading.title, heading.level, heading.first, heading.last) for heading in outline.headings] == [
        ("Top", 1, 1, 15),
        ("One", 2, 5, 12),
        ("Deep", 3, 9, 12),
        ("Two", 2, 13, 15),
    ]
    assert outline.total_lines == 15


def test_of_two_documents_with_one_id_the_first_that_is_seen_has_it(shelves: Shelves) -> None:
    """A collision with an internal document is none for the reader."""
    shelves.document("a.md", "# A", id="X", visibility="internal")
    shelves.document("b.md", "# B", id="X")
    shelves.document("c.md", "# C", id="X")
    library = shelves.scanned("reader", "editor")
    assert view(library).find(identifier_uri("X")).path == "b.md"
    assert view(library, "editor").find(identifier_uri("X")).path == "a.md"
    library.close()


def test_a_document_says_what_a_list_says(shelves: Shelves) -> None:
    """Its size, times, language, tags and names."""
    shelves.document("a.md", "# A", lang="ru", tags="[x, y]", id="A-1", aliases="[b]")
    library = shelves.scanned()
    info = view(library).find("a.md")
    assert (info.size, info.modified, info.format) == (
        (shelves.docs / "a.md").stat().st_size,
        OLD,
        "markdown",
    )
    assert (info.language, info.tags, info.identifier, info.aliases) == ("ru", ("x", "y"), "A-1", ("b",))
    assert info.revision.startswith("sha256:")
    library.close()


FRAGMENTS = "# Top\n\n## Two words!\n\none\n\n## Two words\n\ntwo\n\n## Ü: größe_x-y\n\nthree\n\n## Deep > er\n\nfour\n"


@pytest.mark.parametrize(
    ("fragment", "lines"),
    [
        ("Two%20words!", (3, 6)),
        ("two-words", (3, 6)),
        ("TWO%20WORDS", (7, 10)),
        ("two-words-1", (7, 10)),
        ("%C3%BC-gr%C3%B6%C3%9Fe_x-y", (11, 14)),
        ("ü-größe_x-y", (11, 14)),
        ("Top#deep--er", (15, 17)),
        ("nowhere", (1, 17)),
        ("two-words-2", (1, 17)),
        ("", (1, 17)),
        ("%FF", (1, 17)),
    ],
)
def test_a_fragment_names_a_section(shelves: Shelves, fragment: str, lines: tuple[int, int]) -> None:
    """By its title or by the name that renderers make of it, in any case; one that names none is left aside."""
    shelves.write("a#b.md", FRAGMENTS)
    shelves.write("a", "another document\n")
    asked = f"library:///a%23b.md#{fragment}"
    with shelves.scanned() as library:
        reader = view(library)
        answer = reader.read(asked)
        assert (answer.document.path, answer.lines) == ("a#b.md", lines)
        for method in (reader.find, reader.whole, reader.outline, reader.links):
            assert method(asked)
        assert reader.read(asked, section="Top").lines == (1, 17)
        assert reader.read(asked, lines=(2, 4)).lines == (2, 4)


def test_a_section_by_fragment_is_read_on_to_its_end(shelves: Shelves) -> None:
    """The parts of a section that a fragment names are the section, and no more."""
    shelves.write("long.md", "# A\n\n" + "".join(f"line {number}\n" for number in range(60)) + "# B\n\nend\n")
    with shelves.scanned() as library:
        reader = view(library)
        part = reader.read("library:///long.md#a", max_chars=100)
        while part.next is not None:
            part = reader.read("library:///long.md#a", max_chars=100, start=part.next)
        assert part.lines[1] == 62


def test_a_link_to_a_section_can_be_read(shelves: Shelves) -> None:
    """Whatever address an answer gives for a link, reading takes it."""
    shelves.write("a.md", "# A\n\n[to](b.md#steps) [[b#More steps]] [[b#Gone]]\n")
    shelves.write("b.md", "# B\n\n## Steps\n\none\n\n## More steps\n\ntwo\n")
    with shelves.scanned() as library:
        reader = view(library)
        outgoing = reader.links("a.md").outgoing
        assert [link.uri for link in outgoing] == [
            "library:///b.md#steps",
            "library:///b.md#More%20steps",
            "library:///b.md#Gone",
        ]
        assert [reader.read(link.uri).lines for link in outgoing] == [(3, 6), (7, 9), (1, 9)]


def test_a_folder_that_has_gone_is_no_empty_one(shelves: Shelves) -> None:
    """Whatever is asked while the folder cannot be read is refused for that; when it is back, all is as it was."""
    with filled(shelves) as library:
        reader = view(library)
        asks: list[Callable[[], object]] = [
            lambda: reader.search("intro"),
            lambda: reader.search("nowhere"),
            reader.list,
            reader.documents,
            lambda: reader.complete_path(""),
            lambda: reader.complete_identifier("N"),
            lambda: reader.complete_title(""),
            *(
                partial(method, asked)
                for method in (reader.read, reader.whole, reader.find, reader.outline, reader.links)
                for asked in ("named.md", "missing.md", "hidden.md")
            ),
        ]
        shelves.docs.rename(shelves.docs.with_name("away"))
        said = set()
        for ask in asks:
            with pytest.raises(FolderUnusable) as refused:
                ask()
            said.add(str(refused.value))
        assert len(said) == 1
        assert "cannot be read" in said.pop()
        shelves.docs.with_name("away").rename(shelves.docs)
        assert reader.search("intro").items
        assert reader.read("named.md")
