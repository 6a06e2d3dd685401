"""The official Inspector's command line and `readingroom serve` over the example library: each carrier, each era.

Unless told otherwise with `--protocol-era` it begins with `initialize`, as clients of revision 2025-11-25 do.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.peers import PATIENCE, ROOT, installer, text_of
from support.serving import served

pytestmark = pytest.mark.peers

PACKAGE = ROOT / "tests" / "interop" / "inspector" / "node_modules" / "@modelcontextprotocol" / "inspector"
LIBRARY = ROOT / "examples" / "library"
FIXTURE = str(ROOT / "tests" / "conformance" / "server.py")
README = "library:///README.md"
OK, FAILED, TOOL_FAILED = 0, 1, 5
"""Its exit codes: all went well, the server gave an error, a tool failed or is not there."""

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module", params=["modern", "legacy"])
def era(request: pytest.FixtureRequest) -> str:
    """Name an era as the Inspector does."""
    return str(request.param)


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Give the command that serves the library, with an index that all runs share."""
    cache = tmp_path_factory.mktemp("cache")
    return ["-m", "readingroom", "serve", str(LIBRARY), "--cache", str(cache)]


@pytest.fixture(scope="module")
def url(command: list[str]) -> Iterator[str]:
    """Serve the library over HTTP and give its address."""
    with served(*command, "--http", "127.0.0.1:{port}") as address:
        yield address


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give a folder for what it keeps of servers, which else goes to the user's."""
    return str(tmp_path_factory.mktemp("home"))


def inspector(server: list[str], era: str, home: str) -> Ask:
    """Run the Inspector for one request; give its exit code, and the result or else the error that it printed."""
    program, script = installer().node_program(), PACKAGE / "clients" / "launcher" / "build" / "index.js"
    assert program is not None, "Node.js is not installed; run: make test-peers"
    assert script.exists(), "the Inspector is not installed; run: make test-peers"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("NODE", "MCP"))}

    def ask(method: str, *options: str) -> tuple[int, Any]:
        how = ["--protocol-era", era, "--format", "json", "--quiet", "--method", method, *options]
        done = subprocess.run(
            [str(program), str(script), "--cli", *server, *how],
            env={**env, "HOME": home, "USERPROFILE": home},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            encoding="utf-8",
        )
        told = json.loads(done.stdout or done.stderr)
        return done.returncode, told.get("result", told.get("error"))

    return ask


@pytest.fixture(scope="module")
def ask(carrier: str, era: str, command: list[str], home: str, request: pytest.FixtureRequest) -> Ask:
    """Give what asks the library."""
    server = [sys.executable, *command] if carrier == "stdio" else [request.getfixturevalue("url")]
    return inspector(server, era, home)


def test_lists(ask):
    """Every list is there."""
    code, result = ask("tools/list")
    assert code == OK
    names = [tool["name"] for tool in result["tools"]]
    assert names == [f"library_{name}" for name in ("links", "list", "outline", "read", "search")]
    code, result = ask("resources/list")
    assert code == OK
    assert README in [item["uri"] for item in result["resources"]]
    code, result = ask("resources/templates/list")
    assert code == OK
    assert "library:///{+path}" in [item["uriTemplate"] for item in result["resourceTemplates"]]
    code, result = ask("prompts/list")
    assert code == OK
    assert "summarize_document" in [prompt["name"] for prompt in result["prompts"]]


def test_tools(ask):
    """A tool is called, with words of any script; one that fails, and one that is not there, are told apart."""
    code, result = ask("tools/call", "--tool-name", "library_search", "--tool-arg", "query=缓存", "limit=1")
    assert code == OK
    assert result["structuredContent"]["items"][0]["uri"] == "library:///zh/catalogue-cache.md"
    assert "library:///zh/catalogue-cache.md lines " in text_of(result)
    code, result = ask("tools/call", "--tool-name", "library_read", "--tool-arg", "path=none.md")
    assert (code, result["isError"]) == (TOOL_FAILED, True)
    code, error = ask("tools/call", "--tool-name", "no_such_tool")
    assert (code, error["code"]) == (TOOL_FAILED, "tool_not_found")


def test_schemas(ask):
    """It finds nothing in the tools' schemas that some host could not use."""
    code, _result = ask("tools/list", "--strict")
    assert code == OK


def test_resources(ask):
    """A document is read by its address; one that is not there is an error."""
    code, result = ask("resources/read", "--uri", README)
    assert code == OK
    (part,) = result["contents"]
    assert (part["uri"], part["mimeType"]) == (README, "text/markdown")
    code, error = ask("resources/read", "--uri", "library:///none.md")
    assert (code, error["message"]) == (FAILED, "Resource not found")


def test_prompts(ask):
    """A prompt is filled in; without an argument that it needs it is an error."""
    code, result = ask(
        "prompts/get", "--prompt-name", "summarize_document", "--prompt-args", "document=README.md"
    )
    assert code == OK
    assert result["messages"][1]["content"]["resource"]["uri"] == README
    code, error = ask("prompts/get", "--prompt-name", "summarize_document")
    assert (code, error["message"]) == (FAILED, "Missing argument: document")


def test_tasks(home):
    """It declares the tasks extension, and waits for tasks with the client that the extension comes with (TASK-6)."""
    with served(FIXTURE, "{port}") as url:
        ask = inspector([url], "modern", home)
        how = ["--tool-args-json", '{"seconds": 0.5, "label": "sums"}']
        code, result = ask("tools/call", "--tool-name", "slow_compute", *how)
        assert (code, text_of(result)) == (OK, "sums: computed for 0.5 s")
        # It is never done but as a task.
        code, result = ask("tools/call", "--tool-name", "failing_job")
        assert (code, result["isError"], text_of(result)) == (TOOL_FAILED, True, "the job has failed")
        code, error = ask("tools/call", "--tool-name", "protocol_error_job")
        assert (code, error["message"]) == (FAILED, "Internal error")
