"""The older era on stdio, with real processes: beside the modern one, at the end, and when there is too much."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.messages import call, cancel, frame
from support.older import NEWEST, handshake, message, notice
from support.older import call as older_call
from support.processes import ServerProcess


@pytest.fixture
def serve() -> Iterator[Callable[..., ServerProcess]]:
    """Start servers, and end them."""
    started: list[ServerProcess] = []

    def serve(*arguments: str, version: str | None = NEWEST) -> ServerProcess:
        server = ServerProcess("older_server.py", *arguments)
        started.append(server)
        if version is not None:
            server.send(encoded(handshake(version, {"elicitation": {}}, "hello")))
            assert server.take_answer("hello")["result"]["protocolVersion"] == version
            server.send(encoded(notice("notifications/initialized")))
        return server

    yield serve
    for server in started:
        server.close()


def encoded(told: Any) -> bytes:
    """A message as it goes out."""
    return json.dumps(told).encode()


def asks(request_id: Any, tool: str, **arguments: Any) -> bytes:
    """A call of the older era, which wants to be told of progress."""
    params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": request_id}}
    return encoded(message(request_id, "tools/call", params))


def text_of(answer: Any) -> Any:
    """The text of a tool's result."""
    return answer["result"]["content"][0]["text"]


def test_handlers_of_every_kind(serve: Callable[..., ServerProcess]) -> None:
    """Answer in both eras on one connection, each in its own form."""
    server = serve()
    for number, tool in enumerate(("add", "add_quick", "add_async")):
        server.send(encoded(older_call(number, tool, a=1, b=2)), call(f"m{number}", tool, {"a": 1, "b": 2}))
        answers = {str(one["id"]): one["result"] for one in (server.take(), server.take())}
        assert answers[str(number)] == {
            "content": [{"type": "text", "text": "3"}],
            "structuredContent": {"result": 3},
        }
        assert answers[f"m{number}"]["resultType"] == "complete"


def test_a_question_and_its_answer(serve: Callable[..., ServerProcess]) -> None:
    """While other requests are served, and pings."""
    server = serve()
    server.send(asks(1, "book"))
    asked = server.take()
    assert asked["method"] == "elicitation/create"
    server.send(encoded(message(2, "ping")), encoded(older_call(3, "add", a=1, b=1)))
    assert server.take_answer(2)["result"] == {}
    assert text_of(server.take_answer(3)) == "2"
    server.send(encoded({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "cancel"}}))
    assert text_of(server.take_answer(1)) == "cancel"


@pytest.mark.parametrize("tool", ["hold", "hold_async"])
def test_cancelling_ends_what_it_names(serve: Callable[..., ServerProcess], tool: str) -> None:
    """And leaves requests of the other era alone."""
    server = serve()
    arguments = {"name": "a"} if tool == "hold" else {}
    server.send(asks(1, tool, **arguments), call("m", "hold", {"name": "b"}))
    assert server.take()["method"] == "notifications/progress"
    server.send(cancel(1), cancel(2), encoded(message(3, "ping")))
    assert server.take_answer(3)["result"] == {}
    server.send(call("n", "let_go", {"name": "b"}))
    assert {server.take()["id"], server.take()["id"]} == {"n", "m"}
    server.end_input()
    assert (server.rest(), server.wait()) == ([], 0)


def test_what_has_changed_is_told_to_whom_is_ready(serve: Callable[..., ServerProcess]) -> None:
    """Without a subscription, and not to modern clients."""
    server = serve()
    server.send(encoded(older_call(1, "change")))
    assert {one.get("method", one.get("id")) for one in (server.take(), server.take())} == {
        "notifications/tools/list_changed",
        1,
    }


def test_answers_owed_are_given_at_the_end_of_input(serve: Callable[..., ServerProcess]) -> None:
    """Those of slow handlers, and long ones."""
    server = serve()
    for number in range(20):
        server.send(encoded(older_call(number, "big", size=100_000)))
    server.end_input()
    assert {one["id"] for one in server.rest()} == set(range(20))
    assert server.wait() == 0


def test_nothing_is_waited_for_that_cannot_come(serve: Callable[..., ServerProcess]) -> None:
    """The client has closed its side: it will answer nothing any more."""
    server = serve()
    server.send(asks(1, "book"))
    assert server.take()["method"] == "elicitation/create"
    server.end_input()
    assert server.wait(4) == 0


def test_what_is_too_much_is_held_back(serve: Callable[..., ServerProcess]) -> None:
    """Not lost, nor refused."""
    server = serve("--requests", "4")
    server.send_apart(*(encoded(older_call(number, "add", a=number, b=0)) for number in range(200)))
    found = {}
    while len(found) < 200:
        answer = server.take()
        found[answer["id"]] = text_of(answer)
    assert found == {number: str(number) for number in range(200)}


def test_batches(serve: Callable[..., ServerProcess]) -> None:
    """Are messages where the version has them, and only after the handshake."""
    batch = encoded([older_call(1, "add", a=1, b=2), notice("x"), older_call(2, "add_async", a=1, b=3), 7])
    server = serve(version="2025-03-26")
    server.send(batch)
    answers = server.take()
    assert sorted((one.get("id", 0), "error" in one) for one in answers) == [
        (0, True),
        (1, False),
        (2, False),
    ]
    server.send(encoded([notice("x")]), b"[]", encoded(message(5, "ping")))
    assert server.take()["error"]["code"] == -32600
    assert server.take_answer(5)["result"] == {}
    for other in (serve(), serve(version=None)):
        other.send(batch)
        refusal = other.take()
        assert (refusal["error"]["code"], "id" in refusal) == (-32600, False)


def test_modern_only(serve: Callable[..., ServerProcess]) -> None:
    """A handshake is told what is served, and nothing else of the era is."""
    server = serve("--modern", version=None)
    server.send(encoded(handshake()), encoded(message(1, "ping")), frame(2, "server/discover"))
    refusal = server.take_answer("hello")["error"]
    assert (refusal["code"], refusal["data"]) == (-32602, {"supported": ["2026-07-28"]})
    assert server.take_answer(1)["error"]["code"] == -32602
    assert server.take_answer(2)["result"]


def test_modern_answers_are_the_same_bytes(serve: Callable[..., ServerProcess]) -> None:
    """Whether the older era has begun or not."""
    asked = [
        frame(1, "server/discover"),
        frame(2, "tools/list"),
        call(3, "add", {"a": 1, "b": 2}),
        frame(4, "ping"),
    ]
    given = []
    for server in (serve(version=None), serve()):
        lines = []
        for one in asked:
            server.send(one)
            lines.append(server.take_line())
        given.append(lines)
    assert given[0] == given[1]
