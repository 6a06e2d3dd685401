"""What the clients of other SDKs say over HTTP, and how our server takes it, mounted in a uvicorn that is not ours.

One session of each client in each era passes through a tap that writes down every request (servers/tapped_workshop.py).
"""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.peers import MODERN, Driven
from support.serving import served

pytestmark = pytest.mark.peers

OLDER = "2025-11-25"
TAPPED = str(Path(__file__).parent / "servers" / "tapped_workshop.py")
CALLS = Counter(
    {
        "server/discover": 1,
        "tools/list": 2,
        "tools/call": 2,
        "resources/read": 1,
        "prompts/get": 1,
    }
)


def session(connect: Callable[..., Driven], folder: Path, mode: str) -> list[dict[str, Any]]:
    """Give what passed in a session with a bit of everything, request by request."""
    log = folder / "requests"
    with served(TAPPED, "{port}", str(log)) as url:
        driven = connect(url, mode=mode)
        assert driven.connected == {"ok": "connected"}
        driven.ok("list_all", what="tools")
        driven.structured("add", a=1, b=2)
        assert driven.ok("cancel", name="hold") == "cancelled"
        driven.ok("read", uri="x:///fixed")
        driven.ok("prompt", name="visit", arguments={"city": "Bern"})
        driven.close()
    requests = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    for request in requests:
        request["message"] = json.loads(request["body"] or "{}")
    return requests


@pytest.fixture(scope="module")
def modern(connect: Callable[..., Driven], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Give a session in revision 2026-07-28."""
    return session(connect, tmp_path_factory.mktemp("modern"), "auto")


@pytest.fixture(scope="module")
def older(connect: Callable[..., Driven], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Give a session in revision 2025-11-25."""
    return session(connect, tmp_path_factory.mktemp("older"), "legacy")


def methods(requests: list[dict[str, Any]]) -> Counter[str]:
    """Count the messages by their methods."""
    return Counter(request["message"]["method"] for request in requests if request["message"])


def test_modern_session(modern):
    """Each message is a POST of its own, begun with `server/discover`; a call is cancelled by leaving (HTTP-15)."""
    assert modern[0]["message"]["method"] == "server/discover"
    assert methods(modern) == CALLS
    assert {(request["method"], request["status"]) for request in modern} == {("POST", 200)}


def test_modern_headers(modern):
    """Version, method and name stand in the headers as in the body, and there is no session (HDR-1, HDR-3)."""
    for request in modern:
        headers, message = request["headers"], request["message"]
        named = message["params"].get("name", message["params"].get("uri"))
        assert headers["mcp-protocol-version"] == MODERN
        assert headers["mcp-method"] == message["method"]
        assert headers.get("mcp-name") == named
        assert "mcp-session-id" not in headers


def test_older_session(older, client_name):
    """It begins with the handshake, and calls are cancelled by messages; not every client says that it goes (LEG-2)."""
    said = methods(older)
    expected = CALLS - Counter(["server/discover"])
    expected.update(["initialize", "notifications/initialized", "notifications/cancelled"])
    assert said == expected
    others = Counter(request["method"] for request in older if not request["message"])
    assert others == Counter(["GET"] if client_name == "typescript" else ["GET", "DELETE"])
    notices = [request for request in older if request["message"] and "id" not in request["message"]]
    assert {request["status"] for request in notices} == {202}
    assert all(200 <= request["status"] < 300 for request in older)


def test_older_headers(older):
    """All but the first request carry the session and the version that were agreed (LEG-2, LEG-3)."""
    assert "mcp-session-id" not in older[0]["headers"]
    assert len({request["headers"]["mcp-session-id"] for request in older[1:]}) == 1
    assert {request["headers"]["mcp-protocol-version"] for request in older[1:]} == {OLDER}
    assert not [request for request in older if "mcp-method" in request["headers"]]
