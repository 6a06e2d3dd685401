"""The proxies of docs/how-to/serve-over-http.md do what the page says: requests and streams pass through them."""

import contextlib
import http.client
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.carriers import is_well
from support.processes import PATIENCE, until
from support.serving import free_port, served

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "serve-over-http.md"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def _configuration(language: str, folder: Path, port: int, backend: str) -> Path:
    """Write the page's configuration, without TLS and for other ports."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    text = found[1].replace("127.0.0.1:8000", backend)
    if language == "nginx":
        text = re.sub(
            r"\n *ssl_certificate.*", "", text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
        )
        paths = "".join(
            f"{name}_temp_path {folder}/{name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        head = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/log;\nevents {{}}\n"
        text = f"{head}http {{\naccess_log off;\n{paths}{text}\n}}\n"
    else:
        text = re.sub(r"bind :443 .*", f"bind 127.0.0.1:{port}", text)
    file = folder / "proxy.conf"
    file.write_text(text)
    return file


@contextlib.contextmanager
def _proxy(language: str, folder: Path, backend: str) -> Iterator[int]:
    program = shutil.which(language) or shutil.which(language, path="/usr/sbin")
    if program is None:
        pytest.skip(f"{language} is not installed")
    port = free_port()
    file = str(_configuration(language, folder, port, backend))
    command = [program, "-c", file] if language == "nginx" else [program, "-db", "-f", file]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: is_well(port))
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def add_token(folder: Path) -> tuple[str, str]:
    """Add a token; give the file of tokens and the token."""
    kept = folder / "tokens"
    kept.mkdir(mode=0o700)
    file = str(kept / "tokens.json")
    command = [
        sys.executable,
        "-m",
        "readingroom",
        "token",
        "add",
        "--stdout",
        "--role",
        "reader",
        "--tokens",
        file,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return file, done.stdout.split()[-1]


def _ask(
    port: int, token: str, method: str, **params: object
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}})
    fields = {
        "Host": "docs.example.org",
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
    }
    connection.request("POST", "/mcp", body, fields)
    return connection, connection.getresponse()


@pytest.mark.skipif(sys.platform == "win32", reason="neither is for Windows")
@pytest.mark.parametrize("language", ["nginx", "haproxy"])
def test_requests_and_streams_pass(language: str, tmp_path: Path) -> None:
    """An answer comes whole, and the first event of a stream comes while it is open."""
    library = Path(__file__).resolve().parents[2] / "examples" / "library"
    options = ("--behind-proxy", "--public-url", "https://docs.example.org/mcp")
    keys = tmp_path / "keys"
    keys.write_text("11" * 32)
    keys.chmod(0o600)
    cache = ("--cache", str(tmp_path / "cache"), "--keys", str(keys))
    tokens, token = add_token(tmp_path)
    options = (*options, "--tokens", tokens)
    command = ("-m", "readingroom", "serve", str(library), "--http", "127.0.0.1:{port}", *options, *cache)
    with served(*command) as url, _proxy(language, tmp_path, url.split("/")[2]) as port:
        connection, answer = _ask(port, token, "tools/list")
        assert answer.status == 200
        assert json.loads(answer.read())["result"]["tools"]
        connection.close()
        connection, answer = _ask(
            port, token, "subscriptions/listen", notifications={"resourcesListChanged": True}
        )
        assert answer.status == 200
        assert answer.getheader("content-type") == "text/event-stream"
        assert answer.readline().startswith(b'data: {"jsonrpc":"2.0"')
        connection.close()
