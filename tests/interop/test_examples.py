"""The example servers do what they are there to show, through the client and in raw bytes."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def command(script: str, *arguments: str) -> list[str]:
    """Give the command that starts an example."""
    return [sys.executable, str(EXAMPLES / script), *arguments]


@pytest.fixture
def notes() -> Iterator[Callable[[str], Client]]:
    """Start the notes server for a principal; every one that was started is ended."""
    opened: list[Client] = []

    def start(principal: str) -> Client:
        client = Client.stdio(command("notes_server.py", principal)).open()
        opened.append(client)
        return client

    yield start
    for client in opened:
        client.close()


def test_minimal_server() -> None:
    """One tool, found by listing, called, and refused what its schema does not allow."""
    with Client.stdio(command("minimal_server.py")) as client:
        assert [tool.name for tool in client.list_tools()] == ["count_words"]
        assert client.call_tool("count_words", {"text": "one two  three"}).structured == {"result": 3}
        assert client.call_tool("count_words", {"text": 5}).is_error


def test_notes_are_created_and_found(notes: Callable[[str], Client]) -> None:
    """A note belongs to the principal that the server was started for, whatever the client calls itself."""
    client = notes("ada")
    made = client.call_tool("notes_create", {"title": "Paste", "text": "Four parts water"}).structured
    assert made == {"id": "n1", "author": "ada", "title": "Paste", "text": "Four parts water"}
    found = client.call_tool("notes_search", {"query": "WATER paste"}).structured
    assert found == {"result": [made]}
    assert client.call_tool("notes_search", {"query": "fire"}).structured == {"result": []}


def test_only_the_author_may_delete(notes: Callable[[str], Client]) -> None:
    """The check stands inside the tool, and its refusal is one that a model can read."""
    client = notes("ada")
    refused = client.call_tool("notes_delete", {"id": "n0"})
    assert refused.is_error
    assert refused.text == "The note 'n0' belongs to the house; only its author may delete it."
    client.call_tool("notes_create", {"title": "Mine", "text": "…"})
    assert client.call_tool("notes_delete", {"id": "n1"}).text == "Deleted n1."
    assert client.call_tool("notes_delete", {"id": "n1"}).is_error
    assert client.read_resource("notes:///n0").text.startswith("# Welcome")


def test_notes_as_resources(notes: Callable[[str], Client]) -> None:
    """Notes are listed and read as resources; one that is not there is an error of the protocol."""
    from readingroom import RemoteError

    client = notes("ada")
    client.call_tool("notes_create", {"title": "Mine", "text": "words"})
    assert [(item.uri, item.title) for item in client.list_resources()] == [
        ("notes:///n0", "Welcome"),
        ("notes:///n1", "Mine"),
    ]
    assert client.read_resource("notes:///n1").text == "# Mine\n\nwords\n\n— ada\n"
    with pytest.raises(RemoteError) as caught:
        client.read_resource("notes:///n9")
    assert caught.value.code == -32602


def test_notes_prompt(notes: Callable[[str], Client]) -> None:
    """The prompt holds the note."""
    (message,) = notes("ada").get_prompt("review_note", {"id": "n0"}).messages
    assert "Write the first note" in message["content"]["text"]


def test_hints_of_the_notes(notes: Callable[[str], Client]) -> None:
    """Each tool says whether it changes anything."""
    hints = {tool.name: tool.annotations or {} for tool in notes("ada").list_tools()}
    assert hints["notes_search"]["readOnlyHint"] is True
    assert hints["notes_create"]["destructiveHint"] is False
    assert hints["notes_delete"]["destructiveHint"] is True


@pytest.mark.parametrize(
    ("script", "arguments", "call", "structured"),
    [
        ("minimal_server.py", {"text": "a b"}, "count_words", {"result": 2}),
        ("notes_server.py", {"query": "first"}, "notes_search", None),
    ],
)
def test_in_raw_bytes(script: str, arguments: dict[str, Any], call: str, structured: Any) -> None:
    """Any client can use the examples: a line in, a line out, and the process ends with its input."""
    params = {"name": call, "arguments": arguments, "_meta": META}
    line = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": params})
    done = subprocess.run(
        command(script), input=line.encode() + b"\n", capture_output=True, timeout=50, check=True
    )
    answer = json.loads(done.stdout)
    assert (answer["id"], answer["result"].get("isError", False)) == ("x", False)
    assert done.stderr == b""
    if structured is not None:
        assert answer["result"]["structuredContent"] == structured


@pytest.mark.parametrize("script", ["minimal_server.py", "notes_server.py"])
def test_they_are_short(script: str) -> None:
    """An example can be read at a glance."""
    assert len((EXAMPLES / script).read_text("utf-8").splitlines()) <= 80


def test_demo() -> None:
    """The demo finds the address of a document for each of its three questions, and says what to do next."""
    done = subprocess.run(command("demo.py"), capture_output=True, timeout=200, check=False)
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    first, *answers = out.partition("\nNext")[0].strip().split("\n\n")
    assert "MCP 2026-07-28" in first
    questions = ["постоянный адрес", "缓存", "How long may I keep a borrowed book?"]
    assert [answer.partition("\n")[0] for answer in answers] == questions
    assert all("library:///" in answer and " lines " in answer for answer in answers)
    assert "readingroom" in out.partition("\nNext")[2]
