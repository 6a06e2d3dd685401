"""The ladder: a request is admitted, or refused at the first step that it does not pass."""

import json
from typing import Any

import pytest

from readingroom.protocol import METHODS, Admitted, CallParams, Refusal, Verdict, admit
from readingroom.wire import Request, classify
from support.messages import CAPABILITIES, CLIENT, LATEST, LOG_LEVEL, META, VERSION, message

ALL = frozenset({"tools", "resources", "prompts", "completions", "logging", "subscriptions", "tasks"})
MEMBERS: dict[str, dict[str, Any]] = {
    "tools/call": {"name": "t"},
    "resources/read": {"uri": "a:b"},
    "prompts/get": {"name": "p"},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "p"},
        "argument": {"name": "a", "value": ""},
    },
    "subscriptions/listen": {"notifications": {}},
    "tasks/get": {"taskId": "a"},
    "tasks/update": {"taskId": "a", "inputResponses": {}},
    "tasks/cancel": {"taskId": "a"},
}
TAKES_TASKS = {CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}


def verdict(request: Any, capabilities: frozenset[str] = ALL) -> Verdict:
    """What becomes of a request that is given as a value or as its bytes."""
    data = request if isinstance(request, bytes) else json.dumps(request).encode()
    classified = classify(data, 64)
    assert isinstance(classified, Request)
    return admit(classified, capabilities)


def refused(request: Any, capabilities: frozenset[str] = ALL) -> Refusal:
    """The refusal of a request that is not admitted; it can be encoded."""
    found = verdict(request, capabilities)
    assert isinstance(found, Refusal)
    error = json.loads(found.encode())["error"]
    assert (error["code"], error["message"], error.get("data")) == (found.code, found.message, found.data)
    return found


def with_meta(**changes: Any) -> dict[str, Any]:
    """A request whose metadata has changes by full key, `...` taking a key away."""
    meta = {key: value for key, value in {**META, **changes}.items() if value is not ...}
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_admitted_when_its_capability_is_advertised(method: str) -> None:
    """And is unknown when it is not; discovery needs none (RES-5, VER-4)."""
    request = message(7, method, MEMBERS.get(method), TAKES_TASKS)
    found = verdict(request)
    assert isinstance(found, Admitted)
    assert (found.id, found.method) == (7, method)
    capability = METHODS[method].capability
    if capability:
        refusal = refused(request, ALL - {capability})
        assert (refusal.code, refusal.status, refusal.rule, refusal.id) == (-32601, 404, "RES-5", 7)
    else:
        assert isinstance(verdict(request, frozenset()), Admitted)


def test_what_a_request_says_of_itself_is_read() -> None:
    """Version, capabilities, client, token and log level stand in its own record (META-5)."""
    more = {
        CLIENT: {"name": "c", "version": "1", "more": 1},
        "progressToken": 0,
        LOG_LEVEL: "debug",
        "x": None,
    }
    found = verdict(message(7, "tools/call", {"name": "t", "arguments": {"a": 1}}, more))
    assert isinstance(found, Admitted)
    params = found.params
    assert isinstance(params, CallParams)
    assert (params.meta.version, params.meta.capabilities) == (LATEST, {})
    assert (params.meta.progress_token, params.meta.log_level) == (0, "debug")
    assert params.meta.client
    assert (params.meta.client.name, params.meta.client.version) == ("c", "1")
    assert bytes(params.arguments) == b'{"a": 1}'  # type: ignore[arg-type]  # there are arguments


@pytest.mark.parametrize(
    ("params", "told"),
    [
        (..., "params"),
        (None, "params"),
        ([], "params"),
        ("x", "params"),
        ({}, "_meta"),
        ({"_meta": None}, "_meta"),
        ({"_meta": []}, "_meta"),
        ({"_meta": {}}, VERSION),
        ({"_meta": {CAPABILITIES: {}}}, VERSION),
        ({"_meta": {**META, VERSION: None}}, VERSION),
        ({"_meta": {**META, VERSION: 1}}, VERSION),
        ({"_meta": {VERSION: LATEST}}, CAPABILITIES),
        ({"_meta": {**META, CAPABILITIES: None}}, CAPABILITIES),
        ({"_meta": {**META, CAPABILITIES: []}}, CAPABILITIES),
        ({"_meta": {**META, CLIENT: None}}, CLIENT),
        ({"_meta": {**META, CLIENT: {"name": "c"}}}, CLIENT),
        ({"_meta": {**META, CLIENT: {"version": "1"}}}, CLIENT),
        ({"_meta": {**META, CLIENT: {"name": "c", "version": 1}}}, CLIENT),
        ({"_meta": {**META, CLIENT: {"name": "c", "version": "1", "title": 1}}}, CLIENT),
        ({"_meta": {**META, "progressToken": None}}, "progressToken"),
        ({"_meta": {**META, "progressToken": True}}, "progressToken"),
        ({"_meta": {**META, "progressToken": 1.0}}, "progressToken"),
        ({"_meta": {**META, LOG_LEVEL: "loud"}}, LOG_LEVEL),
        ({"_meta": {**META, LOG_LEVEL: None}}, LOG_LEVEL),
        ({"_meta": {**META, LOG_LEVEL: []}}, LOG_LEVEL),
    ],
)
@pytest.mark.parametrize("method", ["tools/list", "no/such"])
def test_metadata_that_is_missing_or_wrong_is_told(params: Any, told: str, method: str) -> None:
    """-32602 with status 400 before anything else is looked at, even the method (META-1 to META-4)."""
    request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    if params is ...:
        del request["params"]
    refusal = refused(request)
    assert (refusal.code, refusal.status, refusal.rule, refusal.id) == (-32602, 400, "META-3", 7)
    assert told in refusal.message
    assert refusal.data is None


def test_an_older_client_is_told_which_versions_are_served() -> None:
    """In the message and in the data, for it cannot find out otherwise (VER-5)."""
    refusal = refused(
        {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    )
    assert (refusal.code, refusal.data) == (-32602, {"supported": [LATEST]})
    assert LATEST in refusal.message


@pytest.mark.parametrize("version", ["2025-11-25", "2027-01-01", "", "2026-07-28 "])
@pytest.mark.parametrize("method", ["tools/list", "no/such"])
def test_another_version_is_refused_before_the_method_is_looked_up(version: str, method: str) -> None:
    """-32022 with what is served and what was asked for (VER-1, VER-2)."""
    refusal = refused({**with_meta(**{VERSION: version}), "method": method})
    assert (refusal.code, refusal.status, refusal.rule) == (-32022, 400, "VER-1")
    assert refusal.data == {"supported": [LATEST], "requested": version}


@pytest.mark.parametrize(
    ("method", "members"),
    [
        ("tools/list", {"cursor": 1}),
        ("tools/list", {"cursor": None}),
        ("tools/call", {}),
        ("tools/call", {"name": None}),
        ("resources/read", {}),
        ("resources/read", {"uri": 1}),
        ("prompts/get", {"name": "p", "arguments": {"a": 1}}),
        ("prompts/get", {"name": "p", "arguments": None}),
        (
            "completion/complete",
            {"ref": {"type": "ref/none", "name": "p"}, "argument": {"name": "a", "value": ""}},
        ),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a"}}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}}),
    ],
)
def test_parameters_of_another_shape_are_refused(method: str, members: dict[str, Any]) -> None:
    """-32602 with status 200, in words that name the member (TOOL-6)."""
    refusal = refused(message(7, method, members))
    assert (refusal.code, refusal.status, refusal.rule, refusal.id) == (-32602, 200, "TOOL-6", 7)
    assert refusal.message.startswith("params")


@pytest.mark.parametrize("number", [b"1e999", b"1" * 5000])
def test_a_number_out_of_range_is_refused(number: bytes) -> None:
    """With the id, for the message itself was read (RPC-10)."""
    empty = json.dumps({CAPABILITIES: {}}).encode()[1:-1]
    holding = empty.replace(b"{}", b'{"a":' + number + b"}")
    request = json.dumps(with_meta()).encode().replace(empty, holding)
    assert number in request
    refusal = refused(request)
    assert (refusal.code, refusal.rule, refusal.id) == (-32602, "RPC-10", 7)


@pytest.mark.parametrize(
    "members", [{"arguments": {}, "name": 1}, {"name": 1, "arguments": {}}, {"arguments": {}}]
)
def test_the_member_that_is_wrong_is_named(members: dict[str, Any]) -> None:
    """Whatever stands before it."""
    assert "name" in refused(message(7, "tools/call", members)).message


@pytest.mark.parametrize("members", [{"taskId": "a", "inputResponses": {}}, {"taskId": 1}, {}])
@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_what_is_of_tasks_is_for_who_declares_them(method: str, members: dict[str, Any]) -> None:
    """Whatever else is wrong (TASK-11); who does is told of that."""
    for declared in ({}, {"extensions": []}, {"extensions": {"io.modelcontextprotocol/tasks": True}}):
        refusal = refused(message(7, method, members, {CAPABILITIES: declared}))
        assert (refusal.code, refusal.status, refusal.rule) == (-32021, 400, "TASK-11")
        assert refusal.data == {"requiredCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}
    if "inputResponses" not in members:
        refusal = refused(message(7, method, members, TAKES_TASKS))
        assert (refusal.code, refusal.rule) == (-32602, "TOOL-6")
