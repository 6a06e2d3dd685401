"""How the clients of other SDKs begin and end with our servers: what they say first, what they say at all, how they end.

One session of each client passes through a tap that writes down every line (peers/tap.py). That nothing is left of a
server once its client has closed is checked wherever one closes (`Driven.close`).
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.peers import MODERN, SCRIPTS, Driven

pytestmark = pytest.mark.peers

PREFIX = "io.modelcontextprotocol/"
ROOT = Path(__file__).resolve().parents[2]


class Session:
    """What passed between a client and one process that it had started."""

    def __init__(self, log: Path) -> None:
        lines = log.read_text("utf-8").splitlines()
        self.exit = lines[-1] if lines[-1].startswith("=") else None
        self.sent: list[Any] = [json.loads(line[2:]) for line in lines if line.startswith("> ")]
        self.heard: list[Any] = [json.loads(line[2:]) for line in lines if line.startswith("< ")]

    @property
    def requests(self) -> list[Any]:
        """The messages of the client that ask for an answer."""
        return [message for message in self.sent if "id" in message]


@pytest.fixture(scope="module")
def sessions(
    connect: Callable[..., Driven], workshop: str, tmp_path_factory: pytest.TempPathFactory
) -> list[Session]:
    """Give what was said in a session with a bit of everything, by each process that the client started."""
    folder = tmp_path_factory.mktemp("taps")
    tapped = connect(str(SCRIPTS / "tap.py"), str(folder), sys.executable, workshop)
    tapped.ok("list_all", what="tools")
    tapped.structured("add", a=1, b=2)
    tapped.ok("call_many", name="add", each=[{"a": 1, "b": number} for number in range(20)])
    tapped.failure("add", a="1", b=2)
    assert tapped.ok("cancel", name="hold") == "cancelled"
    tapped.ok("read", uri="x:///fixed")
    tapped.ok("prompt", name="visit", arguments={"city": "Bern"})
    tapped.close()
    return [Session(log) for log in folder.iterdir()]


def test_the_first_word(sessions, client_name):
    """Each client asks `server/discover` first; the TypeScript one does so of a process of its own (VER-4)."""
    firsts = sorted(session.sent[0]["method"] for session in sessions if session.sent)
    expected = ["server/discover", "tools/list"] if client_name == "typescript" else ["server/discover"]
    assert firsts == expected
    for session in sessions:
        assert "initialize" not in [message["method"] for message in session.sent]


def test_what_a_client_says(sessions):
    """Every request has its metadata and an id of its own, and a cancellation names a request (META-1, RPC-2, CAN-1)."""
    for session in sessions:
        for message in session.requests:
            meta = message["params"]["_meta"]
            assert meta[PREFIX + "protocolVersion"] == MODERN
            assert isinstance(meta[PREFIX + "clientCapabilities"], dict)
            assert isinstance(meta[PREFIX + "clientInfo"]["name"], str)
        ids = [message["id"] for message in session.requests]
        assert len(ids) == len(set(ids))
        notices = [message for message in session.sent if "id" not in message]
        assert {message["method"] for message in notices} <= {"notifications/cancelled"}
        assert all(message["params"]["requestId"] in ids for message in notices)


def test_every_request_is_answered_once(sessions):
    """Each request has one answer with its id, but for the one that was cancelled, which has none (CAN-3)."""
    for session in sessions:
        cancelled = [message["params"]["requestId"] for message in session.sent if "id" not in message]
        owed = [message["id"] for message in session.requests if message["id"] not in cancelled]
        answered = [message["id"] for message in session.heard if "id" in message]
        assert sorted(answered, key=repr) == sorted(owed, key=repr)


def test_the_server_ends_by_itself(sessions):
    """When the client closes its side the server ends well before anyone has to kill it (STDIO-6)."""
    ended = [session.exit for session in sessions if session.sent and len(session.sent) > 1]
    assert ended == ["= 0"]


def test_closing_over_a_call_under_way(connect, workshop):
    """A client that is closed over a call that would not end leaves nothing running: our server ends when it is told to."""
    driven = connect(workshop)
    driven.ok("leave_running", name="hold")
    driven.close()


def test_the_older_era_is_refused(connect, workshop):
    """Where the older era is turned off, a client that begins with `initialize` is told which revision is served (VER-5)."""
    error = connect(workshop, "modern", mode="legacy").connected["error"]
    assert (error["code"], error["data"]) == (-32602, {"supported": [MODERN]})
    assert MODERN in error["message"]


def test_notes(connect):
    """The notes server works with any client, here told to speak the modern revision and no other."""
    driven = connect(str(ROOT / "examples" / "notes_server.py"), "ada", mode=MODERN)
    assert driven.ok("info")["version"] == MODERN
    made = driven.structured("notes_create", title="Paste", text="Four parts water")
    assert made == {"id": "n1", "author": "ada", "title": "Paste", "text": "Four parts water"}
    assert driven.structured("notes_search", query="WATER paste") == {"result": [made]}
    listed = driven.ok("list_all", what="resources")["items"]
    assert [item["uri"] for item in listed] == ["notes:///n0", "notes:///n1"]
    assert "Four parts water" in driven.ok("read", uri="notes:///n1")["contents"][0]["text"]
    assert "only its author" in driven.failure("notes_delete", id="n0")
    assert driven.structured("notes_delete", id="n1") == {"result": "Deleted n1."}
    assert "Write the first note" in str(driven.ok("prompt", name="review_note", arguments={"id": "n0"}))
    driven.close()
