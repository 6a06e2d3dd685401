"""The older era over HTTP: sessions, streams, statuses, and what is not of that era."""

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from readingroom import Context, ElicitForm, Server
from readingroom.limits import Limits
from readingroom.protocol.authorization import Denied, Grant
from support.asgi import Reply, exchange
from support.older import NEWEST, VERSIONS, OlderAsgi, call, events, handshake, message, notice

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}


class Gate:
    """Holds handlers until it is opened."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()


def served(gate: Gate, **more: Any) -> Server:
    """A server with handlers of every kind."""
    app = Server("srv", version="1", notices=("tools", "updates"), logging=True, **more)

    @app.tool
    def add(a: int, b: int = 1) -> int:
        """Add."""
        return a + b

    @app.tool(quick=True)
    def now() -> str:
        """Answer at once."""
        return "now"

    @app.tool
    def tells(ctx: Context) -> str:
        """Tell of progress."""
        ctx.progress(1, 2)
        return "told"

    @app.tool
    def holds(ctx: Context) -> str:
        """Tell of progress, and wait."""
        ctx.progress(1, 2)
        gate.begun.set()
        gate.open.wait(20)
        return "held"

    @app.tool
    async def asks(ctx: Context) -> str:
        """Ask."""
        return str((await ctx.ask(ok=ElicitForm("Well?", FORM)))["ok"].action)

    @app.tool
    async def waits(ctx: Context) -> str:
        """Wait for ever."""
        ctx.progress(1)
        await asyncio.Event().wait()
        return "never"

    @app.tool(scopes=("docs:write",))
    def writes() -> str:
        """Write."""
        return "written"

    return app


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A gate that is opened at the end."""
    gate = Gate()
    yield gate
    gate.open.set()


@pytest.fixture
def app(gate: Gate) -> Server:
    """A server."""
    return served(gate)


@pytest.fixture
def http(app: Server) -> Iterator[OlderAsgi]:
    """A client with a session."""
    client = OlderAsgi(app.asgi())
    client.begin(capabilities={"elicitation": {}})
    yield client
    client.close()


def progressing(request_id: Any, tool: str) -> dict[str, Any]:
    """A call that wants to be told of progress."""
    return message(request_id, "tools/call", {"name": tool, "_meta": {"progressToken": 0}})


async def until(true: Callable[[], bool]) -> None:
    """Wait until that is so, for as long as it takes on a busy machine."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110  -- it happens on other threads, and sets nothing
            await asyncio.sleep(0.005)


class Open:
    """A request whose reply is still coming; `task` ends when the server has ended it."""

    def __init__(self, client: OlderAsgi, told: Any, verb: str = "POST", **changed: str | None) -> None:
        self.sent: list[dict[str, Any]] = []
        self._parts = [b"" if told is None else json.dumps(told).encode()]
        self._leave = asyncio.Event()
        scope = {
            "type": "http",
            "method": verb,
            "path": "/mcp",
            "headers": client.fields(**changed),
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000),
            "query_string": b"",
            "root_path": "",
        }
        self.task = asyncio.ensure_future(client.app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._parts:
            return {"type": "http.request", "body": self._parts.pop(), "more_body": False}
        await self._leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: dict[str, Any]) -> None:
        self.sent.append(event)

    @property
    def status(self) -> int:
        """The status."""
        return Reply(self.sent).status

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The events so far."""
        return events(Reply(self.sent))

    async def seen(self, what: bytes) -> list[tuple[str, Any]]:
        """Wait until that has come, and give the events so far."""
        await until(lambda: what in b"".join(part.get("body", b"") for part in self.sent))
        return self.events

    async def ended(self) -> Reply:
        """Wait until the server has ended it."""
        await asyncio.wait_for(self.task, 20)
        return Reply(self.sent)

    async def leave(self) -> None:
        """Close the connection."""
        self._leave.set()
        await asyncio.wait_for(self.task, 20)


async def said(client: OlderAsgi, told: Any, verb: str = "POST") -> Reply:
    """Send a request that is answered at once."""
    return await Open(client, told, verb).ended()


@contextlib.asynccontextmanager
async def opened(
    client: OlderAsgi, told: Any, verb: str = "POST", **changed: str | None
) -> AsyncIterator[Open]:
    """Open a request, and leave it at the end."""
    request = Open(client, told, verb, **changed)
    yield request
    await request.leave()


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


def test_what_asks_for_no_answer(http: OlderAsgi) -> None:
    """Is taken, and has none."""
    for told in (notice("x"), {"jsonrpc": "2.0", "id": "s9", "result": {}}):
        reply = http.say(told)
        assert (reply.status, reply.body) == (202, b"")
    reply = http.say({"jsonrpc": "2.0", "id": 1})
    assert (reply.status, reply.code) == (400, -32600)


def test_a_question_on_the_stream_of_its_call(http: OlderAsgi) -> None:
    """Its answer is posted, and the call's comes on the stream."""

    async def scenario() -> None:
        async with opened(http, call(1, "asks")) as asked:
            (_, question) = (await asked.seen(b"elicitation/create"))[1]
            told = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}}
            assert (await said(http, told)).status == 202
            found = await asked.seen(b"decline")
        assert found[-1][1]["result"]["content"][0]["text"] == "decline"

    http.runner.run(scenario())


def test_leaving_is_no_cancellation(http: OlderAsgi, gate: Gate) -> None:
    """The client comes back to the same stream, by the last event it saw, and hears the rest."""

    async def scenario() -> None:
        async with opened(http, progressing(1, "holds")) as first:
            (last, _) = (await first.seen(b"notifications/progress"))[-1]
        assert http.app._older._requests.taken == 1
        async with opened(http, None, "GET", accept="text/event-stream", last_event_id=last) as second:
            gate.open.set()
            found = await second.seen(b"held")
        assert [one["id"] for _, one in found] == [1]
        async with opened(http, None, "GET", accept="text/event-stream", last_event_id=last) as third:
            assert await third.seen(b"held") == found

    http.runner.run(scenario())


def test_leaving_before_anything_came(http: OlderAsgi, gate: Gate) -> None:
    """Is noticed, and cancels nothing."""

    async def scenario() -> None:
        request = Open(http, call(1, "holds"))
        await until(gate.begun.is_set)
        await request.leave()
        assert request.sent == []
        (held,) = http.app._older.sessions
        assert held.session.running == 1
        gate.open.set()
        await until(lambda: not held.session.running)

    http.runner.run(scenario())


@pytest.mark.parametrize("tool", ["holds", "waits"])
def test_cancelling_ends_the_stream(http: OlderAsgi, tool: str) -> None:
    """Without an answer; a coroutine is stopped."""

    async def scenario() -> None:
        async with opened(http, progressing(1, tool)) as request:
            await request.seen(b"notifications/progress")
            await said(http, notice("notifications/cancelled", {"requestId": 1}))
            reply = await request.ended()
        assert [one.get("method") for _, one in events(reply)[1:]] == ["notifications/progress"]

    http.runner.run(scenario())


def test_cancelling_what_was_silent(http: OlderAsgi) -> None:
    """Ends it without a message."""

    async def scenario() -> None:
        request = Open(http, call(1, "waits"), accept="application/json")
        await until(lambda: bool(http.app._older._requests.taken))
        await said(http, notice("notifications/cancelled", {"requestId": 1}))
        reply = await request.ended()
        assert (reply.status, reply.body) == (202, b"")

    http.runner.run(scenario())


def test_notices_come_on_the_stream_to_get(http: OlderAsgi, app: Server) -> None:
    """Each once, on the one that was opened last; what happens while nobody is there waits."""

    async def scenario() -> None:
        app.tools_changed()
        await said(http, message(1, "resources/subscribe", {"uri": "a:///x"}))
        async with opened(http, None, "GET", accept="text/event-stream") as first:
            await first.seen(b":\n\n")
            app.tools_changed()
            assert [one["method"] for _, one in await first.seen(b"list_changed")] == [
                "notifications/tools/list_changed"
            ]
            async with opened(http, None, "GET", accept="text/event-stream") as second:
                await first.ended()
                app.resource_updated("a:///x")
                found = await second.seen(b"updated")
        assert [one["params"] for _, one in found] == [{"uri": "a:///x"}]
        assert b"updated" not in b"".join(part.get("body", b"") for part in first.sent)
        app.resource_updated("a:///x")
        async with opened(http, None, "GET", last_event_id="99-1") as third:
            assert len(await third.seen(b"updated")) == 1

    http.runner.run(scenario())


def test_a_stream_that_is_not_wanted_as_one(http: OlderAsgi) -> None:
    """Is refused."""
    assert http.say(None, "GET", accept="application/json").status == 406


def test_verbs_of_neither_era(http: OlderAsgi) -> None:
    """And those of a client that names nothing."""
    assert http.say(None, "PUT").status == 405
    assert http.say(None, "GET", mcp_session_id=None, mcp_protocol_version=None).status == 405


def test_deleting_a_session(http: OlderAsgi) -> None:
    """Ends everything of it: what runs, the streams, and the session itself."""

    async def scenario() -> None:
        async with opened(http, progressing(1, "waits")) as running, opened(http, None, "GET") as stream:
            await running.seen(b"notifications/progress")
            await stream.seen(b":\n\n")
            assert (await said(http, None, "DELETE")).status == 200
            for request in (running, stream):
                await request.ended()
        assert not http.app._older._tasks

    http.runner.run(scenario())
    assert http.say(call(2, "now")).status == 404
    assert http.say(None, "DELETE").status == 404


def test_batches_in_the_version_that_has_them(http: OlderAsgi) -> None:
    """Are answered by one array, or not at all where nothing is to be answered."""
    batch = [call(1, "add", a=1), notice("x"), call(2, "now"), {"jsonrpc": "2.0", "id": 3}]
    reply = http.say(batch)
    assert (reply.status, reply.code) == (400, -32600)
    http.begin("2025-03-26")
    reply = http.say(batch)
    (answers,) = reply.messages
    assert reply.status == 200
    assert sorted((one["id"], "error" in one) for one in answers) == [(1, False), (2, False), (3, True)]
    assert http.say([notice("x"), notice("y")]).status == 202
    assert http.say([]).status == 400
    streamed = http.say([progressing(1, "tells"), call(2, "now")])
    told = [one for _, one in events(streamed)]
    assert told[0]["method"] == "notifications/progress"
    assert {one["id"] for one in told[1]} == {1, 2}


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


def test_silent_streams_are_kept_alive(gate: Gate) -> None:
    """A request that takes long becomes one."""
    client = OlderAsgi(served(gate, limits=Limits(keep_alive_seconds=0.02)).asgi())
    client.begin()

    async def scenario() -> None:
        async with opened(client, call(1, "waits")) as silent:
            await silent.seen(b":\n\n")
        async with opened(client, None, "GET") as stream:
            await stream.seen(b":\n\n:\n\n:\n\n")

    client.runner.run(scenario())
    client.close()


def test_stopping_ends_streams_that_would_not_end(http: OlderAsgi, gate: Gate) -> None:
    """What is under way comes to its end."""

    async def scenario() -> None:
        async with opened(http, progressing(1, "holds")) as running, opened(http, None, "GET") as stream:
            await running.seen(b"notifications/progress")
            await stream.seen(b":\n\n")
            http.app.stop()
            await stream.ended()
            gate.open.set()
            assert (await running.seen(b"held"))[-1][1]["id"] == 1

    http.runner.run(scenario())


def test_calls_that_wait_for_their_clients_hold_up_nobody(gate: Gate) -> None:
    """They are bounded by themselves: one more fails, and what asks nothing is served; when the server stops they fail."""
    client = OlderAsgi(served(gate, limits=Limits(requests_at_once=1, older_waiting=1)).asgi())
    client.begin(capabilities={"elicitation": {}})

    async def scenario() -> None:
        async with opened(client, call(1, "asks")) as first:
            await first.seen(b"elicitation/create")
            await until(lambda: client.app._older._requests.taken == 0)
            assert (await said(client, call(2, "now"))).status == 200
            assert (await said(client, call(3, "asks"))).answer["result"]["isError"] is True
            client.app.stop()
            told = [one for _, one in events(await first.ended())]
        assert told[-2]["method"] == "notifications/cancelled"
        assert told[-1]["result"]["isError"] is True
        assert client.app._older._waiting.taken == 0

    client.runner.run(scenario())
    client.close()


def test_one_principals_calls_that_wait_leave_room_for_others(gate: Gate, tokens: "Tokens") -> None:
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


@pytest.mark.parametrize("limits", [{"older_absent_seconds": 0.04}, {"round_seconds": 0.04}])
def test_a_call_does_not_wait_for_ever_for_a_client_that_has_gone(gate: Gate, limits: dict[str, Any]) -> None:
    """It fails by itself, though nothing comes any more, and its client is told when it comes back."""
    client = OlderAsgi(served(gate, limits=Limits(**limits)).asgi())
    client.begin(capabilities={"elicitation": {}})

    async def scenario() -> None:
        async with opened(client, call(1, "asks")) as first:
            (last, _) = (await first.seen(b"elicitation/create"))[-1]
        (held,) = client.app._older.sessions
        await until(lambda: not held.session.is_busy)
        assert client.app._older._waiting.taken == 0
        async with opened(client, None, "GET", last_event_id=last) as second:
            told = [one for _, one in await second.seen(b"isError")]
        assert told[0]["method"] == "notifications/cancelled"

    client.runner.run(scenario())
    client.close()


def test_looking_ends_with_the_last_session(gate: Gate) -> None:
    """And begins with the next."""
    client = OlderAsgi(served(gate, limits=Limits(older_absent_seconds=0.02)).asgi())

    async def scenario() -> None:
        for _ in range(2):
            client.session_id = None
            reply = await said(client, handshake())
            client.session_id = reply.fields["mcp-session-id"]
            assert client.app._older._is_looking
            await said(client, None, "DELETE")
            await until(lambda: not client.app._older._is_looking)

    client.runner.run(scenario())
    client.close()


@pytest.mark.parametrize("number", [101, 100_000])
def test_a_batch_of_too_many_is_refused_whole(http: OlderAsgi, number: int) -> None:
    """Whatever is in it, and none of it is answered."""
    http.begin("2025-03-26")
    reply = http.say([0] * number)
    assert (reply.status, len(reply.body) < 200) == (400, True)
    assert "at most 100 messages" in reply.answer["error"]["message"]


def test_others_have_their_turn_while_a_batch_is_served(http: OlderAsgi) -> None:
    """Between each two of its messages."""
    http.begin("2025-03-26")

    async def scenario() -> None:
        batch = Open(http, [message(number, "tools/list") for number in range(100)])
        turns = 0
        while not batch.task.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns >= 100
        assert batch.status == 200

    http.runner.run(scenario())


def test_a_session_that_ends_while_a_batch_is_served(http: OlderAsgi) -> None:
    """Leaves nothing of it: neither a handler, nor a share, nor an open request."""
    http.begin("2025-03-26")

    async def scenario() -> None:
        batch = Open(http, [call(number, "waits") for number in range(50)])
        await until(lambda: bool(http.app._older._tasks))
        (held,) = [one for one in http.app._older.sessions if one.id == http.session_id]
        http.app._older.sessions.end(held)
        assert (await batch.ended()).body == b""
        await until(lambda: not http.app._older._tasks and not http.app._older._requests.taken)
        assert held.session.running == 0

    http.runner.run(scenario())


def test_each_message_of_a_batch_is_counted(gate: Gate) -> None:
    """A batch that does not fit is told to come again, and so is what comes while it runs."""
    client = OlderAsgi(served(gate, limits=Limits(requests_at_once=3)).asgi())
    client.begin("2025-03-26")

    async def scenario() -> None:
        async with opened(client, [call(1, "waits"), call(2, "waits")]) as first:
            await until(lambda: client.app._older._requests.taken == 2)
            assert (await said(client, [call(3, "now"), call(4, "now")])).status == 503
            assert (await said(client, [call(3, "now")])).status == 200
            await said(client, None, "DELETE")
            await first.ended()

    client.runner.run(scenario())
    client.close()


def test_answers_to_a_batch_are_bounded_in_bytes(gate: Gate) -> None:
    """Those that do not fit are errors."""
    client = OlderAsgi(served(gate, limits=Limits(older_batch_bytes=5000)).asgi())
    client.begin("2025-03-26")
    reply = client.say([message(number, "tools/list") for number in range(60)])
    assert len(reply.body) < 5000 + 60 * 250
    assert {"result" in one for one in reply.answer} == {True, False}
    assert sorted(one["id"] for one in reply.answer) == list(range(60))
    client.close()


def test_one_principal_cannot_take_all_handlers(gate: Gate, tokens: "Tokens") -> None:
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


def test_one_principal_cannot_end_anothers_session(app: Server, tokens: "Tokens") -> None:
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


def test_a_long_answer_for_a_client_that_has_gone_is_not_kept(gate: Gate) -> None:
    """What is kept says that it was lost; one that is there gets it whole."""
    app = Server("long", limits=Limits(older_unsent_bytes=1000, older_kept_bytes=100_000))

    @app.tool
    def long(size: int) -> str:
        """Answer at length."""
        gate.begun.set()
        gate.open.wait(20)
        return "x" * size

    client = OlderAsgi(app.asgi())
    client.begin()

    async def scenario() -> None:
        request = Open(client, call(1, "long", size=10_000))
        await until(gate.begun.is_set)
        await request.leave()
        gate.open.set()
        (held,) = client.app._older.sessions
        await until(lambda: not held.session.is_busy)
        async with opened(client, None, "GET", last_event_id="1-0") as second:
            (one,) = await second.seen(b"ask again")
        assert (one[0], one[1]["id"]) == ("1-1", 1)
        assert len((await said(client, call(2, "long", size=10_000))).body) > 10_000

    client.runner.run(scenario())
    client.close()


@pytest.mark.parametrize("event_id", ["9" * 5000 + "-1", "0-" + "9" * 5000, "1-" + "9" * 19])
def test_an_event_of_no_channel(http: OlderAsgi, event_id: str) -> None:
    """However long its number is, the stream of what belongs to no request is given."""

    async def scenario() -> None:
        async with opened(http, None, "GET", last_event_id=event_id) as stream:
            await stream.seen(b":\n\n")
            assert stream.status == 200

    http.runner.run(scenario())


def test_nothing_is_left_of_what_has_ended(http: OlderAsgi) -> None:
    """Neither of posts nor of streams, however many there were."""

    async def scenario() -> None:
        for number in range(200):
            await said(http, progressing(number, "tells"))
            async with opened(http, None, "GET") as stream:
                await stream.seen(b":\n\n")
        await until(lambda: http.app._older._requests.taken == 0)
        await until(lambda: len(asyncio.all_tasks()) == 1)

    http.runner.run(scenario())
    (held,) = http.app._older.sessions
    assert (http.app._older._requests.taken, held.is_busy) == (0, False)
    # Those that are over go when another is kept; the one before may not have been over yet.
    assert len(held._channels) in (8, 9)


class Tokens:
    """Takes a name as a token; scopes come after a colon. What is revoked holds no more."""

    def __init__(self) -> None:
        self.revoked: set[str] = set()

    async def authenticate(self, authorization: list[str], address: str) -> Grant:
        """Give the grant of a token."""
        (given,) = authorization
        name, _, scopes = given.removeprefix("Bearer ").partition(":")
        return Grant(name, frozenset(scopes.split()))

    def holds(self, grant: Grant) -> bool:
        """Whether it was not revoked."""
        return grant.principal not in self.revoked

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Refuse."""
        return Denied(403, 'Bearer error="insufficient_scope"')

    def document(self, path: str) -> bytes | None:
        """There is none."""


@pytest.fixture
def tokens() -> Tokens:
    """What says who asks."""
    return Tokens()


@pytest.fixture
def guarded(app: Server, tokens: Tokens) -> Iterator[OlderAsgi]:
    """A client of a server that asks for tokens, with a session of ada's."""
    client = OlderAsgi(app.asgi(auth=tokens))
    client.begin(authorization="Bearer ada")
    yield client
    client.close()


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


def test_whoever_is_served_nothing_begins_no_session(tokens: Tokens) -> None:
    """With and without authorization."""
    from readingroom.transport.http_guard import Guard
    from readingroom.transport.http_server import HttpServer

    for auth in (tokens, None):
        client = OlderAsgi(HttpServer(lambda grant: None, guard=Guard(), auth=auth))
        assert client.say(handshake(), authorization="Bearer ada").status == 403
        client.close()


def test_a_server_may_be_told_to_serve_today_alone(app: Server) -> None:
    """Then there are no sessions, and nothing to get."""
    client = OlderAsgi(app.asgi(older_era=False))
    reply = client.say(handshake())
    assert (reply.status, reply.code) == (400, -32020)
    assert client.say(None, "GET", mcp_session_id="x").status == 405
    client.close()


def test_a_long_batch_is_refused_whole_when_its_parts_are(http: OlderAsgi) -> None:
    """A frame that nests too deep is none."""
    deep = "[" * 100 + "]" * 100
    http.begin("2025-03-26")
    reply = http.send(deep.encode(), http.fields())
    assert reply.status in (200, 400)
    assert reply.body
