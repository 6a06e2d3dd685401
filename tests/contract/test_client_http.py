"""The client over HTTP as the rules have it: what it sends, which era it finds, and sessions of the older one."""

import threading
import time

import pytest

from readingroom import Client, Closed, ConnectFailed, Limits, PeerProtocolError, RemoteError, UsageError
from readingroom.errors import HttpRefused, Unauthorized
from support.processes import until
from support.scripted import (
    CALLED,
    HINTS,
    OLDER,
    STREAM,
    VERSION,
    Scripted,
    but,
    error,
    event,
    forget_proxies,
    good,
    older,
    reply,
    result,
    stream,
)

TIMEOUT = 20.0


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    """What the environment of the tests names does not count."""
    forget_proxies(monkeypatch)


def opened(server, **options):
    """Make a client of a scripted server."""
    return Client.http(server.url, timeout=TIMEOUT, **options)


def tool(name, **properties):
    """Describe a tool."""
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


def mirror(name, kind="string"):
    """Describe an argument that is mirrored."""
    return {"type": kind, "x-mcp-header": name}


def listing(*tools):
    """Serve well, with these tools."""
    return but(good, tools_list=lambda h: result(h, {**HINTS, "tools": list(tools)}))


def test_each_message_is_a_post_of_its_own():
    """HTTP-10, HTTP-11, HDR-1, HDR-2: one message a POST, both types accepted, and the headers say what the body says."""
    with Scripted(good) as server, opened(server) as client:
        client.call_tool("søk", {"a": 1})
        with pytest.raises(RemoteError):
            client.read_resource("file:///a%20b")
    for heard in server.heard:
        assert heard.verb == "POST"
        assert heard.fields["accept"] == "application/json, text/event-stream"
        assert heard.fields["content-type"] == "application/json"
        meta = heard.params["_meta"]
        assert (
            heard.fields["mcp-protocol-version"] == meta["io.modelcontextprotocol/protocolVersion"] == VERSION
        )
        assert heard.fields["mcp-method"] == heard.method
        assert len(dict(heard.pairs)) == len(heard.pairs)
        assert not {"mcp-session-id", "last-event-id"} & set(heard.fields)
    assert server.of("tools/call")[0].fields["mcp-name"] == "=?base64?c8O4aw==?="
    assert server.of("resources/read")[0].fields["mcp-name"] == "file:///a%20b"
    assert len({heard.id for heard in server.heard}) == len(server.heard)


def test_arguments_are_mirrored():
    """XH-5: what is annotated and given is said in a header, as ENC-1 and ENC-4 have it; what is null or absent is not."""
    annotated = tool(
        "t",
        city=mirror("City"),
        n=mirror("N", "integer"),
        yes=mirror("Yes", "boolean"),
        none=mirror("None"),
        deep={"type": "object", "properties": {"in": mirror("Deep")}},
        other={"type": "string"},
    )
    with Scripted(listing(annotated)) as server, opened(server) as client:
        client.list_tools()
        given = {"city": "Köln", "n": -7, "yes": False, "none": None, "deep": {"in": " x"}, "other": "o"}
        client.call_tool("t", given)
        client.call_tool("t", {"n": 42.0, "yes": True, "deep": "no object"})
    first, second = (
        {name: value for name, value in heard.pairs if name.startswith("mcp-param-")}
        for heard in server.of("tools/call")
    )
    assert first == {
        "mcp-param-city": "=?base64?S8O2bG4=?=",
        "mcp-param-n": "-7",
        "mcp-param-yes": "false",
        "mcp-param-deep": "=?base64?IHg=?=",
    }
    assert second == {"mcp-param-n": "42", "mcp-param-yes": "true"}


def test_tools_that_cannot_be_called_are_left_out():
    """XH-4: a tool whose annotations break the rules is neither listed nor called; the others are, and it is recorded."""
    bad = [tool("number", x=mirror("X", "number")), tool("space", x=mirror("a b"))]
    hidden = {"name": "array", "inputSchema": {"type": "object", "properties": {"a": {"items": mirror("X")}}}}
    with Scripted(listing(*bad, hidden, tool("fine", x=mirror("X")))) as server, opened(server) as client:
        assert [one.name for one in client.list_tools()] == ["fine"]
        assert [found.rule for found in client.violations[1]] == ["XH-2", "XH-2", "XH-3"]
        with pytest.raises(UsageError, match="cannot be called over HTTP"):
            client.call_tool("number")
        client.call_tool("fine", {"x": "1"})
    assert len(server.of("tools/call")) == 1


def test_headers_follow_from_the_newest_schema():
    """XH-7: without a schema a call goes without headers; refused, the tools are listed and it is made once more."""

    def call(heard):
        return result(heard, CALLED) if heard.fields.get("mcp-param-x") == "1" else error(heard, -32020, 400)

    listed = listing(tool("t", x=mirror("X")))
    with Scripted(but(listed, tools_call=call)) as server, opened(server) as client:
        assert client.call_tool("t", {"x": "1"}).text == "3"
        assert server.methods() == ["server/discover", "tools/call", "tools/list", "tools/call"]
        first, second = server.of("tools/call")
        assert first.id != second.id
        client.call_tool("t", {"x": "1"})
        assert server.methods()[4:] == ["tools/call"]


def test_a_mismatch_that_stays_is_told():
    """XH-7: it is tried once more and no oftener; also when the tools cannot be listed."""
    refusing = but(good, tools_call=lambda h: error(h, -32020, 400))
    for base in (refusing, but(refusing, tools_list=lambda h: error(h, -32603))):
        with Scripted(base) as server, opened(server) as client, pytest.raises(RemoteError) as caught:
            client.call_tool("add", {})
        assert caught.value.code == -32020
        assert len(server.of("tools/call")) <= 2


@pytest.mark.parametrize("status", [400, 404, 405, 406, 415])
@pytest.mark.parametrize("body", [b"", b"<html>", b'{"error":"no"}'])
def test_an_older_server_is_found(status, body):
    """ERA-6, ERA-7: a refusal without an error of the modern era speaks for the older one, whatever is in it."""
    with (
        Scripted(but(older, server_discover=lambda h: reply(body, status))) as server,
        opened(server) as client,
    ):
        assert client.server.era == "older"
        assert client.call_tool("add").text == "3"
        assert client.violations == (0, [])
    assert server.methods()[:3] == ["server/discover", "initialize", "notifications/initialized"]


@pytest.mark.parametrize(
    ("code", "status"), [(-32601, 200), (-32601, 404), (-32600, 400), (-32000, 400), (-32602, 400)]
)
def test_errors_that_any_server_may_give(code, status):
    """ERA-7: so does an error that older servers give, which a modern one does not give to `server/discover` (ERA-9)."""
    with (
        Scripted(but(older, server_discover=lambda h: error(h, code, status))) as server,
        opened(server) as client,
    ):
        assert client.server.era == "older"
    assert server.heard[0].method == "server/discover"


@pytest.mark.parametrize("code", [-32020, -32021])
def test_errors_of_the_modern_era(code):
    """ERA-6: an error that only a modern server knows is not followed by a handshake."""
    with (
        Scripted(but(older, server_discover=lambda h: error(h, code, 400))) as server,
        pytest.raises(ConnectFailed),
        opened(server),
    ):
        pass
    assert server.methods() == ["server/discover"]


def test_our_version_is_refused_at_first():
    """A server that refuses our version and names it all the same is asked once more, in the same era."""
    count = []

    def discover(heard):
        count.append(heard)
        return good(heard) if count[1:] else error(heard, -32022, 400, supported=[VERSION], requested=VERSION)

    with Scripted(but(good, server_discover=discover)) as server, opened(server) as client:
        assert client.server.era == "modern"
    assert server.methods() == ["server/discover", "server/discover"]


@pytest.mark.parametrize(
    ("status", "kind"), [(401, Unauthorized), (403, Unauthorized), (500, HttpRefused), (503, HttpRefused)]
)
def test_what_says_nothing_of_the_era(status, kind):
    """ERA-10: who asks for authorization, or is out of order, is not taken for an older server."""
    refusing = but(older, server_discover=lambda h: reply(b"", status, ""))
    with Scripted(refusing) as server, pytest.raises(kind), opened(server):
        pass
    assert server.methods() == ["server/discover"]


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


class Door:
    """An Authorization that has another token each time that it is challenged, up to some times."""

    principal = "p"

    def __init__(self, times):
        self.times = times
        self.refusals = []

    def header(self, url):
        """Give the token of now."""
        return f"Bearer t{len(self.refusals)}" if self.refusals else None

    def challenged(self, refusal):
        """Have another one, if there still is one."""
        self.refusals.append(refusal)
        return len(self.refusals) <= self.times


@pytest.mark.parametrize("status", [401, 403])
def test_authorization(status):
    """A refusal for want of authorization is told to who authorizes, and the same request is sent with what it has then."""

    def answer(heard):
        if heard.fields.get("authorization") == "Bearer t1":
            return good(heard)
        return reply(b"", status, "", WWW_Authenticate='Bearer scope="a"')

    door = Door(1)
    with Scripted(answer) as server, opened(server, auth=door) as client:
        client.call_tool("add")
    [refusal] = door.refusals
    assert (refusal.url, refusal.status, refusal.challenges) == (server.url, status, ('Bearer scope="a"',))
    assert (refusal.operation, refusal.sent, refusal.tries) == ("server/discover", None, 0)


def test_authorization_that_does_not_help():
    """It is tried three times more at most, whatever the Authorization says; without one, not at all."""
    refusing = Scripted(lambda h: reply(b"who?", 401, "text/plain"))
    door = Door(99)
    with refusing as server:
        with pytest.raises(Unauthorized, match="who is asking"), opened(server, auth=door):
            pass
        assert len(server.heard) == 4
        with pytest.raises(Unauthorized) as caught, opened(server):
            pass
    assert caught.value.status == 401
    assert len(server.heard) == 5


def test_a_token_and_headers_of_the_caller():
    """A text is a bearer token, and headers go with every request; those of the protocol are not the caller's."""
    with Scripted(good) as server, opened(server, auth="abc", headers={"X-Team": "a b"}) as client:
        client.list_tools()
    assert {heard.fields["authorization"] for heard in server.heard} == {"Bearer abc"}
    assert {heard.fields["x-team"] for heard in server.heard} == {"a b"}
    with pytest.raises(UsageError, match="one Authorization"):
        Client.http(server.url, headers={"Authorization": "Basic x"}, auth="abc")
    for headers in (
        {"Mcp-Method": "x"},
        {"Accept": "x"},
        {"Mcp-Param-X": "x"},
        {"a b": "x"},
        {"X": "a\r\nb"},
        {"X": "ü"},
    ):
        with pytest.raises(UsageError):
            Client.http(server.url, headers=headers)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://a/b",
        "http://",
        "http://a:x/",
        "http://u:p@a/",
        "http://a/#f",
        "http://ä/",
        "http://a/b c",
        "http://[::1/",
    ],
)
def test_addresses_that_cannot_be_used(url):
    """What is no address of a server over HTTP is said to be none before anything is sent."""
    with pytest.raises(UsageError):
        Client.http(url)
