"""HTTP: how a stream runs, which status an error has, and what it means that a client leaves."""

import asyncio
import json
import threading
from typing import Any

import pytest

from readingroom import Context, MissingCapability, Server
from support.asgi import Asgi, exchange, headers_for
from support.messages import message

rule = pytest.mark.rule


@rule("HTTP-16", "passing")
@rule("HTTP-17", "passing")
@rule("HTTP-18", "passing")
def test_a_stream_has_what_belongs_to_its_request(http: Asgi) -> None:
    """Notifications, then the answer, each in one line of data."""
    told = message(1, "tools/call", {"name": "tells", "arguments": {}}, {"progressToken": 7})
    reply = http.post(told)
    assert [m.get("method", "answer") for m in reply.messages] == ["notifications/progress", "answer"]
    assert reply.fields["x-accel-buffering"] == "no"
    assert all(line.startswith(b"data: ") for line in reply.body.split(b"\n") if line)


@rule("HTTP-16", "violating")
@rule("HTTP-17", "violating")
@rule("HTTP-18", "violating")
def test_nothing_follows_the_answer() -> None:
    """Also of a handler that speaks after it has ended; and an answer that is no stream is left to be kept back."""
    server = Server("srv")
    kept: list[Context] = []

    @server.tool(quick=True)
    def first(ctx: Context) -> str:
        """Keep the context."""
        kept.append(ctx)
        return "a"

    @server.tool
    def second(ctx: Context) -> str:
        """Keep the context, elsewhere."""
        kept.append(ctx)
        return "b"

    client = Asgi(server.asgi())
    for name in ("first", "second"):
        told = message(1, "tools/call", {"name": name}, {"progressToken": 1})
        reply = client.post(told)
        kept[-1].progress(1)
        assert not reply.is_stream
        assert "x-accel-buffering" not in reply.fields
        assert b"data:" not in reply.body
        assert len(reply.sent) == 2
    client.close()


@rule("HTTP-19", "passing")
@pytest.mark.parametrize(
    ("method", "members", "status", "code"),
    [
        ("no/such", {}, 404, -32601),
        ("tools/call", {"name": "asks"}, 400, -32021),
        ("tools/call", {"name": "none"}, 200, -32602),
        ("resources/read", {"uri": "a:///none"}, 200, -32602),
        ("resources/read", {"uri": "a:///fails"}, 200, -32603),
        ("resources/read", {"uri": "a:///odd"}, 200, -32603),
    ],
)
def test_an_error_has_its_status(
    http: Asgi, method: str, members: dict[str, Any], status: int, code: int
) -> None:
    """The id of the request, too."""
    reply = http.ask(method, members)
    assert (reply.status, reply.code, reply.answer["id"]) == (status, code, 1)


@rule("HTTP-19", "violating")
def test_an_error_after_something_was_said_travels_in_the_stream() -> None:
    """It cannot have a status any more."""
    server = Server("srv")

    @server.tool
    def late(ctx: Context) -> str:
        """Speak, then need something."""
        ctx.progress(1)
        raise MissingCapability({"sampling": {}})

    client = Asgi(server.asgi())
    told = message(1, "tools/call", {"name": "late"}, {"progressToken": 1})
    reply = client.post(told)
    assert (reply.status, reply.is_stream, reply.code) == (200, True, -32021)
    told = message(1, "tools/call", {"name": "late"})
    reply = client.post(told)
    assert (reply.status, reply.is_stream, reply.code) == (400, False, -32021)
    client.close()


@rule("HTTP-20", "passing")
@rule("HTTP-20", "violating")
@pytest.mark.parametrize("kind", ["plain", "async"])
def test_a_client_that_leaves_cancels_its_request(kind: str) -> None:
    """Its handler is told, and nothing more is sent; other requests go on."""
    server = Server("srv")
    begun, ended = threading.Event(), threading.Event()

    @server.tool
    def plain(ctx: Context) -> str:
        """Work until cancelled."""
        begun.set()
        while not ctx.cancelled:
            ended.wait(0.01)
        ended.set()
        return "too late"

    @server.tool(name="async")
    async def other() -> str:
        """Work until cancelled."""
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()
        return "too late"

    asgi = server.asgi()

    async def leave(_sent: list[dict[str, Any]]) -> None:
        while not begun.is_set():  # noqa: ASYNC110  -- a thread sets it
            await asyncio.sleep(0.001)

    async def both() -> tuple[list[Any], Any]:
        told = message(5, "tools/call", {"name": kind})
        sent: list[Any] = []

        async def until(events: list[dict[str, Any]]) -> None:
            nonlocal sent
            sent = events
            await leave(events)

        with pytest.raises(IndexError):
            await exchange(asgi, json.dumps(told).encode(), headers_for(told), until=until)
        found = message(6, "server/discover")
        return sent, await exchange(asgi, json.dumps(found).encode(), headers_for(found))

    sent, other_reply = asyncio.run(both())
    assert ended.wait(10)
    assert sent == []
    assert other_reply.status == 200
