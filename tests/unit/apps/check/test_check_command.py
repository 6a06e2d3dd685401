"""The command: what it prints, writes and refuses, and its exit code."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from readingroom import ConnectFailed
from readingroom.apps.check import report
from readingroom.apps.check.verdicts import Finding
from readingroom.apps.faults import UsageFault
from readingroom.apps.running import run
from readingroom.errors import UsageError

from ..streams import console, written

SERVERS = Path(__file__).resolve().parents[3] / "check" / "servers"
PYTHON = [sys.executable, "-S", "-E"]
BAD = [*PYTHON, str(SERVERS / "misbehaving.py")]


def ran(*arguments: str, code: int = 0, is_terminal: bool = False) -> tuple[str, str]:
    """Run `check`, and give what it wrote to stdout and stderr."""
    given = console(err_is_terminal=is_terminal)
    assert run(["check", *arguments], given) == code
    return written(given.out), written(given.err)


def test_a_broken_rule() -> None:
    """It is told with what was seen and what to do, and the exit code is 1."""
    out, err = ran("--only", "VER-1", "--", *BAD, "wrong-code-for-an-unknown-version", code=1)
    out = " ".join(out.split())
    assert "broken VER-1 MUST" in out
    assert "was refused with -32602, not refused with -32022" in out
    assert "got {" in out
    assert "→ Answer -32022" in out
    assert "0 rules kept, 1 broken, 0 warnings, 0 not reached" in out
    assert err == ""


def test_a_rule_that_is_kept() -> None:
    """It is listed with --all alone; what is being tried is told on a terminal."""
    out, err = ran("--all", "--only", "VER-1", "--", *PYTHON, str(SERVERS / "good.py"), is_terminal=True)
    assert "\nkept  VER-1" in out
    assert "a request of a version that is not served is sent (VER-1)" in err
    out, err = ran("--only", "VER-1", "--quiet", "--", *PYTHON, str(SERVERS / "good.py"), is_terminal=True)
    assert "\nkept" not in out
    assert "--all lists" in out
    assert "VER-1" not in err


def test_warnings_and_strict() -> None:
    """What the specification recommends is a warning, and counts when it is asked for."""
    command = ("--only", "PRO-3", "--", *BAD, "wrong-code-for-an-unknown-prompt")
    assert "warning  PRO-3" in ran(*command)[0]
    assert "broken  PRO-3" in ran("--strict", *command, code=1)[0]


def test_tools_that_do_more_than_read_are_not_called(tmp_path: Path) -> None:
    """Unless that is allowed: the tool leaves a trace."""
    trace = tmp_path / "trace"
    command = ("--only", "TOOL-8", "--env", f"REMOVED={trace}", "--", *PYTHON, str(SERVERS / "good.py"))
    ran(*command)
    assert not trace.exists()
    ran("--call-tools", *command)
    assert trace.read_text("utf-8") == "called"


def test_json_and_junit(tmp_path: Path) -> None:
    """Both name the rule, with what was seen."""
    report_file = tmp_path / "check.xml"
    command = ("--only", "VER-1", "--only", "LOG-3", "--only", "VER-2", "--", *BAD, "offers-an-older-version")
    out, _ = ran("--json", "--junit", str(report_file), *command)
    told = json.loads(out)
    assert told["summary"] == {"kept": 2, "broken": 0, "warning": 1, "not_reached": 0}
    by_rule = {one["rule"]: one for one in told["rules"]}
    assert by_rule["VER-2"]["verdict"] == "warning"
    assert by_rule["VER-2"]["todo"]
    assert by_rule["VER-1"]["link"].startswith("https://")
    assert told["startSeconds"] > 0
    suite = ET.fromstring(report_file.read_bytes())  # noqa: S314  -- written just now
    assert suite.attrib["tests"] == "3"
    assert [case.attrib["name"] for case in suite] == ["VER-1", "VER-2", "LOG-3"]
    assert "warning" in str(suite[1][0].text)


def test_junit_of_every_verdict() -> None:
    """Broken is a failure, not reached is skipped; what XML cannot hold is left out."""
    findings = [
        Finding("RPC-4", "broken", "x\x1b", "y", 1),
        Finding("RPC-5", "not reached", "none"),
        Finding("RPC-6", "kept"),
    ]
    suite = ET.fromstring(report.as_junit(findings, "a\x00b"))  # noqa: S314  -- made just now
    assert suite.attrib["name"] == "readingroom check ab"
    assert [[inner.tag for inner in case] for case in suite] == [["failure"], ["skipped"], []]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "either the command"),
        (["http://x.example/mcp", "--", "a"], "either the command"),
        (["--timeout", "0", "--", "a"], "--timeout"),
        (["--cwd", "/no/such", "--", "a"], "--cwd"),
        (["--only", "RPC-44", "--", "a"], "did you mean RPC-4"),
        (["--only", "nothing at all", "--", "a"], "--all lists"),
        (["--header", "x", "http://x.example/mcp"], "--header"),
        (["--"], "either the command"),
    ],
)
def test_what_is_refused(arguments: list[str], told: str) -> None:
    """With what to do instead."""
    with pytest.raises((UsageFault, UsageError), match=told):
        run(["check", *arguments], console())


def test_a_url_that_is_none() -> None:
    """Only HTTP is spoken."""
    for url in ("ftp://x.example/", "http://[", "/mcp"):
        with pytest.raises(UsageError, match="URL"):
            run(["check", url], console())


def test_a_server_that_is_not_there() -> None:
    """It cannot be started."""
    with pytest.raises(ConnectFailed, match="cannot start"):
        run(["check", "--", "/no/such/program"], console())


@pytest.fixture
def guarded() -> Iterator[tuple[str, list[str | None]]]:
    """An endpoint that wants a token, and the tokens that it was given."""
    tokens: list[str | None] = []

    class Guard(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            tokens.append(self.headers.get("Authorization"))
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Guard)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/mcp", tokens
    server.shutdown()
    server.server_close()


def test_a_server_that_wants_a_token(guarded: tuple[str, list[str | None]], tmp_path: Path) -> None:
    """It says so; a token is read from a file."""
    url, tokens = guarded
    token = tmp_path / "token"
    token.write_text("secret\nmore\n", "utf-8")
    with pytest.raises(ConnectFailed, match="--token-file"):
        run(["check", "--token-file", str(token), "--header", "X-A: b", url], console())
    assert tokens == ["Bearer secret"]
    token.write_text("\n", "utf-8")
    with pytest.raises(UsageFault, match="no token"):
        run(["check", "--token-file", str(token), url], console())
