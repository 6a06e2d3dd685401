"""The catalogue of an edition: what is written is read back, by address, name, prefix and link."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from readingroom.library import catalog, cataloging, names
from readingroom.library.catalog import Catalog, Row
from readingroom.library.cataloging import Cataloguer
from readingroom.library.errors import IndexUnusable
from readingroom.library.model import FileState, Found, Heading, Link, Parsed

STATE = FileState(10, 20, 30, 2**63 + 5)


def found(path: str, state: FileState = STATE) -> Found:
    """A file of the walk."""
    return Found(path, path.encode(), "markdown", state)


def parsed(
    title: str = "T",
    *,
    revision: str = "sha256:1",
    tags: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    identifier: str = "",
    links: tuple[Link, ...] = (),
) -> Parsed:
    """A document as parsing gives it."""
    return Parsed(
        format="markdown",
        text="",
        encoding="utf-8",
        revision=revision,
        title=title,
        language="en",
        tags=tags,
        aliases=aliases,
        identifier=identifier,
        visibility="public",
        headings=(Heading(1, title, 1, 2, 3),),
        passages=(),
        links=links,
        warnings=(),
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the catalogue lies."""
    return tmp_path / catalog.FILE


def commit(writer: Cataloguer, reconciled: float | None = None) -> None:
    """Commit without caring for the counts."""
    writer.commit(number=writer.facts.commit + 1, worn=0, reconciled=reconciled)


def test_a_document_is_read_back_as_it_was_written(file: Path) -> None:
    """All that a list says of it, its headings included; nothing is seen before the commit."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    writer.put(found("a.md"), parsed("Ä", tags=("x", "y"), aliases=("old",), identifier="A-1"))
    assert reader.row("a.md") is None
    commit(writer)
    assert reader.row("a.md") == Row(
        "a.md", b"a.md", "markdown", STATE, "sha256:1", "Ä", "en", ("x", "y"), "A-1", ("old",)
    )
    assert reader.headings("a.md") == (Heading(1, "Ä", 1, 2, 3),)
    assert reader.headings("b.md") == ()
    writer.close()
    reader.close()


def test_what_is_known_survives_a_restart(file: Path) -> None:
    """A scan goes on from the states, revisions and facts of the last commit, and what was not committed is lost."""
    writer = Cataloguer.create(file)
    writer.put(found("a.md"), parsed())
    commit(writer, reconciled=5.0)
    writer.put(found("b.md"), parsed())
    writer.close()
    again = Cataloguer.open(file)
    assert list(again.known) == ["a.md"]
    assert (again.known["a.md"].state, again.known["a.md"].revision) == (STATE, "sha256:1")
    assert (again.facts.documents, again.facts.reconciled, again.facts.commit) == (1, 5.0, 1)
    again.close()


def test_a_replaced_document_leaves_no_trace(file: Path) -> None:
    """Its old names, tags, links and headings are gone, and so is everything of one that is dropped."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    link = Link("markdown", "b.md", "b", 1)
    writer.put(found("a.md"), parsed("Old", tags=("old",), identifier="OLD", links=(link,)))
    writer.put(found("a.md"), parsed("New", revision="sha256:2"))
    commit(writer)
    assert reader.resolve(names.identifier_key("OLD")) is None
    assert reader.resolve(names.wiki_key("old")) is None
    assert reader.between("", "z", ("old",), 9) == []
    assert reader.links_from("a.md") == []
    writer.drop("a.md")
    writer.drop("never.md")
    commit(writer)
    assert reader.row("a.md") is None
    assert reader.facts().documents == 0
    assert [
        count for table in ("documents", "outlines", "tags", "names", "links") for count in rows(file, table)
    ] == [0] * 5
    writer.close()
    reader.close()


def rows(file: Path, table: str) -> list[int]:
    """How many rows a table has."""
    connection = catalog.connect(file)
    counts = [count for (count,) in connection.execute(f"SELECT count(*) FROM {table}")]  # noqa: S608  -- a table of ours
    connection.close()
    return counts


def test_what_is_written_together_is_changed_in_order(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that is put, put again, noted and dropped before anything was written out is as it was left."""
    monkeypatch.setattr(cataloging, "_TOGETHER", 3)
    writer = Cataloguer.create(file)
    for number in range(7):
        writer.put(found(f"{number}.md"), parsed(f"T{number}", tags=("t",)))
    writer.put(found("6.md"), parsed("Again"))
    writer.keep(found("5.md", FileState(1, 2, 3, 4)))
    writer.drop("4.md")
    assert writer.documents == 6
    commit(writer)
    writer.close()
    with closing(Catalog(file)) as reader:
        kept = {row.path: (row.title, row.tags) for row in reader.between("", "~", (), 10)}
        assert kept == {f"{n}.md": (f"T{n}", ("t",)) for n in (0, 1, 2, 3, 5)} | {"6.md": ("Again", ())}
        assert reader.row("5.md") is not None
        assert [row.path for row in reader.between("", "~", ("t",), 10)] == [
            "0.md",
            "1.md",
            "2.md",
            "3.md",
            "5.md",
        ]
        assert reader.resolve(names.title_key("T4")) is None


def test_the_content_names_the_set_of_documents(file: Path) -> None:
    """It depends on paths and revisions alone: neither on the order, nor on what came and went."""
    writer = Cataloguer.create(file)
    writer.put(found("a.md"), parsed())
    writer.put(found("b.md"), parsed(revision="sha256:2"))
    commit(writer)
    both = writer.facts.content
    writer.drop("a.md")
    commit(writer)
    one = writer.facts.content
    writer.put(found("a.md"), parsed(revision="sha256:3"))
    commit(writer)
    other = writer.facts.content
    writer.put(found("a.md"), parsed())
    writer.keep(found("a.md", FileState(1, 2, 3, 4)))
    commit(writer)
    assert writer.facts.content == both
    assert len({both, one, other}) == 3
    writer.drop("a.md")
    writer.drop("b.md")
    commit(writer)
    assert writer.facts.content == "0"
    writer.close()


def test_another_state_of_the_same_bytes_is_kept(file: Path) -> None:
    """Only the state changes."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    writer.put(found("a.md"), parsed("A"))
    writer.keep(found("a.md", FileState(1, 2, 3, 4)))
    commit(writer)
    row = reader.row("a.md")
    assert row is not None
    assert (row.state, row.title) == (FileState(1, 2, 3, 4), "A")
    assert writer.known["a.md"].state == FileState(1, 2, 3, 4)
    writer.close()
    reader.close()


def test_the_first_path_has_a_contested_name(file: Path) -> None:
    """Of two documents with one id the first by path wins; a file's name goes before a title, a title before an alias."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    writer.put(found("b.md"), parsed("X", identifier="ID"))
    writer.put(found("a.md"), parsed("X", identifier="ID", aliases=("z", "q")))
    writer.put(found("d/z.md"), parsed("Q"))
    commit(writer)
    assert reader.resolve(names.identifier_key("ID")) == "a.md"
    assert reader.resolve(names.wiki_key("x")) == "a.md"
    assert reader.resolve(names.wiki_key("Z")) == "d/z.md"
    assert reader.resolve(names.wiki_key("Q")) == "d/z.md"
    assert reader.resolve(names.alias_key("q")) == "a.md"
    writer.close()
    reader.close()


def test_documents_come_in_order_of_path_between_two(file: Path) -> None:
    """Bounds are left out, tags must all be there whatever their case, and the count holds."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    for path, tags in (("a.md", ("X",)), ("b.md", ("x", "y")), ("é.md", ()), ("Z.md", ("y",))):
        writer.put(found(path), parsed(tags=tags))
    commit(writer)
    everything = [row.path for row in reader.between("", "\U0010ffff", (), 9)]
    assert everything == ["Z.md", "a.md", "b.md", "é.md"]
    assert [row.path for row in reader.between("a.md", "é.md", (), 9)] == ["b.md"]
    assert [row.path for row in reader.between("", "\U0010ffff", ("x",), 9)] == ["a.md", "b.md"]
    assert [row.path for row in reader.between("", "\U0010ffff", ("x", "y"), 9)] == ["b.md"]
    assert [row.path for row in reader.between("", "\U0010ffff", (), 2)] == ["Z.md", "a.md"]
    writer.close()
    reader.close()


def test_keys_are_found_by_their_beginning(file: Path) -> None:
    """In order, page by page."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    for path in ("a/1.md", "a/2.md", "b/1.md"):
        writer.put(found(path), parsed())
    commit(writer)
    assert reader.keys_from("=a/", ("", ""), 9) == [("=a/1.md", "a/1.md"), ("=a/2.md", "a/2.md")]
    assert reader.keys_from("=a/", ("=a/1.md", "a/1.md"), 9) == [("=a/2.md", "a/2.md")]
    assert reader.keys_from("=", ("", ""), 1) == [("=a/1.md", "a/1.md")]
    writer.close()
    reader.close()


def test_links_into_a_document_are_those_that_resolve_to_it(file: Path) -> None:
    """By path, id, name and alias, from other documents only, and not when another document has the name first."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    links = (
        Link("wiki", "Target", "t", 5),
        Link("markdown", "target.md#part", "p", 2),
        Link("markdown", "library:///.id/T-1", "i", 3),
        Link("wiki", "other", "o", 4),
        Link("markdown", "https://x.example/target.md", "w", 6),
    )
    writer.put(found("target.md"), parsed("Target", identifier="T-1", aliases=("other",), links=links[:1]))
    writer.put(found("source.md"), parsed("Source", links=links))
    commit(writer)
    assert [(link.source, link.line) for link in reader.links_to("target.md")] == [
        ("source.md", line) for line in (2, 3, 4, 5)
    ]
    first = reader.links_from("source.md")[0]
    assert (first.line, first.key, first.fragment) == (2, "=target.md", "part")
    writer.put(found("other.md"), parsed("Other"))
    commit(writer)
    assert [link.line for link in reader.links_to("target.md")] == [2, 3, 5]
    assert [link.line for link in reader.links_to("other.md")] == [4]
    writer.close()
    reader.close()


@pytest.mark.parametrize("damage", ["missing", "random", "schema", "facts"])
def test_a_damaged_catalogue_is_said_to_be_unusable(file: Path, damage: str) -> None:
    """Whatever is wrong with the file, both sides raise IndexUnusable and nothing else."""
    writer = Cataloguer.create(file)
    commit(writer)
    writer.close()
    if damage == "missing":
        file.unlink()
    elif damage == "random":
        file.write_bytes(b"\x07" * 8192)
    else:
        connection = catalog.connect(file)
        connection.execute("PRAGMA user_version=999" if damage == "schema" else "DELETE FROM facts")
        connection.close()
    with pytest.raises(IndexUnusable):
        Cataloguer.open(file)
    if damage != "schema":
        with pytest.raises(IndexUnusable):
            Catalog(file).facts()


def test_many_threads_read_at_once_and_closing_is_final(file: Path) -> None:
    """Each thread gets a connection of its own; one that comes back after closing is closed."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    writer.put(found("a.md"), parsed())
    commit(writer)
    seen: list[Row | None] = []
    threads = [
        threading.Thread(target=lambda: seen.extend(reader.row("a.md") for _ in range(50))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 400
    assert None not in seen
    reader.close()
    assert reader.row("a.md") is not None
    assert not reader._idle
    writer.close()


def test_a_connection_that_failed_is_not_used_again(file: Path) -> None:
    """A caller's own mistake does not poison the pool."""
    writer, reader = Cataloguer.create(file), Catalog(file)
    commit(writer)
    with pytest.raises(UnicodeEncodeError):
        reader.row("\ud800")
    assert not reader._idle
    assert reader.row("a.md") is None
    writer.close()
    reader.close()
