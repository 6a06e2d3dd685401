"""Bad input of every kind on stdin: the right code or silence, the right id or none, and the next request is answered."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from support.messages import (
    CAPABILITIES,
    LATEST,
    VERSION,
    cancel,
    frame,
    message,
)
from support.processes import ServerProcess
from support.stdio_lines import CAP, check_alive, nested, padded, with_params

NONE = object()
"""Stands for an answer without an id."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """One server for the whole table: what is bad must cost only itself."""
    process = ServerProcess("kit_server.py")
    yield process
    process.close()


def without(key: str) -> bytes:
    """A request whose metadata lacks a key."""
    request = message(7, "tools/list")
    del request["params"]["_meta"][key]
    return json.dumps(request).encode()


def meta(**changes: Any) -> bytes:
    """A request whose metadata has changes, by the last part of the key."""
    return frame(
        7, "tools/list", None, {f"io.modelcontextprotocol/{key}": value for key, value in changes.items()}
    )


NOT_JSON = {
    "a broken object": b"{oops",
    "text": b"hello",
    "nothing but a quote": b'"',
    "not UTF-8": b'{"jsonrpc":"2.0","id":7,"method":"tools/list","x":"\xff\xfe"}',
    "not UTF-8 inside params": with_params(b'{"a":"\xc3\x28"}'),
    "an encoded surrogate": with_params(b'{"a":"\xed\xa0\x80"}'),
    "an overlong encoding": with_params(b'{"a":"\xc0\xaf"}'),
    "a lone surrogate": with_params(b'{"a":"\\ud800"}'),
    "surrogates in the wrong order": with_params(b'{"a":"\\udc00\\ud800"}'),
    "a lone surrogate in a key": with_params(b'{"\\ud800":1}'),
    "NaN": with_params(b'{"a":NaN}'),
    "Infinity": with_params(b'{"a":Infinity}'),
    "minus Infinity": with_params(b'{"a":-Infinity}'),
    "a leading zero": with_params(b'{"a":01}'),
    "a trailing comma": with_params(b'{"a":1,}'),
    "single quotes": b"{'jsonrpc':'2.0'}",
    "a comment": b'{"jsonrpc":"2.0",/**/"id":7,"method":"tools/list"}',
    "two messages on a line": frame(7, "tools/list") + frame(8, "tools/list"),
    "a raw control character": with_params(b'{"a":"\x01"}'),
    "a NUL byte": with_params(b'{"a":"\x00"}'),
    "NUL bytes alone": b"\x00\x00\x00",
    "a byte order mark": b"\xef\xbb\xbf" + frame(7, "tools/list"),
    "UTF-16": frame(7, "tools/list").decode().encode("utf-16-le"),
    "a form feed": b"\x0c",
    "a vertical tab before a request": b"\x0b" + frame(7, "tools/list"),
    "no end": frame(7, "tools/list")[:-1],
    "an unfinished string": b'{"jsonrpc":"2.0","id":7,"method":"tools',
    "brackets never closed": b"[" * 50,
}
NO_MESSAGE = {
    "a batch": (b"[" + frame(7, "tools/list") + b"]", NONE),
    "an empty batch": (b"[]", NONE),
    "an empty object": (b"{}", NONE),
    "a number": (b"7", NONE),
    "a string": (b'"tools/list"', NONE),
    "null": (b"null", NONE),
    "true": (b"true", NONE),
    "an id of true": (b'{"jsonrpc":"2.0","id":true,"method":"tools/list"}', NONE),
    "an id of false": (b'{"jsonrpc":"2.0","id":false,"method":"tools/list"}', NONE),
    "an id of 1.5": (b'{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', NONE),
    "an id of 1.0": (b'{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}', NONE),
    "an id of 1e3": (b'{"jsonrpc":"2.0","id":1e3,"method":"tools/list"}', NONE),
    "an id of null": (b'{"jsonrpc":"2.0","id":null,"method":"tools/list"}', NONE),
    "an id of an object": (b'{"jsonrpc":"2.0","id":{},"method":"tools/list"}', NONE),
    "an id of a list": (b'{"jsonrpc":"2.0","id":[1],"method":"tools/list"}', NONE),
    "an id of five thousand digits": (with_params(b"{}", b"1" * 5000), NONE),
    "no jsonrpc": (b'{"id":7,"method":"tools/list","params":{}}', 7),
    "another jsonrpc": (b'{"jsonrpc":"1.0","id":7,"method":"tools/list"}', 7),
    "jsonrpc as a number": (b'{"jsonrpc":2.0,"id":7,"method":"tools/list"}', 7),
    "no jsonrpc, an id of text": (b'{"id":"seven","method":"tools/list"}', "seven"),
    "a method that is no string": (b'{"jsonrpc":"2.0","id":7,"method":5}', 7),
    "a method of null": (b'{"jsonrpc":"2.0","id":7,"method":null}', 7),
    "no method": (b'{"jsonrpc":"2.0","id":7,"params":{}}', 7),
    "a method and a result": (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","result":{}}', 7),
    "a method and an error": (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","error":{}}', 7),
    "a notification without jsonrpc": (b'{"method":"notifications/cancelled"}', NONE),
    "nesting one too deep": (with_params(nested(64)), 7),
    "nesting of a hundred": (with_params(nested(100)), 7),
    "nesting of objects": (with_params(nested(200, b'{"a":', b"}").replace(b":}", b":1}")), 7),
    "nesting of a hundred thousand": (with_params(nested(100_000)), 7),
    "nesting never closed": (with_params(b"[" * 100_000), 7),
    "nesting before the id": (b'{"x":' + nested(5000) + b',"jsonrpc":"2.0","id":7,"method":"tools/list"}', 7),
    "nesting and an id of text": (with_params(nested(5000), b'"a\\"b"'), 'a"b'),
    "nesting inside a batch": (b"[" * 70 + b"]" * 70, NONE),
    "one byte too long": (padded(CAP + 1), 7),
    "5 MB": (padded(5_000_000), 7),
    "5 MB of junk": (b"x" * 5_000_000, NONE),
    "5 MB of brackets": (b"[" * 5_000_000, NONE),
}
INITIALIZE = b'{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
META = {
    "no params": b'{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
    "null params": with_params(b"null"),
    "params of a list": with_params(b"[]"),
    "params of a string": with_params(b'"x"'),
    "params of a number": with_params(b"1"),
    "params without metadata": with_params(b"{}"),
    "metadata of null": with_params(b'{"_meta":null}'),
    "metadata of a list": with_params(b'{"_meta":[]}'),
    "no version": without(VERSION),
    "no capabilities": without(CAPABILITIES),
    "a version of null": meta(protocolVersion=None),
    "a version of a number": meta(protocolVersion=20260728),
    "capabilities of null": meta(clientCapabilities=None),
    "capabilities of a list": meta(clientCapabilities=[]),
    "a client of null": meta(clientInfo=None),
    "a client of a string": meta(clientInfo="me"),
    "a client without a name": meta(clientInfo={"version": "1"}),
    "a client without a version": meta(clientInfo={"name": "me"}),
    "a client whose name is a number": meta(clientInfo={"name": 1, "version": "1"}),
    "an unknown log level": meta(logLevel="loud"),
    "a log level of null": meta(logLevel=None),
    "a log level of a list": meta(logLevel=[]),
    "a progress token of null": frame(7, "tools/list", None, {"progressToken": None}),
    "a progress token of true": frame(7, "tools/list", None, {"progressToken": True}),
    "a progress token of 1.5": frame(7, "tools/list", None, {"progressToken": 1.5}),
    "a progress token of an object": frame(7, "tools/list", None, {"progressToken": {}}),
    "initialize of an older client": INITIALIZE,
    "an unknown method without metadata": b'{"jsonrpc":"2.0","id":7,"method":"no/such"}',
    "a cursor that is a number": frame(7, "tools/list", {"cursor": 1}),
    "a cursor of null": frame(7, "tools/list", {"cursor": None}),
    "an empty cursor": frame(7, "tools/list", {"cursor": ""}),
    "a cursor nobody gave": frame(7, "tools/list", {"cursor": "AAAA"}),
    "a call without a name": frame(7, "tools/call"),
    "a call of a number": frame(7, "tools/call", {"name": 1}),
    "a call of an unknown tool": frame(7, "tools/call", {"name": "nobody"}),
    "a call with a list of arguments": frame(7, "tools/call", {"name": "add", "arguments": [1]}),
    "a call with arguments of null": frame(7, "tools/call", {"name": "add", "arguments": None}),
    "a read without a URI": frame(7, "resources/read"),
    "a read of a number": frame(7, "resources/read", {"uri": 1}),
    "a read of nothing that is there": frame(7, "resources/read", {"uri": "faults:///none"}),
    "a prompt nobody knows": frame(7, "prompts/get", {"name": "nobody"}),
    "a prompt without its argument": frame(7, "prompts/get", {"name": "prompt"}),
    "a prompt with a number": frame(7, "prompts/get", {"name": "prompt", "arguments": {"topic": 1}}),
    "a number out of range in the metadata": with_params(
        b'{"_meta":{"%s":"%s","%s":{"a":1e999}}}' % (VERSION.encode(), LATEST.encode(), CAPABILITIES.encode())
    ),
}
UNKNOWN = (
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "tasks/get",
    "completion/complete",
    "subscriptions/listen",
    "no/such",
    "",
    "TOOLS/LIST",
    "tools/list ",
    "__init__",
    "notifications/cancelled",
)
IGNORED = {
    "a blank line": b"",
    "spaces": b"   ",
    "a tab": b"\t",
    "a carriage return": b"\r",
    "a notification": b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    "an unknown notification": b'{"jsonrpc":"2.0","method":"notifications/none","params":[1]}',
    "a notification with null params": b'{"jsonrpc":"2.0","method":"notifications/none","params":null}',
    "a response": b'{"jsonrpc":"2.0","id":7,"result":{}}',
    "an error response": b'{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}',
    "a response without an id": b'{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}',
    "a response with both": b'{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"},"result":{}}',
    "a cancellation of nothing": cancel(404),
    "a cancellation of text": cancel("404"),
    "a cancellation of null": cancel(None),
    "a cancellation of true": cancel(True),
    "a cancellation of 1.0": cancel(1.0),
    "a cancellation of an object": cancel({}),
    "a cancellation of a list": cancel([1]),
    "a cancellation with null params": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":null}',
    "a cancellation with a list": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[7]}',
    "a cancellation without params": b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    "a cancellation with a reason that is a number": cancel(404, reason=1),
}


def check_refused(server: ServerProcess, line: bytes, code: int, request_id: Any) -> dict[str, Any]:
    """The line is answered with that code, under that id or none, and the next request is served."""
    server.send_apart(line)
    answer: dict[str, Any] = server.take()
    assert answer["jsonrpc"] == "2.0"
    assert answer["error"]["code"] == code, answer
    assert isinstance(answer["error"]["message"], str)
    assert "result" not in answer
    if request_id is NONE:
        assert "id" not in answer
    else:
        assert answer["id"] == request_id
        assert type(answer["id"]) is type(request_id)
    check_alive(server)
    return answer


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_not_json_is_a_parse_error_without_an_id(server: ServerProcess, line: bytes) -> None:
    """-32700 without an id, since no id can be trusted (RPC-1, STDIO-3)."""
    check_refused(server, line, -32700, NONE)


@pytest.mark.parametrize(("line", "request_id"), NO_MESSAGE.values(), ids=NO_MESSAGE)
def test_json_that_is_no_message_is_an_invalid_request(
    server: ServerProcess, line: bytes, request_id: Any
) -> None:
    """-32600 with the id if one can be read (RPC-3, RPC-4, RPC-8, RPC-10)."""
    check_refused(server, line, -32600, request_id)


@pytest.mark.parametrize("line", META.values(), ids=META)
def test_parameters_that_cannot_be_served_are_invalid(server: ServerProcess, line: bytes) -> None:
    """-32602 with the id (META-1 to META-4 and the rules of each method)."""
    check_refused(server, line, -32602, 7)


@pytest.mark.parametrize("method", UNKNOWN)
def test_an_unknown_method_is_told_so(server: ServerProcess, method: str) -> None:
    """-32601 with the id, for methods of older revisions as well (§1.4)."""
    check_refused(server, frame(7, method), -32601, 7)


def test_another_version_is_told_which_are_served(server: ServerProcess) -> None:
    """-32022 with the versions served and the one asked for (VER-1)."""
    answer = check_refused(server, meta(protocolVersion="2027-01-01"), -32022, 7)
    assert answer["error"]["data"] == {"supported": [LATEST], "requested": "2027-01-01"}


@pytest.mark.parametrize("line", IGNORED.values(), ids=IGNORED)
def test_what_is_owed_no_answer_gets_none(server: ServerProcess, line: bytes) -> None:
    """Blank lines, notifications, responses and cancellations of nothing are passed over (RPC-6, RPC-7, CAN-4)."""
    server.send(line)
    check_alive(server)
