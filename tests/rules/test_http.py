"""HTTP: one path, whose pages may ask, and what a body and its answer may be."""

import asyncio
import json
import threading
from typing import Any

import pytest

from readingroom import Server
from support.asgi import Asgi, exchange, headers_for
from support.everything import app
from support.messages import cancel, message

rule = pytest.mark.rule


@rule("HTTP-1", "passing")
def test_the_endpoint_takes_messages_by_post(http: Asgi) -> None:
    """And answers."""
    reply = http.ask("server/discover")
    assert (reply.status, reply.answer["id"]) == (200, 1)


@rule("HTTP-1", "violating")
@pytest.mark.parametrize("path", ["/", "/mcp/", "/mcp/x", "/MCP", "/other"])
def test_there_is_no_other_path(http: Asgi, path: str) -> None:
    """Whatever is posted there."""
    told = message(1, "server/discover")
    assert http.send(json.dumps(told).encode(), headers_for(told), path=path).status == 404


@rule("HTTP-2", "passing")
@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:8000", "http://localhost:3000", "https://[::1]"])
def test_a_page_of_this_machine_may_ask(http: Asgi, origin: str | None) -> None:
    """So may whatever is no page."""
    assert http.ask("server/discover", origin=origin).status == 200


@rule("HTTP-2", "violating")
@pytest.mark.parametrize("verb", ["POST", "GET", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://", "", "localhost"]
)
def test_a_page_of_elsewhere_may_not(http: Asgi, origin: str, verb: str) -> None:
    """Whatever it asks, before anything is read."""
    told = message(1, "server/discover")
    reply = http.send(json.dumps(told).encode(), headers_for(told, origin=origin), verb=verb)
    assert reply.status == 403
    assert "id" not in reply.answer


@rule("HTTP-3", "passing")
@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST", "localhost:1"]
)
def test_the_names_of_this_machine_are_served(http: Asgi, host: str) -> None:
    """With any port."""
    assert http.ask("server/discover", host=host).status == 200


@rule("HTTP-3", "violating")
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "",
        "localhost:80x",
        "[::1",
        None,
        "127.1",
    ],
)
def test_another_name_is_refused(http: Asgi, host: str | None) -> None:
    """With the status that says so."""
    assert http.ask("server/discover", host=host).status == 421


def test_an_address_of_the_network_is_its_own_name_alone(http: Asgi) -> None:
    """A server that is reached at an address is not reached by names that it has not been told."""
    told = message(1, "server/discover")
    body = json.dumps(told).encode()
    for host, status in (("192.0.2.7:80", 200), ("localhost", 421), ("evil.example", 421)):
        reply = http.send(body, headers_for(told, host=host), server=("192.0.2.7", 80))
        assert reply.status == status


def test_names_that_are_configured_are_served_and_no_others() -> None:
    """Also origins."""
    client = Asgi(app.asgi(allowed_hosts=("docs.example.com",), allowed_origins=("https://app.example.com",)))
    try:
        assert client.ask("server/discover", host="docs.example.com").status == 200
        assert (
            client.ask("server/discover", host="docs.example.com", origin="https://app.example.com").status
            == 200
        )
        assert (
            client.ask("server/discover", host="docs.example.com", origin="https://docs.example.com").status
            == 200
        )
        assert (
            client.ask("server/discover", host="docs.example.com", origin="https://b.example.com").status
            == 403
        )
        assert client.ask("server/discover", host="localhost").status == 421
    finally:
        client.close()


def test_a_page_that_may_ask_is_told_so() -> None:
    """Before its request and with its answer, also when that is a refusal; other pages and programs are told nothing."""
    client = Asgi(app.asgi(allowed_origins=("https://app.example.com:443",)))
    page = {"host": "localhost", "origin": "https://app.example.com"}
    wanted = "content-type, mcp-method, mcp-param-region"
    asked = {**page, "access_control_request_method": "POST", "access_control_request_headers": wanted}
    try:
        before = client.send(
            b"", [(k.replace("_", "-").encode(), v.encode()) for k, v in asked.items()], verb="OPTIONS"
        )
        assert before.status == 204
        assert before.fields["access-control-allow-origin"] == "https://app.example.com"
        assert before.fields["access-control-allow-headers"] == wanted
        assert "POST" in before.fields["access-control-allow-methods"]
        for told in ("server/discover", "no/such"):
            reply = client.ask(told, **page)
            assert reply.fields["access-control-allow-origin"] == "https://app.example.com"
            assert reply.fields["vary"] == "Origin"
            assert "WWW-Authenticate" in reply.fields["access-control-expose-headers"]
        for other in ("https://evil.example", None):
            reply = client.ask("server/discover", **{**page, "origin": other})
            assert "access-control-allow-origin" not in reply.fields
    finally:
        client.close()


@rule("HTTP-5", "passing")
@pytest.mark.parametrize("verb", ["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "X"])
def test_other_methods_are_refused(http: Asgi, verb: str) -> None:
    """With what would be right."""
    reply = http.send(b"", headers_for({}), verb=verb)
    assert (reply.status, reply.fields["allow"].split(", ")[-1]) == (405, "POST")


@rule("HTTP-5", "violating")
def test_a_stream_is_not_to_be_had_by_get() -> None:
    """It would be, in the older era alone."""
    client = Asgi(app.asgi(older_era=False))
    for verb in ("GET", "DELETE"):
        assert client.send(b"", headers_for({}), verb=verb).status == 405
    client.close()


@rule("HTTP-6", "passing")
@rule("HTTP-6", "violating")
def test_a_session_id_changes_nothing(http: Asgi) -> None:
    """And none is given."""
    reply = http.ask("server/discover", mcp_session_id="abc", last_event_id="7")
    assert reply.status == 200
    assert "mcp-session-id" not in reply.fields
    assert reply.body == http.ask("server/discover").body


@rule("HTTP-11", "passing")
@pytest.mark.parametrize(
    "accept",
    [
        None,
        "*/*",
        "application/json, text/event-stream",
        "text/*, application/*;q=0.1",
        "",
        "APPLICATION/JSON",
    ],
)
def test_an_answer_that_is_accepted_is_given(http: Asgi, accept: str | None) -> None:
    """However that is said."""
    assert http.ask("server/discover", accept=accept).status == 200


@rule("HTTP-11", "violating")
@pytest.mark.parametrize("accept", ["text/event-stream", "text/html", "application/json;q=0, */*"])
def test_an_answer_that_is_excluded_is_not(http: Asgi, accept: str) -> None:
    """A stream alone will not do, either: most answers are none."""
    assert http.ask("server/discover", accept=accept).status == 406


def test_what_is_accepted_may_stand_in_several_lines(http: Asgi) -> None:
    """They are one list; a body's type may stand in one alone."""
    told = message(1, "server/discover")
    fields = [pair for pair in headers_for(told) if pair[0] != b"accept"]
    lines = [(b"accept", b"application/json"), (b"accept", b"text/event-stream")]
    assert http.send(json.dumps(told).encode(), [*fields, *lines]).status == 200
    assert (
        http.send(json.dumps(told).encode(), [*fields, (b"content-type", b"application/json")]).status == 400
    )


def test_a_client_that_takes_no_stream_gets_its_answer_alone(http: Asgi) -> None:
    """What would have been said before is left out; a server may say nothing."""
    reply = http.call("tells", accept="application/json")
    assert (reply.status, len(reply.messages)) == (200, 1)


@rule("HTTP-12", "passing")
@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
        "application/json;",
    ],
)
def test_json_is_taken(http: Asgi, kind: str) -> None:
    """However that is said."""
    assert http.ask("server/discover", content_type=kind).status == 200


@rule("HTTP-12", "violating")
@pytest.mark.parametrize(
    ("kind", "coding"),
    [(None, None), ("text/plain", None), ("application/json; charset=latin-1", None), ("application/json", "gzip"),
     ("application/jsonx", None), ("application/x-www-form-urlencoded", None)],
)  # fmt: skip
def test_anything_else_is_not(http: Asgi, kind: str | None, coding: str | None) -> None:
    """A page can post a form to anywhere without asking first."""
    assert http.ask("server/discover", content_type=kind, content_encoding=coding).status == 415


@rule("HTTP-13", "passing")
def test_an_answer_is_one_object_or_a_stream(http: Asgi) -> None:
    """A stream only where something is said before."""
    assert http.call("add", {"a": 1}).fields["content-type"] == "application/json"
    told = message(1, "tools/call", {"name": "tells", "arguments": {}}, {"progressToken": 7})
    assert http.post(told).is_stream


@rule("HTTP-13", "violating")
@pytest.mark.parametrize("body", [b"", b"{oops", b"[]", b"7", b'{"jsonrpc":"2.0"}', b"\xff", b"[" * 99])
def test_what_is_no_message_gets_an_error(http: Asgi, body: bytes) -> None:
    """One object, too, with a status that says so and no id."""
    reply = http.send(body, headers_for({}))
    assert reply.status == 400
    assert reply.code in (-32700, -32600)
    assert "id" not in reply.answer


@rule("HTTP-14", "passing")
def test_a_notification_is_accepted(http: Asgi) -> None:
    """And nothing is said to it."""
    reply = http.post({"jsonrpc": "2.0", "method": "notifications/whatever"})
    assert (reply.status, reply.body) == (202, b"")


@rule("HTTP-14", "violating")
def test_a_notification_that_is_none_is_refused(http: Asgi) -> None:
    """So is a response, of which a server is owed none (RPC-7)."""
    assert http.post({"jsonrpc": "1.0", "method": "notifications/x"}).status == 400
    reply = http.post({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert (reply.status, "id" in reply.answer) == (400, False)


@rule("HTTP-15", "passing")
@rule("HTTP-15", "violating")
def test_a_posted_cancellation_cancels_nothing() -> None:
    """The request of that id goes on to its end."""
    server = Server("srv")
    go, begun = threading.Event(), threading.Event()

    @server.tool
    def wait() -> str:
        """Wait."""
        begun.set()
        go.wait(10)
        return "done"

    asgi = server.asgi()

    async def both() -> Any:
        told = message(5, "tools/call", {"name": "wait"})
        running = asyncio.ensure_future(exchange(asgi, json.dumps(told).encode(), headers_for(told)))
        while not begun.is_set():  # noqa: ASYNC110  -- a thread sets it
            await asyncio.sleep(0.001)
        body = cancel(5)
        cancelled = await exchange(asgi, body, headers_for(json.loads(body), mcp_name=None))
        go.set()
        return cancelled, await running

    cancelled, finished = asyncio.run(both())
    assert cancelled.status == 202
    assert finished.answer["result"]["content"][0]["text"] == "done"
