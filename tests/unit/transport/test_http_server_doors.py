"""Who may ask over HTTP, with which token, of which role, and for how long."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from readingroom import Context, Limits, Server
from support.asgi import Asgi, headers_for
from support.http_servers import Door, discover, server_with


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
