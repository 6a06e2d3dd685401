"""How a body comes over HTTP: in parts, too long, too late, or not whole."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from readingroom import Limits
from support.asgi import Reply, exchange
from support.http_servers import discover, server_with


async def send_parts(app: Any, fields: Any, parts: Sequence[dict[str, Any]]) -> Reply | None:
    """Send a body in parts, then nothing more; None when nothing came back."""
    sent: list[dict[str, Any]] = []
    left = list(parts)

    async def receive() -> dict[str, Any]:
        if left:
            return left.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "headers": list(fields), "server": ("127.0.0.1", 1),
        "client": None, "query_string": b"", "root_path": "",
    }  # fmt: skip
    await asyncio.wait_for(app(scope, receive, send), 20)
    return Reply(sent) if sent else None


def part(data: bytes, *, is_last: bool = False) -> dict[str, Any]:
    """One part of a body."""
    return {"type": "http.request", "body": data, "more_body": not is_last}


def test_a_body_may_come_in_parts() -> None:
    """Its length need not be known."""
    body, fields = discover()
    parts = [part(body[:9]), part(b""), part(body[9:], is_last=True)]
    reply = asyncio.run(send_parts(server_with().asgi(), fields, parts))
    assert reply is not None
    assert reply.status == 200


def test_a_body_that_is_too_long_is_not_read() -> None:
    """Its declared length is enough to refuse it."""
    _body, fields = discover(content_length="5000000")
    reply = asyncio.run(send_parts(server_with().asgi(), fields, []))
    assert reply is not None
    assert (reply.status, reply.code) == (413, -32600)


def test_a_body_that_turns_out_too_long_is_refused() -> None:
    """Whatever was declared."""
    _body, fields = discover(content_length="9")
    app = server_with(Limits(line_bytes=200)).asgi()
    reply = asyncio.run(send_parts(app, fields, [part(b" " * 150), part(b" " * 150)]))
    assert reply is not None
    assert reply.status == 413


def test_a_body_that_does_not_come_is_given_up() -> None:
    """With the status that says so; the application goes on."""
    app = server_with(Limits(body_seconds=0.05)).asgi()
    body, fields = discover()

    async def run() -> tuple[Reply | None, Reply]:
        return await send_parts(app, fields, [part(b"{")]), await exchange(app, body, fields)

    late, other = asyncio.run(run())
    assert late is not None
    assert (late.status, late.fields["connection"], other.status) == (408, "close", 200)


def test_a_client_that_leaves_before_its_request_is_whole_gets_nothing() -> None:
    """And does no harm."""
    _body, fields = discover()
    parts = [part(b"{"), {"type": "http.disconnect"}]
    assert asyncio.run(send_parts(server_with().asgi(), fields, parts)) is None


def test_a_task_that_is_cancelled_from_outside_is_cancelled() -> None:
    """It is not taken for a body that is late."""
    _body, fields = discover()

    async def run() -> None:
        serving = asyncio.ensure_future(send_parts(server_with().asgi(), fields, [part(b"{")]))
        await asyncio.sleep(0)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving

    asyncio.run(run())
