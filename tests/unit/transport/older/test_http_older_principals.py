"""Who asks in the older era over HTTP: sessions, scopes and shares of a principal, and the end of its token."""

import asyncio
import contextlib
import json
import threading

import pytest

from readingroom import Server
from readingroom.limits import Limits
from support.asgi import Reply, exchange
from support.older import OlderAsgi, call, handshake, message
from support.older_http import Gate, Open, Tokens, opened, served, until


def test_a_session_is_its_principals(guarded: OlderAsgi) -> None:
    """For others it is not there."""
    assert guarded.say(call(1, "now"), authorization="Bearer ada").status == 200
    assert guarded.say(call(1, "now"), authorization="Bearer bob").status == 404
    assert guarded.say(None, "DELETE", authorization="Bearer bob").status == 404


def test_calls_need_their_scopes(guarded: OlderAsgi) -> None:
    """In a batch as well."""
    assert guarded.say(call(1, "writes"), authorization="Bearer ada").status == 403
    assert guarded.say(call(1, "writes"), authorization="Bearer ada:docs:write").status == 200
    for params in ({}, {"name": 1}, None):
        reply = guarded.say(message(1, "tools/call", params), authorization="Bearer ada")
        assert reply.code == -32602
    guarded.begin("2025-03-26", authorization="Bearer ada")
    batch = [call(1, "now"), call(2, "writes")]
    assert guarded.say(batch, authorization="Bearer ada").status == 403


def test_whoever_is_served_nothing_begins_no_session(tokens: Tokens) -> None:
    """With and without authorization."""
    from readingroom.transport.http_guard import Guard
    from readingroom.transport.http_server import HttpServer

    for auth in (tokens, None):
        client = OlderAsgi(HttpServer(lambda grant: None, guard=Guard(), auth=auth))
        assert client.say(handshake(), authorization="Bearer ada").status == 403
        client.close()


def test_a_stream_ends_with_its_token(app: Server, tokens: Tokens) -> None:
    """Soon after that was revoked."""
    client = OlderAsgi(Server("s", limits=Limits(revoked_seconds=0.02)).asgi(auth=tokens))
    client.begin(authorization="Bearer ada")

    async def scenario() -> None:
        async with opened(client, None, "GET", authorization="Bearer ada") as stream:
            await stream.seen(b":\n\n")
            tokens.revoked.add("ada")
            await stream.ended()

    client.runner.run(scenario())
    client.close()


@pytest.mark.parametrize("accept", ["application/json, text/event-stream", "application/json"])
def test_a_post_ends_with_its_token(tokens: Tokens, accept: str) -> None:
    """Soon after that was revoked, though its handler goes on: the stream ends, or says that it is forbidden."""
    server, begun, go = Server("s", limits=Limits(revoked_seconds=0.02)), threading.Event(), threading.Event()

    @server.tool
    def waits() -> str:
        """Wait."""
        begun.set()
        go.wait(20)
        return "secret"

    client = OlderAsgi(server.asgi(auth=tokens))
    client.begin(authorization="Bearer ada")
    fields = client.fields(authorization="Bearer ada", accept=accept)

    async def scenario() -> Reply:
        asked = asyncio.ensure_future(exchange(client.app, json.dumps(call(1, "waits")).encode(), fields))
        await asyncio.to_thread(begun.wait)
        tokens.revoked.add("ada")
        return await asked

    reply = client.runner.run(scenario())
    go.set()
    client.close()
    assert (reply.status, b"secret" in reply.body) == (200 if reply.is_stream else 403, False)
    assert not reply.sent[-1].get("more_body")


def test_one_principal_cannot_take_all_handlers(gate: Gate, tokens: Tokens) -> None:
    """Beyond its share it is told to come again; others are served."""
    client = OlderAsgi(served(gate, limits=Limits(older_requests_of_one=1)).asgi(auth=tokens))

    async def scenario(ada: str | None, bob: str | None) -> None:
        more = {"authorization": "Bearer ada", "mcp_session_id": ada}
        async with opened(client, call(1, "waits"), **more) as first:
            await until(lambda: bool(client.app._older._tasks))
            assert (await Open(client, call(2, "now"), **more).ended()).status == 503
            more = {"authorization": "Bearer bob", "mcp_session_id": bob}
            assert (await Open(client, call(2, "now"), **more).ended()).status == 200
            more = {"authorization": "Bearer ada", "mcp_session_id": ada}
            await Open(client, None, "DELETE", **more).ended()
            await first.ended()

    ids = []
    for name in ("ada", "bob"):
        client.begin(authorization=f"Bearer {name}")
        ids.append(client.session_id)
    client.runner.run(scenario(*ids))
    client.close()


def test_one_principal_cannot_end_anothers_session(app: Server, tokens: Tokens) -> None:
    """However many it begins."""
    limited = Server("s", limits=Limits(older_sessions=20, older_sessions_of_one=15))
    client = OlderAsgi(limited.asgi(auth=tokens))
    client.begin(authorization="Bearer bob")
    bobs = client.session_id
    for _ in range(100):
        client.begin(authorization="Bearer ada")
    assert len(client.app._older.sessions) == 16
    told = message(1, "ping")
    assert client.say(told, mcp_session_id=bobs, authorization="Bearer bob").status == 200
    client.close()


def test_one_principals_calls_that_wait_leave_room_for_others(gate: Gate, tokens: Tokens) -> None:
    """In however many sessions it has them."""
    client = OlderAsgi(served(gate, limits=Limits(older_waiting_of_one=2)).asgi(auth=tokens))

    async def scenario(asking: list[tuple[str | None, str]]) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for session, name in asking:
                more = {"mcp_session_id": session, "authorization": f"Bearer {name}"}
                request = await stack.enter_async_context(opened(client, call(1, "asks"), **more))
                told = b"isError" if session == asking[2][0] else b"elicitation/create"
                await request.seen(told)

    sessions = []
    for name in ("ada", "ada", "ada", "bob"):
        client.begin(capabilities={"elicitation": {}}, authorization=f"Bearer {name}")
        sessions.append((client.session_id, name))
    client.runner.run(scenario(sessions))
    client.close()
