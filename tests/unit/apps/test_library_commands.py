"""`search`, `read`, `index`, `status` and `forget` over a real folder, as a person would use them."""

import json
from pathlib import Path

import msgspec
import pytest

from readingroom.apps.faults import NothingFound, UsageFault
from readingroom.apps.running import run
from readingroom.desk.answers import ReadResult, SearchResult
from readingroom.library import BadQuery, FolderUnusable, IndexBusy, NotFound
from support.shelves import Shelves

from .streams import console, written


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A small folder: two public documents, an internal one, and one that is left out."""
    shelves = Shelves(tmp_path)
    shelves.document(
        "rules.md",
        "# Rules\n\n## How long\n\nA book is lent for\nfour weeks.\n\n## Fines\n\nNone.\n",
        tags="[loans]",
    )
    shelves.document("zh/缓存.md", "# 目录\n\n缓存的有效期是七天。\n")
    shelves.document("staff/codes.md", "# Codes\n\nThe book safe opens with 4711.\n", visibility="internal")
    shelves.write(".hidden.md", "# Hidden\n")
    return shelves


def ran(shelves: Shelves, command: str, *arguments: str, code: int = 0, **given: bool) -> tuple[str, str]:
    """Run a command over the folder, and give what it wrote to stdout and stderr."""
    at = console(**given)
    assert run([command, str(shelves.docs), *arguments, "--cache", str(shelves.cache)], at) == code
    return written(at.out), written(at.err)


def test_search(shelves: Shelves) -> None:
    """Hits with path, lines, address and text; the index is built on the way."""
    out, err = ran(shelves, "search", "four", "weeks", "lent")
    assert out.splitlines() == [
        "  1 rules.md:6-9  Rules › How long",
        "    library:///rules.md",
        "    A book is lent for four weeks.",
    ]
    assert err == ""


def test_search_names_what_says_the_same(shelves: Shelves) -> None:
    """Copies of a text take one place."""
    for place in ("a", "b"):
        shelves.document(f"{place}.md", " ".join(f"term{n}" for n in range(50)))
    out, _ = ran(shelves, "search", "term1")
    assert out.splitlines()[:3] == ["  1 a.md:1  a", "    library:///a.md", "    the same in library:///b.md"]
    assert "  2 " not in out


def test_search_in_chinese(shelves: Shelves) -> None:
    """An address is percent-encoded, a path is not."""
    out, _ = ran(shelves, "search", "缓存")
    assert "zh/缓存.md:1-3" in out
    assert "library:///zh/%E7%BC%93%E5%AD%98.md" in out


def test_search_sees_what_has_just_been_written(shelves: Shelves) -> None:
    """Each search brings the index up to date first."""
    ran(shelves, "search", "book")
    shelves.write("new.md", "# New\n\nA giraffe.\n", at=None)
    assert "new.md:1-3" in ran(shelves, "search", "giraffe")[0]


def test_search_as_json(shelves: Shelves) -> None:
    """The answer as `library_search` gives it: without a hint that says nothing; an empty one gives 1."""
    found = json.loads(ran(shelves, "search", "weeks", "--json", "--limit", "1")[0])
    assert set(found) == {"items", "reconciled"}
    assert found["items"][0]["uri"] == "library:///rules.md"
    assert found["items"][0]["lines"] == [6, 9]
    assert found["reconciled"].endswith("Z")
    nothing = json.loads(ran(shelves, "search", "giraffe", "--json", code=1)[0])
    assert nothing["items"] == []
    assert "giraffe" in nothing["hint"]


def test_search_page_by_page(shelves: Shelves) -> None:
    """The cursor of one answer goes on to the next, up to the last, which has none."""
    asked = ("search", "rules weeks fines", "--json", "--limit")
    first = json.loads(ran(shelves, *asked, "1")[0])
    second = json.loads(ran(shelves, *asked, "1", "--cursor", first["cursor"])[0])
    both = json.loads(ran(shelves, *asked, "2")[0])
    assert both["items"] == first["items"] + second["items"]
    assert "cursor" not in json.loads(ran(shelves, *asked, "50")[0])


@pytest.mark.parametrize("command", [("search", "weeks"), ("read", "rules.md")])
@pytest.mark.parametrize("cursor", ["", "x", "-1", "²", "9" * 30])
def test_cursors_that_are_none(shelves: Shelves, command: tuple[str, ...], cursor: str) -> None:
    """What no answer gave is refused."""
    with pytest.raises(UsageFault, match="--cursor"):
        ran(shelves, *command, f"--cursor={cursor}")


def test_json_is_what_the_tools_give(shelves: Shelves) -> None:
    """An answer of the command line has the members that the tool's schema names, and no others."""
    found = ran(shelves, "search", "rules weeks fines", "--json", "--limit", "1")[0]
    assert msgspec.json.decode(found, type=SearchResult).cursor == "1"
    assert set(json.loads(found)) <= set(SearchResult.__struct_fields__)
    read = ran(shelves, "read", "rules.md", "--json")[0]
    assert msgspec.json.decode(read, type=ReadResult).uri == "library:///rules.md"
    assert set(json.loads(read)) <= set(ReadResult.__struct_fields__)


@pytest.mark.parametrize(
    "words",
    [
        ("-weeks", "book"),
        ("book", "-weeks"),
        ("book", "-weeks", "--limit", "3"),
        ("--limit", "3", "book", "-weeks"),
    ],
)
def test_a_query_may_begin_with_a_dash(shelves: Shelves, words: tuple[str, ...]) -> None:
    """A word behind one dash is shut out, wherever it stands after the folder."""
    with pytest.raises(NothingFound):
        ran(shelves, "search", *words)
    assert "staff/codes.md" in ran(shelves, "search", *words, "--role", "editor")[0]


def test_a_query_may_be_one_exclusion(shelves: Shelves) -> None:
    """What does not have the word is found; a dash before the folder is no query."""
    assert "缓存.md" in ran(shelves, "search", "-weeks")[0]
    with pytest.raises(UsageFault, match="no option -weeks"):
        run(["search", "-weeks", str(shelves.docs), "book"], console())


@pytest.mark.parametrize("word", ["--force", "-x", "-limit", "-n"])
def test_a_query_that_looks_like_an_option(shelves: Shelves, word: str) -> None:
    """It is not guessed at; the fault tells how to look for it, and that is true."""
    with pytest.raises(UsageFault, match=f"no option {word}.* -- {word}"):
        ran(shelves, "search", word)
    with pytest.raises(NothingFound):
        run(["search", str(shelves.docs), "--cache", str(shelves.cache), "--", word, "giraffe"], console())


def test_search_finds_nothing(shelves: Shelves) -> None:
    """Nothing found is told with the library's hint."""
    with pytest.raises(NothingFound, match=r"nothing found\. .*giraffe"):
        ran(shelves, "search", "giraffe")


def test_search_stays_in_a_folder_and_with_tags(shelves: Shelves) -> None:
    """--path and --tag narrow, and --language says what the query is written in."""
    assert "rules.md" in ran(shelves, "search", "book", "--tag", "loans", "--language", "en")[0]
    for narrowed in (("--path", "zh"), ("--tag", "other")):
        with pytest.raises(NothingFound):
            ran(shelves, "search", "book", *narrowed)


def test_roles(shelves: Shelves) -> None:
    """A reader, which is the default, does not see what is internal; an editor does."""
    assert "codes" not in ran(shelves, "search", "book")[0]
    assert "staff/codes.md" in ran(shelves, "search", "book", "--role", "editor")[0]
    with pytest.raises(NotFound):
        ran(shelves, "read", "staff/codes.md")
    assert "4711" in ran(shelves, "read", "staff/codes.md", "--role", "editor")[0]


def test_rules_of_the_command_line(shelves: Shelves) -> None:
    """--internal and --leave-out take what they match away from a reader."""
    for rule in ("--internal", "--leave-out"):
        with pytest.raises(NothingFound):
            ran(shelves, "search", "weeks", rule, "rules.md")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("zh/缓存.md",), "# 目录\n\n缓存的有效期是七天。\n"),
        (("library:///zh/%E7%BC%93%E5%AD%98.md",), "# 目录\n\n缓存的有效期是七天。\n"),
        (("rules.md", "--section", "Fines"), "## Fines\n\nNone.\n"),
        (("rules.md", "--section", "Rules > Fines"), "## Fines\n\nNone.\n"),
        (("rules.md", "--lines", "8-9"), "A book is lent for\nfour weeks.\n"),
        (("rules.md", "--lines", "9"), "four weeks.\n"),
        (("rules.md", "--lines", "8-9", "--number"), "8  A book is lent for\n9  four weeks.\n"),
    ],
)
def test_read(shelves: Shelves, arguments: tuple[str, ...], text: str) -> None:
    """A document by path or address, a section, some lines, with numbers when they are asked for."""
    assert ran(shelves, "read", *arguments) == (text, "")


def test_read_as_json(shelves: Shelves) -> None:
    """The answer as `library_read` gives it."""
    found = json.loads(ran(shelves, "read", "rules.md", "--lines", "8", "--json")[0])
    assert (found["text"], found["lines"], found["section"]) == (
        "A book is lent for",
        [8, 8],
        ["Rules", "How long"],
    )
    assert found["uri"] == "library:///rules.md"
    assert "cursor" not in found


def test_read_on_from_a_cursor(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long document comes in parts, each with the cursor of the next; without --json the rest comes whole."""
    monkeypatch.setattr("readingroom.apps.commands.read._MOST_CHARACTERS", 1_000)
    shelves.write("large.txt", "".join(f"line {number}\n" for number in range(1, 501)))
    first = json.loads(ran(shelves, "read", "large.txt", "--json")[0])
    second = json.loads(ran(shelves, "read", "large.txt", "--json", "--cursor", first["cursor"])[0])
    assert second["lines"][0] == first["lines"][1] + 1
    rest = ran(shelves, "read", "large.txt", "--number", "--cursor", first["cursor"])[0].splitlines()
    begin = second["lines"][0]
    assert (rest[0].split(), rest[-1]) == ([str(begin), "line", str(begin)], "500  line 500")


def test_read_on_a_terminal_and_in_a_pipe(shelves: Shelves) -> None:
    """On a terminal escapes in a document are shown by name; into a pipe the text goes as it is."""
    shelves.write("evil.md", "\x1b]52;c;cm0=\x07 \u202ereversed\n")
    assert (
        ran(shelves, "read", "evil.md", out_is_terminal=True)[0]
        == "⟨U+001B⟩]52;c;cm0=⟨U+0007⟩ ⟨U+202E⟩reversed\n"
    )
    assert ran(shelves, "read", "evil.md")[0] == "\x1b]52;c;cm0=\x07 \u202ereversed\n"


def test_read_a_large_document(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that is longer than one answer is read to its end, and nothing of it is lost between the answers."""
    monkeypatch.setattr("readingroom.apps.commands.read._MOST_CHARACTERS", 1_000)
    text = "".join(f"line {number}\n\n" for number in range(500)) + "x" * 3_000 + "\nend\n"
    shelves.write("large.txt", text)
    assert ran(shelves, "read", "large.txt")[0] == text
    numbered = ran(shelves, "read", "large.txt", "--number")[0]
    assert numbered.endswith("\n1001  " + "x" * 3_000 + "\n1002  end\n")
    assert numbered.count("\n") == 1_002


@pytest.mark.parametrize("lines", ["", "x", "1-", "-3", "1-2-3", "1..2", "²"])
def test_read_lines_that_are_none(shelves: Shelves, lines: str) -> None:
    """A range that cannot be read is refused with an example."""
    with pytest.raises(UsageFault, match="10-20"):
        ran(shelves, "read", "rules.md", f"--lines={lines}")


def test_read_what_is_out_of_bounds(shelves: Shelves) -> None:
    """The library's own words say what is wrong."""
    with pytest.raises(BadQuery):
        ran(shelves, "read", "rules.md", "--lines", "5-2")
    with pytest.raises(NotFound):
        ran(shelves, "read", "rules.md", "--section", "Nothing")


def test_index(shelves: Shelves) -> None:
    """What can be found and what is left out is told; a rebuild begins from nothing."""
    out, _ = ran(shelves, "index")
    first, second = out.splitlines()
    assert first.startswith("2 documents can be found by the reader; it took ")
    assert second == "1 file or folder is left out; `readingroom status` tells which, and why."
    before = set(shelves.cache.iterdir())
    assert ran(shelves, "index", "--rebuild")[0].startswith("2 documents")
    assert {place.name for place in shelves.cache.iterdir()} == {place.name for place in before}


def test_index_shows_progress(shelves: Shelves) -> None:
    """On a terminal there is a bar while it works, and it is gone in the end."""
    _, err = ran(shelves, "index", err_is_terminal=True)
    assert "Reading documents" in err
    assert err.endswith("\r")


def test_index_tells_of_warnings(shelves: Shelves) -> None:
    """Documents that should be mended are counted."""
    shelves.document("one.md", "x", id="same")
    shelves.document("two.md", "x", id="same")
    assert "1 warning; `readingroom status` tells what should be mended." in ran(shelves, "index")[0]


def test_status(shelves: Shelves) -> None:
    """Before a scan there is nothing; afterwards all of it is told, internal and left-out files, too."""
    assert "no index yet" in ran(shelves, "status")[0]
    ran(shelves, "index")
    out, _ = ran(shelves, "status")
    assert "2 public, 1 internal" in out
    assert "Internal: 1\n  staff/codes.md  it says so\n" in out
    assert "Left out: 1\n  .hidden.md  hidden" in out


def test_status_as_json(shelves: Shelves) -> None:
    """The same for a program."""
    ran(shelves, "index")
    found = json.loads(ran(shelves, "status", "--json")[0])
    assert (found["public"], found["internal"], found["scanning"]) == (2, 1, False)
    assert found["left_out"] == [{"path": ".hidden.md", "reason": "hidden"}]
    assert found["internal_documents"] == [{"path": "staff/codes.md", "reason": "it says so"}]
    assert found["roles"][0]["state"] == "ready"
    assert found["began"].endswith("Z")
    assert found["roles"][0]["reconciled"] == found["began"]


def test_forget(shelves: Shelves) -> None:
    """Nothing is left of any index, and a second time there is nothing to forget."""
    ran(shelves, "index")
    ran(shelves, "index", "--role", "editor", "--internal", "zh/**")
    assert ran(shelves, "forget")[0] == f"Removed 2 indexes of {shelves.docs}.\n"
    assert list(shelves.cache.iterdir()) == []
    with pytest.raises(NothingFound):
        ran(shelves, "forget")


def test_a_folder_that_is_none(shelves: Shelves, tmp_path: Path) -> None:
    """A missing folder, a file, and a cache among the documents are refused by every command."""
    for command, *more in (("search", "x"), ("read", "x"), ("index",), ("status",)):
        for folder in (tmp_path / "missing", shelves.docs / "rules.md"):
            with pytest.raises(FolderUnusable):
                run([command, str(folder), *more, "--cache", str(shelves.cache)], console())
        with pytest.raises(FolderUnusable):
            run([command, str(shelves.docs), *more, "--cache", str(shelves.docs / "cache")], console())


def test_nothing_is_written_into_the_folder(shelves: Shelves) -> None:
    """Whatever is run, the folder stays as it was."""
    before = {file: file.read_bytes() for file in shelves.docs.rglob("*") if file.is_file()}
    ran(shelves, "index")
    ran(shelves, "search", "book")
    ran(shelves, "read", "rules.md")
    ran(shelves, "forget")
    assert {file: file.read_bytes() for file in shelves.docs.rglob("*") if file.is_file()} == before


def test_while_another_process_writes(shelves: Shelves) -> None:
    """A finished index is used while another process brings it up to date; a rebuild is refused meanwhile."""
    from readingroom.library.lock import WriterLock

    ran(shelves, "index")
    (home,) = shelves.cache.iterdir()
    with WriterLock(home / "writer.lock"):
        assert "rules.md" in ran(shelves, "search", "weeks")[0]
        assert "Another process is bringing this index up to date" in ran(shelves, "index")[1]
        assert "a scan is under way" in ran(shelves, "status")[0]
        with pytest.raises(IndexBusy):
            ran(shelves, "index", "--rebuild")


def test_a_first_index_of_another_process_is_waited_for(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When another process is making the first index, the command waits, and goes on when the lock is free."""
    from readingroom.apps import refreshing
    from readingroom.library.lock import WriterLock

    with shelves.library() as library:
        library.home.folder.mkdir(parents=True)
        lock = WriterLock(library.home.lock)
    lock.__enter__()
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        lock.__exit__(None, None, None)

    monkeypatch.setattr(refreshing.time, "sleep", wait)
    assert "rules.md" in ran(shelves, "search", "weeks")[0]
    assert waited == [refreshing._LOOK_EVERY_S]
