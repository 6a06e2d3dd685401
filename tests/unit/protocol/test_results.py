"""The wrapper that every result passes: type, identity, and cache hints where they belong."""

import json
from typing import Any

import msgspec
import pytest

from readingroom.protocol import (
    Annotations,
    CacheHint,
    CallResult,
    Completion,
    CompletionResult,
    Discovered,
    EmbeddedResource,
    Icon,
    ImageContent,
    Implementation,
    Prompt,
    PromptArgument,
    PromptList,
    PromptMessage,
    PromptResult,
    ReadResult,
    Resource,
    ResourceContents,
    ResourceLink,
    ResourceList,
    ResourceTemplate,
    Result,
    TemplateList,
    TextContent,
    Tool,
    ToolAnnotations,
    ToolList,
    Wrapper,
)
from support.messages import LATEST, SERVER

IDENTITY = Implementation("srv", "1", title="Server", website_url="https://example.org")
TOLD = {"name": "srv", "version": "1", "title": "Server", "websiteUrl": "https://example.org"}
WRAPPER = Wrapper(IDENTITY)


def wrapped(result: Result, hint: CacheHint | None = None) -> dict[str, Any]:
    """The result as a client reads it, without what every one has."""
    answer = json.loads(WRAPPER.answer(7, result, hint))
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    assert set(answer) == {"jsonrpc", "id", "result"}
    members: dict[str, Any] = answer["result"]
    assert members.pop("resultType") == "complete"
    assert members["_meta"][SERVER] == TOLD
    if len(members["_meta"]) == 1:
        del members["_meta"]
    return members


ICON = Icon("https://example.org/i.png", mime_type="image/png", sizes=("48x48",), theme="dark")
ICON_TOLD = {"src": "https://example.org/i.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
NOTES = Annotations(audience=("user",), priority=0.5, last_modified="2026-11-30T00:00:00Z")
NOTES_TOLD = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-11-30T00:00:00Z"}

RESULTS: list[tuple[Result, dict[str, Any]]] = [
    (Discovered({"tools": {}}), {"capabilities": {"tools": {}}, "supportedVersions": [LATEST]}),
    (
        Discovered({}, instructions="i"),
        {"capabilities": {}, "supportedVersions": [LATEST], "instructions": "i"},
    ),
    (
        ToolList((Tool("t", "d", {"type": "object"}),), "next"),
        {
            "tools": [{"name": "t", "description": "d", "inputSchema": {"type": "object"}}],
            "nextCursor": "next",
        },
    ),
    (
        ToolList(
            (
                Tool(
                    "t",
                    "d",
                    {},
                    "T",
                    {"type": "object"},
                    ToolAnnotations(True, False, True, False),
                    (ICON,),
                    {"a": 1},
                ),
            )
        ),
        {
            "tools": [
                {
                    "name": "t",
                    "description": "d",
                    "inputSchema": {},
                    "title": "T",
                    "outputSchema": {"type": "object"},
                    "annotations": {
                        "readOnlyHint": True,
                        "destructiveHint": False,
                        "idempotentHint": True,
                        "openWorldHint": False,
                    },
                    "icons": [ICON_TOLD],
                    "_meta": {"a": 1},
                }
            ]
        },
    ),
    (CallResult(()), {"content": []}),
    (
        CallResult((TextContent("x", NOTES),), is_error=True),
        {
            "content": [{"type": "text", "text": "x", "annotations": NOTES_TOLD}],
            "isError": True,
        },
    ),
    (CallResult((), structured=None), {"content": [], "structuredContent": None}),
    (CallResult((), structured=[0]), {"content": [], "structuredContent": [0]}),
    (
        CallResult(
            (
                ImageContent("aGk=", "image/png"),
                ResourceLink("a:b", "n", size=0),
                EmbeddedResource(ResourceContents("a:b", blob="")),
            )
        ),
        {
            "content": [
                {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "a:b", "name": "n", "size": 0},
                {"type": "resource", "resource": {"uri": "a:b", "blob": ""}},
            ]
        },
    ),
    (
        ResourceList((Resource("a:b", "n", mime_type="text/plain"),)),
        {"resources": [{"uri": "a:b", "name": "n", "mimeType": "text/plain"}]},
    ),
    (
        TemplateList((ResourceTemplate("a:{b}", "n"),), ""),
        {"resourceTemplates": [{"uriTemplate": "a:{b}", "name": "n"}], "nextCursor": ""},
    ),
    (ReadResult((ResourceContents("a:b", text=""),)), {"contents": [{"uri": "a:b", "text": ""}]}),
    (
        PromptList((Prompt("p", arguments=(PromptArgument("a", required=True),)),)),
        {
            "prompts": [{"name": "p", "arguments": [{"name": "a", "required": True}]}],
        },
    ),
    (
        PromptResult((PromptMessage("user", TextContent("x")),), "d"),
        {
            "messages": [{"role": "user", "content": {"type": "text", "text": "x"}}],
            "description": "d",
        },
    ),
    (
        CompletionResult(Completion(("a",), total=1, has_more=False)),
        {"completion": {"values": ["a"], "total": 1, "hasMore": False}},
    ),
]


@pytest.mark.parametrize(("result", "told"), RESULTS, ids=[type(result).__name__ for result, _ in RESULTS])
def test_every_result_is_told_in_the_names_of_the_protocol(result: Result, told: dict[str, Any]) -> None:
    """With its type and the server's identity, which a handler cannot forget (RES-1, META-10)."""
    assert wrapped(result) == told


def test_cache_hints_are_added_when_they_are_given() -> None:
    """A whole number of milliseconds and a scope (CACHE-1)."""
    told = wrapped(ReadResult(()), CacheHint(60_000, "public"))
    assert told == {"contents": [], "ttlMs": 60_000, "cacheScope": "public"}
    assert type(told["ttlMs"]) is int
    assert wrapped(ReadResult(()), CacheHint()) == {"contents": [], "ttlMs": 0, "cacheScope": "private"}


def test_a_result_of_nothing_is_an_object_all_the_same() -> None:
    """With what every result has."""
    assert wrapped(Result()) == {}
    assert wrapped(Result(), CacheHint(1, "public")) == {"ttlMs": 1, "cacheScope": "public"}


def test_what_a_handler_says_in_meta_is_kept_under_the_identity() -> None:
    """It cannot name another server (META-10, META-12)."""
    result = CallResult((), meta={"org.example/a": [1], SERVER: {"name": "another"}})
    assert wrapped(result) == {"content": [], "_meta": {"org.example/a": [1], SERVER: TOLD}}
    assert wrapped(CallResult((), meta={})) == {"content": []}


def test_a_success_made_of_encoded_parts_is_like_any_other() -> None:
    """The text to show, and the structured content."""
    answer = json.loads(Wrapper.answer_encoded("x", WRAPPER.structured(b'"3"', b'{"result":3}')))
    assert answer == {
        "jsonrpc": "2.0",
        "id": "x",
        "result": {
            "resultType": "complete",
            "content": [{"type": "text", "text": "3"}],
            "structuredContent": {"result": 3},
            "_meta": {SERVER: TOLD},
        },
    }


@pytest.mark.parametrize("request_id", [0, -7, 2**70, "", "7", 'a"b', "читатель"])
def test_an_answer_has_the_id_of_its_request(request_id: Any) -> None:
    """With its JSON type (RPC-4)."""
    found = json.loads(WRAPPER.answer(request_id, Result()))["id"]
    assert (found, type(found)) == (request_id, type(request_id))


@pytest.mark.parametrize("value", [object(), "\ud800", {(1, 2): 3}])
def test_what_json_cannot_say_is_not_wrapped(value: Any) -> None:
    """It is found before anything is queued."""
    with pytest.raises((TypeError, ValueError, msgspec.MsgspecError)):
        WRAPPER.answer(1, CallResult((), structured=value))
