"""The tutorial, typed as it says: its blocks make a server that works, and its client and its command find it so."""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom import Client

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "first-server.md"
FENCED = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PATIENCE = 60.0
RUN = "app.run()\n"
"""The last line of the server; every block goes above it."""


def blocks(language: str) -> list[str]:
    """The blocks of the page in one language, in their order."""
    return [
        found["text"] for found in FENCED.finditer(PAGE.read_text("utf-8")) if found["language"] == language
    ]


def without(source: str, names: set[str]) -> str:
    """A program without the functions of those names, which a later block replaces."""
    lines = source.splitlines(keepends=True)
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            first = min(node.lineno, *(part.lineno for part in node.decorator_list))
            del lines[first - 1 : node.end_lineno]
    return "".join(lines)


def assembled() -> str:
    """The server, from its first block and those that go above its last line."""
    source, *further = blocks("python")[:-1]
    assert source.endswith(RUN)
    source = source.removesuffix(RUN)
    for block in further:
        names = {node.name for node in ast.parse(block).body if isinstance(node, ast.FunctionDef)}
        source = without(source, names) + "\n\n" + block
    return source + "\n\n" + RUN


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the page has one save; `python` is the one that runs the tests."""
    (tmp_path / "shelf.py").write_text(assembled(), "utf-8")
    (tmp_path / "try_shelf.py").write_text(blocks("python")[-1], "utf-8")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    """A client of the server."""
    with Client.stdio([sys.executable, "shelf.py"], cwd=folder, timeout=PATIENCE) as opened:
        yield opened


def test_every_block_can_be_typed() -> None:
    """None is a fragment of something."""
    assert len(blocks("python")) == 6
    for block in blocks("python"):
        ast.parse(block)


def test_every_feature_works(client: Client) -> None:
    """Each tool, each resource and each prompt, and none is left out here."""
    assert {tool.name for tool in client.list_tools()} == {"author_of", "books", "count_pages"}
    assert client.call_tool("author_of", {"title": "Emma"}).structured == {"result": "Jane Austen"}
    refused = client.call_tool("author_of", {"title": "Ulysses"})
    assert (refused.is_error, refused.text) == (
        True,
        "No 'Ulysses' on the shelf. There are: emma, dead souls.",
    )
    books = client.call_tool("books").structured["result"]
    assert books[0] == {"title": "emma", "author": "Jane Austen"}
    told: list[float] = []
    pages = client.call_tool("count_pages", on_progress=lambda progress: told.append(progress.progress))
    assert (pages.structured, told) == ({"result": 876}, [1, 2])
    assert [template.uri_template for template in client.list_templates()] == ["shelf:///{title}"]
    assert client.list_resources() == []
    assert client.read_resource("shelf:///dead%20souls").text == "Nikolai Gogol"
    assert [prompt.name for prompt in client.list_prompts()] == ["recommend"]
    (message,) = client.get_prompt("recommend", {"mood": "merry"}).messages
    assert "emma, dead souls" in message["content"]["text"]


def test_the_first_block_works_alone(folder: Path) -> None:
    """As the page has it at that point: what is not on the shelf is an internal error."""
    (folder / "shelf.py").write_text(blocks("python")[0], "utf-8")
    command = [
        sys.executable,
        "-m",
        "readingroom",
        "call",
        "author_of",
        "title=Ulysses",
        "--",
        "python",
        "shelf.py",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert "Internal error" in done.stderr
    assert "incident" in done.stderr


def test_the_client_block_runs(folder: Path) -> None:
    """Silently, with exit code 0."""
    done = subprocess.run([sys.executable, "try_shelf.py"], cwd=folder, capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_command_runs(folder: Path) -> None:
    """And shows what the tool gave."""
    (text,) = blocks("sh")
    program, *words = shlex.split(text)
    assert program == "readingroom"
    done = subprocess.run(
        [sys.executable, "-m", "readingroom", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, "Jane Austen" in done.stdout) == (0, True)
