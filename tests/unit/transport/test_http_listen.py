"""Subscriptions over HTTP: a stream that opens with the acknowledgement and ends with its result, or with the client."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from readingroom import Limits, Server
from readingroom.protocol.authorization import Denied, Grant
from support.asgi import Reply, exchange, headers_for
from support.messages import message

KEY = "io.modelcontextprotocol/subscriptionId"


def server_with(limits: Limits | None = None) -> Server:
    """A server with notices of every kind."""
    app = Server("srv", notices=("tools", "resources", "updates"), limits=limits or Limits())

    @app.tool
    def nothing() -> str:
        """Do nothing."""
        return ""

    @app.resource("a:///{x}")
    def resource(x: str) -> str:
        """A text."""
        return x

    return app


async def until_events(sent: list[dict[str, Any]], number: int) -> None:
    """Wait until that many parts have been sent."""
    while len(sent) < number:  # noqa: ASYNC110  -- what it waits for is added by the application
        await asyncio.sleep(0.002)


def listen(
    asgi: Any,
    wanted: dict[str, Any],
    until: Callable[[list[dict[str, Any]]], Awaitable[None]] | None,
    request_id: Any = 5,
    **changed: Any,
) -> Reply:
    """Listen until the client leaves, or the server ends it."""
    told = message(request_id, "subscriptions/listen", {"notifications": wanted})
    return asyncio.run(exchange(asgi, json.dumps(told).encode(), headers_for(told, **changed), until=until))


@pytest.mark.parametrize("request_id", [5, 0, "", "5", 1755000000000])
def test_what_happens_is_told_under_the_id_of_the_request(request_id: Any) -> None:
    """The acknowledgement first, then each event once; nothing once the client has left."""
    app = server_with()

    async def until(sent: list[dict[str, Any]]) -> None:
        await until_events(sent, 2)
        app.tools_changed()
        await until_events(sent, 3)
        app.resource_updated("a:///1")
        app.resource_updated("a:///2")
        app.resources_changed()
        await until_events(sent, 4)

    wanted = {"toolsListChanged": True, "promptsListChanged": True, "resourceSubscriptions": ["a:///1"]}
    reply = listen(app.asgi(), wanted, until, request_id)
    told = [(m["method"], m["params"]["_meta"][KEY]) for m in reply.messages]
    kinds = ["subscriptions/acknowledged", "tools/list_changed", "resources/updated"]
    assert told == [(f"notifications/{kind}", request_id) for kind in kinds]
    assert reply.messages[0]["params"]["notifications"] == {
        "toolsListChanged": True,
        "resourceSubscriptions": ["a:///1"],
    }
    assert reply.fields["x-accel-buffering"] == "no"


def test_the_end_of_the_server_is_told() -> None:
    """By the result of the request, and then the stream is closed."""
    app = server_with()
    asgi = app.asgi()

    async def until(sent: list[dict[str, Any]]) -> None:
        await until_events(sent, 2)
        asgi.stop()
        while sent[-1].get("more_body"):  # noqa: ASYNC110  -- as above
            await asyncio.sleep(0.002)

    reply = listen(asgi, {"toolsListChanged": True}, until)
    assert reply.answer["id"] == 5
    assert reply.answer["result"]["resultType"] == "complete"
    assert reply.answer["result"]["_meta"][KEY] == 5


def test_subscriptions_that_the_program_closes_end() -> None:
    """What was due before the end is told."""
    app = server_with()

    async def until(sent: list[dict[str, Any]]) -> None:
        await until_events(sent, 2)
        app.tools_changed()
        app.close_subscriptions()
        while sent[-1].get("more_body"):  # noqa: ASYNC110  -- as above
            await asyncio.sleep(0.002)

    reply = listen(app.asgi(), {"toolsListChanged": True}, until)
    assert [m.get("method", "result") for m in reply.messages][-1] == "result"


def test_a_silent_stream_is_kept_alive() -> None:
    """By comments, which are no messages."""

    async def until(sent: list[dict[str, Any]]) -> None:
        await until_events(sent, 5)

    reply = listen(server_with(Limits(keep_alive_seconds=0.02)).asgi(), {}, until)
    assert reply.body.count(b":\n\n") >= 2
    assert len(reply.messages) == 1


def test_one_that_takes_no_stream_cannot_listen() -> None:
    """That is refused before anything is opened."""
    reply = listen(server_with().asgi(), {"toolsListChanged": True}, None, accept="application/json")
    assert reply.status == 406


def test_one_that_is_refused_gets_an_error() -> None:
    """With a status of its own, before a stream is opened."""
    asgi = server_with(Limits(listen_topics=1)).asgi()
    reply = listen(asgi, {"resourceSubscriptions": ["a:///1", "a:///2"]}, None)
    assert (reply.is_stream, reply.code) == (False, -32602)
    reply = listen(Server("bare").asgi(), {}, None)
    assert (reply.status, reply.code) == (404, -32601)


def test_a_client_that_leaves_at_once_leaves_nothing() -> None:
    """No subscription, no task."""
    app = server_with()
    asgi = app.asgi()

    async def many() -> int:
        told = message(5, "subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        body, fields = json.dumps(told).encode(), headers_for(told)

        async def at_once(_sent: list[dict[str, Any]]) -> None:
            await asyncio.sleep(0)

        await asyncio.gather(*(exchange(asgi, body, fields, until=at_once) for _ in range(50)))
        await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    assert asyncio.run(many()) == 1
    assert not asgi._listens


class Fading:
    """Holds a grant until it is told otherwise."""

    holds_on = True

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Let everybody pass."""
        return Grant("ann")

    def holds(self, grant: Grant) -> bool:
        """Until it fades."""
        return self.holds_on

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Never asked."""
        raise AssertionError

    def document(self, path: str) -> bytes | None:
        """There is none."""


def test_a_token_that_is_revoked_ends_what_was_opened_with_it() -> None:
    """Without another event."""
    auth = Fading()

    async def until(sent: list[dict[str, Any]]) -> None:
        await until_events(sent, 2)
        auth.holds_on = False
        while sent[-1].get("more_body"):  # noqa: ASYNC110  -- as above
            await asyncio.sleep(0.002)

    app = server_with(Limits(revoked_seconds=0.02))
    reply = listen(app.asgi(auth=auth), {"toolsListChanged": True}, until)
    assert reply.answer["result"]["_meta"][KEY] == 5


def test_nobody_is_woken_once_the_loop_has_ended() -> None:
    """A program may go on to tell of changes."""
    from readingroom.transport.http_listen import Listen

    async def made() -> Listen:
        return Listen(Limits(), is_authorized=False)

    asyncio.run(made()).wake()
