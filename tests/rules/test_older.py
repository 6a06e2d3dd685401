"""ERA and LEG: each message is of one era, and what the older one gives its clients."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from readingroom import Context, ElicitForm, Server
from readingroom.server import Connection, Flight, Older, Reply
from readingroom.server.older import Session
from support.asgi import Asgi
from support.everything import app
from support.memory import MemoryServer
from support.messages import VERSION, call, frame
from support.older import NEWEST, VERSIONS, OlderAsgi, OlderClient, events, handshake, message, notice
from support.older import call as older_call

rule = pytest.mark.rule
FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}}


@pytest.fixture
def http() -> Iterator[OlderAsgi]:
    """A client of the older era over HTTP, with a session."""
    client = OlderAsgi(app.asgi())
    client.begin()
    yield client
    client.close()


@pytest.fixture
def old() -> OlderClient:
    """A client of the older era in memory."""
    return OlderClient(app)


def connected(*, older_era: bool = True, began: bool = True) -> Connection:
    """A connection, on which the older era has begun."""
    connection = Connection(app.dispatcher().capabilities, older_era=older_era)
    if began:
        assert isinstance(connection.receive(encoded(handshake())), Older)
    return connection


def encoded(told: Any) -> bytes:
    """A message as it comes."""
    return json.dumps(told).encode()


@rule("ERA-12", "passing")
@rule("ERA-14", "passing")
def test_a_handshake_begins_the_older_era_beside_the_modern_one() -> None:
    """Each message is of the era that it says."""
    connection = connected()
    assert isinstance(connection.receive(call(1, "add", {"a": 1})), Flight)
    for told in (
        older_call(2, "add", a=1),
        notice("x"),
        {"id": "s1", "result": {}},
        [older_call(3, "add", a=1)],
    ):
        assert isinstance(connection.receive(encoded(told)), Older)
    assert connection.owed == 1


@rule("ERA-12", "violating")
def test_no_modern_request_enters_the_older_era(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over HTTP either, whatever was said before: the sessions of that era are not even looked at."""

    def enter(*_: Any, **__: Any) -> None:
        raise AssertionError("a modern request has come to the older era")

    modern = Asgi(app.asgi())
    older = OlderAsgi(modern.app)
    older.begin()
    for name in ("receive", "close", "start_notices"):
        monkeypatch.setattr(Session, name, enter)
    sessions = modern.app._older.sessions
    monkeypatch.setattr(sessions, "find", enter)
    for method, status in (("server/discover", 200), ("tools/list", 200), ("initialize", 404), ("ping", 404)):
        for more in ({}, {"mcp_session_id": older.session_id}, {"mcp_session_id": "x"}):
            assert modern.ask(method, **more).status == status
    assert modern.call("add", {"a": 1}).status == 200
    modern.close()
    older.close()


@rule("ERA-14", "violating")
@pytest.mark.parametrize("older_era", [True, False])
def test_a_message_that_says_nothing_is_refused_before_a_handshake(older_era: bool) -> None:
    """As one that lacks its metadata; a modern `initialize` begins nothing."""
    connection = connected(older_era=older_era, began=False)
    modern = frame(1, "initialize", {"protocolVersion": NEWEST})
    for told in (encoded(older_call(1, "add", a=1)), encoded(message(1, "ping")), modern, b"[]"):
        assert isinstance(connection.receive(told), Reply)
    for told in (notice("notifications/initialized"), {"id": 1, "result": {}}):
        assert connection.receive(encoded(told)) is None
    if not older_era:
        refusal = connection.receive(encoded(handshake()))
        assert isinstance(refusal, Reply)
        assert json.loads(refusal.frame)["error"]["data"] == {"supported": ["2026-07-28"]}


@rule("ERA-13", "passing")
@pytest.mark.parametrize("version", [None, *VERSIONS])
def test_over_http_an_older_version_or_a_session_make_a_request_older(
    http: OlderAsgi, version: str | None
) -> None:
    """So does the handshake."""
    assert http.say(message(1, "ping"), mcp_protocol_version=version).answer == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {},
    }
    assert http.begin(mcp_protocol_version="2025-06-18").status == 200


@rule("ERA-13", "violating")
def test_over_http_what_names_no_older_version_is_modern(http: OlderAsgi) -> None:
    """Its faults are told by the modern ladder, whatever its method and its session."""
    asked = {"_meta": {VERSION: "2026-07-28"}}
    for method in ("initialize", "ping", "tools/list"):
        reply = http.say(message(1, method, asked), mcp_protocol_version=None)
        assert (reply.status, reply.code) == (400, -32020)
        reply = http.say(message(1, method), mcp_protocol_version="2026-07-28")
        assert (reply.status, reply.code) == (400, -32602)
        reply = http.say(message(1, method), mcp_protocol_version="2030-01-01")
        assert (reply.status, reply.code) == (400, -32602)


@rule("ERA-15", "passing")
@rule("LEG-3", "passing")
def test_a_session_needs_no_versions_header(http: OlderAsgi) -> None:
    """What was agreed on counts."""
    assert http.say(older_call(1, "add", a=1), mcp_protocol_version=None).status == 200


@rule("ERA-15", "violating")
def test_without_a_session_the_header_is_required(http: OlderAsgi) -> None:
    """And its lack is what is told."""
    reply = http.say(older_call(1, "add", a=1), mcp_session_id=None, mcp_protocol_version=None)
    assert (reply.status, reply.code) == (400, -32020)


@rule("LEG-3", "violating")
@pytest.mark.parametrize("verb", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize("version", ["1999-01-01", "2026-07-28", "garbage"])
def test_a_version_that_is_not_served_is_refused(http: OlderAsgi, verb: str, version: str) -> None:
    """Whatever is sent, in a session."""
    assert http.say(message(1, "ping"), verb, mcp_protocol_version=version).status == 400


@rule("ERA-16", "passing")
@rule("ERA-16", "violating")
@pytest.mark.parametrize("asked", ["2026-07-28", "2026-07-29", "2030-01-01", "DRAFT-2026-v1", "1.0"])
def test_a_handshake_never_agrees_on_a_modern_version(asked: str) -> None:
    """It is answered with the newest of the older era."""
    assert OlderClient(app, asked).greeting["result"]["protocolVersion"] == "2025-11-25"


@rule("LEG-1", "passing")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_handshake_agrees_on_an_older_version(version: str) -> None:
    """That which was asked for."""
    assert OlderClient(app, version).greeting["result"]["protocolVersion"] == version


@rule("LEG-1", "violating")
def test_before_the_handshake_nothing_but_ping_is_answered() -> None:
    """On a session that has begun badly."""
    client = OlderClient(app, None)
    assert client.error("initialize", {"protocolVersion": NEWEST})["code"] == -32602
    assert client.error("tools/list")["code"] == -32600
    assert client.result("ping") == {}


@rule("LEG-2", "passing")
def test_a_session_has_an_id_and_an_end(http: OlderAsgi) -> None:
    """Which its client brings about."""
    assert http.say(message(1, "ping")).status == 200
    assert http.say(None, "DELETE").status == 200


@rule("LEG-2", "violating")
def test_without_a_known_session_nothing_is_served(http: OlderAsgi) -> None:
    """None is a bad request, an unknown one is not found; so is one that has ended."""
    assert http.say(message(1, "ping"), mcp_session_id=None).status == 400
    assert http.say(message(1, "ping"), mcp_session_id="unknown").status == 404
    http.say(None, "DELETE")
    assert http.say(message(1, "ping")).status == 404


@rule("LEG-4", "passing")
def test_what_asks_for_no_answer_is_taken(http: OlderAsgi) -> None:
    """A response, and a notification."""
    for told in (notice("notifications/initialized"), {"jsonrpc": "2.0", "id": "s1", "result": {}}):
        reply = http.say(told)
        assert (reply.status, reply.body) == (202, b"")


@rule("LEG-4", "violating")
def test_a_message_is_on_one_stream(http: OlderAsgi) -> None:
    """What a request brings is on no other."""
    progress = message(1, "tools/call", {"name": "tells", "_meta": {"progressToken": 1}})
    first, second = http.say(progress), http.say({**progress, "id": 2})
    ids = [one for reply in (first, second) for one, _ in events(reply)]
    assert len(ids) == len(set(ids))
    for reply, own in ((first, 1), (second, 2)):
        assert [told["id"] for _, told in events(reply) if told and "id" in told] == [own]


asking = Server("asking", version="1", notices=("tools", "updates"), logging=True)


@asking.tool
def ask(ctx: Context) -> str:
    """Ask."""
    return str(ctx.ask(ok=ElicitForm("Well?", FORM))["ok"].action)


@rule("LEG-5", "passing")
@rule("LEG-8", "passing")
def test_a_question_is_a_request_and_its_answer_runs_the_handler_anew() -> None:
    """No state leaves the process."""
    client = OlderClient(asking, NEWEST, {"elicitation": {}})
    (asked,) = client.take(older_call(1, "ask"))
    assert (asked["jsonrpc"], asked["method"]) == ("2.0", "elicitation/create")
    assert "requestState" not in json.dumps(asked)
    (answer,) = client.reply(asked, {"action": "decline"})
    assert answer["result"]["structuredContent"] == {"result": "decline"}


@rule("LEG-5", "violating")
@rule("LEG-8", "violating")
def test_no_answer_asks_for_input_and_none_is_brought_along() -> None:
    """What today's era puts into results and requests counts for nothing here."""
    client = OlderClient(asking, NEWEST, {"elicitation": {}})
    brought = {"name": "ask", "inputResponses": {"ok": {"action": "accept"}}, "requestState": "x"}
    (asked,) = client.take(message(1, "tools/call", brought))
    assert asked["method"] == "elicitation/create"


@rule("LEG-6", "passing")
def test_what_the_older_era_has_besides() -> None:
    """Is answered with nothing, and does what it says."""
    client = OlderClient(asking)
    assert client.result("ping") == {}
    assert client.result("logging/setLevel", {"level": "debug"}) == {}
    assert client.result("resources/subscribe", {"uri": "a:///x"}) == {}
    asking.resource_updated("a:///x")
    asking.tools_changed()
    assert [told["method"] for told in client.pushed] == [
        "notifications/resources/updated",
        "notifications/tools/list_changed",
    ]
    assert client.result("resources/unsubscribe", {"uri": "a:///x"}) == {}
    client.session.close()


@rule("LEG-6", "violating")
def test_what_was_not_subscribed_to_is_not_told() -> None:
    """Nor does anything say which subscription it is of."""
    client = OlderClient(asking)
    asking.resource_updated("a:///y")
    asking.tools_changed()
    assert client.pushed == [notice("notifications/tools/list_changed")]
    client.session.close()


@rule("LEG-7", "passing")
@rule("LEG-7", "violating")
@pytest.mark.parametrize("version", VERSIONS)
def test_answers_have_what_their_version_has(version: str) -> None:
    """And nothing of today's: not in a result, a list, a resource or an error."""
    client = OlderClient(app, version)
    for told in (
        client.call("add", a=1),
        client.result("tools/list"),
        client.result("resources/read", {"uri": "a:///fixed"}),
    ):
        assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & told.keys()
    assert ("structuredContent" in client.call("add", a=1)) is (version >= "2025-06-18")
    assert client.error("resources/read", {"uri": "z:///x"})["code"] == -32002


@rule("LEG-10", "passing")
@rule("LEG-10", "violating")
@pytest.mark.parametrize("method", ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"])
def test_tasks_of_the_older_era_are_not_served(old: OlderClient, method: str) -> None:
    """A call that wants to be one is answered as a call; no capability says otherwise."""
    assert "tasks" not in old.greeting["result"]["capabilities"]
    assert old.error(method, {"taskId": "x"})["code"] == -32601
    params = {"name": "add", "arguments": {"a": 1}, "task": {"ttl": 1000}}
    assert old.result("tools/call", params)["structuredContent"] == {"result": 2}


def test_what_comes_before_and_after_leaves_modern_answers_as_they_are() -> None:
    """Byte for byte, on one connection."""
    plain, mixed = MemoryServer(app), MemoryServer(app)
    mixed.connection = connected()
    told = [
        call(1, "add", {"a": 1}),
        frame(2, "tools/list"),
        frame(3, "no/such"),
        frame(4, "server/discover"),
    ]
    for one in told:
        assert isinstance(mixed.connection.receive(encoded(older_call("o", "add", a=1))), Older)
        assert plain.take(one) == mixed.take(one)
