"""The client with callbacks, and a server that asks: every kind of question, in every kind of call, sync and async."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import (
    Client,
    CreateMessage,
    Elicited,
    ElicitForm,
    ElicitUrl,
    InputRequired,
    RemoteError,
    Sampled,
    UsageError,
)

SERVER = Path(__file__).parents[1] / "fault" / "servers" / "asking.py"
COMMAND = [sys.executable, str(SERVER), "--modern"]
HELLO = Sampled("assistant", {"type": "text", "text": "hello"}, "a model")


class Person:
    """Answers what it is asked, and remembers what that was and in which thread."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.threads: set[int] = set()

    def __call__(self, ask: Any) -> Any:
        """Answer a question of any kind."""
        self.asked.append(ask)
        self.threads.add(threading.get_ident())
        if isinstance(ask, ElicitForm):
            return {"name": "Ada"}
        return HELLO if isinstance(ask, CreateMessage) else True


@pytest.fixture
def person() -> Person:
    """Somebody who answers."""
    return Person()


def made(person: Any, **how: Any) -> Client:
    """Make a client that answers everything with `person`."""
    answers = {"on_elicit_form": person, "on_elicit_url": person, "on_sample": person, "roots": ["file:///a"]}
    return Client.stdio(COMMAND, timeout=30, **(answers | how))


@pytest.fixture
def client(person: Person) -> Iterator[Client]:
    """A client that answers everything."""
    with made(person) as client:
        yield client
        assert client.violations == (0, [])


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("ask_form", "accept {'name': 'Ada', 'size': 3}"),
        ("ask_url", "accept"),
        ("ask_model", "hello"),
        ("ask_both", "accept 1"),
    ],
)
def test_every_question_is_answered(client: Client, person: Person, tool: str, text: str) -> None:
    """By the callback of its kind, in the thread of the caller; defaults of a form are filled in (MRTR-5, ELIC-5)."""
    assert client.call_tool(tool).text == text
    assert person.threads == {threading.get_ident()}


def test_what_a_callback_gets(client: Client, person: Person) -> None:
    """The question as a value (MRTR-16)."""
    client.call_tool("ask_url")
    client.call_tool("ask_model")
    assert person.asked == [ElicitUrl("Pay", "https://pay.example/1"), person.asked[1]]
    assert (person.asked[1].max_tokens, person.asked[1].messages[0]["content"]["text"]) == (10, "Say hello")


def test_roots_are_given() -> None:
    """As a list or by a function, with names or without (ROOT-1)."""
    for roots in (["file:///a"], lambda: [("file:///a", "A")]):
        with Client.stdio(COMMAND, timeout=30, roots=roots) as client:
            assert client.call_tool("ask_roots").structured == {"result": ["file:///a"]}


def test_resources_and_prompts_may_ask_as_well(client: Client) -> None:
    """In rounds like those of a tool."""
    assert client.read_resource("ask:///page").text == "accept"
    assert client.get_prompt("letter").messages[0]["content"]["text"] == "accept"
    assert client.request("tools/call", {"name": "ask_url"})["content"][0]["text"] == "accept"


def test_as_many_rounds_as_allowed(client: Client, person: Person) -> None:
    """And no more, for a server may go on for ever (MRTR-9)."""
    assert client.call_tool("ask_often", {"times": 8}).structured == {"result": 8}
    with pytest.raises(InputRequired, match="after 8 rounds") as caught:
        client.call_tool("ask_often", {"times": 9})
    assert (caught.value.rounds, len(person.asked)) == (8, 16)


@pytest.mark.parametrize(
    ("answer", "text"),
    [(None, "cancel None"), (Elicited("decline"), "decline None"), (Elicited("cancel"), "cancel None")],
)
def test_refusals_are_told(answer: Any, text: str) -> None:
    """A user who refuses, or does not answer, is an answer (MRTR-16)."""
    with made(lambda _: answer) as client:
        assert client.call_tool("ask_form").text == text


@pytest.mark.parametrize("answer", [{"name": 1}, {}, {"name": "Ada", "x": 1}, True])
def test_an_answer_that_does_not_fit_is_never_sent(answer: Any) -> None:
    """It is a fault of the program, and the call ends with it (ELIC-5)."""
    with made(lambda _: answer) as client, pytest.raises(UsageError):
        client.call_tool("ask_form")


def test_what_there_is_no_callback_for_is_not_declared() -> None:
    """So the server refuses, or, where it was declared by hand, the caller gets the question (ELIC-1)."""
    with Client.stdio(COMMAND, timeout=30) as client, pytest.raises(RemoteError):
        client.call_tool("ask_form")
    declared = {"elicitation": {"form": {}}}
    declaring = Client.stdio(COMMAND, timeout=30, capabilities=declared)
    with declaring as client, pytest.raises(InputRequired, match="no callback"):
        client.call_tool("ask_form")


def test_submitted_requests_are_not_answered(client: Client, person: Person) -> None:
    """For nobody waits in whose thread a callback could run."""
    with pytest.raises(InputRequired):
        client.submit("tools/call", {"name": "ask_form"}).result()
    assert person.asked == []


def test_callbacks_that_fail_end_the_call(client: Client) -> None:
    """With their own error."""

    def fail(_: Any) -> Any:
        raise ValueError("no")

    with made(fail) as failing, pytest.raises(ValueError, match="no"):
        failing.call_tool("ask_form")


def test_coroutines_answer_async_clients(person: Person) -> None:
    """And plain functions do, in a thread, so that they may wait for a person."""

    async def answer(ask: Any) -> Any:
        await asyncio.sleep(0)
        return person(ask)

    async def run(callback: Any) -> list[str]:
        async with made(callback) as client:
            calls = [client.call_tool(tool) for tool in ("ask_form", "ask_url", "ask_model", "ask_both")]
            return [answer.text for answer in await asyncio.gather(*calls)]

    expected = ["accept {'name': 'Ada', 'size': 3}", "accept", "hello", "accept 1"]
    assert asyncio.run(run(answer)) == expected
    assert person.threads == {threading.get_ident()}
    person.threads.clear()
    assert asyncio.run(run(person)) == expected
    assert threading.get_ident() not in person.threads


def test_coroutines_do_not_answer_sync_clients() -> None:
    """Nobody would run them."""

    async def answer(_: Any) -> bool:
        return True

    with made(answer) as client, pytest.raises(UsageError, match="AsyncClient"):
        client.call_tool("ask_url")


def test_the_rounds_of_an_async_call_end(person: Person) -> None:
    """As those of a sync one do."""

    async def run() -> None:
        async with made(person, max_rounds=2) as client:
            with pytest.raises(InputRequired, match="after 2 rounds"):
                await client.call_tool("ask_often", {"times": 3})

    asyncio.run(run())
