"""The kit's client and the kit's server, each by what the other promises: over stdio and HTTP, in processes of their own."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from readingroom.errors import RemoteError, TimedOut, UsageError
from readingroom.kit.client import Client
from support.serving import served

COMMAND = [sys.executable, str(Path(__file__).parent / "servers" / "everything.py")]
CITY = {"type": "ref/prompt", "name": "visit"}


@pytest.fixture(scope="module", params=["stdio", "http"])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[], Client]]:
    """Give what makes a client of the server over each carrier."""
    if request.param == "stdio":
        yield lambda: Client.stdio(COMMAND, timeout=30, stderr=lambda _: None)
    else:
        with served(COMMAND[1], "{port}") as url:
            yield lambda: Client.http(url, timeout=30)


@pytest.fixture(scope="module")
def client(make: Callable[[], Client]) -> Iterator[Client]:
    """Give a client that stays open, and hold against the server that it broke no rule."""
    with make() as opened:
        yield opened
        assert opened.violations == (0, [])


def test_discovery(client):
    """The server says what it is and what it has (DISC-1, DISC-2)."""
    assert client.server.supported_versions == ["2026-07-28"]
    assert sorted(client.server.capabilities) == ["completions", "prompts", "resources", "tools"]
    assert client.server.instructions == "Use it well."
    assert client.server.server == {"name": "everything", "version": "1.2.3"}
    assert client.discover() == client.server


def test_all_pages_of_a_list(client):
    """A list longer than a page comes whole and in order, every time (PAGE-2, TOOL-2)."""
    names = [tool.name for tool in client.list_tools()]
    assert len(names) == len(set(names)) == 156
    assert [tool.name for tool in client.list_tools()] == names
    assert len(client.request("tools/list")["tools"]) < 156


def test_call(client):
    """A call gives the structured value and its text (TOOL-8, TOOL-9)."""
    answer = client.call_tool("add", {"a": 2, "b": 40})
    assert (answer.structured, answer.text, answer.is_error) == ({"result": 42}, "42", False)


def test_failure_of_a_tool(client):
    """A failure of the tool is an answer that says so; one that nobody may read is an error without its text (TOOL-7)."""
    answer = client.call_tool("fail")
    assert (answer.is_error, answer.text, answer.structured) == (True, "nothing to be done", msgspec.UNSET)
    with pytest.raises(RemoteError) as caught:
        client.call_tool("crash")
    assert caught.value.code == -32603
    assert "secret" not in str(caught.value)
    assert "secret" not in str(caught.value.data)


def test_arguments_that_do_not_fit(client):
    """Arguments that do not fit the schema are a failure that a model can read, and an unknown tool is an error (D-4)."""
    assert client.call_tool("add", {"a": "2", "b": 1}).is_error
    with pytest.raises(RemoteError) as caught:
        client.call_tool("no_such_tool")
    assert caught.value.code == -32602


def test_resources(client):
    """Resources and templates are listed and read, and a missing one is an error with its URI (RSRC-3)."""
    assert [resource.uri for resource in client.list_resources()] == ["x:///fixed"]
    assert [template.uri_template for template in client.list_templates()] == ["x:///city/{city}"]
    assert client.read_resource("x:///fixed").text == "fixed"
    assert client.read_resource("x:///city/Bern").contents[0]["uri"] == "x:///city/Bern"
    with pytest.raises(RemoteError) as caught:
        client.read_resource("x:///city/Atlantis")
    assert (caught.value.code, caught.value.data) == (-32602, {"uri": "x:///city/Atlantis"})


def test_prompts(client):
    """Prompts are listed and filled in."""
    (prompt,) = client.list_prompts()
    assert (prompt.name, [argument["name"] for argument in prompt.arguments]) == ("visit", ["city"])
    answer = client.get_prompt("visit", {"city": "Paris"})
    assert answer.messages[0]["content"]["text"] == "Plan a visit to Paris."


def test_completion(client):
    """Arguments are completed (COMP-2)."""
    answer = client.complete(CITY, "city", "Ber", arguments={})
    assert (answer.values, answer.total, answer.has_more) == (["Berlin", "Bern"], 2, False)


def test_unknown_method(client):
    """A method that the server does not know is refused (-32601)."""
    with pytest.raises(RemoteError) as caught:
        client.request("com.example/do", {"a": 1})
    assert caught.value.code == -32601


def test_progress(client):
    """Progress reaches the caller in order, in the thread that waits (PROG-2)."""
    seen = []
    assert client.call_tool("count", {"to": 5}, on_progress=seen.append).structured == {"result": 5}
    assert [(step.progress, step.total, step.message) for step in seen] == [
        (n, 5, f"at {n}") for n in range(1, 6)
    ]


def test_many_calls_at_once(client):
    """Answers of calls under way together go to the call that each belongs to."""
    calls = [
        client.submit("tools/call", {"name": "add", "arguments": {"a": n, "b": n}}) for n in range(2_000)
    ]
    assert [call.result()["structuredContent"]["result"] for call in calls] == [2 * n for n in range(2_000)]


def test_large_questions_and_answers(client):
    """Arguments and answers of megabytes go through."""
    text = "много текста — 很多文字 " * 20_000
    assert client.call_tool("repeat", {"text": text, "times": 10}).structured == {"result": text * 10}


def test_cancelled_and_timed_out_calls_end_on_the_server(client):
    """The server ends what is cancelled or given up, so that its workers are free again (CAN-1)."""
    for _ in range(40):
        assert client.submit("tools/call", {"name": "wait"}).cancel()
    for _ in range(3):
        with pytest.raises(TimedOut):
            client.call_tool("wait", timeout=0.02)
    assert client.call_tool("add", {"a": 1, "b": 1}).structured == {"result": 2}


def test_async_calls(make):
    """Every method has its awaited form, and many calls at once are awaited together."""

    async def run() -> None:
        async with make() as client:
            assert client.server.instructions == "Use it well."
            assert (await client.discover()) == client.server
            assert len(await client.list_tools()) == 156
            assert len(await client.list_resources()) == len(await client.list_templates()) == 1
            assert (await client.read_resource("x:///fixed")).text == "fixed"
            assert [prompt.name for prompt in await client.list_prompts()] == ["visit"]
            assert (await client.get_prompt("visit", {"city": "Bern"})).description == "Plan a visit."
            assert (await client.complete(CITY, "city", "P")).values == ["Paris"]
            assert (await client.request("tools/call", {"name": "fail"}))["isError"]
            seen = []
            await client.call_tool("count", {"to": 3}, on_progress=seen.append)
            assert [step.progress for step in seen] == [1, 2, 3]
            answers = await asyncio.gather(*(client.call_tool("add", {"a": n, "b": 1}) for n in range(300)))
            assert [answer.structured["result"] for answer in answers] == [n + 1 for n in range(300)]
            with pytest.raises(RemoteError):
                await client.call_tool("no_such_tool")
            with pytest.raises(UsageError):
                await client.call_tool("add", {"a": object()})
            assert client.violations == (0, [])

    asyncio.run(run())
