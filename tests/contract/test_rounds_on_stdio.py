"""A server that asks, in processes of its own: what one has asked, another goes on with if it has the keys."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.asking import accept
from support.messages import CAPABILITIES, frame

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "booking_server.py"
FORMS: dict[str, Any] = {CAPABILITIES: {"elicitation": {}}}
KEYS = "00112233445566778899aabbccddeeff"
Send = Callable[..., dict[str, Any]]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Send]]:
    """Start a server with these keys, and give what sends it a request and gives its answer."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(keys: str) -> Send:
        monkeypatch.setenv("BOOKING_KEYS", keys)
        process = subprocess.Popen(
            [sys.executable, str(EXAMPLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        processes.append(process)
        assert process.stdin
        assert process.stdout

        def send(arguments: dict[str, Any], meta: dict[str, Any] = FORMS, **more: Any) -> dict[str, Any]:
            members = {"name": "book_table", "arguments": arguments, **more}
            process.stdin.write(frame(1, "tools/call", members, meta) + b"\n")  # type: ignore[union-attr]  # seen above
            process.stdin.flush()  # type: ignore[union-attr]  # seen above
            answer: dict[str, Any] = json.loads(process.stdout.readline())  # type: ignore[union-attr]  # seen above
            return answer

        return send

    yield start
    for process in processes:
        process.communicate(timeout=30)
        assert process.returncode == 0


def go_on(send: Send, arguments: dict[str, Any], result: dict[str, Any], **answers: Any) -> dict[str, Any]:
    """Send the next round."""
    return send(arguments, requestState=result["requestState"], inputResponses=answers)


def test_a_table_is_booked_in_two_rounds(start: Callable[[str], Send]) -> None:
    """The guest is asked for a name, and then it is booked."""
    send, table = start(""), {"guests": 2, "time": "19:00"}
    asked = send(table)["result"]
    assert asked["inputRequests"]["value"]["params"]["message"] == "A table for 2 at 19:00: for whom?"
    booked = go_on(send, table, asked, value=accept(value="Ada"))["result"]
    assert booked["structuredContent"] == {"time": "19:00", "guests": 2, "name": "Ada"}


def test_a_guest_may_refuse(start: Callable[[str], Send]) -> None:
    """Nothing is booked then, and the model is told."""
    send, table = start(""), {"guests": 2, "time": "19:00"}
    refused = go_on(send, table, send(table)["result"], value={"action": "decline"})["result"]
    assert refused["content"][0]["text"] == "The guest does not want to book."
    assert refused["isError"] is True


def test_rounds_go_on_in_another_process(start: Callable[[str], Send]) -> None:
    """Whichever of several that share a key gets the request, also while the key is being replaced."""
    table = {"guests": 3, "time": "20:00"}
    first, second = start(KEYS), start(f"ffeeddccbbaa99887766554433221100 {KEYS}")
    asked = first(table)["result"]
    again = go_on(second, table, asked, value=accept(value="Ada"))["result"]
    schema = again["inputRequests"]["value"]["params"]["requestedSchema"]
    assert schema["properties"]["value"]["enum"] == ["18:00", "19:00"]
    assert (
        go_on(first, table, again, value=accept(value="18:00"))["error"]["message"] == "requestState rejected"
    )
    booked = go_on(second, table, again, value=accept(value="18:00"))["result"]
    assert booked["structuredContent"] == {"time": "18:00", "guests": 3, "name": "Ada"}


def test_rounds_of_a_process_without_the_key_are_its_own(start: Callable[[str], Send]) -> None:
    """Each makes a key of its own when it is given none."""
    table = {"guests": 3, "time": "19:00"}
    asked = start("")(table)["result"]
    error = go_on(start(""), table, asked, value=accept(value="Ada"))["error"]
    assert (error["code"], error["message"]) == (-32602, "requestState rejected")


def test_who_cannot_ask_is_told_so(start: Callable[[str], Send]) -> None:
    """Before the handler runs."""
    error = start("")({"guests": 2, "time": "19:00"}, {})["error"]
    assert error["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}


def test_the_example_is_short() -> None:
    """It can be read at a glance."""
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 60
