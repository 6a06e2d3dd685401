"""Today's answers and messages as each version of the older era has them."""

import json
from typing import Any

import pytest

from readingroom.protocol.eras import OLDER
from readingroom.protocol.older_answers import (
    asked,
    failed_frame,
    older_answer,
    older_discovery,
    older_notice,
    older_request,
    result_frame,
)
from support.messages import SERVER

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TEXT = {"type": "text", "text": "t"}
NEWEST, JUNE, MARCH, FIRST = OLDER


def frame(result: Any, request_id: Any = 7) -> bytes:
    """An answer of today."""
    meta = {SERVER: {"name": "s", "version": "1"}, **result.pop("_meta", {})}
    told = {"resultType": "complete", **result, "_meta": meta}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": told}).encode()


def told(result: Any, method: str, version: str) -> Any:
    """The result that a client of that version reads."""
    answer = json.loads(older_answer(frame(result), method, version))
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer["result"]


def error(code: int, data: Any = None, method: str = "tools/call") -> Any:
    """The answer that a client of the era reads for an error of today."""
    fault = {"code": code, "message": "m"} if data is None else {"code": code, "message": "m", "data": data}
    return json.loads(
        older_answer(json.dumps({"jsonrpc": "2.0", "id": "x", "error": fault}).encode(), method, NEWEST)
    )


@pytest.mark.parametrize("version", OLDER)
def test_what_only_today_has_is_stripped(version: str) -> None:
    """Also the server's identity; other metadata stay."""
    assert told({"ttlMs": 1, "cacheScope": "private", "tools": []}, "tools/list", version) == {"tools": []}
    found = told(
        {"completion": {"values": []}, "_meta": {"org.example/a": 1}}, "completion/complete", version
    )
    assert found == {"completion": {"values": []}, "_meta": {"org.example/a": 1}}


def test_a_result_without_metadata_is_taken_as_it_is() -> None:
    """Nothing is made up."""
    given = b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}'
    assert json.loads(older_answer(given, "completion/complete", NEWEST))["result"] == {}


@pytest.mark.parametrize("request_id", [0, "", "7", 2**70, -1])
def test_the_id_stays_as_it_came(request_id: Any) -> None:
    """Type and all."""
    answer = json.loads(older_answer(frame({"content": []}, request_id), "tools/call", NEWEST))
    assert answer["id"] == request_id
    assert type(answer["id"]) is type(request_id)


@pytest.mark.parametrize("version", OLDER)
@pytest.mark.parametrize("value", [{"a": 1}, {}, [1], "x", 1, None, False])
def test_structured_content_is_an_object_or_is_not_there(version: str, value: Any) -> None:
    """And only where the version has it; the text says it all the same."""
    found = told({"content": [TEXT], "structuredContent": value}, "tools/call", version)
    if isinstance(value, dict) and version >= JUNE:
        assert found == {"content": [TEXT], "structuredContent": value}
    else:
        assert found == {"content": [TEXT]}


AUDIO = {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}
LINK = {"type": "resource_link", "uri": "a:///x", "name": "X", "icons": [{"src": "data:,"}], "title": "T"}
NOTED = {**TEXT, "annotations": {"priority": 1, "lastModified": "2026-01-01T00:00:00Z"}, "_meta": {"a": 1}}
EMBEDDED = {"type": "resource", "resource": {"uri": "a:///x", "text": "t", "_meta": {"a": 1}}}


def blocks(version: str, *given: Any) -> list[Any]:
    """The blocks that a client of that version reads, in a tool's result and in a prompt, which are the same."""
    in_call = told({"content": list(given)}, "tools/call", version)["content"]
    messages = [{"role": "user", "content": block} for block in given]
    in_prompt = told({"messages": messages, "description": "d"}, "prompts/get", version)
    assert in_prompt["description"] == "d"
    assert [one["content"] for one in in_prompt["messages"]] == in_call
    assert all(one["role"] == "user" for one in in_prompt["messages"])
    found: list[Any] = in_call
    return found


def test_blocks_that_a_version_does_not_have_are_said_in_words() -> None:
    """Nothing is left out without a word."""
    assert blocks(NEWEST, TEXT, AUDIO, LINK, NOTED, EMBEDDED) == [TEXT, AUDIO, LINK, NOTED, EMBEDDED]
    no_icons = {name: value for name, value in LINK.items() if name != "icons"}
    assert blocks(JUNE, TEXT, AUDIO, LINK, NOTED, EMBEDDED) == [TEXT, AUDIO, no_icons, NOTED, EMBEDDED]
    noted = {**TEXT, "annotations": {"priority": 1}}
    embedded = {"type": "resource", "resource": {"uri": "a:///x", "text": "t"}}
    link = {"type": "text", "text": "X: a:///x"}
    assert blocks(MARCH, TEXT, AUDIO, LINK, NOTED, EMBEDDED) == [TEXT, AUDIO, link, noted, embedded]
    audio = {"type": "text", "text": "[audio, audio/wav: this version of the protocol has none]"}
    assert blocks(FIRST, TEXT, AUDIO, LINK, NOTED, EMBEDDED) == [TEXT, audio, link, noted, embedded]


TOOL = {
    "name": "t",
    "title": "T",
    "description": "d",
    "inputSchema": {"type": "object", "title": "of a schema"},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
    "icons": [{"src": "data:,"}],
    "_meta": {"a": 1},
}


@pytest.mark.parametrize(
    ("version", "lost"),
    [
        (NEWEST, set()),
        (JUNE, {"icons"}),
        (MARCH, {"icons", "title", "_meta", "outputSchema"}),
        (FIRST, {"icons", "title", "_meta", "outputSchema", "annotations"}),
    ],
)
def test_tools_have_the_members_of_the_version(version: str, lost: set[str]) -> None:
    """What is inside of a schema is not touched."""
    found = told({"tools": [TOOL], "nextCursor": "c"}, "tools/list", version)
    expected = {name: value for name, value in TOOL.items() if name not in lost}
    assert found == {"tools": [expected], "nextCursor": "c"}


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": ["object", "null"]}, {}, {"anyOf": []}])
def test_a_schema_of_what_is_no_object_is_not_told(schema: Any) -> None:
    """For its structured content is not sent either."""
    (found,) = told({"tools": [{**TOOL, "outputSchema": schema}]}, "tools/list", NEWEST)["tools"]
    assert "outputSchema" not in found


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ],
)
def test_lists_have_the_members_of_the_version(method: str, name: str) -> None:
    """Their items, and the arguments of prompts."""
    item = {
        "name": "x",
        "title": "T",
        "size": 1,
        "icons": [],
        "_meta": {},
        "annotations": {"audience": ["user"], "lastModified": "2026-01-01T00:00:00Z"},
        "arguments": [{"name": "a", "title": "A", "required": True}],
    }
    assert told({name: [item]}, method, NEWEST) == {name: [item]}
    (june,) = told({name: [item]}, method, JUNE)[name]
    assert june == {key: value for key, value in item.items() if key != "icons"}
    (march,) = told({name: [item, {"name": "y"}]}, method, MARCH)[name][:1]
    assert march == {
        "name": "x",
        "size": 1,
        "annotations": {"audience": ["user"]},
        "arguments": [{"name": "a", "required": True}],
    }


def test_contents_have_metadata_where_the_version_has() -> None:
    """And are whole otherwise."""
    item = {"uri": "a:///x", "text": "t", "mimeType": "text/plain", "_meta": {"a": 1}}
    assert told({"contents": [item]}, "resources/read", JUNE) == {"contents": [item]}
    assert told({"contents": [item]}, "resources/read", MARCH) == {
        "contents": [{"uri": "a:///x", "text": "t", "mimeType": "text/plain"}]
    }


def test_a_resource_that_is_not_there_has_the_code_of_the_era() -> None:
    """Where it was read, and nowhere else."""
    told_ = error(-32602, {"uri": "a:///x"}, "resources/read")
    assert told_ == {
        "jsonrpc": "2.0",
        "id": "x",
        "error": {"code": -32002, "message": "m", "data": {"uri": "a:///x"}},
    }
    assert error(-32602, {"uri": "a:///x"}, "tools/call")["error"]["code"] == -32602
    assert error(-32602, {"other": 1}, "resources/read")["error"]["code"] == -32602
    assert error(-32602, "text", "resources/read")["error"]["code"] == -32602
    assert error(-32603, {"uri": "a:///x"}, "resources/read")["error"]["code"] == -32603
    assert error(-32601)["error"] == {"code": -32601, "message": "m"}


def test_a_capability_that_is_missing_is_said_in_words() -> None:
    """Of a tool to its model; of what has no result for that, as invalid."""
    data = {"requiredCapabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}}}
    words = "This needs what the client did not declare: elicitation (form, url), sampling"
    assert error(-32021, data)["result"] == {"content": [{"type": "text", "text": words}], "isError": True}
    assert error(-32021, data, "prompts/get")["error"] == {"code": -32602, "message": words}
    assert error(-32021, {"requiredCapabilities": None})["error"]["code"] == -32021


def test_who_asks_is_told_from_who_answers() -> None:
    """By the type of the result, and not by what a text says."""
    asks = {"method": "roots/list"}
    whole = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"resultType": "input_required", "inputRequests": {"a": asks}},
    }
    assert asked(json.dumps(whole, separators=(",", ":")).encode()) == {"a": asks}
    assert asked(frame({"content": []})) is None
    inner = {"resultType": "complete", "structuredContent": {"resultType": "input_required"}}
    assert asked(json.dumps({"id": 1, "result": inner}, separators=(",", ":")).encode()) is None
    assert asked(b'{"id":1,"error":{"data":{"resultType":"input_required"}}}') is None


@pytest.mark.parametrize("version", OLDER)
def test_notices(version: str) -> None:
    """Without the id of a subscription; without words where progress has none."""
    given = {"method": "notifications/tools/list_changed", "params": {"_meta": {SUBSCRIPTION: 1}}}
    assert json.loads(older_notice(json.dumps(given).encode(), version)) == {"method": given["method"]}
    given = {
        "method": "notifications/resources/updated",
        "params": {"uri": "u", "_meta": {SUBSCRIPTION: 1, "a": 1}},
    }
    assert json.loads(older_notice(json.dumps(given).encode(), version))["params"] == {
        "uri": "u",
        "_meta": {"a": 1},
    }
    step = {"progressToken": 1, "progress": 0.5, "message": "half"}
    given = {"jsonrpc": "2.0", "method": "notifications/progress", "params": step}
    sent = json.loads(older_notice(json.dumps(given, separators=(",", ":")).encode(), version))
    assert sent["params"] == (step if version > FIRST else {"progressToken": 1, "progress": 0.5})
    assert json.loads(older_notice(b'{"method":"notifications/x"}', version)) == {"method": "notifications/x"}


@pytest.mark.parametrize("version", OLDER)
def test_requests_of_the_server(version: str) -> None:
    """Have what the version has: modes, tools for a model, and an id for what is opened."""

    def sent(request: Any) -> Any:
        told = json.loads(older_request("s1", request, version, "e1"))
        assert (told.pop("jsonrpc"), told.pop("id")) == ("2.0", "s1")
        return told

    form = {"method": "elicitation/create", "params": {"mode": "form", "message": "m", "requestedSchema": {}}}
    no_mode = {"message": "m", "requestedSchema": {}}
    assert sent(form) == (form if version == NEWEST else {**form, "params": no_mode})
    opened = {"mode": "url", "message": "m", "url": "https://example.com"}
    if version == NEWEST:
        assert sent({"method": "elicitation/create", "params": opened})["params"] == {
            **opened,
            "elicitationId": "e1",
        }
    sampled = {"messages": [], "maxTokens": 1}
    found = sent({"method": "sampling/createMessage", "params": {**sampled, "tools": [], "toolChoice": {}}})
    assert found["params"] == ({**sampled, "tools": [], "toolChoice": {}} if version == NEWEST else sampled)
    assert sent({"method": "roots/list"}) == {"method": "roots/list"}


@pytest.mark.parametrize("version", OLDER)
def test_the_answer_to_the_handshake(version: str) -> None:
    """Is made of discovery: no extensions, and the identity as the version has it."""
    whole = {
        "name": "s",
        "version": "1",
        "title": "T",
        "description": "d",
        "websiteUrl": "https://e",
        "icons": [],
    }
    result: dict[str, Any] = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": True}, "completions": {}, "extensions": {"a/b": {}}},
        "instructions": "Ask.",
        "_meta": {SERVER: whole},
    }
    found = older_discovery(json.dumps({"id": 1, "result": result}).encode(), version)
    known = {NEWEST: set(whole), JUNE: {"name", "version", "title"}}.get(version, {"name", "version"})
    capabilities = {"tools": {"listChanged": True}, **({"completions": {}} if version > FIRST else {})}
    assert found == {
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": {name: value for name, value in whole.items() if name in known},
        "instructions": "Ask.",
    }
    del result["instructions"]
    assert "instructions" not in older_discovery(json.dumps({"id": 1, "result": result}).encode(), version)


def test_answers_of_the_eras_own() -> None:
    """A result, and a failure by the kind of request."""
    assert json.loads(result_frame("a", {})) == {"jsonrpc": "2.0", "id": "a", "result": {}}
    assert json.loads(failed_frame(1, "tools/call", "no"))["result"]["isError"] is True
    assert json.loads(failed_frame(1, "resources/read", "no"))["error"] == {"code": -32602, "message": "no"}
