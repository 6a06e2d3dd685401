"""ERR: the codes of errors."""

import json
from typing import Any

import pytest

from readingroom import InvalidParams, Refused, Server
from readingroom.wire import HTTP_STATUS
from support.memory import MemoryServer
from support.messages import LATEST, VERSION, frame

rule = pytest.mark.rule
DEFINED = {-32020, -32021, -32022}


def refusing(error: Refused) -> MemoryServer:
    """A server with a tool that raises an error."""

    def fails() -> str:
        raise error

    app = Server("srv")
    app.tool(fails, description="d")
    return MemoryServer(app)


def every_error(server: MemoryServer) -> list[Any]:
    """An error of every kind that a client can bring about."""
    frames = (b"{", b"[]", b'{"id":1}', frame(1, "no/such"), frame(1, "tools/call"))
    brought = [server.answer(data)["error"] for data in frames]
    return [
        *brought,
        server.error("tools/list", None, {VERSION: "2027-01-01"}),
        server.error("tools/call", {"name": "asks"}),
        server.error("tools/call", {"name": "nobody"}),
        server.error("tools/call", {"name": "gives_up"}),
        server.error("resources/read", {"uri": "a:///none"}),
    ]


@rule("ERR-1", "passing")
@rule("ERR-2", "passing")
@rule("ERR-3", "passing")
@rule("ERR-5", "passing")
def test_errors_have_the_codes_that_the_specification_gives(server: MemoryServer) -> None:
    """And a message each."""
    errors = every_error(server)
    assert {error["code"] for error in errors} >= {-32700, -32600, -32601, -32602, -32603, -32021, -32022}
    for error in errors:
        assert type(error["code"]) is int
        assert error["code"] in HTTP_STATUS
        assert error["code"] in DEFINED or not -32099 <= error["code"] <= -32000
        assert error["message"]
        assert set(error) <= {"code", "message", "data"}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(-32050, marks=rule("ERR-1", "violating")),
        pytest.param(-32099, marks=rule("ERR-1", "violating")),
        pytest.param(-32002, marks=rule("ERR-2", "violating")),
        pytest.param(-32042, marks=rule("ERR-2", "violating")),
        pytest.param(-32000, marks=rule("ERR-3", "violating")),
        pytest.param(-32019, marks=rule("ERR-3", "violating")),
        pytest.param(-32500, marks=rule("ERR-4", "violating")),
        pytest.param(True, marks=rule("ERR-5", "violating")),
        pytest.param("-1", marks=rule("ERR-5", "violating")),
    ],
)
def test_a_handler_cannot_send_a_code_that_is_not_its_own(code: Any) -> None:
    """It becomes an internal error."""
    error = refusing(Refused("m", code=code)).error("tools/call", {"name": "fails"})
    assert (error["code"], error["message"]) == (-32603, "Internal error")


@rule("ERR-4", "passing")
@rule("ERR-5", "passing")
def test_a_handler_may_send_a_code_of_its_own() -> None:
    """Outside of what is reserved, with data of any form."""
    error = refusing(Refused("m", code=4711, data=[None, {"a": 1}])).error("tools/call", {"name": "fails"})
    assert error == {"code": 4711, "message": "m", "data": [None, {"a": 1}]}
    assert refusing(InvalidParams("m")).error("tools/call", {"name": "fails"}) == {
        "code": -32602,
        "message": "m",
    }


def test_the_version_is_the_one_that_is_documented() -> None:
    """Requests of these tests are of it."""
    assert LATEST in json.dumps(refusing(Refused("m")).ask("server/discover"))
