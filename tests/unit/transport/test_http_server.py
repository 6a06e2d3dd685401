"""The HTTP carrier beyond the protocol's rules: its streams, its end, what lies beside the endpoint."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from readingroom import Context, Limits, Server, UsageError
from support.asgi import Asgi, Reply, exchange, headers_for
from support.http_servers import discover, server_with
from support.messages import message


def test_too_much_at_once_is_told_to_come_again() -> None:
    """And is served when there is room; quick handlers are served all the time."""
    app = server_with(Limits(requests_at_once=1))
    go, begun = threading.Event(), threading.Event()

    @app.tool
    def wait() -> str:
        """Wait."""
        begun.set()
        go.wait(10)
        return "done"

    asgi = app.asgi()
    told = message(1, "tools/call", {"name": "wait"})
    body, fields = json.dumps(told).encode(), headers_for(told)

    async def run() -> list[Reply]:
        first = asyncio.ensure_future(exchange(asgi, body, fields))
        while not begun.is_set():  # noqa: ASYNC110  -- a thread sets it
            await asyncio.sleep(0.001)
        second, quick = await exchange(asgi, body, fields), await exchange(asgi, *discover())
        go.set()
        return [await first, second, quick, await exchange(asgi, body, fields)]

    first, second, quick, later = asyncio.run(run())
    assert (second.status, second.fields["retry-after"]) == (503, "1")
    assert [first.status, quick.status, later.status] == [200, 200, 200]


def test_its_end_is_told(client: Callable[..., Asgi]) -> None:
    """Health says so, and what still comes is refused."""
    http = client(server_with().asgi())
    assert http.send(b"", [(b"host", b"10.0.0.7")], verb="GET", path="/healthz").answer == {"status": "ok"}
    http.app.stop()
    assert http.send(b"", [], verb="GET", path="/healthz").status == 503
    assert http.ask("server/discover").status == 503


def test_it_lives_and_ends_with_the_server_below() -> None:
    """By the protocol of ASGI; the end closes it."""
    app = server_with().asgi()
    told = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent: list[str] = []

    async def receive() -> dict[str, Any]:
        return told.pop(0)

    async def send(event: dict[str, Any]) -> None:
        sent.append(event["type"])

    asyncio.run(app({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert asyncio.run(exchange(app, *discover())).status == 503


def test_it_takes_no_websocket() -> None:
    """It is closed at once."""
    sent: list[dict[str, Any]] = []

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    asyncio.run(server_with().asgi()({"type": "websocket"}, None, send))
    assert sent[0]["type"] == "websocket.close"


@pytest.mark.parametrize(("root", "path"), [("", "/"), ("/api", "/api"), ("/api", "/api/"), ("", "")])
def test_another_application_may_mount_it(root: str, path: str) -> None:
    """Where it serves the root of its own."""
    app = server_with().asgi(path="/")
    body, fields = discover()

    async def mounted(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await app({**scope, "root_path": root}, receive, send)

    assert asyncio.run(exchange(mounted, body, fields, path=path)).status == 200


def test_an_endpoint_that_cannot_be_is_refused() -> None:
    """A path that is none, and a role that nobody serves."""
    from readingroom.kit.http import asgi_of

    for path in ("mcp", "/mcp?x", "/mcp#x"):
        with pytest.raises(UsageError, match="the path of an endpoint"):
            server_with().asgi(path=path)
    with pytest.raises(UsageError, match="no server is given for it"):
        asgi_of({"editor": server_with()}, anonymous="reader")


def test_a_silent_handler_gets_a_stream_that_is_kept_alive() -> None:
    """So that nobody on the way gives up; its answer comes at the end."""
    app = Server("srv", limits=Limits(keep_alive_seconds=0.05))
    go = threading.Event()

    @app.tool
    def wait() -> str:
        """Wait."""
        go.wait(10)
        return "done"

    told = message(1, "tools/call", {"name": "wait"})

    async def until(sent: list[dict[str, Any]]) -> None:
        while len(sent) < 3:  # noqa: ASYNC110  -- what it waits for is added by the application
            await asyncio.sleep(0.005)
        go.set()
        while sent[-1].get("more_body"):  # noqa: ASYNC110  -- as above
            await asyncio.sleep(0.005)

    reply = asyncio.run(exchange(app.asgi(), json.dumps(told).encode(), headers_for(told), until=until))
    assert reply.is_stream
    assert reply.body.startswith(b":\n\n:\n\n")
    assert reply.answer["result"]["content"][0]["text"] == "done"


def test_what_nobody_fetches_is_dropped() -> None:
    """A client that does not read gets its answer, and some of what was said."""
    app = Server("srv")

    @app.tool
    def chatter(ctx: Context) -> str:
        """Say very much."""
        for step in range(5000):
            ctx.progress(step)
        return "done"

    told = message(1, "tools/call", {"name": "chatter"}, {"progressToken": 1})
    reply = asyncio.run(exchange(app.asgi(), json.dumps(told).encode(), headers_for(told)))
    steps = [m["params"]["progress"] for m in reply.messages[:-1]]
    assert steps == sorted(set(steps))
    assert reply.answer["id"] == 1


def test_what_nobody_fetches_is_bounded_in_bytes() -> None:
    """Large notifications fill the room as many small ones do."""
    app = Server("srv")

    @app.tool
    def chatter(ctx: Context) -> str:
        """Say much at once."""
        for step in range(50):
            ctx.progress(step, message="x" * 400_000)
        return "done"

    told = message(1, "tools/call", {"name": "chatter"}, {"progressToken": 1})

    async def slow() -> Reply:
        sent: list[dict[str, Any]] = []
        parts = [json.dumps(told).encode()]

        async def receive() -> dict[str, Any]:
            if parts:
                return {"type": "http.request", "body": parts.pop()}
            await asyncio.Event().wait()
            raise AssertionError

        async def send(event: dict[str, Any]) -> None:
            sent.append(event)
            await asyncio.sleep(0.2)

        scope = {
            "type": "http", "method": "POST", "path": "/mcp", "headers": headers_for(told), "server": ("127.0.0.1", 1),
            "client": None, "query_string": b"", "root_path": "",
        }  # fmt: skip
        await asyncio.wait_for(app.asgi()(scope, receive, send), 20)
        return Reply(sent)

    reply = asyncio.run(slow())
    assert 1 < len(reply.messages) < 20
    assert reply.answer["result"]["content"][0]["text"] == "done"


@pytest.mark.parametrize("kind", ["plain", "quick", "async"])
def test_a_handler_that_fails_is_answered(client: Callable[..., Asgi], kind: str) -> None:
    """Also one that ends as if it had been cancelled."""
    from readingroom.server import Cancelled

    app = Server("srv")

    def fail(how: str) -> str:
        """Fail."""
        raise Cancelled if how == "cancelled" else RuntimeError(how)

    async def fail_later(how: str) -> str:
        """Fail."""
        return fail(how)

    app.tool(name="fail", quick=kind == "quick")(fail_later if kind == "async" else fail)
    http = client(app.asgi())
    for how in ("cancelled", "oops"):
        reply = http.call("fail", {"how": how})
        assert (reply.status, reply.code, "incident" in reply.answer["error"]["data"]) == (200, -32603, True)
        assert b"oops" not in reply.body


@pytest.mark.parametrize(
    ("verb", "older_era", "allow"),
    [
        ("PUT", True, "DELETE, GET, POST"),
        ("PUT", False, "POST"),
        # There is nothing to get or to delete without a session.
        ("GET", True, "POST"),
        ("DELETE", True, "POST"),
    ],
)
def test_what_is_allowed_is_what_is_served(
    client: Callable[..., Asgi], verb: str, *, older_era: bool, allow: str
) -> None:
    """To who asks so."""
    reply = client(server_with().asgi(older_era=older_era)).send(b"", headers_for({}), verb=verb)
    assert (reply.status, reply.fields["allow"]) == (405, allow)
