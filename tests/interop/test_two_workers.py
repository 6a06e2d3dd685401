"""Two worker processes behind nginx, which gives each its turn, answer one client: nothing is kept by a connection."""

import http.client
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.messages import CAPABILITIES, LATEST, message
from support.proxying import proxied

pytestmark = pytest.mark.peers

REPLICA = str(Path(__file__).parent / "servers" / "replica.py")
PATIENCE = 30.0
TASKS = "io.modelcontextprotocol/tasks"
DECLARED = {CAPABILITIES: {"elicitation": {}, "extensions": {TASKS: {}}}}
NAMES = {
    "tools/call": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}


class Client:
    """Posts requests, each on a connection of its own, so that the proxy gives them to the workers in turn."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.number = 0

    @contextmanager
    def open(self, method: str, members: dict[str, Any] | None = None) -> Iterator[http.client.HTTPResponse]:
        """Send a request and give its response, unread, until the block ends."""
        self.number += 1
        told = message(self.number, method, members, DECLARED)
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": LATEST,
            "Mcp-Method": method,
        }
        if method in NAMES:
            fields["Mcp-Name"] = (members or {})[NAMES[method]]
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request("POST", "/mcp", json.dumps(told), fields)
            with connection.getresponse() as response:
                yield response

    def result(self, method: str, members: dict[str, Any] | None = None) -> Any:
        """Send a request and give its result."""
        with self.open(method, members) as response:
            answer = json.loads(response.read())
        assert answer["id"] == self.number
        assert "result" in answer, answer
        return answer["result"]

    def call(self, tool: str, **more: Any) -> Any:
        """Call a tool and give the result."""
        return self.result("tools/call", {"name": tool, "arguments": {}, **more})

    def task(self, task_id: str, *states: str) -> Any:
        """Ask for a task until it is in one of these states."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.result("tasks/get", {"taskId": task_id}))["status"] not in states:
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of two replicas."""
    folder = tmp_path_factory.mktemp("replicas")
    command = [sys.executable, REPLICA, "{port}", str(folder / "tasks.db")]
    with proxied(folder, command, command) as port:
        yield Client(port)


def accept(**content: str) -> dict[str, Any]:
    """An answer to a form."""
    return {"action": "accept", "content": content}


def test_both_workers_answer(client: Client) -> None:
    """In turn: the tests below would show nothing otherwise."""
    answered = [client.call("worker")["structuredContent"]["result"] for _ in range(6)]
    assert len(set(answered)) == 2
    assert answered[0] != answered[1]


def test_rounds_go_on_at_another_worker(client: Client) -> None:
    """What was answered before travels with the client."""
    first = client.call("journey")
    second = client.call(
        "journey", inputResponses={"start": accept(value="Bern")}, requestState=first["requestState"]
    )
    assert list(second["inputRequests"]) == ["goal"]
    third = client.call(
        "journey", inputResponses={"goal": accept(value="Ulm")}, requestState=second["requestState"]
    )
    assert third["structuredContent"] == {"result": "Bern to Ulm"}


def test_pages_go_on_at_another_worker(client: Client) -> None:
    """Each cursor is taken by whoever is next."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = client.result("resources/list", cursor)
        found += [item["uri"] for item in page["resources"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert found == [f"r:///{number:03}" for number in range(25)]


@pytest.mark.parametrize("delay", [0, 1])
def test_a_task_is_found_answered_and_finished_from_another_worker(client: Client, delay: int) -> None:
    """Whichever of them runs it."""
    for _ in range(delay):
        client.call("worker")
    task_id = client.call("errand")["taskId"]
    waiting = client.task(task_id, "input_required")
    (key,) = waiting["inputRequests"]
    client.result("tasks/update", {"taskId": task_id, "inputResponses": {key: accept(value="milk")}})
    done = client.task(task_id, "completed", "failed")
    assert done["result"]["structuredContent"]["result"].startswith("milk by ")


@pytest.mark.parametrize("delay", [0, 1])
def test_a_task_is_cancelled_from_another_worker(client: Client, delay: int) -> None:
    """Whichever of them runs it."""
    for _ in range(delay):
        client.call("worker")
    task_id = client.call("watch")["taskId"]
    client.result("tasks/cancel", {"taskId": task_id})
    assert client.task(task_id, "cancelled", "completed", "failed")["status"] == "cancelled"


def events_of(response: http.client.HTTPResponse) -> Iterator[Any]:
    """The messages of a stream, one after the other."""
    for line in response:
        if line.startswith(b"data: "):
            yield json.loads(line.removeprefix(b"data: "))


def test_a_change_of_the_folder_is_heard_at_either_worker(tmp_path: Path) -> None:
    """Each process follows the folder for those that listen to it, and each serves the cursors of the other."""
    folder, proxy = tmp_path / "documents", tmp_path / "proxy"
    folder.mkdir()
    proxy.mkdir()
    for number in range(30):
        (folder / f"note-{number:02}.md").write_text(
            f"# Note {number}\n\nWhat is kept here is note {number}.\n"
        )
    keys = tmp_path / "keys"
    keys.touch(mode=0o600)
    keys.write_text(f"{secrets.token_hex(32)}\n")
    command = [
        sys.executable, "-m", "readingroom", "serve", str(folder), "--http", "127.0.0.1:{port}",
        "--allowed-host", "localhost", "--cache", str(tmp_path / "cache"), "--keys", str(keys),
    ]  # fmt: skip
    with proxied(proxy, command, command) as port:
        client = Client(port)
        uri = "library:///note-07.md"
        first = client.call("library_search", arguments={"query": "note kept", "limit": 5})[
            "structuredContent"
        ]
        more = client.call(
            "library_search", arguments={"query": "note kept", "limit": 5, "cursor": first["cursor"]}
        )["structuredContent"]
        assert len({item["uri"] for item in (*first["items"], *more["items"])}) == 10
        wanted = {"notifications": {"resourceSubscriptions": [uri]}}
        with ExitStack() as open_ones:
            responses = [
                open_ones.enter_context(client.open("subscriptions/listen", wanted)) for _ in range(2)
            ]
            streams = [events_of(response) for response in responses]
            for stream in streams:
                assert next(stream)["method"] == "notifications/subscriptions/acknowledged"
            beside = folder / ".note-07.md.new"
            beside.write_text("# Note 7\n\nChanged.\n")
            os.replace(beside, folder / "note-07.md")  # noqa: PTH105  -- as an editor saves
            for stream in streams:
                assert next(stream)["params"]["uri"] == uri
            for _ in range(2):
                assert "Changed" in client.result("resources/read", {"uri": uri})["contents"][0]["text"]
