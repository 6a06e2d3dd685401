"""The leak of a token, from end to end: what happens to it, and where it is not to be found."""

import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from readingroom.transport.auth_token_file import read
from support.asgi import headers_for
from support.messages import message
from support.processes import PATIENCE, until
from support.serving import HOST, free_port

WITHIN_S = 5.0
CANARY = "rr_editor_" + "C4nary-0" * 5 + "xyz"


class Serving:
    """A library that is served over HTTP for tokens, with all that belongs to it under one folder."""

    def __init__(self, root: Path) -> None:
        self.root, self.port = root, free_port()
        self.file = root / "private" / "tokens.json"
        docs = root / "docs"
        docs.mkdir()
        docs.joinpath("a.md").write_text("# A\n\nA book is lent for four weeks.\n")
        self.secret = self.token("add", "--role", "reader", "--stdout").strip()
        self.stderr: BinaryIO = root.joinpath("stderr.txt").open("wb")
        command = ["serve", str(docs), "--cache", str(root / "cache")]
        command += ["--http", f"{HOST}:{self.port}", "--tokens", str(self.file)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "readingroom", *command],
            stdin=subprocess.DEVNULL,
            stderr=self.stderr,
            env={**os.environ, "HOME": str(root), "XDG_DATA_HOME": str(root / "data")},
        )

    def answers(self) -> bool:
        """Whether it listens."""
        assert self.process.poll() is None, (self.root / "stderr.txt").read_text()
        try:
            return self.post(message(1, "server/discover"), "")[0] == 401
        except OSError:
            return False

    def token(self, *arguments: str) -> str:
        """Run the command that keeps the tokens."""
        command = [sys.executable, "-m", "readingroom", "token", *arguments, "--tokens", str(self.file)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    @contextlib.contextmanager
    def sent(
        self, told: dict[str, Any], token: str, path: str = "/mcp"
    ) -> Iterator[http.client.HTTPResponse]:
        """Post a message and give what begins to come back."""
        fields = {
            name.decode(): value.decode() for name, value in headers_for(told, host=f"{HOST}:{self.port}")
        }
        if token:
            fields["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("POST", path, json.dumps(told), fields)
            with connection.getresponse() as answer:
                yield answer

    def post(self, told: dict[str, Any], token: str, path: str = "/mcp") -> tuple[int, bytes]:
        """Post a message and give the status and the body."""
        with self.sent(told, token, path) as answer:
            return answer.status, answer.read()

    def end(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.stderr.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """Serve while a test runs."""
    serving = Serving(tmp_path)
    try:
        until(serving.answers)
        yield serving
    finally:
        serving.end()


def test_the_leak_of_a_token(serving: Serving) -> None:
    """It is revoked by its id: within five seconds what it had opened is over, and it opens nothing more."""
    listen = message(5, "subscriptions/listen", {"notifications": {"resourcesListChanged": True}})
    with serving.sent(listen, serving.secret) as stream:
        assert stream.status == 200
        assert b"acknowledged" in stream.readline()
        (record,) = read(serving.file)
        serving.token("revoke", record.id)
        began = time.monotonic()
        assert b'"resultType"' in stream.read()
        assert time.monotonic() - began < WITHIN_S + 2  # of which the last two are this machine's own
    assert serving.post(message(1, "tools/list"), serving.secret)[0] == 401


def test_a_token_is_not_to_be_found(serving: Serving) -> None:
    """Neither one that is good nor one that is not: in no answer, no log, no list of processes and no file."""
    asked = message(1, "tools/call", {"name": "library_search", "arguments": {"query": "book"}})
    replies = [
        serving.post(asked, serving.secret),
        serving.post(asked, CANARY),
        serving.post(asked, CANARY + " " + CANARY),
        serving.post(asked, serving.secret, f"/mcp?access_token={CANARY}"),
        serving.post(asked, "", f"/{CANARY}"),
    ]
    assert [status for status, _ in replies] == [200, 401, 400, 400, 404]
    listed = serving.token("list") + serving.token("list", "--json")
    seen = [body for _, body in replies] + [listed.encode()]
    for name in ("cmdline", "environ"):
        with contextlib.suppress(FileNotFoundError):  # on Linux alone
            seen.append(Path(f"/proc/{serving.process.pid}/{name}").read_bytes())
    serving.end()
    files = [path for path in serving.root.rglob("*") if path.is_file()]
    assert serving.file in files
    assert len(files) > 5
    seen += [path.read_bytes() for path in files]
    for secret in (serving.secret, CANARY):
        assert not any(secret.encode() in one or secret[10:].encode() in one for one in seen)
    assert (
        b"refused a token from 127.0.0.1: it is unknown, revoked or expired"
        in (serving.root / "stderr.txt").read_bytes()
    )
