"""The clients of other SDKs and `readingroom serve` over the example library: each carrier, each era."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.peers import MODERN, Driven, text_of
from support.serving import served

pytestmark = pytest.mark.peers

LIBRARY = Path(__file__).resolve().parents[2] / "examples" / "library"
INVALID_PARAMS = -32602
NOT_FOUND = -32002
VERSIONS = {"auto": MODERN, "legacy": "2025-11-25"}
README = "library:///README.md"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of an index that all clients share, as apps on one machine do."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def library(cache: Path) -> tuple[str, ...]:
    """Give the command that serves the library."""
    return "-m", "readingroom", "serve", str(LIBRARY), "--cache", str(cache)


@pytest.fixture(scope="module")
def library_url(library: tuple[str, ...]) -> Iterator[str]:
    """Serve the library over HTTP and give its address."""
    with served(*library, "--http", "127.0.0.1:{port}") as url:
        yield url


@pytest.fixture(scope="module", params=VERSIONS)
def era(request: pytest.FixtureRequest) -> str:
    """Name an era as the clients do: what they find by themselves, and the older one."""
    return str(request.param)


@pytest.fixture(scope="module")
def reader(
    connect: Callable[..., Driven],
    carrier: str,
    era: str,
    library: tuple[str, ...],
    request: pytest.FixtureRequest,
) -> Iterator[Driven]:
    """Give a client that stays connected, and hold against the server that the client found nothing wrong with it."""
    server = library if carrier == "stdio" else (request.getfixturevalue("library_url"),)
    driven = connect(*server, mode=era)
    assert driven.connected == {"ok": "connected"}
    yield driven
    driven.close()


def test_agreement(reader, era):
    """The client has learnt what the server is and how a model is to use it."""
    info = reader.ok("info")
    assert (info["version"], info["server"]["name"]) == (VERSIONS[era], "readingroom")
    assert sorted(info["capabilities"]) == ["completions", "prompts", "resources", "tools"]
    assert "library_search" in info["instructions"]


def test_lists(reader):
    """The tools, prompts and templates are there, and the documents with their titles; internal ones are not."""
    names = {
        what: [item["name"] for item in reader.ok("list_all", what=what)["items"]]
        for what in ("tools", "prompts", "resourceTemplates")
    }
    assert names["tools"] == [f"library_{name}" for name in ("links", "list", "outline", "read", "search")]
    assert names["prompts"] == ["answer_from_library", "compare_documents", "summarize_document"]
    assert sorted(names["resourceTemplates"]) == ["document", "document_by_id", "document_place"]
    documents = {item["uri"]: item for item in reader.ok("list_all", what="resources")["items"]}
    assert documents[README]["title"] == "The Alderwick Reading Room handbook"
    assert documents[README]["size"] == (LIBRARY / "README.md").stat().st_size
    assert not [uri for uri in documents if uri.startswith("library:///internal/")]


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("постоянный адрес", "library:///ru/permanent-addresses.md"),
        ("缓存", "library:///zh/catalogue-cache.md"),
        ("how is wheat paste made?", "library:///workshop/wheat-paste.txt"),
    ],
)
def test_search(reader, query, address):
    """Words of any script find their document; the text that a model reads has the address and the lines."""
    hit = reader.structured("library_search", query=query, limit=1)["items"][0]
    assert hit["uri"] == address
    first, last = hit["lines"]
    shown = text_of(reader.call("library_search", query=query, limit=1))
    assert f"{address} lines {first}-{last}" in shown


def test_search_goes_on(reader):
    """A cursor gives the next hits of the same question, and is refused with another."""
    first = reader.structured("library_search", query="book", limit=2)
    rest = {"query": "book", "limit": 2, "cursor": first["cursor"]}
    following = reader.structured("library_search", **rest)["items"]
    assert following
    assert not [hit for hit in following if hit in first["items"]]
    assert "cursor" in reader.failure("library_search", **{**rest, "query": "paste"})


def test_reading_tools(reader):
    """The other tools answer: a document's text, its outline, its links, and the list of all."""
    part = reader.structured("library_read", path="README.md", lines=[10, 12])
    assert (part["uri"], part["lines"]) == (README, [10, 12])
    assert part["text"].startswith("# The Alderwick Reading Room handbook")
    outline = reader.structured("library_outline", uri=README)
    assert outline["headings"][0]["title"] == "The Alderwick Reading Room handbook"
    links = reader.structured("library_links", uri=README)
    assert {link["state"] for link in links["outgoing"]} >= {"found"}
    listed = reader.structured("library_list", path="ru")
    assert [item["path"] for item in listed["items"]] == sorted(
        path.relative_to(LIBRARY).as_posix() for path in (LIBRARY / "ru").iterdir()
    )


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("library_search", {"query": ""}),
        ("library_search", {"query": "a", "limit": "3"}),
        ("library_search", {"query": "a", "limit": 51}),
        ("library_search", {}),
        ("library_read", {}),
        ("library_read", {"path": "no/such.md"}),
        ("library_read", {"path": "../../etc/passwd"}),
        ("library_read", {"path": "README.md", "lines": [3]}),
        ("library_list", {"path": "no/such/folder", "cursor": "bogus"}),
        ("library_outline", {"uri": "https://example.com/"}),
        ("library_links", {"uri": "library:///none.md"}),
    ],
)
def test_calls_that_cannot_be_answered(reader, tool, arguments):
    """Arguments that do not fit, and documents that are not there, are failures with words for the model."""
    assert reader.failure(tool, **arguments)


def test_documents_as_resources(reader, era):
    """A document is read by its path or its id; a missing one is an error with its address (RSRC-3, LEG-7).

    The TypeScript client gives any error code for a missing resource as that of the newer revision.
    """
    (part,) = reader.ok("read", uri=README)["contents"]
    assert (part["uri"], part["mimeType"]) == (README, "text/markdown")
    assert "# The Alderwick Reading Room handbook" in part["text"]
    assert reader.ok("read", uri="library:///.id/welcome")["contents"][0]["text"] == part["text"]
    for uri in ("library:///none.md", "library:///.id/none", "x:///"):
        code = NOT_FOUND if era == "legacy" and reader.peer != "typescript" else INVALID_PARAMS
        assert reader.refused("read", uri=uri) == (code, {"uri": uri})


def test_every_document_that_is_listed_can_be_read(reader):
    """What the list names can be read by that name, whatever its script."""
    for item in reader.ok("list_all", what="resources")["items"]:
        (part,) = reader.ok("read", uri=item["uri"])["contents"]
        assert (part["uri"], part["mimeType"]) == (item["uri"], item["mimeType"])
        assert part["text"].strip()


def test_prompts(reader):
    """The reader's prompts hold the documents that they name."""
    asked = reader.ok("prompt", name="answer_from_library", arguments={"question": "Когда открыто?"})
    assert "Когда открыто?" in str(asked["messages"])
    told = reader.ok("prompt", name="summarize_document", arguments={"document": "README.md"})
    assert told["messages"][1]["content"]["resource"]["uri"] == README
    both = {"first": "README.md", "second": "ru/permanent-addresses.md"}
    assert len(reader.ok("prompt", name="compare_documents", arguments=both)["messages"]) == 3
    assert (
        reader.refused("prompt", name="summarize_document", arguments={"document": "none.md"})[0]
        == INVALID_PARAMS
    )


def test_completions(reader):
    """Paths and ids are completed as they are typed."""
    template = {"type": "ref/resource", "uri": "library:///{+path}"}
    paths = reader.ok("complete", ref=template, name="path", value="RE")["completion"]["values"]
    assert paths == ["README.md"]
    identifiers = {"type": "ref/resource", "uri": "library:///.id/{id}"}
    assert "welcome" in reader.ok("complete", ref=identifiers, name="id", value="wel")["completion"]["values"]
    prompt = {"type": "ref/prompt", "name": "summarize_document"}
    assert reader.ok("complete", ref=prompt, name="document", value="RE")["completion"]["values"] == [
        "README.md"
    ]


def test_many_questions_at_once(reader):
    """Questions under way together are each answered with what was asked."""
    queries = ["paste", "постоянный адрес", "缓存", "opening hours", "loans"] * 8
    asked = [{"query": query, "limit": 1} for query in queries]
    answers = reader.ok("call_many", name="library_search", each=asked)
    found = [answer["ok"]["structuredContent"]["items"][0]["uri"] for answer in answers]
    assert found == found[:5] * 8
    assert len(set(found)) == 5
