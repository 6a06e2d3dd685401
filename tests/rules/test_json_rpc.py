"""RPC: what a message is, and how it is answered."""

import json
from typing import Any

import pytest

from support.memory import MemoryServer
from support.messages import CAPABILITIES, META, call, cancel, frame, message

rule = pytest.mark.rule


def refused(server: MemoryServer, data: bytes) -> tuple[int, Any]:
    """The code of the one error that answers a frame, and its id (`...` without one)."""
    answer = server.answer(data)
    return answer["error"]["code"], answer.get("id", ...)


@rule("RPC-1", "passing")
@pytest.mark.parametrize("text", ["plain", "читать", "阅读", "\U0001f4da"])
def test_messages_are_json_rpc_in_utf_8(server: MemoryServer, text: str) -> None:
    """Both ways."""
    request = json.dumps(message(text, "tools/call", {"name": "words"}), ensure_ascii=False).encode()
    answer = server.answer(request)
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", text)
    assert answer["result"]["content"] == [{"type": "text", "text": "читать"}]


@rule("RPC-1", "violating")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{oops", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
        (b"\xfe\xff", -32700),
        (b"7", -32600),
        (b'{"id":1,"method":"server/discover"}', -32600),
        (frame(1, "server/discover").replace(b'"2.0"', b'"1.0"'), -32600),
    ],
)
def test_what_is_no_json_rpc_in_utf_8_is_refused(server: MemoryServer, data: bytes, code: int) -> None:
    """As unreadable, or as no request."""
    assert refused(server, data)[0] == code


@rule("RPC-2", "passing")
@rule("RPC-4", "passing")
@pytest.mark.parametrize("request_id", [0, -7, 1755000000000, 2**70, "", "007", "a b"])
def test_an_answer_has_the_id_of_its_request(server: MemoryServer, request_id: Any) -> None:
    """With its JSON type, in results and in errors."""
    for method in ("server/discover", "no/such"):
        found = server.answer(frame(request_id, method))["id"]
        assert (found, type(found)) == (request_id, type(request_id))


@rule("RPC-2", "violating")
def test_an_id_that_is_in_flight_is_refused(server: MemoryServer) -> None:
    """Without it, or the refusal would answer the first request; another type is another id."""
    flight = server.connection.receive(call(7, "words"))
    assert refused(server, frame(7, "server/discover")) == (-32600, ...)
    assert server.answer(frame("7", "server/discover"))["id"] == "7"
    server.connection.settle(flight)  # type: ignore[arg-type]  # it is a flight
    assert server.answer(frame(7, "server/discover"))["id"] == 7


@rule("RPC-3", "passing")
@rule("RPC-2", "violating")
@rule("RPC-4", "violating")
@pytest.mark.parametrize("request_id", ["null", "true", "1.5", "1.0", "1e3", "[1]", "{}"])
def test_an_id_of_another_type_is_refused_without_one(server: MemoryServer, request_id: str) -> None:
    """Not with null, and not with what it was."""
    data = b'{"jsonrpc":"2.0","id":' + request_id.encode() + b',"method":"server/discover"}'
    assert refused(server, data) == (-32600, ...)


@rule("RPC-3", "violating")
def test_an_id_of_an_allowed_type_is_not_refused(server: MemoryServer) -> None:
    """To refuse `0` and the empty text as if they were none would break the rule."""
    assert "result" in server.answer(frame(0, "server/discover"))
    assert "result" in server.answer(frame("", "server/discover"))


@rule("RPC-4", "violating")
def test_an_error_without_a_readable_id_has_none(server: MemoryServer) -> None:
    """Not null, which the schema does not have."""
    for data in (b"{oops", b"[]", b"{}"):
        assert "id" not in server.answer(data)


@rule("RPC-5", "passing")
def test_an_answer_has_a_result_or_an_error(server: MemoryServer) -> None:
    """A result is an object."""
    good, bad = server.ask("server/discover"), server.ask("no/such")
    assert set(good) == {"jsonrpc", "id", "result"}
    assert isinstance(good["result"], dict)
    assert set(bad) == {"jsonrpc", "id", "error"}


@rule("RPC-5", "violating")
@pytest.mark.parametrize("tool", ["words", "loose", "blocks", "untyped"])
def test_whatever_a_handler_gives_the_result_is_an_object(server: MemoryServer, tool: str) -> None:
    """A text, a list, a value."""
    answer = server.answer(call(1, tool))
    assert isinstance(answer["result"], dict)
    assert "error" not in answer


@rule("RPC-6", "passing")
@rule("RPC-7", "passing")
def test_what_a_server_sends_of_its_own_is_a_notification_without_an_id(server: MemoryServer) -> None:
    """It sends no requests."""
    *notes, answer = server.take(call(1, "tells", None, {"progressToken": 1}))
    assert notes
    for note in notes:
        assert "id" not in note
        assert note["method"].startswith("notifications/")
    assert "method" not in answer


@rule("RPC-6", "violating")
@pytest.mark.parametrize("method", ["notifications/cancelled", "notifications/none", "tools/list", "no/such"])
@pytest.mark.parametrize("params", ["{}", "null", "[1]", '"x"', "1e999"])
def test_a_notification_is_never_answered(server: MemoryServer, method: str, params: str) -> None:
    """Whatever is wrong with it."""
    data = '{"jsonrpc":"2.0","method":"' + method + '","params":' + params + "}"
    assert server.take(data.encode()) == []


@rule("RPC-7", "violating")
@pytest.mark.parametrize(
    "members", ['"result":{}', '"error":{"code":1}', '"result":{},"error":{}', '"result":null']
)
def test_a_response_of_a_client_is_passed_over(server: MemoryServer, members: str) -> None:
    """There is nothing that it could answer."""
    assert server.take(b'{"jsonrpc":"2.0","id":1,' + members.encode() + b"}") == []


@rule("RPC-8", "passing")
@rule("RPC-8", "violating")
@pytest.mark.parametrize("data", [b"[]", b"[" + frame(1, "server/discover") + b"]", b"[1,2]"])
def test_an_array_is_no_message(server: MemoryServer, data: bytes) -> None:
    """Its parts are not served."""
    assert refused(server, data) == (-32600, ...)


@rule("RPC-9", "passing")
def test_members_that_are_not_known_are_passed_over(server: MemoryServer) -> None:
    """Wherever they stand."""
    meta = {CAPABILITIES: {"roots": {"listChanged": True}, "new": None}, "org.example/new": {"a": [1]}}
    request = {**message(1, "tools/call", {"name": "words", "new": 1}, meta), "new": 1}
    assert server.answer(json.dumps(request).encode())["result"]["content"]


@rule("RPC-9", "violating")
def test_members_that_are_not_known_are_never_repeated(server: MemoryServer) -> None:
    """Not in a result, and not in an error."""
    for method in ("server/discover", "no/such", "tools/call"):
        request = {**message(1, method, {"secret": "secret"}, {"secret": "secret"}), "secret": "secret"}
        assert "secret" not in json.dumps(server.answer(json.dumps(request).encode()))


def nested(depth: int) -> bytes:
    """A request of that depth."""
    capabilities = b"[" * (depth - 4) + b"]" * (depth - 4)
    return frame(1, "server/discover").replace(b"{}", b'{"a":' + capabilities + b"}")


@rule("RPC-10", "passing")
def test_depth_and_duplicates_within_bounds_are_served(server: MemoryServer) -> None:
    """As deep as 64; of duplicate keys the last counts."""
    assert "result" in server.answer(nested(64))
    twice = json.dumps(message(1, "server/discover")).replace('"method":', '"method":5,"method":')
    assert "result" in server.answer(twice.encode())


@rule("RPC-10", "violating")
@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (nested(65), (-32600, 1)),
        (nested(100_000), (-32600, 1)),
        (frame(1, "server/discover").replace(b"{}", b'{"a":1e999}'), (-32602, 1)),
        (frame(1, "server/discover").replace(b"{}", b'{"a":' + b"1" * 5000 + b"}"), (-32602, 1)),
        (frame(1, "server/discover").replace(b"{}", b'{"a":NaN}'), (-32700, ...)),
        (frame(1, "server/discover").replace(b"{}", b'{"a":"\\ud800"}'), (-32700, ...)),
    ],
)
def test_what_is_out_of_bounds_is_refused(server: MemoryServer, data: bytes, refusal: Any) -> None:
    """With the id where it can be trusted."""
    assert refused(server, data) == refusal
    assert "result" in server.ask("server/discover")


def test_these_requests_are_what_they_seem() -> None:
    """The helpers of these tests make requests with all that is required."""
    assert json.loads(frame(1, "x"))["params"]["_meta"] == META
    assert json.loads(cancel(1))["method"] == "notifications/cancelled"
