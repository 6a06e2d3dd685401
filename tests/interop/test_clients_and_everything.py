"""The clients of other SDKs and a server on the kit that has one of everything, over each carrier, in revision 2026-07-28.

How each client is brought to speak that revision: the official Python client 2.3.0 and FastMCP's 4.2.3 do it by
themselves (their `mode` is `auto`: they ask `server/discover` first). The official TypeScript client 2.4.0 speaks only
2025-11-25 unless it is made with `versionNegotiation: { mode: "auto" }`; on stdio it then asks `server/discover` of a
process that it starts for this alone. What works differently than it should is listed in
docs/explanation/interoperability.md.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from readingroom import Client
from support.peers import MODERN, Driven, text_of
from support.processes import until

pytestmark = pytest.mark.peers

INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
LISTS = ("tools", "resources", "resourceTemplates", "prompts")


@pytest.fixture(scope="module")
def peer(connect: Callable[..., Driven], carrier: str, request: pytest.FixtureRequest) -> Iterator[Driven]:
    """Give a client that stays connected, and hold against the server that the client found nothing wrong with it."""
    driven = connect(request.getfixturevalue("workshop" if carrier == "stdio" else "workshop_url"))
    assert driven.connected == {"ok": "connected"}
    yield driven
    driven.close()


@pytest.fixture(scope="module")
def listed(workshop: str) -> dict[str, list[Any]]:
    """Give what our own client lists, as it came."""
    with Client.stdio([sys.executable, workshop]) as client:
        return {
            "tools": [item.raw for item in client.list_tools()],
            "resources": [item.raw for item in client.list_resources()],
            "resourceTemplates": [item.raw for item in client.list_templates()],
            "prompts": [item.raw for item in client.list_prompts()],
        }


def test_agreement(peer):
    """The client has learnt what the server is, and speaks the modern revision with it (DISC-1, META-10)."""
    info = peer.ok("info")
    assert info["version"] == MODERN
    assert info["server"] == {"name": "workshop", "version": "2.1.0", "title": "Workshop"}
    assert sorted(info["capabilities"]) == ["completions", "logging", "prompts", "resources", "tools"]
    assert info["instructions"] == "Try everything."


@pytest.mark.parametrize("what", LISTS)
def test_lists(peer, listed, what):
    """Every list comes whole, in order and unchanged: schemas, annotations and all (PAGE-2, SCH-6)."""
    found = peer.ok("list_all", what=what)
    assert found["items"] == listed[what]
    if found["pages"] is not None:
        assert found["pages"] == {"tools": [100, 65], "resources": [100, 100, 52]}.get(what, [2])


@pytest.mark.parametrize("cursor", ["bogus", ""])
def test_cursor_that_was_not_given(peer, cursor):
    """A cursor that the server did not give is refused, the empty one as well (PAGE-3)."""
    assert peer.refused("page_of_tools", cursor=cursor)[0] == INVALID_PARAMS


def test_calls(peer):
    """Tools are called with arguments in any script and with defaults, and answer with structured content (TOOL-9)."""
    assert peer.structured("add", a=-1, b=43) == {"result": 42}
    assert peer.structured("greet", name="Ünï 北京") == {"result": "Hello, Ünï 北京!"}
    assert text_of(peer.call("greet", name="Ю", times=2)) == "Hello, Ю! Hello, Ю!"
    assert peer.structured("part", number=4) == {"number": 4, "name": "part 4", "note": None}
    assert peer.structured("many_149") == {"result": "one"}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("null", None),
        ("false", False),
        ("zero", 0),
        ("text", ""),
        ("list", []),
        ("object", {"a": [1, 2.5, None, {"б": "字"}], "empty": {}}),
    ],
)
def test_structured_content_of_every_kind(peer, kind, value):
    """Structured content may be any JSON; null is a value, and is not lost (TOOL-10)."""
    result = peer.call("any-value", kind=kind)
    assert result["structuredContent"] == value
    assert type(result["structuredContent"]) is type(value)


def test_content_of_every_kind(peer):
    """Content blocks of every kind arrive as they were sent."""
    blocks = peer.call("blocks")["content"]
    kinds = ["text", "image", "audio", "resource_link", "resource", "resource"]
    assert [block["type"] for block in blocks] == kinds
    assert blocks[0]["annotations"] == {"audience": ["user"], "priority": 0.5}
    assert (blocks[1]["mimeType"], blocks[1]["data"][:4]) == ("image/png", "iVBO")
    assert (blocks[3]["uri"], blocks[3]["size"]) == ("x:///fixed", 5)
    assert blocks[4]["resource"] == {"uri": "x:///fixed", "mimeType": "text/plain", "text": "fixed"}
    assert blocks[5]["resource"]["blob"] == blocks[1]["data"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [({"a": "1", "b": 2}, "a"), ({"a": 1.5, "b": 2}, "a"), ({"a": 1}, "b"), ({"a": 1, "b": 2, "c": 3}, "c")],
)
def test_arguments_that_do_not_fit(peer, arguments, named):
    """Arguments that break the schema are a failure that a model can read, not an error of the protocol (TOOL-7)."""
    assert named in peer.failure("add", **arguments)


def test_unknown_tool(peer):
    """An unknown tool is an error of the protocol (TOOL-6)."""
    assert peer.refused("call", name="no_such_tool", arguments={}) == (INVALID_PARAMS, None)


def test_failures(peer):
    """A tool's failure is told to the model; what nobody may read is masked under an incident id (TOOL-7)."""
    assert peer.failure("fail") == "nothing to be done"
    answer = peer.do("call", name="crash", arguments={})
    assert answer["error"]["code"] == INTERNAL_ERROR
    assert list(answer["error"]["data"]) == ["incident"]
    assert "secret" not in str(answer)


def test_progress(peer):
    """Progress reaches the caller in order (PROG-2)."""
    told = peer.ok("call_with_progress", name="count", arguments={"to": 5})
    assert told["result"]["structuredContent"] == {"result": 5}
    steps = [[number, 5, f"at {number}"] for number in range(1, 6)]
    if peer.peer != "typescript":
        assert told["progress"] == steps
        return
    # This client drops progress that it reads together with the answer, and says so of each.
    dropped = peer.ok("take_faults")
    assert told["progress"] == steps[: len(told["progress"])]
    assert len(told["progress"]) + len(dropped) == len(steps)
    assert all("progress notification for an unknown token" in fault for fault in dropped)


def test_log_lines(peer):
    """Log lines come at the level that the request asked for, and only then (LOG-1)."""
    lines = peer.ok("call_with_log", name="note", arguments={"text": "x"}, level="warning")
    assert lines == [
        {"level": level, "logger": "workshop", "data": {"text": "x"}} for level in ("warning", "error")
    ]


def test_many_calls_at_once(peer):
    """Answers of calls under way together go to the call that each belongs to."""
    each = [{"a": number, "b": number} for number in range(300)]
    each[7] = {"a": 7}
    answers = [answer["ok"] for answer in peer.ok("call_many", name="add", each=each)]
    assert answers.pop(7)["isError"] is True
    results = [2 * number for number in range(300) if number != 7]
    assert [answer["structuredContent"]["result"] for answer in answers] == results


def test_cancelled_and_timed_out_calls_end_on_the_server(peer):
    """A call that is cancelled, or takes longer than its caller waits, is ended on the server as well (CAN-1, CAN-6)."""
    before, _ = peer.structured("holds")["result"]
    assert peer.ok("cancel", name="hold") == "cancelled"
    assert "timed out" in peer.do("time_out", name="hold", seconds=0.2)["error"]["message"]

    def have_ended() -> bool:
        return peer.structured("holds")["result"] == [before + 2, before + 2]

    until(have_ended)


def test_large_texts(peer):
    """Arguments and answers of a megabyte go through."""
    text = "много текста — 很多文字 " * 40_000
    assert peer.structured("echo", text=text) == {"result": text}


def test_resources(peer):
    """Resources are read as text or as bytes, and by template with variables in any script (RSRC-2, RSRC-6)."""
    found = peer.ok("read", uri="x:///fixed")
    assert found["contents"] == [{"uri": "x:///fixed", "mimeType": "text/plain", "text": "fixed"}]
    assert (found["ttlMs"], found["cacheScope"]) == (0, "private")
    assert peer.ok("read", uri="x:///dot")["contents"][0]["blob"].startswith("iVBO")
    uri = "x:///city/%D0%A1%D0%B0%D0%BD%D0%BA%D1%82-%D0%9F%D0%B5%D1%82%D0%B5%D1%80%D0%B1%D1%83%D1%80%D0%B3"
    (part,) = peer.ok("read", uri=uri)["contents"]
    assert (part["uri"], part["text"]) == (uri, "About Санкт-Петербург")


def test_resources_that_cannot_be_read(peer):
    """A missing resource is an error with its URI; one that fails is masked (RSRC-3)."""
    for uri in ("x:///none", "x:///city/Atlantis"):
        assert peer.refused("read", uri=uri) == (INVALID_PARAMS, {"uri": uri})
    code, data = peer.refused("read", uri="x:///crash/a")
    assert (code, list(data)) == (INTERNAL_ERROR, ["incident"])


def test_prompts(peer):
    """Prompts are filled in, with a default where one is left out, and hold content of any kind (PRO-2)."""
    (message,) = peer.ok("prompt", name="visit", arguments={"city": "Köln"})["messages"]
    assert message == {"role": "user", "content": {"type": "text", "text": "Plan a visit to Köln in summer."}}
    kinds = [(item["role"], item["content"]["type"]) for item in peer.ok("prompt", name="look")["messages"]]
    assert kinds == [("user", "text"), ("user", "image"), ("user", "resource"), ("assistant", "text")]


@pytest.mark.parametrize(
    "asked", [{"name": "visit"}, {"name": "none"}, {"name": "visit", "arguments": {"city": "B", "x": "y"}}]
)
def test_prompts_that_cannot_be_filled_in(peer, asked):
    """An unknown prompt, a missing argument and an unknown one are errors of the protocol (PRO-3)."""
    assert peer.refused("prompt", **asked)[0] == INVALID_PARAMS


def test_completions(peer):
    """Arguments of prompts and variables of templates are completed, by the arguments chosen already (COMP-2)."""
    prompt, template = (
        {"type": "ref/prompt", "name": "visit"},
        {"type": "ref/resource", "uri": "x:///city/{city}"},
    )
    found = peer.ok("complete", ref=prompt, name="city", value="be")["completion"]
    assert found == {"values": ["Berlin", "Bern"], "total": 2, "hasMore": False}
    found = peer.ok("complete", ref=template, name="city", value="北")["completion"]
    assert found["values"] == ["北京"]
    found = peer.ok("complete", ref=prompt, name="season", value="", others={"city": "Paris"})["completion"]
    assert found["values"] == ["summer", "spring"]
    assert (
        peer.refused("complete", ref={**prompt, "name": "none"}, name="city", value="")[0] == INVALID_PARAMS
    )


def test_rounds(peer):
    """Clients answer for a person, for a model and for themselves, over as many rounds as it takes (MRTR-1, MRTR-6)."""
    told = peer.structured("ask_person")["result"]
    assert told == ["accept {'name': 'Ada'}", "accept {'number': 3}", "accept"]
    assert peer.structured("ask_machine")["result"] == ["A model says so.", "file:///home/ada"]


def test_changes(peer):
    """Who listens to a resource is told when it changes (SUB-2, SUB-9)."""
    if peer.peer == "fastmcp":
        pytest.skip("FastMCP's client has no way to listen")
    told = peer.ok("changed", name="touch", arguments={"uri": "x:///fixed"}, uri="x:///fixed")
    assert told["honored"] == {"toolsListChanged": True, "resourceSubscriptions": ["x:///fixed"]}
    if peer.peer == "mcp":
        assert (told["event"], told["uri"]) == ("ResourceUpdated", "x:///fixed")
    else:
        assert told["method"] == "notifications/resources/updated"
        assert told["params"]["uri"] == "x:///fixed"


def test_values_as_fastmcp_makes_them(peer):
    """FastMCP's recommended call makes a value of structured content, by our output schemas."""
    if peer.peer != "fastmcp":
        pytest.skip("the other clients give structured content as it came")
    assert peer.ok("data", name="part", arguments={"number": 3}) == {
        "number": 3,
        "name": "part 3",
        "note": None,
    }
    assert peer.ok("data", name="add", arguments={"a": 1, "b": 2}) == {"result": 3}
    assert peer.do("data", name="fail", arguments={})["error"]["kind"] == "ToolError"
