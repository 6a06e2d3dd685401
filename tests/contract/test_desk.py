"""The library's tools, resources, prompts and completions, as a client meets them: over messages, on real documents."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from readingroom.desk import open_desk
from readingroom.library import Principal
from readingroom.server import Connection, Flight
from support.messages import frame
from support.shelves import Shelves

Ask = Callable[..., dict[str, Any]]

PATH, ID = {"name": "path", "value": "lo"}, {"name": "id", "value": "bo"}


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A small folder with a public, an internal and a long document, and links between them."""
    made = Shelves(tmp_path)
    made.document(
        "guides/borrowing.md",
        "# Borrowing\n\nSee [fees](fees.md), [pay](../staff/pay.md), [gone](gone.md).\n\n## Loan periods\n\nFour weeks.\n",
        id="borrowing",
        tags="[rules]",
    )
    made.document("guides/fees.md", "# Fees\n\nLate fees are ten cents a day. Back to [[Borrowing]].\n")
    made.document("staff/pay.md", "# Pay\n\nEverybody earns the same secret sum.\n", visibility="internal")
    made.document(
        "long.md", "# Long\n\n" + "".join(f"Line {number} of a long text.\n\n" for number in range(900))
    )
    return made


@pytest.fixture
def ask(shelves: Shelves) -> Iterator[Ask]:
    """Send one request to the desk's server and give its answer."""
    library = shelves.scanned()
    app = open_desk(lambda: library.view(Principal("local", "reader")), version="1.0.0", cursor_key=b"k" * 32)
    dispatcher = app.dispatcher()
    connection = Connection(dispatcher.capabilities)

    def send(method: str, **members: Any) -> dict[str, Any]:
        flight = connection.receive(frame(1, method, members))
        assert isinstance(flight, Flight)
        try:
            work = dispatcher.route(flight.request, "local")
        except Exception as error:  # noqa: BLE001  -- as a carrier does
            answered = dispatcher.refused(flight.request, error)
        else:
            ctx = dispatcher.context(flight.request, flight, lambda *_: None, "local")
            answered = dispatcher.run(work, ctx)
        connection.settle(flight)
        assert answered is not None
        answer: dict[str, Any] = json.loads(answered)
        return answer

    yield send
    library.close()


def tool(ask: Ask, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and give its result."""
    result: dict[str, Any] = ask("tools/call", name=name, arguments=arguments)["result"]
    return result


def text(result: dict[str, Any]) -> str:
    """The text of a result."""
    return str(result["content"][0]["text"])


def test_a_hit_can_be_cited(ask: Ask) -> None:
    """A search tells address, lines and passage in the structured content and in the text alike."""
    result = tool(ask, "library_search", query="late fees")
    hit = result["structuredContent"]["items"][0]
    assert (hit["uri"], hit["lines"]) == ("library:///guides/fees.md", [1, 3])
    start, end = hit["highlights"][0]
    assert hit["text"][start:end].lower() in ("late", "fees")
    assert "library:///guides/fees.md lines 1-3" in text(result)
    assert "ten cents" in text(result)


def test_a_call_with_a_dot_is_the_same_tool(ask: Ask) -> None:
    """`library.search` is answered as `library_search`, and is not listed."""
    dotted = tool(ask, "library.search", query="late fees")
    assert dotted["structuredContent"] == tool(ask, "library_search", query="late fees")["structuredContent"]
    assert all("." not in listed["name"] for listed in ask("tools/list")["result"]["tools"])


def test_the_list_of_tools_is_small(ask: Ask) -> None:
    """A reader's tools/list stays under 8 KB, for it is in a model's context all the time."""
    assert len(json.dumps(ask("tools/list"), separators=(",", ":"), ensure_ascii=False).encode()) < 8000


def test_tools_say_what_they_are(ask: Ask) -> None:
    """Every tool has a title, a description, all four hints, a closed input schema and an output schema."""
    for listed in ask("tools/list")["result"]["tools"]:
        assert listed["title"]
        assert listed["description"]
        assert listed["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert listed["inputSchema"]["additionalProperties"] is False
        assert listed["outputSchema"]["type"] == "object"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("library_search", {"query": "fees"}),
        ("library_search", {"query": "zzzunknown"}),
        ("library_read", {"uri": "library:///guides/borrowing.md"}),
        ("library_read", {"path": "long.md"}),
        ("library_list", {}),
        ("library_outline", {"uri": "guides/borrowing.md"}),
        ("library_outline", {"path": "guides/borrowing.md"}),
        ("library_links", {"path": "guides/borrowing.md"}),
        ("library_links", {"uri": "library:///.id/borrowing"}),
    ],
)
def test_answers_keep_the_output_schema(ask: Ask, name: str, arguments: dict[str, Any]) -> None:
    """What a tool answers is valid by the output schema it lists."""
    schemas = {listed["name"]: listed["outputSchema"] for listed in ask("tools/list")["result"]["tools"]}
    result = tool(ask, name, **arguments)
    jsonschema_rs.validator_for(schemas[name]).validate(result["structuredContent"])
    assert not result.get("isError")


def test_reading_goes_on_to_the_end(ask: Ask) -> None:
    """Following the cursors of a read gives every line of the document once, in order."""
    lines: list[str] = []
    cursor, part = None, {}
    while not lines or cursor is not None:
        more = {"cursor": cursor} if cursor else {}
        part = tool(ask, "library_read", uri="library:///long.md", max_chars=5000, **more)[
            "structuredContent"
        ]
        assert part["lines"][0] == len(lines) + 1
        lines += part["text"].split("\n")
        assert len(lines) == part["lines"][1]
        cursor = part.get("cursor")
    assert len(lines) == part["total_lines"]
    assert lines[2] == "Line 0 of a long text."


def test_a_section_and_lines_can_be_read(ask: Ask) -> None:
    """A read can be kept to the section under a heading, or to lines; its text shows their numbers."""
    section = tool(ask, "library_read", uri="library:///guides/borrowing.md", section="Loan periods")
    assert "Four weeks." in section["structuredContent"]["text"]
    first, last = section["structuredContent"]["lines"]
    some = tool(ask, "library_read", path="guides/borrowing.md", lines=[first, last])
    assert some["structuredContent"]["text"].rstrip("\n") == section["structuredContent"]["text"].rstrip("\n")
    assert f"{first}| ## Loan periods" in text(some)


def test_what_a_reader_may_not_see_is_not_there(ask: Ask) -> None:
    """An internal document is answered exactly as a missing one, by every tool, resource and prompt."""
    internal, missing = "library:///staff/pay.md", "library:///staff/gap.md"
    for name in ("library_read", "library_outline", "library_links"):
        answers = [json.dumps(tool(ask, name, uri=uri)).replace(uri, "") for uri in (internal, missing)]
        assert answers[0] == answers[1]
        assert tool(ask, name, uri=internal)["isError"] is True
    for method, member in (("resources/read", "uri"),):
        answers = [json.dumps(ask(method, **{member: uri})).replace(uri, "") for uri in (internal, missing)]
        assert answers[0] == answers[1]
    prompts = [
        json.dumps(ask("prompts/get", name="summarize_document", arguments={"document": uri})).replace(
            uri, ""
        )
        for uri in (internal, missing)
    ]
    assert prompts[0] == prompts[1]
    assert tool(ask, "library_search", query="secret sum")["structuredContent"]["items"] == []


def test_links_are_told_both_ways(ask: Ask) -> None:
    """Links lead to documents by path and by name; one to an internal document is broken like one to nothing."""
    links = tool(ask, "library_links", uri="library:///guides/borrowing.md")["structuredContent"]
    states = {link["target"]: link["state"] for link in links["outgoing"]}
    assert states == {"fees.md": "found", "../staff/pay.md": "broken", "gone.md": "broken"}
    assert [link["uri"] for link in links["incoming"]] == ["library:///guides/fees.md"]


def test_a_cursor_belongs_to_its_call(ask: Ask) -> None:
    """A cursor of other arguments, another tool or of nobody's making is refused in words."""
    found = tool(ask, "library_search", query="long text", limit=1)["structuredContent"]
    again = tool(ask, "library_search", query="long text", limit=1, cursor=found["cursor"])
    assert again["structuredContent"]["items"] != found["items"]
    for name, arguments in (
        ("library_search", {"query": "other", "cursor": found["cursor"]}),
        ("library_list", {"cursor": found["cursor"]}),
        ("library_search", {"query": "long text", "limit": 1, "cursor": ""}),
        ("library_search", {"query": "long text", "limit": 1, "cursor": "é"}),
    ):
        refused = tool(ask, name, **arguments)
        assert refused["isError"] is True
        assert "cursor" in text(refused)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("library_read", {}),
        ("library_read", {"uri": "long.md", "path": "long.md"}),
        ("library_read", {"uri": "library:///../etc/passwd"}),
        ("library_read", {"uri": "file:///etc/passwd"}),
        ("library_read", {"uri": "long.md", "lines": [9, 2]}),
        ("library_read", {"uri": "long.md", "lines": [0, 2]}),
        ("library_read", {"uri": "long.md", "section": "Nowhere"}),
        ("library_search", {"query": ""}),
        ("library_search", {"query": "x" * 2001}),
        ("library_search", {"query": "x", "limit": 51}),
        ("library_search", {"query": "x", "limit": "5"}),
        ("library_search", {"query": "x", "unknown": 1}),
        ("library_outline", {}),
        ("library_links", {"uri": "long.md", "path": "long.md"}),
        ("library_search", {"query": "x", "path": "library:///../a"}),
        ("library_list", {"path": "library:///a b"}),
    ],
)
def test_what_cannot_be_served_is_said(ask: Ask, name: str, arguments: dict[str, Any]) -> None:
    """A call out of bounds gets isError with a sentence, and no incident."""
    refused = ask("tools/call", name=name, arguments=arguments)["result"]
    assert refused["isError"] is True
    assert text(refused)


def test_every_visible_document_is_a_resource(ask: Ask) -> None:
    """Resources are the public documents in order, with type, size and time; each can be read by its address."""
    resources = ask("resources/list")["result"]["resources"]
    assert [resource["name"] for resource in resources] == [
        "guides/borrowing.md",
        "guides/fees.md",
        "long.md",
    ]
    for resource in resources:
        contents = ask("resources/read", uri=resource["uri"])["result"]["contents"][0]
        assert (contents["uri"], contents["mimeType"]) == (resource["uri"], "text/markdown")
        assert len(contents["text"].encode()) == resource["size"]
        assert resource["annotations"]["lastModified"] == "2020-09-13T12:26:40Z"


def test_a_document_is_read_by_its_identifier(ask: Ask) -> None:
    """A document with an id is a resource at its identifier's address, too."""
    contents = ask("resources/read", uri="library:///.id/borrowing")["result"]["contents"][0]
    assert contents["text"].startswith("---\nid: borrowing")


def test_completions_know_the_public_documents(ask: Ask) -> None:
    """Paths and identifiers are completed from what the reader may see."""
    for ref, argument, typed, expected in (
        ({"type": "ref/resource", "uri": "library:///{+path}"}, "path", "guides/f", ["guides/fees.md"]),
        ({"type": "ref/resource", "uri": "library:///{+path}"}, "path", "staff/", []),
        ({"type": "ref/resource", "uri": "library:///.id/{id}"}, "id", "bor", ["borrowing"]),
        ({"type": "ref/prompt", "name": "summarize_document"}, "document", "lo", ["long.md"]),
    ):
        answer = ask("completion/complete", ref=ref, argument={"name": argument, "value": typed})
        assert answer["result"]["completion"]["values"] == expected


def test_prompts_carry_what_they_ask_about(ask: Ask) -> None:
    """The prompts hold the question, respectively the documents, and say when a document goes on."""
    answer = ask("prompts/get", name="answer_from_library", arguments={"question": "How much is a day?"})
    assert "How much is a day?" in answer["result"]["messages"][0]["content"]["text"]
    compared = ask(
        "prompts/get", name="compare_documents", arguments={"first": "long.md", "second": "guides/fees.md"}
    )
    contents = [message["content"] for message in compared["result"]["messages"]]
    uris = [content["resource"]["uri"] for content in contents if content["type"] == "resource"]
    assert uris == ["library:///long.md", "library:///guides/fees.md"]
    short = ask("prompts/get", name="summarize_document", arguments={"document": "guides/fees.md"})
    assert len(short["result"]["messages"]) == 2


def test_a_prompt_says_when_a_document_goes_on(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too long to be embedded is embedded as far as it goes, and the rest is named."""
    monkeypatch.setattr("readingroom.desk.prompts._EMBEDDED", 5_000)
    answer = ask("prompts/get", name="summarize_document", arguments={"document": "long.md"})
    *_, embedded, rest = (message["content"] for message in answer["result"]["messages"])
    assert len(embedded["resource"]["text"]) <= 5_000
    assert "goes on after line" in rest["text"]


def test_missing_arguments_of_a_prompt_are_named(ask: Ask) -> None:
    """A prompt without its argument is refused with -32602 and the argument's name."""
    error = ask("prompts/get", name="answer_from_library")["error"]
    assert error["code"] == -32602
    assert "question" in error["message"]


def test_a_resource_is_read_whatever_its_fragment(ask: Ask) -> None:
    """The fragment of an address names a place in the document, which is given whole; an encoded # is of the path."""
    whole = ask("resources/read", uri="library:///guides/borrowing.md")["result"]["contents"][0]["text"]
    for uri in ("library:///guides/borrowing.md#Loan%20periods", "library:///.id/borrowing#x/y"):
        assert ask("resources/read", uri=uri)["result"]["contents"][0]["text"] == whole
    assert ask("resources/read", uri="library:///guides/borrowing.md%23Loan")["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("place", "paths"),
    [
        ("library:///long.md", ["long.md"]),
        ("library:///long.md#x", ["long.md"]),
        ("library:///guides", ["guides/borrowing.md", "guides/fees.md"]),
        ("library:///guides/", ["guides/borrowing.md", "guides/fees.md"]),
        ("library:///.id/borrowing", ["guides/borrowing.md"]),
        ("library:///.id/nobody", []),
        ("library:///staff/pay.md", []),
        ("library:///", ["guides/borrowing.md", "guides/fees.md", "long.md"]),
    ],
)
def test_an_address_is_taken_where_a_path_is(ask: Ask, place: str, paths: list[str]) -> None:
    """Searching and listing stay in the folder or document of an address as they do in that of a path."""
    listed = tool(ask, "library_list", path=place)["structuredContent"]["items"]
    assert [item["path"] for item in listed] == paths
    found = tool(ask, "library_search", query="long late borrowing pay", path=place)["structuredContent"]
    assert sorted({item["path"] for item in found["items"]}) == paths


def test_an_empty_document_is_said_to_be_empty(shelves: Shelves, ask: Ask) -> None:
    """It has no lines, and nothing is told as if there were one."""
    shelves.write("long.md", "")
    result = tool(ask, "library_read", path="long.md")
    assert text(result) == "**long**\nlibrary:///long.md is empty."
    answer = result["structuredContent"]
    assert (answer["lines"], answer["total_lines"], answer["text"]) == ([0, 0], 0, "")
    assert "empty" in text(tool(ask, "library_read", path="long.md", lines=[1, 1]))


def test_a_folder_that_has_gone_is_said_to_be_gone(shelves: Shelves, ask: Ask) -> None:
    """By every tool, list, reading, prompt and completion, in one sentence and without an incident."""
    ask("resources/list")
    shelves.docs.rename(shelves.docs.with_name("away"))
    for name, arguments in (
        ("library_search", {"query": "fees"}),
        ("library_list", {}),
        ("library_read", {"path": "long.md"}),
        ("library_outline", {"uri": "long.md"}),
        ("library_links", {"uri": "long.md"}),
    ):
        refused = tool(ask, name, **arguments)
        assert refused["isError"] is True
        assert "cannot be read" in text(refused)
    for method, members in (
        ("resources/list", {}),
        ("resources/read", {"uri": "library:///long.md"}),
        ("prompts/get", {"name": "summarize_document", "arguments": {"document": "long.md"}}),
        (
            "completion/complete",
            {"ref": {"type": "ref/resource", "uri": "library:///{+path}"}, "argument": PATH},
        ),
        (
            "completion/complete",
            {"ref": {"type": "ref/resource", "uri": "library:///.id/{id}"}, "argument": ID},
        ),
    ):
        error = ask(method, **members)["error"]
        assert "cannot be read" in error["message"]
        assert "data" not in error
