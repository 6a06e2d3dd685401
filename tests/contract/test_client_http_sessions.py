"""The client over HTTP and a server of the older era: its sessions, its streams, and what it asks and says."""

import threading
import time

import pytest

from readingroom import Closed, Limits, PeerProtocolError
from readingroom.errors import HttpRefused
from support.clients_http import TIMEOUT, opened
from support.processes import until
from support.scripted import (
    OLDER,
    STREAM,
    Scripted,
    but,
    error,
    event,
    good,
    older,
    reply,
    result,
    stream,
)

pytestmark = pytest.mark.usefixtures("no_proxies")


def test_a_session_of_the_older_era():
    """LEG-2, LEG-3: after the handshake every message has the session and the version alone; the end is told."""
    with Scripted(older) as server, opened(server, era="older") as client:
        client.list_tools()
        client.call_tool("add")
    assert "server/discover" not in server.methods()
    assert "mcp-session-id" not in server.of("initialize")[0].fields
    for heard in server.heard[1:]:
        assert heard.fields["mcp-session-id"] == "s1"
        assert heard.fields["mcp-protocol-version"] == OLDER
        assert "mcp-method" not in heard.fields
    assert server.methods()[-1] == "DELETE"


def test_a_session_that_has_ended():
    """LEG-2: when the server has forgotten the session, another one is begun, and the request is made in that."""
    ids = iter(["s1", "s2"])

    def initialize(heard):
        found = {"protocolVersion": OLDER, "capabilities": {}, "serverInfo": {"name": "o", "version": "1"}}
        return result(heard, found, Mcp_Session_Id=next(ids))

    def call(heard):
        is_lost = heard.fields["mcp-session-id"] == "s1"
        return error(heard, -32001, 404) if is_lost else result(heard, {"content": []})

    with (
        Scripted(but(older, initialize=initialize, tools_call=call)) as server,
        opened(server, era="older") as client,
    ):
        assert client.call_tool("add").content == []
    told = [heard.fields.get("mcp-session-id") for heard in server.of("notifications/initialized")]
    assert told == ["s1", "s2"]


def test_a_session_that_cannot_be_begun_anew():
    """A server that forgets every session ends the call with an error, not in a circle."""
    forgetting = but(older, tools_call=lambda h: reply(b"", 404, ""))
    with (
        Scripted(forgetting) as server,
        opened(server, era="older") as client,
        pytest.raises(HttpRefused, match="404"),
    ):
        client.call_tool("add")
    assert len(server.of("initialize")) == 2


def test_a_session_that_many_miss():
    """Of many requests that find the session gone, one begins another; and a server that begins none is an error."""
    begun = []

    def initialize(heard):
        begun.append(heard)
        found = {"protocolVersion": OLDER, "capabilities": {}, "serverInfo": {"name": "o", "version": "1"}}
        return (
            result(heard, found, Mcp_Session_Id=f"s{len(begun)}") if len(begun) < 3 else reply(b"", 500, "")
        )

    gate = threading.Barrier(3)

    def call(heard):
        if heard.fields["mcp-session-id"] == "s1":
            gate.wait(TIMEOUT)
            return reply(b"", 404, "")
        return result(heard, {"content": []}) if heard.params["name"] == "add" else reply(b"", 404, "")

    with (
        Scripted(but(older, initialize=initialize, tools_call=call)) as server,
        opened(server, era="older") as client,
    ):
        for pending in [client.submit("tools/call", {"name": "add"}) for _ in range(3)]:
            assert pending.result() == {"content": []}
        assert len(begun) == 2
        with pytest.raises(HttpRefused, match="begins no other"):
            client.call_tool("other")


def test_a_stream_that_breaks_is_taken_up_again():
    """LEG-4: a stream that names its events is asked for again from the last one, after the time that it names."""
    heard_call = []

    def call(heard):
        heard_call.append(heard)
        yield STREAM + b"id: e7\nretry: 10\ndata:\n\n"

    def get(heard):
        if heard.fields.get("last-event-id") != "e7":
            return reply(b"", 405, "")
        return stream({"jsonrpc": "2.0", "id": heard_call[0].id, "result": {"content": []}})

    with Scripted(but(older, tools_call=call, GET=get)) as server, opened(server, era="older") as client:
        assert client.call_tool("add").content == []
    assert len(server.of("tools/call")) == 1


def test_a_stream_that_breaks_again_and_again():
    """LEG-4: it is taken up as long as it brings something new, and not when the server cannot, or has nothing."""
    first = STREAM + b"id: e1\nretry: 10\ndata:\n\n"
    cut = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n: x\n"
    heard_calls = []

    def call(heard):
        heard_calls.append(heard)
        yield first

    def get(heard):
        last = heard.fields.get("last-event-id")
        if last is None:
            return reply(b"", 405, "")
        number = int(last[1:])
        if number < 8:
            return iter([STREAM + b"id: e%d\ndata:\n\n" % (number + 1)])
        return stream({"jsonrpc": "2.0", "id": heard_calls[-1].id, "result": {"content": []}})

    with Scripted(but(older, tools_call=call, GET=get)) as server, opened(server, era="older") as client:
        assert client.call_tool("add").content == []
    for again in (lambda h: reply(b"", 405, ""), lambda h: iter([STREAM]), lambda h: iter([cut])):
        served = Scripted(but(older, tools_call=call, GET=again))
        with served as server, opened(server, era="older") as client, pytest.raises(Closed):
            client.call_tool("add")
        assert len([one for one in server.of("GET") if "last-event-id" in one.fields]) <= 6


def test_streams_of_an_older_server_that_do_wrong():
    """What is too long on the stream of its own account is passed over, and that stream is begun anew with a session."""
    gets = []

    def get(heard):
        gets.append(heard)
        if len(gets) == 1:
            return iter([STREAM + b"retry: 5\n\n", b"data: " + b"x" * 20_000, b"x" * 20_000])
        return reply(b"", {2: 404, 3: 503}.get(len(gets), 405), "")

    limits = Limits(answer_bytes=10_000)
    with Scripted(but(older, GET=get)) as server, opened(server, era="older", limits=limits) as client:
        until(lambda: len(gets) == 4)
        assert client.call_tool("add").text == "3"


def test_an_older_server_that_is_gone_at_the_end():
    """A goodbye that nobody hears holds nobody up."""
    with Scripted(older) as server:
        client = opened(server, era="older").open()
    client.close()
    silent = but(
        older, DELETE=lambda h: iter(lambda: time.sleep(0.02) or ((h.gone.is_set() and b"") or b" "), None)
    )
    with Scripted(silent) as server:
        client = opened(server, era="older", close_seconds=0.3).open()
        client.close()
    assert server.methods()[-1] == "DELETE"


def test_a_session_that_is_not_one():
    """LEG-2: what cannot be the id of a session is not sent back."""
    base = {"protocolVersion": OLDER, "capabilities": {}, "serverInfo": {"name": "o", "version": "1"}}
    odd = but(
        older,
        initialize=lambda h: result(h, base, Mcp_Session_Id="a b"),
        tools_call=lambda h: result(h, {"content": []}),
    )
    with Scripted(odd) as server, opened(server, era="older") as client:
        client.call_tool("add")
    assert not [heard for heard in server.heard if "mcp-session-id" in heard.fields]
    assert "DELETE" not in server.methods()


def test_principals():
    """CACHE-6: whose answers come is told apart by what authorizes, and the token is not told."""
    with Scripted(good) as server:
        found = []
        for options in ({}, {"auth": "abc"}, {"headers": {"Authorization": "Bearer abc"}}):
            with opened(server, **options) as client:
                found.append(client._engine.connection.principal)
    assert found[0] is None
    assert None not in found[1:]
    assert "abc" not in str(found)


def test_questions_of_an_older_server():
    """LEG-5: what it asks on the stream of a call is answered with a message of its own; `ping` by itself."""
    answers = threading.Semaphore(0)

    def call(heard):
        yield STREAM + event({"jsonrpc": "2.0", "id": "p", "method": "ping"})
        yield event({"jsonrpc": "2.0", "id": "r", "method": "roots/list"})
        for _ in range(2):
            answers.acquire(timeout=TIMEOUT)
        yield event({"jsonrpc": "2.0", "id": heard.id, "result": {"content": []}})

    def answer(heard):
        answers.release()
        return reply(b"", 202, "")

    served = Scripted(but(older, tools_call=call, answer=answer))
    with served as server, opened(server, era="older", roots=["file:///a"]) as client:
        assert client.call_tool("add").content == []
    found = {heard.id: heard.message["result"] for heard in server.of("answer")}
    assert found == {"p": {}, "r": {"roots": [{"uri": "file:///a"}]}}


def test_what_an_older_server_says_on_its_own_account():
    """LEG-4: it is heard on a stream of its own, which is listened to again when it ends, from where it broke."""
    gets = []

    def get(heard):
        gets.append(heard)
        yield STREAM + b"id: n%d\nretry: 10\n" % len(gets)
        yield event({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})

    def initialize(heard):
        found = {
            "protocolVersion": OLDER,
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "o", "version": "1"},
        }
        return result(heard, found)

    with (
        Scripted(but(older, GET=get, initialize=initialize)) as server,
        opened(server, era="older") as client,
    ):
        with client.listen(tools=True) as changes:
            assert type(changes.next(TIMEOUT)).__name__ == "ToolsChanged"
            assert type(changes.next(TIMEOUT)).__name__ == "ToolsChanged"
        until(lambda: len(gets) > 2)
    assert [heard.fields.get("last-event-id") for heard in gets[:3]] == [None, "n1", "n2"]


def test_progress_on_another_stream():
    """LEG-4: some older servers tell progress on the stream of their own account; it reaches the call that it is about."""
    calls, go_on = [], threading.Event()

    def call(heard):
        calls.append(heard)
        go_on.wait(TIMEOUT)
        return result(heard, {"content": []})

    def get(heard):
        yield STREAM
        while not heard.gone.wait(0.02):
            yield b": ping\n\n"
            if calls:
                for token, progress in (("x", 1), (calls[0].id, 1), (calls[0].id, 2)):
                    told = {"progressToken": token, "progress": progress}
                    yield event({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
                return

    seen = []

    def take(progress):
        seen.append(progress.progress)
        if len(seen) == 2:
            go_on.set()

    with Scripted(but(older, tools_call=call, GET=get)) as server, opened(server, era="older") as client:
        client.call_tool("add", on_progress=take)
        assert seen == [1, 2]
        calls.clear()
        go_on.clear()
        assert client.violations == (0, [])


def test_progress_on_another_stream_that_does_wrong():
    """What is wrong with it fails the call there as well."""
    calls = []

    def call(heard):
        calls.append(heard)
        while not heard.gone.wait(0.02):
            yield b""

    def get(heard):
        yield STREAM
        while not heard.gone.wait(0.02):
            yield b": ping\n\n"
            if calls:
                told = {"progressToken": calls[0].id, "progress": "much"}
                yield event({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
                return

    with Scripted(but(older, tools_call=call, GET=get)) as server, opened(server, era="older") as client:
        with pytest.raises(PeerProtocolError, match="PROG-3"):
            client.call_tool("add", on_progress=lambda _: None)
        assert calls[0].gone.wait(TIMEOUT)


def test_cancelling_tells_an_older_server():
    """In the older era the end of a connection says nothing, so a cancellation is posted."""

    def call(heard):
        while not heard.gone.wait(0.02):
            yield b""

    with Scripted(but(older, tools_call=call)) as server, opened(server, era="older") as client:
        pending = client.submit("tools/call", {"name": "add"})
        until(lambda: server.of("tools/call"))
        assert pending.cancel()
        until(lambda: server.of("notifications/cancelled"))
    assert server.of("notifications/cancelled")[0].params["requestId"] == server.of("tools/call")[0].id
