"""Lines on stdin that are to be served: ids of all kinds, lengths up to the cap, in pieces, and ids in flight."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from support.messages import (
    CAPABILITIES,
    CLIENT,
    LATEST,
    LOG_LEVEL,
    call,
    frame,
    message,
    params,
)
from support.processes import ServerProcess
from support.stdio_lines import CAP, check_alive, nested, padded, with_params


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """One server for the whole table: what is bad must cost only itself."""
    process = ServerProcess("kit_server.py")
    yield process
    process.close()


@pytest.mark.parametrize(
    "request_id",
    [
        0,
        -1,
        1,
        2**53,
        2**63,
        2**64,
        -(2**80),
        10**100,
        "",
        "0",
        "007",
        "a" * 1000,
        "читатель",
        "\U0001f4da",
        "\x7f",
        '"\\',
    ],
)
def test_an_id_comes_back_as_it_came(server: ServerProcess, request_id: Any) -> None:
    """The same value of the same JSON type, in results and in errors (RPC-4)."""
    for line in (
        frame(request_id, "server/discover"),
        frame(request_id, "no/such"),
        call(request_id, "nobody"),
    ):
        server.send(line)
        answer = server.take()
        assert answer["id"] == request_id
        assert type(answer["id"]) is type(request_id)
    check_alive(server)


def test_of_duplicate_keys_the_last_wins(server: ServerProcess) -> None:
    """At every level, whatever the first ones held (RPC-10)."""
    body = json.dumps(params())
    server.send(
        b'{"jsonrpc":"1.0","id":true,"method":5,"params":[],"jsonrpc":"2.0","id":7,"method":"server/discover","params":'
        + body.encode()
        + b"}"
    )
    assert server.take()["result"]["resultType"] == "complete"
    text = json.dumps(message(8, "tools/call", {"name": "add"}))[:-1].replace(
        '"name"', '"name":"nobody","name"'
    )
    server.send(text.encode().replace(b'"_meta"', b'"arguments":{"a":"x","a":1,"b":1},"_meta"') + b"}")
    assert server.take()["result"]["structuredContent"] == {"result": 2}
    check_alive(server)


def test_a_line_of_exactly_the_cap_is_served(server: ServerProcess) -> None:
    """4 MiB without the line end are allowed."""
    line = padded(CAP)
    assert len(line) == CAP
    server.send_apart(line)
    answer = server.take()
    assert answer["id"] == 7
    assert answer["result"]["supportedVersions"] == [LATEST]
    check_alive(server)


def test_lines_may_end_with_a_carriage_return(server: ServerProcess) -> None:
    """A CR before the line end is white space; the answer ends with a bare LF."""
    server.write(call(7, "add", {"a": 1, "b": 1}) + b"\r\n")
    line = server.take_line()
    assert line is not None
    assert line.endswith(b"}\n")
    assert b"\r" not in line
    check_alive(server)


def test_a_message_may_come_in_pieces_of_one_byte(server: ServerProcess) -> None:
    """However the stream is cut, the message is the same (STDIO-1)."""
    for byte in call(7, "add", {"a": 1, "b": 2}) + b"\n":
        server.write(bytes([byte]))
    assert server.take()["result"]["structuredContent"] == {"result": 3}


def test_an_id_in_flight_may_not_be_used_again(server: ServerProcess) -> None:
    """The second request is refused without an id, or it would settle the first; ids differ by type (RPC-2)."""
    server.send(call(7, "hold", {"name": "reuse"}), call(7, "add", {"a": 1, "b": 1}))
    answer = server.take()
    assert answer["error"]["code"] == -32600
    assert "id" not in answer
    server.send(call("7", "add", {"a": 1, "b": 1}))
    assert server.take()["id"] == "7"
    server.send(call("gate", "open_gate", {"name": "reuse"}))
    assert {server.take()["id"], server.take()["id"]} == {"gate", 7}
    server.send(call(7, "add", {"a": 1, "b": 2}))
    assert server.take()["result"]["structuredContent"] == {"result": 3}


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":7,"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":7,"params":{}}',
        b'{"jsonrpc":"2.0","id":7,"method":5}',
        b'{"jsonrpc":"2.0","id":7,"method":"x","result":{}}',
        with_params(nested(5000)),
        padded(CAP + 1),
    ],
    ids=["no jsonrpc", "no method", "method of a number", "method and result", "too deep", "too long"],
)
def test_a_broken_message_does_not_settle_the_request_whose_id_it_carries(
    server: ServerProcess, line: bytes
) -> None:
    """Its refusal has no id while that id is in flight."""
    name = f"broken {hash(line)}"
    server.send(call(7, "hold", {"name": name}))
    server.send_apart(line)
    answer = server.take()
    assert answer["error"]["code"] == -32600
    assert "id" not in answer
    server.send(call("gate", "open_gate", {"name": name}))
    assert {server.take()["id"], server.take()["id"]} == {"gate", 7}


def test_capabilities_and_identity_may_hold_anything_else(server: ServerProcess) -> None:
    """Unknown members are tolerated and never echoed (RPC-9)."""
    more = {
        CAPABILITIES: {"roots": {"listChanged": True}, "x": None},
        CLIENT: {"name": "c", "version": "1", "secret": 1},
    }
    request = message(
        7, "server/discover", {"secret": 1}, {**more, LOG_LEVEL: "debug", "traceparent": "not one"}
    )
    server.send(json.dumps({**request, "secret": 1}).encode())
    line = server.take_line()
    assert line is not None
    assert b"secret" not in line
    assert json.loads(line)["result"]["resultType"] == "complete"
