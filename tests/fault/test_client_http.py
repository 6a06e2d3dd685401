"""The client against servers over HTTP that do wrong: every call ends, with the right error, and nothing is left."""

import asyncio
import itertools
import threading
import time
from pathlib import Path

import pytest

from readingroom import (
    Client,
    Closed,
    ConnectFailed,
    Limits,
    PeerProtocolError,
    RemoteError,
    TimedOut,
    UsageError,
    Withdrawn,
)
from readingroom.errors import HttpRefused, Unauthorized
from support.processes import until
from support.scripted import (
    CALLED,
    HINTS,
    STREAM,
    Scripted,
    but,
    error,
    event,
    forget_proxies,
    good,
    reply,
    result,
    stream,
)

TIMEOUT = 20.0


def call(server, timeout=TIMEOUT, **options):
    """Open a client and call the tool once."""
    with Client.http(server.url, timeout=timeout, era="modern", **options) as client:
        return client.call_tool("add", {"a": 1})


def called(answer):
    """Serve well, but answer calls with `answer`."""
    return Scripted(but(good, tools_call=answer))


def answered(heard):
    """Give the answer to a call as a value."""
    return {"jsonrpc": "2.0", "id": heard.id, "result": CALLED}


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch):
    """Every thread of a client has ended when the client has been closed."""
    forget_proxies(monkeypatch)
    yield
    until(lambda: not [t for t in threading.enumerate() if t.name.startswith("readingroom-http")])


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (lambda h: reply(b"<html>hello</html>", kind="text/html"), "HTTP-13"),
        (lambda h: reply(b"", 202, ""), "HTTP-13"),
        (lambda h: reply(b"\x1f\x8b", Content_Encoding="gzip"), "HTTP-13"),
        (lambda h: reply(b"<html>", kind="application/json"), "RPC-1"),
        (lambda h: reply(b'{"jsonrpc":"2.0","id":', kind="application/json"), "RPC-1"),
        (lambda h: reply(b'{"ok":true}'), "RPC-1"),
        (lambda h: reply({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}), "HTTP-13"),
        (lambda h: reply({"jsonrpc": "2.0", "id": h.id + 1, "result": CALLED}), "HTTP-23"),
        (lambda h: reply({"jsonrpc": "2.0", "id": "x", "result": CALLED}), "HTTP-23"),
        (lambda h: reply({"jsonrpc": "2.0", "id": str(h.id), "result": CALLED}), "RPC-4"),
        (lambda h: stream({"jsonrpc": "2.0", "id": h.id + 1, "result": CALLED}), "HTTP-23"),
        (lambda h: reply({"jsonrpc": "2.0", "id": h.id, "result": CALLED, "error": {}}), "RPC-5"),
        (lambda h: reply({"jsonrpc": "2.0", "id": h.id, "result": {**CALLED, "resultType": "no"}}), "RES-3"),
        (lambda h: stream({"jsonrpc": "2.0", "id": 1, "method": "roots/list", "params": {}}), "RPC-7"),
        (lambda h: reply([answered(h)]), "RPC-8"),
        (lambda h: iter([b"SSH-2.0-OpenSSH\r\n\r\n"]), "HTTP-13"),
        (lambda h: itertools.chain([b"HTTP/1.1 200 OK\r\n"], itertools.repeat(b"a: b\r\n", 200)), "HTTP-13"),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_answers_that_break_a_rule(answer, rule, strict):
    """Whatever is wrong with an answer, the call fails with the rule it breaks, also where much is tolerated."""
    with called(answer) as server, pytest.raises(PeerProtocolError) as caught:
        call(server, strict=strict)
    assert caught.value.rule == rule


@pytest.mark.parametrize("status", [300, 302, 403, 404, 405, 429, 500, 502, 503])
def test_statuses_without_a_message(status):
    """A status that comes without a message is an error that has it, and says what came (HTTP-22)."""
    with (
        called(lambda h: reply(b"<h1>Bad\r\nluck</h1>", status, "text/html")) as server,
        pytest.raises((HttpRefused, Unauthorized)) as caught,
    ):
        call(server)
    assert caught.value.status == status
    assert "Bad luck" in str(caught.value)
    assert str(status) in str(caught.value)


@pytest.mark.parametrize("status", [200, 400, 404, 500])
def test_errors_are_read_whatever_the_status(status):
    """An error is the server's own, whatever its status (HTTP-22), and also if its id is none of ours."""
    with called(lambda h: error(h, -32602, status)) as server, pytest.raises(RemoteError) as caught:
        call(server)
    assert caught.value.code == -32602
    wrong = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32000, "message": "no"}}
    if status != 200:
        with called(lambda h: reply(wrong, status)) as server, pytest.raises(RemoteError) as caught:
            call(server)
        assert caught.value.code == -32000


def test_a_request_that_is_too_long():
    """A server that answers before it has read the whole request, and then hangs up, is understood (HTTP-22)."""
    with called(lambda h: reply(b"", 413, "")) as server, pytest.raises(HttpRefused, match="too long"):
        call(server)


@pytest.mark.parametrize(
    "pieces",
    [
        lambda h: None,
        lambda h: [b"HTTP/1.1 200"],
        lambda h: [reply(answered(h))[:-5]],
        lambda h: [
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
        ],
        lambda h: [STREAM],
        lambda h: [STREAM, event(answered(h))[:-3]],
        lambda h: [STREAM, b": ping\n\n", event({"jsonrpc": "2.0", "method": "notifications/progress"})],
    ],
)
def test_answers_that_break_off(pieces):
    """A stream that ends before the answer has lost the request, which is not sent again by itself (HTTP-21)."""
    with called(pieces) as server, pytest.raises((Closed, PeerProtocolError)) as caught:
        call(server)
    assert isinstance(caught.value, Closed) or caught.value.rule == "HTTP-13"
    assert len(server.of("tools/call")) == 1


def slowly(heard):
    """Give an answer at a byte now and then, for ever."""
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
    while not heard.gone.wait(0.02):
        yield b" "


def pinging(heard):
    """Give a stream that never says anything."""
    yield STREAM
    while not heard.gone.wait(0.02):
        yield b": ping\n\n"


def silent(heard):
    """Give nothing."""
    while not heard.gone.wait(0.02):
        yield b""


def heading(heard):
    """Give a head that never ends, a letter at a time."""
    yield b"HTTP/1.1 200 OK\r\nX: "
    while not heard.gone.wait(0.02):
        yield b"x"


@pytest.mark.parametrize("answer", [slowly, pinging, silent, heading])
def test_answers_that_do_not_come(answer):
    """Whatever a server does but answer, the call ends in its time, and the server sees that nobody waits (CAN-2)."""
    with called(answer) as server:
        begun = time.monotonic()
        with pytest.raises(TimedOut, match="tools/call got no answer in time"):
            call(server, timeout=0.5)
        assert time.monotonic() - begun < 15
        assert server.of("tools/call")[0].gone.wait(10)


@pytest.mark.parametrize("answer", [slowly, pinging, silent, heading])
def test_requests_that_nobody_waits_for_end_too(answer):
    """The time of a request that was only submitted ends as well, and one that is cancelled ends at once."""
    with called(answer) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        ended = threading.Semaphore(0)
        given_up = client.submit("tools/call", {"name": "add"}, timeout=0.5)
        given_up.add_done_callback(ended.release)
        assert ended.acquire(timeout=TIMEOUT)
        with pytest.raises(TimedOut):
            given_up.result()
        cancelled = client.submit("tools/call", {"name": "add"})
        assert cancelled.cancel()
        assert not cancelled.cancel()
        with pytest.raises(Withdrawn):
            cancelled.result()
        until(lambda: all(heard.gone.is_set() for heard in server.of("tools/call")))


def test_a_task_that_is_cancelled():
    """Cancelling the task that awaits a call closes its connection (CAN-2), and others go on."""

    async def run(server):
        async with Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
            waiting = asyncio.create_task(client.call_tool("add"))
            await asyncio.to_thread(until, lambda: server.of("tools/call"))
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert await asyncio.to_thread(server.of("tools/call")[0].gone.wait, 10)
            assert [tool.name for tool in await client.list_tools()] == ["add"]

    with called(silent) as server:
        asyncio.run(run(server))


def test_progress_keeps_a_call_alive():
    """Progress begins the time anew, and events of other names, comments and data in several lines are read."""

    def answer(heard):
        yield STREAM
        token = heard.params["_meta"]["progressToken"]
        for n in range(1, 8):
            time.sleep(0.3)  # that time passes is what is tested
            yield event(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/progress",
                    "params": {"progressToken": token, "progress": n},
                }
            )
        yield b"event: other\ndata: {}\n\n: hello\n\n"
        yield f'data: {{"jsonrpc":"2.0",\r\ndata: "id":{heard.id},\r\n'.encode()
        yield b'data: "result":{"resultType":"complete","content":[]}}\r\n\r\n'

    seen = []
    with called(answer) as server, Client.http(server.url, timeout=1.5, era="modern") as client:
        assert client.call_tool("add", on_progress=lambda p: seen.append(p.progress)).content == []
    assert seen == [1, 2, 3, 4, 5, 6, 7]


def test_answers_that_are_too_long():
    """An answer beyond the limit fails the call, whether its length is announced or not, and is not held."""
    limits = Limits(answer_bytes=10_000)
    big = b'{"jsonrpc":"2.0","id":1,"result":{"x":"' + b"x" * 100_000 + b'"}}'
    unannounced = [b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", big]
    endless = itertools.chain([STREAM, b"data: "], itertools.repeat(b"x" * 10_000, 100), [b"\n\n"])
    for answer in (lambda h: reply(big), lambda h: unannounced, lambda h: endless):
        with called(answer) as server, pytest.raises(PeerProtocolError) as caught:
            call(server, limits=limits)
        assert caught.value.rule == "RPC-10"


def test_what_follows_an_answer():
    """An answer counts when it has come; what a server says after it is recorded (HTTP-16)."""

    def answer(heard):
        notice = {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}
        yield STREAM + event(answered(heard)) + event(notice)

    with called(answer) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        assert client.call_tool("add").text == "3"
        until(lambda: [v.rule for v in client.violations[1]] == ["HTTP-16"])


def test_what_follows_an_answer_later():
    """What comes a moment after the answer is seen as well (HTTP-16)."""
    go_on = threading.Event()

    def answer(heard):
        yield STREAM + event(answered(heard))
        go_on.wait(TIMEOUT)
        yield event({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})

    with called(answer) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        assert client.call_tool("add").text == "3"
        go_on.set()
        until(lambda: [v.rule for v in client.violations[1]] == ["HTTP-16"])


def test_redirections():
    """One to the same origin is followed, with the message; one to elsewhere is not, and neither is one that is endless."""

    def elsewhere(heard):
        return good(heard) if heard.target != "/mcp" else reply(b"", 307, "", Location=f"{other.url}/new")

    moved = Scripted(lambda h: good(h) if h.target == "/new" else reply(b"", 307, "", Location="/new"))
    with moved as server:
        assert call(server).text == "3"
        assert {heard.verb for heard in server.heard} == {"POST"}
    with (
        Scripted(good) as other,
        called(elsewhere) as server,
    ):
        with pytest.raises(HttpRefused, match="elsewhere"):
            call(server)
        assert other.heard == []
        for place in ("http://[x", "ftp://a/", ""):
            with (
                called(lambda h, to=place: reply(b"", 307, "", Location=to)) as odd,
                pytest.raises(HttpRefused),
            ):
                call(odd)
    with (
        called(lambda h: reply(b"", 308, "", Location="/mcp")) as server,
        pytest.raises(HttpRefused, match="308"),
    ):
        call(server)


def test_connections_are_used_again():
    """Calls one after the other go over one connection; a server that closes it after each is served all the same."""
    with Scripted(good) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        for _ in range(5):
            client.call_tool("add")
        assert server.connections == 1
    closing = Scripted(lambda h: iter([good(h).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)]))
    with closing as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        for _ in range(5):
            assert client.call_tool("add").text == "3"
        assert server.connections == 6


def test_a_connection_that_ends_under_a_request():
    """What may be done twice is sent again when a connection that was kept is found closed; a call is not (HTTP-21)."""
    counts = {"tools/list": 0, "tools/call": 0}

    def ending(heard):
        counts[heard.method] += 1
        # Closed without a word, once the request is here: whether it was read, a client cannot know.
        return None if counts[heard.method] == 1 else good(heard)

    with (
        Scripted(but(good, tools_list=ending, tools_call=ending)) as server,
        Client.http(server.url, timeout=TIMEOUT, era="modern") as client,
    ):
        assert [tool.name for tool in client.list_tools()] == ["add"]
        assert counts["tools/list"] == 2
        with pytest.raises(Closed):
            client.call_tool("add")
        assert counts["tools/call"] == 1
        assert client.call_tool("add").text == "3"


def test_how_long_a_connection_is_kept():
    """The server says how long it keeps one, and it is not used for longer; what it says badly does not count."""
    for said, connections in (("timeout=1", 2), ("max=5, timeout=60", 1), ("timeout=x", 1)):

        def keep(heard, said=said):
            return good(heard).replace(b"\r\n", f"\r\nKeep-Alive: {said}\r\n".encode(), 1)

        with Scripted(keep) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
            client.call_tool("add")
            assert server.connections == connections


def test_a_fault_of_our_own(monkeypatch):
    """Whatever goes wrong within, the call ends, and the program is told of it."""
    from readingroom.transport import http_client_exchange

    told = []
    monkeypatch.setattr(http_client_exchange.sys, "excepthook", lambda *found: told.append(found[0]))
    with Scripted(good) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        monkeypatch.setattr(http_client_exchange, "mirrored", lambda *_: 1 / 0)
        with pytest.raises(Closed, match="ZeroDivisionError"):
            client.call_tool("add")
    assert told == [ZeroDivisionError]


def test_nobody_answers():
    """A server that is not there is an error that says so, at the opening and later."""
    with Scripted(good) as server:
        url = server.url
        client = Client.http(url, timeout=TIMEOUT, era="modern").open()
    try:
        with pytest.raises((ConnectFailed, Closed)):
            client.call_tool("add")
        with pytest.raises(ConnectFailed, match="no connection"):
            client.call_tool("add")
    finally:
        client.close()
    with pytest.raises(ConnectFailed, match="no connection"):
        Client.http(url, timeout=TIMEOUT).open()


def test_closing_ends_everything():
    """What is in flight fails when the client is closed, whatever the server does, and takes no time."""
    with called(silent) as server:
        client = Client.http(server.url, timeout=TIMEOUT, era="modern").open()
        pending = [client.submit("tools/call", {"name": "add"}) for _ in range(5)]
        until(lambda: len(server.of("tools/call")) == 5)
        client.close()
        client.close()
        for one in pending:
            with pytest.raises(Closed):
                one.result()
        assert all(heard.gone.wait(10) for heard in server.of("tools/call"))
        with pytest.raises(UsageError):
            client.call_tool("add")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not list open files")
def test_opened_and_closed_again_and_again():
    """A client that is opened and closed many times leaves no file open and no thread running."""

    def left():
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    with Scripted(good) as server:
        client = Client.http(server.url, timeout=TIMEOUT)
        with client:
            client.call_tool("add")
        until(lambda: not server.open)
        before = left()
        for _ in range(30):
            with client:
                client.submit("tools/call", {"name": "add"})
                client.call_tool("add")
        until(lambda: not server.open)
        until(lambda: left()[0] <= before[0] and left()[1] <= before[1])


def test_many_at_once():
    """Answers go to those who asked, however many ask at once."""

    def answer(heard):
        text = str(heard.params["arguments"]["n"])
        return result(heard, {"resultType": "complete", "content": [{"type": "text", "text": text}]})

    with called(answer) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        pending = [client.submit("tools/call", {"name": "add", "arguments": {"n": n}}) for n in range(300)]
        assert [one.result()["content"][0]["text"] for one in pending] == [str(n) for n in range(300)]


def test_a_subscription_that_is_lost_is_taken_up_again():
    """A stream of changes that breaks is listened to anew, and whoever listens is told that something may be missing."""
    times = itertools.count()

    def listen(heard):
        meta = {"io.modelcontextprotocol/subscriptionId": heard.id}
        told = {"_meta": meta, "notifications": heard.params["notifications"]}
        yield STREAM + event(
            {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": told}
        )
        yield event(
            {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": meta}}
        )
        if next(times):
            while not heard.gone.wait(0.02):
                yield b": ping\n\n"

    with (
        Scripted(but(good, subscriptions_listen=listen)) as server,
        Client.http(server.url, timeout=TIMEOUT, era="modern") as client,
    ):
        with client.listen(tools=True) as changes:
            seen = [type(changes.next(TIMEOUT)).__name__ for _ in range(3)]
        assert sorted(seen) == ["Resumed", "ToolsChanged", "ToolsChanged"]
        assert server.of("subscriptions/listen")[-1].gone.wait(10)


def test_a_server_that_starts_anew():
    """A subscription outlives the server: it is taken up as soon as there is one again at its address."""

    def listen(heard):
        meta = {"io.modelcontextprotocol/subscriptionId": heard.id}
        told = {"_meta": meta, "notifications": heard.params["notifications"]}
        yield STREAM + event(
            {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": told}
        )
        while not heard.gone.wait(0.02):
            yield b": ping\n\n"

    serve = but(good, subscriptions_listen=listen)
    lost = threading.Event()
    with (
        Scripted(serve) as server,
        Client.http(server.url, timeout=TIMEOUT, era="modern") as client,
        client.listen(tools=True, on_lost=lambda _: lost.set()) as changes,
    ):
        found = []
        waiting = threading.Thread(target=lambda: found.append(changes.next(TIMEOUT)), daemon=True)
        waiting.start()
        server.stop()
        assert lost.wait(TIMEOUT)
        with Scripted(serve, port=server.port) as again:
            waiting.join(TIMEOUT)
            assert [type(one).__name__ for one in found] == ["Resumed"]
            until(lambda: len(again.of("subscriptions/listen")) == 1)
            changes.close()


def test_hints_of_caches_are_verified():
    """The rules of results are those of every carrier."""
    bare = {name: value for name, value in HINTS.items() if name == "resultType"}
    with (
        Scripted(but(good, tools_list=lambda h: result(h, {**bare, "tools": []}))) as server,
        Client.http(server.url, timeout=TIMEOUT, era="modern") as client,
        pytest.raises(PeerProtocolError, match="CACHE-1"),
    ):
        client.list_tools()
