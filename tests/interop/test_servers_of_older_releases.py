"""Our client and servers on releases of the official SDKs from before, each in the revision of its time.

They know nothing of today's revision: the client has to find that out by itself. The servers are peers/serve_older.py and
older/serve_older.mjs.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from readingroom import Client, Closed, RemoteError, ResourceUpdated, Sampled, TimedOut, ToolsChanged
from support.peers import ROOT, SCRIPTS, installer
from support.processes import until

pytestmark = pytest.mark.peers

RELEASES = {
    "mcp-1.8": "2024-11-05",
    "mcp-1.9": "2025-03-26",
    "mcp-1.12": "2025-06-18",
    "sdk-1.4": "2024-11-05",
    "sdk-1.11": "2025-03-26",
    "sdk-1.17": "2025-06-18",
    "sdk-1.25": "2025-11-25",
}
HELLO = Sampled("assistant", {"type": "text", "text": "hello"}, "m")
FORMS = {
    "mcp-1.12": "accept {'amount': 3}",
    "sdk-1.17": 'accept {"amount":3}',
    "sdk-1.25": 'accept {"amount":3}',
}


def command_of(release: str) -> list[str]:
    """Give the command of the server on a release."""
    if release.startswith("mcp"):
        return [str(installer().python_of(release)), str(SCRIPTS / "serve_older.py")]
    return [str(installer().node_program()), str(ROOT / "tests/interop/older/serve_older.mjs"), release]


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    """Name a release."""
    return str(request.param)


def form(_: Any) -> Any:
    """Fill in the form."""
    return {"amount": 3}


@pytest.fixture(scope="module")
def client(release: str) -> Iterator[Client]:
    """Give a client that found out by itself, and hold against the server that it broke no rule."""
    with Client.stdio(
        command_of(release),
        timeout=50,
        stderr=lambda _: None,
        probe_seconds=3,
        on_elicit_form=form,
        on_sample=lambda _: HELLO,
        roots=["file:///a"],
    ) as client:
        yield client
        assert client.violations == (0, [])


def test_agreement(client, release):
    """The newest revision is agreed on that the release knows (ERA-2, LEG-1)."""
    assert (client.server.era, client.server.version) == ("older", RELEASES[release])
    assert client.server.server["name"] == "larder"
    assert client.server.instructions == "Ask."


def test_calls(client):
    """Tools are listed and called, and fail."""
    assert [tool.name for tool in client.list_tools()][:3] == ["add", "count", "hold"]
    assert client.call_tool("add", {"a": -1, "b": 43}).text == "42"
    assert client.call_tool("fail").is_error


def test_resources_and_prompts(client, release):
    """Are listed and read, and refused where there are none."""
    assert client.read_resource("x:///fixed").text == "fixed"
    if release.startswith("mcp"):
        assert [resource.uri for resource in client.list_resources()] == ["x:///fixed"]
        assert [template.uri_template for template in client.list_templates()] == ["x:///city/{city}"]
        assert client.read_resource("x:///city/Bern").text == "About Bern"
        assert client.get_prompt("visit", {"city": "Bern"}).messages[0]["content"]["text"].endswith("Bern.")
    with pytest.raises(RemoteError):
        client.get_prompt("none")


def test_progress(client):
    """Reaches the caller (PROG-2)."""
    seen = []
    assert client.call_tool("count", {"to": 3}, on_progress=seen.append).text == "3"
    assert [step.progress for step in seen] == [1, 2, 3]


def test_asking(client, release):
    """What the server asks reaches the callbacks (LEG-9)."""
    assert client.call_tool("ask_model").text == "hello"
    assert client.call_tool("ask_roots").text == "file:///a"
    if release in FORMS:
        assert client.call_tool("ask_form").text == FORMS[release]


def test_changes(client, release):
    """Are told where the server says that it tells of them, and those of resources are asked for (LEG-6)."""
    with client.listen(tools=True, uris=["x:///fixed"]) as subscription:
        if release.startswith("mcp"):
            assert subscription.granted == {}
            assert client.call_tool("change").text == "said"
            assert subscription.next(0.01) is None
            return
        assert subscription.granted == {"toolsListChanged": True, "resourceSubscriptions": ["x:///fixed"]}
        client.call_tool("change")
        assert {subscription.next(30), subscription.next(30)} == {
            ToolsChanged(),
            ResourceUpdated("x:///fixed"),
        }
    until(lambda: client.call_tool("watched").text == "")


def test_time_outs(client, release):
    """End a call, and the next one is answered (CAN-6). At a cancellation two of them die, and start again (STDIO-7)."""
    with pytest.raises(TimedOut):
        client.call_tool("hold", timeout=0.3)
    if release in ("mcp-1.8", "mcp-1.9"):
        with pytest.raises(Closed):
            client.call_tool("add", {"a": 1, "b": 1})
    assert client.call_tool("add", {"a": 1, "b": 1}).text == "2"
