"""Requests of the older era over HTTP: how a session begins, and with which status and in what form each is answered."""

import pytest

from readingroom import Server
from readingroom.limits import Limits
from support.older import NEWEST, VERSIONS, OlderAsgi, call, events, handshake, message, notice
from support.older_http import Gate, opened, progressing, said, served


def test_a_session_begins_with_the_handshake(http: OlderAsgi) -> None:
    """Its id is one that nobody can guess, in visible ASCII."""
    first, second = http.begin(), http.begin()
    ids = {reply.fields["mcp-session-id"] for reply in (first, second)}
    assert len(ids) == 2
    assert all(len(one) >= 40 and one.isascii() and one.isprintable() for one in ids)
    assert (first.status, first.answer["result"]["protocolVersion"]) == (200, NEWEST)


def test_a_handshake_that_fails_begins_none(http: OlderAsgi) -> None:
    """It is refused as a bad request."""
    reply = http.say(message(1, "initialize", {}))
    assert (reply.status, reply.code, "mcp-session-id" in reply.fields) == (400, -32602, False)


@pytest.mark.parametrize("version", VERSIONS)
def test_requests_of_every_version(http: OlderAsgi, version: str) -> None:
    """Are answered as JSON when there is nothing but the answer."""
    http.begin(version)
    assert http.say(notice("notifications/initialized")).status == 202
    for told in (call(1, "add", a=1), call(2, "now"), message(3, "ping"), message(4, "tools/list")):
        reply = http.say(told)
        assert (reply.status, reply.is_stream, reply.answer["id"]) == (200, False, told["id"])
    assert http.say(message(5, "no/such")).code == -32601
    assert http.say(message(5, "no/such")).status == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_progress_makes_a_stream(http: OlderAsgi, version: str) -> None:
    """With numbered events; in the newest version it begins with an empty one, and says when to come back."""
    http.begin(version)
    reply = http.say(progressing(1, "tells"))
    assert (reply.status, reply.is_stream) == (200, True)
    numbered = events(reply)
    assert len({one for one, _ in numbered}) == len(numbered)
    told = [one for _, one in numbered]
    if version == NEWEST:
        assert told.pop(0) is None
        assert b"retry: " in reply.body
    assert [one.get("method") for one in told] == ["notifications/progress", None]
    assert told[1]["result"]["content"] == [{"type": "text", "text": "told"}]


def test_who_takes_no_streams_gets_the_answer_alone(http: OlderAsgi) -> None:
    """And cannot be asked."""
    reply = http.say(progressing(1, "tells"), accept="application/json")
    assert (reply.status, reply.is_stream, reply.answer["result"]["content"][0]["text"]) == (
        200,
        False,
        "told",
    )
    assert http.say(call(2, "asks"), accept="application/json").answer["result"]["isError"] is True


def test_what_asks_for_no_answer(http: OlderAsgi) -> None:
    """Is taken, and has none."""
    for told in (notice("x"), {"jsonrpc": "2.0", "id": "s9", "result": {}}):
        reply = http.say(told)
        assert (reply.status, reply.body) == (202, b"")
    reply = http.say({"jsonrpc": "2.0", "id": 1})
    assert (reply.status, reply.code) == (400, -32600)


def test_who_names_no_session(http: OlderAsgi) -> None:
    """Is told to begin one; who names one that is not there, that it is gone."""
    assert http.say(call(1, "now"), mcp_session_id=None).status == 400
    assert http.say(call(1, "now"), mcp_session_id="x").status == 404
    assert http.say(call(1, "now"), mcp_session_id="x", mcp_protocol_version=None).status == 404
    assert http.say(None, "GET", mcp_session_id="x").status == 404
    assert http.say(None, "DELETE", mcp_session_id=None).status == 400
    doubled = [*http.fields(), (b"mcp-session-id", b"x")]
    assert http.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', doubled).status == 400


def test_what_is_of_neither_era(http: OlderAsgi) -> None:
    """Lacks the header that says so."""
    reply = http.say(call(1, "now"), mcp_session_id=None, mcp_protocol_version=None)
    assert (reply.status, reply.code) == (400, -32020)


@pytest.mark.parametrize("version", ["2027-01-01", "2026-07-28", "x", ""])
def test_a_version_that_is_not_of_the_era(http: OlderAsgi, version: str) -> None:
    """Is for today's ladder to refuse; a stream of one there is none."""
    assert http.say(call(1, "now"), mcp_protocol_version=version).status == 400
    assert http.say(None, "GET", mcp_protocol_version=version).status == 400


@pytest.mark.parametrize("version", [None, *VERSIONS])
def test_any_version_of_the_era_will_do(http: OlderAsgi, version: str | None) -> None:
    """Also none: what was agreed on counts."""
    assert http.say(call(1, "now"), mcp_protocol_version=version).status == 200


def test_a_stream_that_is_not_wanted_as_one(http: OlderAsgi) -> None:
    """Is refused."""
    assert http.say(None, "GET", accept="application/json").status == 406


def test_verbs_of_neither_era(http: OlderAsgi) -> None:
    """And those of a client that names nothing."""
    assert http.say(None, "PUT").status == 405
    assert http.say(None, "GET", mcp_session_id=None, mcp_protocol_version=None).status == 405


def test_too_much_at_once_is_told_to_come_again(gate: Gate) -> None:
    """What asks for no answer is taken all the same."""
    client = OlderAsgi(served(gate, limits=Limits(requests_at_once=1)).asgi())
    client.begin()

    async def scenario() -> None:
        async with opened(client, progressing(1, "holds")) as first:
            await first.seen(b"notifications/progress")
            assert (await said(client, call(2, "now"))).status == 503
            assert (await said(client, notice("x"))).status == 202
            gate.open.set()
            await first.seen(b"held")

    client.runner.run(scenario())
    client.close()


def test_a_server_may_be_told_to_serve_today_alone(app: Server) -> None:
    """Then there are no sessions, and nothing to get."""
    client = OlderAsgi(app.asgi(older_era=False))
    reply = client.say(handshake())
    assert (reply.status, reply.code) == (400, -32020)
    assert client.say(None, "GET", mcp_session_id="x").status == 405
    client.close()
