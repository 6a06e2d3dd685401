"""Our client and servers written on other SDKs, over HTTP, in both eras: peers/serve_*, each in its own default manner.

What their features do differently is in test_servers_of_others.py; here is what the carrier has to do with.
"""

import os
from collections.abc import Iterator

import pytest

from readingroom import Client, RemoteError, TimedOut
from support.peers import SCRIPTS, command_of, installer
from support.processes import until
from support.serving import served

pytestmark = pytest.mark.peers

SERVERS = ("mcp", "fastmcp", "typescript")


def plain_environment() -> dict[str, str]:
    """Give the environment without what is meant for our own Python and Node."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "NODE", "COVERAGE"))
    }


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest) -> str:
    """Name a server: on the official Python SDK, on FastMCP, on the official TypeScript SDK."""
    return str(request.param)


@pytest.fixture(scope="module")
def url(server: str) -> Iterator[str]:
    """Serve it and give its address."""
    program, script = command_of(server, "serve")
    with served(script, "{port}", program=program, env=plain_environment()) as address:
        yield address


@pytest.fixture(scope="module", params=["modern", "older"])
def era(request: pytest.FixtureRequest) -> str:
    """Name an era."""
    return str(request.param)


@pytest.fixture(scope="module")
def client(url: str, era: str) -> Iterator[Client]:
    """Give a client that stays open, and hold against the server that it broke no rule."""
    with Client.http(url, timeout=50, era=era) as opened:
        yield opened
        assert opened.violations == (0, [])


@pytest.mark.parametrize(
    ("release", "version"), [("mcp-1.8", "2024-11-05"), ("mcp-1.9", "2025-03-26"), ("mcp-1.12", "2025-06-18")]
)
def test_servers_on_older_releases(release, version):
    """A server on a release of the official Python SDK from before is found to be of the older era, and works.

    It tells progress on the stream of its own account, where it does not belong; the call gets it all the same.
    """
    program, script = str(installer().python_of(release)), str(SCRIPTS / "serve_older_http.py")
    with (
        served(script, "{port}", program=program, env=plain_environment()) as url,
        Client.http(url, timeout=50) as opened,
    ):
        assert (opened.server.era, opened.server.version) == ("older", version)
        assert [tool.name for tool in opened.list_tools()] == ["add", "count"]
        seen = []
        opened.call_tool("count", {"to": 3}, on_progress=lambda step: seen.append(step.progress))
        assert seen == [1, 2, 3]
        assert opened.violations == (0, [])


def test_the_era_is_found(url):
    """All of them speak today's era, and are found to."""
    with Client.http(url, timeout=50) as opened:
        assert opened.server.era == "modern"


def test_calls(client, era):
    """Tools are listed and called, and a failure of the tool is told from an error."""
    assert client.server.era == era
    assert len(client.list_tools()) == 164
    assert client.call_tool("add", {"a": -1, "b": 43}).text == "42"
    assert client.call_tool("fail").is_error


def test_resources_and_prompts(client):
    """Resources are read and prompts are filled in."""
    assert client.read_resource("x:///city/Bern").text == "About Bern"
    assert (
        client.get_prompt("visit", {"city": "Bern"}).messages[0]["content"]["text"] == "Plan a visit to Bern."
    )


def test_errors(client):
    """An error is the server's own, whatever status it comes with (HTTP-22); FastMCP calls what is missing its own fault."""
    with pytest.raises(RemoteError) as caught:
        client.read_resource("x:///city/Atlantis")
    assert caught.value.code in (-32602, -32002, -32603)


def test_progress(client):
    """An answer with progress comes as a stream of events."""
    seen = []
    client.call_tool("count", {"to": 3}, on_progress=lambda step: seen.append(step.progress))
    assert seen == [1, 2, 3]


def test_many_calls_at_once(client):
    """Each answer goes to who asked."""
    calls = [client.submit("tools/call", {"name": "echo", "arguments": {"text": str(n)}}) for n in range(100)]
    assert [call.result()["content"][0]["text"] for call in calls] == [str(n) for n in range(100)]


def test_calls_that_are_given_up(client):
    """A call that nobody waits for ends on the server (CAN-2); in the older era, it is told so."""
    begun, ended = client.request("tools/call", {"name": "holds"})["structuredContent"]["result"]
    with pytest.raises(TimedOut):
        client.call_tool("hold", timeout=2)
    until(
        lambda: (
            client.request("tools/call", {"name": "holds"})["structuredContent"]["result"]
            == [begun + 1, ended + 1]
        )
    )
