"""Our client and servers written on other SDKs, over stdio, in the older era: the handshake, and everything after it."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from readingroom import Client, RemoteError, TimedOut
from support.peers import command_of, descendants
from support.processes import until

pytestmark = pytest.mark.peers

SERVERS = ("mcp", "fastmcp", "typescript")


def answer(_: Any) -> Any:
    """Fill in any form."""
    return {"amount": 3}


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest) -> str:
    """Name a server: on the official Python SDK, on FastMCP, on the official TypeScript SDK."""
    return str(request.param)


@pytest.fixture(scope="module")
def opened(server: str) -> Iterator[Client]:
    """Give a strict client that shakes hands and stays open, and see to it that its end is the end of all of it."""
    before = descendants(os.getpid())
    client = Client.stdio(
        command_of(server, "serve"), timeout=50, stderr=lambda _: None, era="older", on_elicit_form=answer
    ).open()
    yield client
    started = descendants(os.getpid()) - before
    assert started
    client.close()
    assert not started & descendants(os.getpid())


@pytest.fixture
def client(opened: Client) -> Iterator[Client]:
    """Give the client, and hold against the server that it broke no rule meanwhile."""
    count, _ = opened.violations
    yield opened
    assert (opened.violations[0] - count, opened.violations[1][count:]) == (0, [])


def test_handshake(client):
    """The newest version of the era is agreed on, and the server says what it is (LEG-1)."""
    assert (client.server.era, client.server.version) == ("older", "2025-11-25")
    assert client.server.server["name"] == "pantry"
    assert {"tools", "resources", "prompts", "completions"} <= set(client.server.capabilities)
    assert client.discover() == client.server


def test_lists(client):
    """Every list comes whole (PAGE-2)."""
    assert [tool.name for tool in client.list_tools()][:3] == ["add", "part", "echo"]
    assert len(client.list_tools()) == 164
    assert [resource.uri for resource in client.list_resources()] == ["x:///fixed", "x:///blob"]
    assert [template.uri_template for template in client.list_templates()] == ["x:///city/{city}"]
    assert [prompt.name for prompt in client.list_prompts()] == ["visit"]


def test_calls(client):
    """Tools, resources, prompts and completions."""
    assert client.call_tool("add", {"a": -1, "b": 43}).structured == {"result": 42}
    assert len(client.call_tool("blocks").content) == 6
    assert client.call_tool("fail").is_error
    assert client.read_resource("x:///city/Bern").text == "About Bern"
    assert client.get_prompt("visit", {"city": "Paris"}).messages[0]["role"] == "user"
    assert client.complete({"type": "ref/prompt", "name": "visit"}, "city", "Ber").values == [
        "Berlin",
        "Bern",
    ]
    with pytest.raises(RemoteError):
        client.read_resource("x:///none")


def test_progress(client):
    """Reaches the caller (PROG-2)."""
    seen = []
    assert client.call_tool("count", {"to": 5}, on_progress=seen.append).structured == {"result": 5}
    assert [step.progress for step in seen] == [1, 2, 3, 4, 5]


def test_cancelled_and_timed_out_calls_end_on_the_server(client):
    """As in the other era (CAN-1, CAN-6)."""
    held = client.submit("tools/call", {"name": "hold", "arguments": {}})
    until(lambda: client.call_tool("holds").structured["result"] == [1, 0])
    assert held.cancel()
    with pytest.raises(TimedOut):
        client.call_tool("hold", {}, timeout=0.2)
    until(lambda: client.call_tool("holds").structured["result"] == [2, 2])


def test_asking(client, server):
    """What the server asks reaches the callback, and the answer the server, the TypeScript one again and again (LEG-9)."""
    found = client.call_tool("ask").text
    assert "after 8 rounds" in found if server == "typescript" else found == "accept"


def test_log_lines(client):
    """May come unasked in this era (LEG-6)."""
    assert client.call_tool("whisper").text == "whispered"


def test_many_calls_at_once(client):
    """Answers go to the call that each belongs to."""
    calls = [
        client.submit("tools/call", {"name": "add", "arguments": {"a": number, "b": number}})
        for number in range(100)
    ]
    assert [call.result()["structuredContent"]["result"] for call in calls] == [2 * n for n in range(100)]
