"""The HTTP carrier beyond the protocol's rules: sizes, times, too much at once, its end, what lies beside the endpoint."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from readingroom import Context, Limits, Server, UsageError
from readingroom.protocol.authorization import Denied, Grant
from support.asgi import Asgi, Reply, exchange, headers_for
from support.messages import message


def server_with(limits: Limits | None = None, **more: Any) -> Server:
    """A server with one quick and one slow tool."""
    app = Server("srv", limits=limits or Limits(), **more)

    @app.tool(quick=True)
    def quick(text: str = "") -> int:
        """Count."""
        return len(text)

    return app


@pytest.fixture
def client() -> Iterator[Callable[..., Asgi]]:
    """Makes clients, and closes them."""
    made: list[Asgi] = []

    def make(app: Any) -> Asgi:
        made.append(Asgi(app))
        return made[-1]

    yield make
    for one in made:
        one.close()


def discover(**changed: Any) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The body and the header fields of a request."""
    told = message(1, "server/discover")
    return json.dumps(told).encode(), headers_for(told, **changed)


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


class Door:
    """Lets one token pass."""

    grant = Grant("ann", frozenset({"docs:read"}), role="reader")
    held = True

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Let it pass."""
        if list(authorization) == ["Bearer good"]:
            return self.grant
        raise Denied(
            429 if authorization else 401, "" if authorization else 'Bearer scope="a"', retry_after=3
        )

    def holds(self, grant: Grant) -> bool:
        """As long as it does."""
        return self.held

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Name what is missing."""
        return Denied(403, f'Bearer scope="{" ".join(sorted(needed))}"')

    def document(self, path: str) -> bytes | None:
        """Give one."""
        return b'{"resource":"x"}' if path.endswith("/mcp") else None


def test_who_may_not_is_told_how_he_might(client: Callable[..., Asgi]) -> None:
    """Before the body is looked at, on every request; the good token is served, under its principal."""
    app = server_with()

    @app.tool
    def who(ctx: Context) -> str:
        """Say who asks."""
        return ctx.principal

    @app.tool(scopes=("docs:write", "docs:read"))
    def write() -> str:
        """Write."""
        return "written"

    http = client(app.asgi(auth=Door()))
    refused = http.send(b"{oops", headers_for({}))
    assert (refused.status, refused.fields["www-authenticate"], refused.body) == (
        401,
        'Bearer scope="a"',
        b"{}",
    )
    limited = http.ask("server/discover", authorization="Bearer bad")
    assert (limited.status, limited.fields["retry-after"]) == (429, "3")
    assert http.call("who", authorization="Bearer good").answer["result"]["structuredContent"] == {
        "result": "ann"
    }
    short = http.call("write", authorization="Bearer good")
    assert (short.status, short.fields["www-authenticate"]) == (403, 'Bearer scope="docs:read docs:write"')


def test_a_token_in_the_address_is_not_taken(client: Callable[..., Asgi]) -> None:
    """Addresses end up in logs."""
    http = client(server_with().asgi(auth=Door()))
    body, fields = discover(authorization="Bearer good")
    assert http.send(body, fields, query=b"access_token=good").status == 400
    assert http.send(body, fields, query=b"a=b").status == 200


def test_metadata_are_read_by_anybody(client: Callable[..., Asgi]) -> None:
    """From web pages, too; where there are none there is nothing."""
    http = client(server_with().asgi(auth=Door()))
    well_known = "/.well-known/oauth-protected-resource"
    page = [(b"host", b"localhost"), (b"origin", b"https://app.example.com")]
    reply = http.send(b"", page, verb="GET", path=f"{well_known}/mcp")
    assert (reply.status, reply.answer, reply.fields["access-control-allow-origin"]) == (
        200,
        {"resource": "x"},
        "*",
    )
    assert http.send(b"", page, verb="OPTIONS", path=f"{well_known}/mcp").status == 204
    assert http.send(b"", page, verb="DELETE", path=f"{well_known}/mcp").status == 405
    assert http.send(b"", page, verb="GET", path=f"{well_known}/other").status == 404
    open_one = client(server_with().asgi())
    assert open_one.send(b"", page, verb="GET", path=f"{well_known}/mcp").status == 404


def test_a_role_has_a_server_of_its_own(client: Callable[..., Asgi]) -> None:
    """Who has another role is served nothing."""
    from readingroom.kit.http import asgi_of

    http = client(asgi_of({"reader": server_with(title="for readers")}, auth=Door()))
    assert http.ask("server/discover", authorization="Bearer good").status == 200
    other = client(asgi_of({"editor": server_with()}, auth=Door()))
    assert other.ask("server/discover", authorization="Bearer good").status == 403


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


@pytest.mark.parametrize("kind", ["plain", "async"])
@pytest.mark.parametrize("accept", ["application/json, text/event-stream", "application/json"])
def test_a_call_ends_with_its_token(kind: str, accept: str) -> None:
    """Soon after it was revoked; its handler is told, whether it speaks or is silent."""
    app = Server("srv", limits=Limits(keep_alive_seconds=20.0, revoked_seconds=0.05))
    ended, door = threading.Event(), Door()

    @app.tool
    def plain(ctx: Context) -> str:
        """Go on until nobody wants it."""
        while not ctx.cancelled:
            ctx.progress(1)
            door.held = False
        ended.set()
        return "never"

    @app.tool(name="async")
    async def coroutine() -> str:
        """Wait."""
        door.held = False
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "never"

    http = Asgi(app.asgi(auth=door))
    reply = http.call(kind, authorization="Bearer good", accept=accept)
    assert ended.wait(10)
    http.close()
    assert (reply.answer["id"], reply.code) == (1, -32603)
    assert reply.answer["error"]["message"] == "The authorization of this request has ended"
    assert reply.status == (200 if reply.is_stream else 403)
    assert not reply.sent[-1].get("more_body")


class Doors(Door):
    """Lets everybody pass, under the name that is the token."""

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Let it pass."""
        return Grant(authorization[0].removeprefix("Bearer "))


def test_nobody_takes_all_workers() -> None:
    """Whoever has the half of them at work waits for them, while others are served; all are served in the end."""
    app = Server("srv", limits=Limits(workers=4))
    go, at_work = threading.Event(), threading.Semaphore(0)
    begun: list[str] = []

    @app.tool
    def wait(ctx: Context) -> str:
        """Wait."""
        begun.append(ctx.principal)
        at_work.release()
        if ctx.principal == "ann":
            go.wait(20)
        return ctx.principal

    asgi = app.asgi(auth=Doors())
    told = message(1, "tools/call", {"name": "wait"})
    body = json.dumps(told).encode()

    async def run() -> list[str]:
        def ask(who: str) -> asyncio.Future[Reply]:
            return asyncio.ensure_future(
                exchange(asgi, body, headers_for(told, authorization=f"Bearer {who}"))
            )

        of_ann = [ask("ann") for _ in range(20)]
        await asyncio.to_thread(at_work.acquire)
        of_others = await asyncio.gather(*(ask(who) for who in ("bob", "bob", "cho")))
        assert begun.count("ann") <= 2
        go.set()
        return [
            reply.answer["result"]["content"][0]["text"]
            for reply in (*await asyncio.gather(*of_ann), *of_others)
        ]

    assert asyncio.run(run()) == [*["ann"] * 20, "bob", "bob", "cho"]


def test_whoever_gives_up_waiting_does_not_lose_a_turn_for_others() -> None:
    """Calls that were left while they waited for a worker are passed over."""
    app = Server("srv", limits=Limits(workers=2))
    go, at_work = threading.Event(), threading.Event()
    ran: list[int] = []

    @app.tool
    def wait(number: int) -> int:
        """Wait."""
        ran.append(number)
        at_work.set()
        go.wait(20)
        return number

    asgi = app.asgi(auth=Doors())

    def ask(number: int, until: Any = None) -> Any:
        told = message(1, "tools/call", {"name": "wait", "arguments": {"number": number}})
        fields = headers_for(told, authorization="Bearer ann")
        return asyncio.ensure_future(exchange(asgi, json.dumps(told).encode(), fields, until=until))

    async def at_once(_sent: Any) -> None:
        await asyncio.to_thread(at_work.wait)

    async def run() -> None:
        first = ask(1)
        await asyncio.to_thread(at_work.wait)
        left = ask(2, at_once)
        last = ask(3)
        with pytest.raises(IndexError):  # nothing was sent to whom has left
            await left
        go.set()
        await asyncio.gather(first, last)

    asyncio.run(run())
    assert ran == [1, 3]


def test_nobody_takes_all_the_room_there_is() -> None:
    """Half of `requests_at_once` is for one principal, where principals are known; without authorization it is for all."""
    go = threading.Event()

    def made(**more: Any) -> Any:
        app = Server("srv", limits=Limits(requests_at_once=4))

        @app.tool
        def wait(ctx: Context) -> str:
            """Wait."""
            if ctx.principal != "bob":
                go.wait(20)
            return "done"

        return app.asgi(**more)

    told = message(1, "tools/call", {"name": "wait"})
    body = json.dumps(told).encode()

    async def statuses(asgi: Any, names: Sequence[str]) -> list[int]:
        def ask(who: str) -> Any:
            return exchange(asgi, body, headers_for(told, authorization=f"Bearer {who}"))

        asked = []
        for who in names:
            asked.append(asyncio.ensure_future(ask(who)))
            await asyncio.sleep(0)
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        go.set()
        return [(await one).status for one in asked]

    names = ["ann", "ann", "ann", "bob"]
    assert asyncio.run(statuses(made(auth=Doors()), names)) == [200, 200, 503, 200]
    go.clear()
    assert asyncio.run(statuses(made(), [*names, "ann"])) == [200, 200, 200, 200, 503]


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
