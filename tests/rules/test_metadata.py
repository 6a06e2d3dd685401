"""META: what each request says of itself, and that nothing else is known of it."""

import json
from typing import Any

import pytest

from readingroom import Context, Server
from support.memory import MemoryServer
from support.messages import CAPABILITIES, CLIENT, META, SERVER, VERSION, call, frame

rule = pytest.mark.rule


def with_meta(meta: Any) -> bytes:
    """A request with exactly that metadata."""
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}}).encode()


@rule("META-1", "passing")
@rule("META-3", "violating")
def test_a_request_with_both_is_served(server: MemoryServer) -> None:
    """To refuse it would break the rule."""
    assert server.answer(with_meta(META))["result"]["tools"]


@rule("META-1", "violating")
@rule("META-3", "passing")
@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}',
        with_meta({}),
        with_meta({VERSION: META[VERSION]}),
        with_meta({CAPABILITIES: {}}),
        b'{"jsonrpc":"2.0","id":7,"method":"no/such","params":{}}',
    ],
)
def test_a_request_that_lacks_one_is_refused(server: MemoryServer, data: bytes) -> None:
    """As invalid, with its id, before its method is looked up."""
    answer = server.answer(data)
    assert (answer["id"], answer["error"]["code"]) == (7, -32602)


@rule("META-4", "passing")
@rule("META-4", "violating")
@pytest.mark.parametrize("value", [None, 1, True, [], "text", {}])
@pytest.mark.parametrize("key", [VERSION, CAPABILITIES])
def test_required_metadata_of_a_wrong_type_counts_as_missing(
    server: MemoryServer, key: str, value: Any
) -> None:
    """A version is a text, capabilities are an object."""
    answer = server.answer(with_meta({**META, key: value}))
    if type(value) is (str if key == VERSION else dict):
        assert answer.get("error", {}).get("code") in (None, -32022)
    else:
        assert (answer["id"], answer["error"]["code"]) == (7, -32602)


@rule("META-2", "passing")
@pytest.mark.parametrize(
    "client", [..., {"name": "c", "version": "1"}, {"name": "", "version": "", "more": 1}]
)
def test_a_client_may_name_itself_or_not(server: MemoryServer, client: Any) -> None:
    """It is served all the same."""
    assert server.answer(with_meta(META if client is ... else {**META, CLIENT: client}))["result"]["tools"]


@rule("META-2", "violating")
@pytest.mark.parametrize(
    "client", [None, "c", [], {}, {"name": "c"}, {"version": "1"}, {"name": 1, "version": "1"}]
)
def test_a_name_that_is_not_well_formed_is_refused(server: MemoryServer, client: Any) -> None:
    """It says nothing."""
    assert server.answer(with_meta({**META, CLIENT: client}))["error"]["code"] == -32602


@rule("META-5", "passing")
@rule("META-11", "passing")
def test_what_one_request_declares_holds_for_it(server: MemoryServer) -> None:
    """A tool that needs it can be called."""
    declared = {CAPABILITIES: {"sampling": {}, "elicitation": {"form": {}}}}
    assert server.call("asks", None, declared)["content"] == [{"type": "text", "text": "asked"}]


@rule("META-5", "violating")
@rule("META-11", "violating")
def test_what_an_earlier_request_declared_counts_for_nothing(server: MemoryServer) -> None:
    """The refusal says what is missing, as an object of objects."""
    server.call("asks", None, {CAPABILITIES: {"sampling": {}, "elicitation": {"form": {}}}})
    error = server.error("tools/call", {"name": "asks"}, {CAPABILITIES: {"sampling": {}}})
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"elicitation": {"form": {}}}})


@rule("META-6", "passing")
@rule("META-6", "violating")
def test_requests_of_other_conversations_may_come_between(server: MemoryServer) -> None:
    """What one says changes nothing for the other, whichever comes first."""
    first, other = (
        call(1, "keyword", {"a": 1}),
        frame("x", "no/such", None, {CLIENT: {"name": "z", "version": "9"}}),
    )
    alone = server.answer(first)
    assert server.answer(other)["error"]["code"] == -32601
    assert server.answer(first) == alone


@rule("META-9", "passing")
@rule("META-9", "violating")
@pytest.mark.parametrize("name", ["a", "admin", "claude-ai", "readingroom"])
def test_who_a_client_says_it_is_changes_nothing(server: MemoryServer, name: str) -> None:
    """Not for discovery, not for the tools, not for a call."""
    client = {CLIENT: {"name": name, "version": "1"}}
    for method, members in (
        ("server/discover", None),
        ("tools/list", None),
        ("tools/call", {"name": "words"}),
    ):
        assert server.ask(method, members, client) == server.ask(method, members)


@rule("META-10", "passing")
@pytest.mark.parametrize(
    ("method", "members"),
    [
        ("server/discover", {}),
        ("tools/list", {}),
        ("tools/call", {"name": "words"}),
        ("tools/call", {"name": "add"}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "a:///fixed"}),
        ("prompts/list", {}),
        ("prompts/get", {"name": "review", "arguments": {"topic": "t"}}),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "topic", "value": ""}},
        ),
    ],
)
def test_every_result_says_which_server_it_is_from(
    server: MemoryServer, method: str, members: dict[str, Any]
) -> None:
    """Also that of a call that failed."""
    assert server.result(method, members)["_meta"][SERVER] == {"name": "srv", "version": "1"}


@rule("META-10", "violating")
def test_a_handler_cannot_name_another_server() -> None:
    """What it puts there is replaced."""
    from readingroom import CallResult

    def forges() -> CallResult:
        return CallResult((), meta={SERVER: {"name": "another", "version": "0"}})

    app = Server("srv", version="1")
    app.tool(forges, description="d")
    assert MemoryServer(app).call("forges")["_meta"][SERVER] == {"name": "srv", "version": "1"}


@rule("META-15", "passing")
@rule("META-15", "violating")
@pytest.mark.parametrize(
    "value", ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "", "x", 7, None, {}]
)
@pytest.mark.parametrize("key", ["traceparent", "tracestate", "baggage"])
def test_trace_context_is_no_reason_to_refuse(server: MemoryServer, key: str, value: Any) -> None:
    """Whether it keeps its own syntax or not."""
    assert server.result("tools/call", {"name": "words"}, {key: value})["content"]


def test_the_context_of_a_handler_is_that_of_its_request() -> None:
    """What a handler sees is what the request said."""

    def tell(ctx: Context) -> list[str]:
        return [str(ctx.request_id), str(ctx.capabilities), ctx.client.name if ctx.client else ""]

    app = Server("srv")
    app.tool(tell, description="d")
    server = MemoryServer(app)
    named = {CLIENT: {"name": "c", "version": "1"}, CAPABILITIES: {"roots": {}}}
    assert server.call("tell", None, named)["structuredContent"]["result"] == ["call", "{'roots': {}}", "c"]
    assert server.call("tell")["structuredContent"]["result"] == ["call", "{}", ""]
