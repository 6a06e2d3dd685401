"""The client's connections over HTTP: used again, lost, begun anew, and nothing left of them at the end."""

import itertools
import threading
from pathlib import Path

import pytest

from readingroom import Client, Closed, ConnectFailed, UsageError
from readingroom.errors import HttpRefused
from support.faulty_http import TIMEOUT, call, called, silent
from support.processes import until
from support.scripted import STREAM, Scripted, but, event, good, reply, result

pytestmark = pytest.mark.usefixtures("nothing_is_left")


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
