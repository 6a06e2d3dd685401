"""What a client brings back to a round is opened with care: whose it is, whether it is whole, how old, and how large."""

import json
import os
import sys
from typing import Any

import pytest

from readingroom import (
    Answers,
    Context,
    Elicited,
    Limits,
    Server,
    ToolError,
    UsageError,
)
from readingroom.protocol import Admitted, CallParams, Meta
from readingroom.server import Flight
from readingroom.server.rounds import Asking, Round, Rounds
from support.asking import AskedCall, accept, calling
from support.asking_tools import book, form, server_of, text_of
from support.memory import MemoryServer

KEY = b"k" * 16


def rejected(call: AskedCall) -> bool:
    """Whether a state was refused, as an error that asks nothing."""
    return (call.error.get("code"), call.error.get("message")) == (-32602, "requestState rejected")


def test_a_state_of_somebody_elses_is_refused() -> None:
    """Another principal, tool, argument or method (MRTR-12)."""

    def other(city: str, ctx: Context) -> str:
        return book(city, ctx)

    app = Server("asker", version="1", state_keys=(KEY,))
    app.tool(description="asks")(book)
    app.tool(description="asks")(other)
    app.prompt(name="book", description="asks")(book)
    mine, yours = MemoryServer(app, principal="me"), MemoryServer(app, principal="you")
    state = calling(mine, "book", {"city": "Oslo"}).result["requestState"]
    for server, method, members in (
        (yours, "tools/call", {"name": "book", "arguments": {"city": "Oslo"}}),
        (mine, "tools/call", {"name": "other", "arguments": {"city": "Oslo"}}),
        (mine, "tools/call", {"name": "book", "arguments": {"city": "Rome"}}),
        (mine, "tools/call", {"name": "book"}),
        (mine, "prompts/get", {"name": "book", "arguments": {"city": "Oslo"}}),
    ):
        call = AskedCall(server, method, members)
        call.send({"requestState": state, "inputResponses": {"ok": accept(yes=True)}})
        assert rejected(call)
    call = calling(mine, "book", {"city": "Oslo"})
    call.send({"requestState": state, "inputResponses": {"ok": accept(yes=True)}})
    assert text_of(call) == "accept {'yes': True}"


def test_a_state_of_another_server_is_refused() -> None:
    """Even if it has the same keys."""
    servers = []
    for name in ("one", "two"):
        app = Server(name, version="1", state_keys=(KEY,))
        app.tool(description="asks")(book)
        servers.append(MemoryServer(app))
    state = calling(servers[0], "book", {"city": "Oslo"}).result["requestState"]
    for server, is_refused in ((servers[1], True), (servers[0], False)):
        call = calling(server, "book", {"city": "Oslo"})
        call.send({"requestState": state})
        assert rejected(call) == is_refused


@pytest.mark.parametrize("state", ["", "x", "v1.a.b", "{}", "x" * 600_000])
def test_what_is_no_state_is_refused(state: str) -> None:
    """Also for a handler that never asks, and for prompts and resources (MRTR-11)."""
    app = Server("plain", version="1")

    @app.tool(name="plain", description="asks nothing")
    @app.prompt(name="plain", description="asks nothing")
    @app.resource("plain:///")
    def plain() -> str:
        return "plain"

    server = MemoryServer(app)
    for method, members in (
        ("tools/call", {"name": "plain"}),
        ("prompts/get", {"name": "plain"}),
        ("resources/read", {"uri": "plain:///"}),
    ):
        call = AskedCall(server, method, members)
        assert call.result
        call.send({"requestState": state})
        assert rejected(call)


@pytest.mark.parametrize("state", [None, 5, {}, []])
def test_a_state_is_a_text(state: Any) -> None:
    """Anything else is invalid."""
    error = server_of(book).error(
        "tools/call", {"name": "book", "arguments": {"city": "a"}, "requestState": state}
    )
    assert error["code"] == -32602


def test_replicas_share_keys() -> None:
    """What one has asked, another goes on with; without shared keys it cannot."""
    keys = (b"n" * 16, KEY)
    call = calling(server_of(book, state_keys=(KEY,)), "book", {"city": "Oslo"})
    state = call.result["requestState"]
    for server, is_refused in ((server_of(book, state_keys=keys), False), (server_of(book), True)):
        again = calling(server, "book", {"city": "Oslo"})
        again.send({"requestState": state, "inputResponses": {"ok": accept(yes=True)}})
        assert rejected(again) == is_refused


@pytest.mark.parametrize("keys", [(), (b"short",), b"k" * 16, ("k" * 16,)])
def test_keys_are_checked_when_a_server_is_made(keys: Any) -> None:
    """Not when the first person waits for an answer."""
    with pytest.raises(UsageError, match="state_keys"):
        Server("asker", version="1", state_keys=keys)


def test_without_cryptography_asking_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a state, which cannot be ours, is refused."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    told: list[str] = []

    def ask(ctx: Context) -> str:
        try:
            return str(ctx.ask(a=form("A?", a="string")))
        except UsageError as error:
            told.append(str(error))
            raise ToolError("later") from error

    server = server_of(ask)
    assert calling(server, "ask").result["isError"] is True
    assert "readingroom[rounds]" in told[0]
    call = calling(server, "ask")
    call.send({"requestState": "v1.0." + "A" * 80})
    assert rejected(call)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """The time that was set."""
        return self.now


def run(rounds: Rounds, handler: Any, members: dict[str, Any] | None = None) -> Any:
    """Run a handler once, as a dispatcher does, for a call with these members."""
    meta = Meta("2026-07-28", {"elicitation": {}})
    more = members or {}
    request = Admitted(
        1,
        "tools/call",
        CallParams(
            meta,
            "t",
            input_responses=more.get("answers", {}),
            **{k: v for k, v in more.items() if k != "answers"},
        ),
    )
    ctx = Context(1, meta, Flight(request), lambda *_: None, "me", asks=rounds.ask)
    return handler(ctx)


def ask_once(ctx: Context) -> str:
    """Ask for a number."""
    return str(ctx.ask(n=form("Number?", n="integer"))["n"].content)


def rounds_with(clock: Clock, **limits: Any) -> Rounds:
    """Rounds by that clock."""
    return Rounds("asker", (KEY,), clock=clock, random=os.urandom, limits=Limits(**limits))


def asked(rounds: Rounds, handler: Any, members: dict[str, Any] | None = None) -> Asking:
    """What the handler asks in a round."""
    with pytest.raises(Asking) as caught:
        run(rounds, handler, members)
    return caught.value


def test_a_state_expires() -> None:
    """After the seconds that a person has, counted anew in each round (MRTR-12)."""
    clock = Clock()
    rounds = rounds_with(clock, round_seconds=60)
    state = asked(rounds, ask_once).state
    answers = {"n": accept(n=1)}
    clock.now += 60
    assert run(rounds, ask_once, {"request_state": state, "answers": answers}) == "{'n': 1}"
    again = asked(rounds, ask_once, {"request_state": state}).state
    clock.now += 2
    with pytest.raises(Exception, match="requestState rejected"):
        run(rounds, ask_once, {"request_state": state, "answers": answers})
    assert run(rounds, ask_once, {"request_state": again, "answers": answers}) == "{'n': 1}"


def test_rounds_are_counted() -> None:
    """A call that is never content ends in an error, not in one more question."""
    rounds = rounds_with(Clock(), rounds=3)
    members: dict[str, Any] = {}
    for _ in range(3):
        members = {"request_state": asked(rounds, ask_once, members).state}
    with pytest.raises(Exception, match="asked 3 times"):
        run(rounds, ask_once, members)
    assert run(rounds, ask_once, {**members, "answers": {"n": accept(n=1)}}) == "{'n': 1}"


def test_answers_that_are_too_large_are_refused() -> None:
    """They travel with every round."""
    rounds = rounds_with(Clock(), state_bytes=1000)

    def ask(ctx: Context) -> str:
        ctx.ask(a=form("A?", a="string"))
        return ask_once(ctx)

    state = asked(rounds, ask).state
    assert asked(rounds, ask, {"request_state": state, "answers": {"a": accept(a="x" * 500)}}).state
    with pytest.raises(Exception, match="larger than 1000 bytes"):
        run(rounds, ask, {"request_state": state, "answers": {"a": accept(a="x" * 1000)}})


def test_whoever_runs_handlers_may_keep_the_rounds() -> None:
    """Answers are handed in to the next round, and no state is made."""

    def ask(ctx: Context) -> str:
        a = ctx.ask(a=form("A?", a="string"), b=form("B?", b="string"))
        return f"{a['a'].content} {a['b'].content} {ask_once(ctx)}"

    meta = Meta("2026-07-28", {"elicitation": {}})
    request = Admitted(1, "tools/call", CallParams(meta, "t"))
    given = {"a": accept(a="1"), "b": {"action": "else"}}, {"b": accept(b="2")}, {"n": accept(n=3)}
    round_ = Round()
    questions = []
    for answers in given:
        ctx = Context(1, meta, Flight(request), lambda *_: None, "me", asks=round_.ask)
        with pytest.raises(Asking) as caught:
            ask(ctx)
        questions.append(list(caught.value.requests))
        assert caught.value.state == ""
        round_ = caught.value.ended.after(answers)
    ctx = Context(1, meta, Flight(request), lambda *_: None, "me", asks=round_.ask)
    assert ask(ctx) == "{'a': '1'} {'b': '2'} {'n': 3}"
    assert questions == [["a", "b"], ["b"], ["n"]]


def test_whoever_runs_handlers_may_answer_while_they_go_on() -> None:
    """What is set on the context gets the requests, once the client was found to be capable."""
    got: list[list[str]] = []

    def answer(_ctx: Context, _request: Admitted, requests: dict[str, Any]) -> Answers[Any]:
        got.append(list(requests))
        return Answers({name: Elicited("accept", {"n": 7}) for name in requests})

    def ask(ctx: Context) -> str:
        ctx.asks = answer
        return ask_once(ctx)

    assert run(rounds_with(Clock()), ask) == "{'n': 7}"
    assert got == [["n"]]


def test_a_state_shows_nothing() -> None:
    """Neither what was asked nor what was answered can be read from it."""

    def ask(ctx: Context) -> str:
        ctx.ask(a=form("A?", a="string"))
        return ask_once(ctx)

    call = calling(server_of(ask), "ask").answer(a=accept(a="confidential"))
    assert "confidential" not in json.dumps(call.result)
    assert call.result["requestState"].startswith("v1.")
