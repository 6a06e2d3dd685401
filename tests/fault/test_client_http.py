"""The client against answers over HTTP that are wrong: every call ends, with the right error, and nothing is left."""

import asyncio
import itertools
import threading
import time

import pytest

from readingroom import (
    Client,
    Closed,
    Limits,
    PeerProtocolError,
    RemoteError,
    TimedOut,
    Withdrawn,
)
from readingroom.errors import HttpRefused, Unauthorized
from support.faulty_http import TIMEOUT, call, called, silent
from support.processes import until
from support.scripted import CALLED, HINTS, STREAM, Scripted, but, error, event, good, reply, result, stream


def answered(heard):
    """Give the answer to a call as a value."""
    return {"jsonrpc": "2.0", "id": heard.id, "result": CALLED}


pytestmark = pytest.mark.usefixtures("nothing_is_left")


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


def heading(heard):
    """Give a head that never ends, a letter at a time."""
    yield b"HTTP/1.1 200 OK\r\nX: "
    while not heard.gone.wait(0.02):
        yield b"x"


@pytest.mark.parametrize("answer", [slowly, pinging, silent, heading])
def test_answers_that_do_not_come(answer):
    """Whatever a server does but answer, the call ends in its time, and the server sees that nobody waits (CAN-2)."""
    with called(answer) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        begun = time.monotonic()
        with pytest.raises(TimedOut, match="tools/call got no answer in time"):
            client.call_tool("add", timeout=0.5)
        assert time.monotonic() - begun < 15
        until(lambda: server.of("tools/call"))
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
            time.sleep(0.4)  # that time passes is what is tested
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
    with called(answer) as server, Client.http(server.url, timeout=TIMEOUT, era="modern") as client:
        told = client.call_tool("add", timeout=2.5, on_progress=lambda p: seen.append(p.progress))
        assert told.content == []
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


def test_hints_of_caches_are_verified():
    """The rules of results are those of every carrier."""
    bare = {name: value for name, value in HINTS.items() if name == "resultType"}
    with (
        Scripted(but(good, tools_list=lambda h: result(h, {**bare, "tools": []}))) as server,
        Client.http(server.url, timeout=TIMEOUT, era="modern") as client,
        pytest.raises(PeerProtocolError, match="CACHE-1"),
    ):
        client.list_tools()
