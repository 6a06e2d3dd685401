"""`readingroom serve --http` as apps and operators see it: a process, its answers, its roles, its end."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.processes import PATIENCE
from support.shelves import Shelves

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A public and an internal document, and sixty that fill more than a page."""
    shelves = Shelves(tmp_path)
    shelves.document("rules.md", "# Rules\n\nA book is lent for four weeks.\n")
    shelves.document("staff/codes.md", "# Codes\n\nThe book safe opens with 4711.\n", visibility="internal")
    for number in range(60):
        shelves.write(f"many/{number:02}.md", "x\n")
    return shelves


class _Serving:
    """A process that serves the shelves over HTTP."""

    def __init__(self, shelves: Shelves, *arguments: str) -> None:
        self.environment = {**os.environ, "XDG_DATA_HOME": str(shelves.docs.parent / "data")}
        command = [
            *COMMAND,
            str(shelves.docs),
            "--cache",
            str(shelves.cache),
            "--http",
            "127.0.0.1:0",
            *arguments,
        ]
        pipes: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        self.process = subprocess.Popen(command, env=self.environment, text=True, **pipes)
        assert self.process.stderr is not None
        self.line = self.process.stderr.readline()
        self.url = next((word for word in self.line.split() if word.startswith("http")), "")

    def ask(self, method: str, params: dict[str, Any], **headers: str) -> tuple[int, Any]:
        """Send one request; give the status and the answer."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            **({"Mcp-Name": params["name"]} if "name" in params else {}),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        request = urllib.request.Request(self.url, json.dumps(body).encode(), fields)  # noqa: S310  -- our own server
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  -- as above
                return answer.status, _read(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _read(error.read())

    def call(self, tool: str, arguments: dict[str, Any], **headers: str) -> Any:
        """Call a tool; give its structured content, or the text of its error."""
        status, answer = self.ask("tools/call", {"name": tool, "arguments": arguments}, **headers)
        assert status == 200, answer
        result = answer["result"]
        return result["content"][0]["text"] if result.get("isError") else result["structuredContent"]

    def paths(self, query: str, **headers: str) -> list[str]:
        """Search; give the paths of the hits."""
        return sorted(
            hit["path"] for hit in self.call("library_search", {"query": query}, **headers)["items"]
        )

    def end(self) -> tuple[int, str, str]:
        """End it by SIGTERM; give exit code, stdout, and the rest of stderr."""
        self.process.terminate()
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def _read(data: bytes) -> Any:
    """Read JSON, or the last message of a stream of events."""
    if data.startswith((b"data:", b":")):
        data = [line for line in data.split(b"\n") if line.startswith(b"data:")][-1].removeprefix(b"data:")
    return json.loads(data)


COMMAND = [sys.executable, "-m", "readingroom", "serve"]


@contextlib.contextmanager
def _serving(shelves: Shelves, *arguments: str) -> Iterator[_Serving]:
    serving = _Serving(shelves, *arguments)
    try:
        yield serving
    finally:
        if serving.process.poll() is None:
            serving.process.kill()
        serving.process.communicate()


def _token(shelves: Shelves, role: str) -> tuple[str, str]:
    """Add a token for a role; give the file and the value of Authorization."""
    folder = shelves.docs.parent / "tokens"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / "tokens.json"
    command = [
        sys.executable,
        "-m",
        "readingroom",
        "token",
        "add",
        "--stdout",
        "--role",
        role,
        "--tokens",
        str(file),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return str(file), f"Bearer {done.stdout.split()[-1]}"


def test_everybody_is_a_reader_without_authorization(shelves: Shelves) -> None:
    """What is public is found, what is internal is not; the line that tells the address tells this as well."""
    with _serving(shelves) as serving:
        assert serving.line == (
            f"readingroom: serving {serving.url} to everybody, as reader; Ctrl-C ends it\n"
        )
        assert serving.paths("book") == ["rules.md"]
        with urllib.request.urlopen(serving.url.replace("/mcp", "/healthz"), timeout=PATIENCE) as answer:  # noqa: S310  -- ours
            assert answer.status == 200
        assert serving.end() == (0, "", "")


@pytest.mark.parametrize(
    ("capped", "role", "found"),
    [
        ("editor", "editor", ["rules.md", "staff/codes.md"]),
        ("editor", "reader", ["rules.md"]),
        ("reader", "editor", ["rules.md"]),
    ],
)
def test_a_token_has_its_role_and_never_more_than_the_server_has(
    shelves: Shelves, capped: str, role: str, found: list[str]
) -> None:
    """Nobody is served without one."""
    file, token = _token(shelves, role)
    with _serving(shelves, "--tokens", file, "--role", capped) as serving:
        assert f"to tokens, as {capped} at most" in serving.line
        assert serving.paths("book", Authorization=token) == found
        assert serving.ask("tools/list", {})[0] == 401
        assert serving.end()[0] == 0


def test_cursors_are_shared_by_processes_and_kept_to_their_principals(shelves: Shelves) -> None:
    """Another process opens them, with the key that the first has made; another principal gets a refusal."""
    file, one = _token(shelves, "reader")
    _, other = _token(shelves, "editor")
    with _serving(shelves, "--tokens", file) as first, _serving(shelves, "--tokens", file) as second:
        cursor = first.call("library_list", {}, Authorization=one)["cursor"]
        assert second.call("library_list", {"cursor": cursor}, Authorization=one)["items"]
        refused = second.call("library_list", {"cursor": cursor}, Authorization=other)
        assert refused.startswith("The cursor does not belong to this call")
        status, page = first.ask("resources/list", {}, Authorization=one)
        assert status == 200
        assert page["result"]["resources"]


def test_keys_may_be_handed_in(shelves: Shelves) -> None:
    """Processes with other keys do not open each other's cursors."""
    keys = shelves.docs.parent / "keys"
    keys.write_text("11" * 32)
    keys.chmod(0o600)
    with _serving(shelves, "--keys", str(keys)) as first, _serving(shelves) as second:
        cursor = first.call("library_list", {})["cursor"]
        assert first.call("library_list", {"cursor": cursor})["items"]
        assert second.call("library_list", {"cursor": cursor}).startswith("The cursor does not belong")


def test_names_and_origins_are_those_of_the_options(shelves: Shelves) -> None:
    """A request under another name is misdirected, a page of another origin may not ask; the path is the public one."""
    file, token = _token(shelves, "reader")
    options = (
        "--behind-proxy",
        "--public-url",
        "https://docs.example/x/mcp",
        "--allowed-origin",
        "https://app.example",
    )
    with _serving(shelves, *options, "--tokens", file) as serving:
        assert serving.url.endswith("/x/mcp")

        def status(**fields: str) -> int:
            return serving.ask("tools/list", {}, Authorization=token, **fields)[0]

        assert status(Host="docs.example") == 200
        assert status(Host="evil.example") == 421
        assert status(Origin="https://app.example") == 200
        assert status(Origin="https://evil.example") == 403


def test_older_clients_are_served_unless_it_is_turned_off(shelves: Shelves) -> None:
    """`--modern-only` refuses their handshake."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    found = []
    for options in ((), ("--modern-only",)):
        with _serving(shelves, *options) as serving:
            fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            asking = urllib.request.Request(serving.url, json.dumps(request).encode(), fields)  # noqa: S310  -- ours
            try:
                with urllib.request.urlopen(asking, timeout=PATIENCE) as answer:  # noqa: S310  -- ours
                    found.append(answer.status)
            except urllib.error.HTTPError as error:
                with error:
                    found.append(error.code)
    assert found == [200, 400]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(shelves: Shelves, number: signal.Signals) -> None:
    """Ctrl-C and SIGTERM end the server with 0, quietly."""
    with _serving(shelves) as serving:
        serving.process.send_signal(number)
        assert serving.process.wait(PATIENCE) == 0
        assert serving.process.stderr is not None
        assert serving.process.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--http", "192.0.2.1:0"], 2, "say who may ask, by --tokens or --oauth-issuer"),
        (["--http", "127.0.0.1:0", "--behind-proxy"], 2, "--behind-proxy lets others ask: say who may"),
        (
            ["--http", "127.0.0.1:0", "--public-url", "https://docs.example.org/mcp"],
            2,
            "--public-url lets others ask: say who may",
        ),
        (
            ["--http", "192.0.2.1:0", "--tokens", "TOKENS"],
            2,
            "give --tls-cert and --tls-key, or say --behind-proxy",
        ),
        (
            ["--http", "192.0.2.1:0", "--tokens", "TOKENS", "--behind-proxy"],
            70,
            "this machine has no such address",
        ),
        (["--http", "127.0.0.1:0", "--role", "editor"], 2, "without authorization everybody is a reader"),
        (["--http", "127.0.0.1"], 2, "--http must be HOST:PORT"),
        (
            ["--http", "127.0.0.1:0", "--tls-cert", "none.pem"],
            2,
            "the TLS certificate none.pem cannot be read",
        ),
        (["--http", "127.0.0.1:0", "--keys", "none"], 2, "the keys none cannot be read"),
        (["--public-url", "https://a/"], 2, "--public-url is for serving over HTTP"),
    ],
)
def test_what_is_wrong_is_told_before(shelves: Shelves, arguments: list[str], code: int, told: str) -> None:
    """Nothing is served when it should not be: one line, and the code of the table."""
    if "TOKENS" in arguments:
        file, _ = _token(shelves, "reader")
        arguments = [file if argument == "TOKENS" else argument for argument in arguments]
    command = [*COMMAND, str(shelves.docs), "--cache", str(shelves.cache), *arguments]
    environment = {**os.environ, "XDG_DATA_HOME": str(shelves.docs.parent / "data")}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
