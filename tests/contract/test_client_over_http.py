"""The client and servers on the kit over HTTP, in both eras: what a server asks, and what it tells of its own account."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client, ElicitForm, InputRequired, ResourceUpdated, Sampled, ToolsChanged
from support.processes import until
from support.serving import served

SERVERS = Path(__file__).parents[1] / "fault" / "servers"
TIMEOUT = 30.0
HELLO = Sampled("assistant", {"type": "text", "text": "hello"}, "a model")


@pytest.fixture(scope="module")
def asking() -> Iterator[str]:
    """Serve what asks."""
    with served(str(SERVERS / "asking.py"), "{port}") as url:
        yield url


@pytest.fixture(scope="module")
def noticing() -> Iterator[str]:
    """Serve what tells of changes."""
    with served(str(SERVERS / "noticing.py"), "{port}") as url:
        yield url


@pytest.fixture(params=["modern", "older"])
def era(request: pytest.FixtureRequest) -> str:
    """Name an era."""
    return str(request.param)


def answers() -> dict[str, Any]:
    """Give a callback of every kind."""
    return {
        "on_elicit_form": lambda form: {"name": "Ada"},
        "on_elicit_url": lambda ask: True,
        "on_sample": lambda ask: HELLO,
        "roots": ["file:///a"],
    }


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("ask_form", "accept {'name': 'Ada', 'size': 3}"),
        ("ask_url", "accept"),
        ("ask_model", "hello"),
        ("ask_both", "accept 1"),
    ],
)
def test_every_question_is_answered(asking, era, tool, text):
    """By the callback of its kind, whether it comes with the answer or as a request of its own."""
    with Client.http(asking, timeout=TIMEOUT, era=era, **answers()) as client:
        assert client.server.era == era
        assert client.call_tool(tool).text == text
        assert client.violations == (0, [])


def test_coroutines_answer(asking, era):
    """Callbacks that are coroutines run in the loop, and many calls ask at once."""

    async def fill_in(form: ElicitForm) -> dict[str, str]:
        await asyncio.sleep(0)
        return {"name": "Ada"}

    async def run() -> None:
        async with Client.http(
            asking, timeout=TIMEOUT, era=era, **answers() | {"on_elicit_form": fill_in}
        ) as client:
            found = await asyncio.gather(*(client.call_tool("ask_form") for _ in range(10)))
            assert {answer.text for answer in found} == {"accept {'name': 'Ada', 'size': 3}"}

    asyncio.run(run())


def test_what_nothing_answers(asking):
    """What has no callback is not answered, and is not left waiting either."""
    declared = {"elicitation": {"form": {}}}
    with Client.http(asking, timeout=TIMEOUT, capabilities=declared) as client, pytest.raises(InputRequired):
        client.call_tool("ask_form")


def test_changes(noticing, era):
    """Those that were asked for come, on a stream of their own, while calls go on; the end of the subscription is heard."""
    with Client.http(noticing, timeout=TIMEOUT, era=era) as client:
        with client.listen(tools=True, uris=["a:///1"]) as changes:
            assert client.call_tool("change", {"times": 1}).structured == {"result": 1}
            kinds = {type(changes.next(TIMEOUT)) for _ in range(2)}
            assert kinds == {ToolsChanged, ResourceUpdated}
        assert client.violations == (0, [])


def test_nothing_is_left(noticing, era):
    """When a client is closed, with a subscription open, no thread of it is left, and the server knows that it is gone."""
    client = Client.http(noticing, timeout=TIMEOUT, era=era).open()
    client.listen(uris=["a:///2"]).__enter__()
    client.close()
    until(lambda: not [t for t in threading.enumerate() if t.name.startswith("readingroom-http")])
    with Client.http(noticing, timeout=TIMEOUT) as other:
        until(lambda: other.call_tool("state").structured["watched"] == 0)
