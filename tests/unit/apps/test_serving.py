"""`readingroom serve` as an AI app sees it: a process that speaks the protocol on stdout and nothing else."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client
from readingroom.apps import serving
from readingroom.apps.planning import planned
from readingroom.apps.settings import settings_from
from support.shelves import Shelves

from .streams import TerminalStream

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
COMMAND = [sys.executable, "-m", "readingroom", "serve"]
FRESH_S = 45.0


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """A public and an internal document."""
    shelves = Shelves(tmp_path)
    shelves.document("rules.md", "# Rules\n\nA book is lent for four weeks.\n")
    shelves.document("staff/codes.md", "# Codes\n\nThe book safe opens with 4711.\n", visibility="internal")
    return shelves


def client(
    shelves: Shelves, *arguments: str, env: dict[str, str] | None = None, lines: list[str] | None = None
) -> Client:
    """A client of a server over the folder; its stderr goes to `lines`."""
    command = [*COMMAND, str(shelves.docs), "--cache", str(shelves.cache), *arguments]
    return Client.stdio(command, env=env, stderr=[].append if lines is None else lines.append)


def paths(at: Client, query: str) -> list[str]:
    """The paths that a search names."""
    return [hit["path"] for hit in at.call_tool("library_search", {"query": query}).structured["items"]]


def served(*arguments: str, **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Serve a process whose input is one request."""
    request = (EXAMPLES / "discover.json").read_bytes()
    return subprocess.run(
        [*COMMAND, *arguments], input=request, capture_output=True, timeout=50, check=False, **given
    )


def test_one_request_one_line(tmp_path: Path) -> None:
    """A request on stdin gives one line on stdout, nothing on stderr, and 0."""
    done = served(str(EXAMPLES / "library"), "--cache", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert json.loads(done.stdout)["result"]["supportedVersions"] == ["2026-07-28"]


def test_stdout_and_stderr_in_one_file(tmp_path: Path) -> None:
    """It makes no difference where the streams lead."""
    with (tmp_path / "out").open("w+b") as file:
        command = [*COMMAND, str(EXAMPLES / "library"), "--cache", str(tmp_path / "cache")]
        request = (EXAMPLES / "discover.json").read_bytes()
        assert (
            subprocess.run(
                command, input=request, stdout=file, stderr=file, timeout=50, check=False
            ).returncode
            == 0
        )
    assert (tmp_path / "out").read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("before", [[], ["--"]], ids=["the quick way", "by argparse"])
def test_search_through_the_server(shelves: Shelves, before: list[str]) -> None:
    """A client finds what stands in the folder, without waiting for a scan of its own making."""
    command = [*COMMAND, "--cache", str(shelves.cache), *before, str(shelves.docs)]
    with Client.stdio(command) as at:
        assert paths(at, "four weeks") == ["rules.md"]


@pytest.mark.parametrize(
    ("arguments", "env", "found"),
    [
        ((), {}, ["rules.md"]),
        ((), {"READINGROOM_ROLE": "editor"}, ["rules.md", "staff/codes.md"]),
        (("--role", "editor"), {}, ["rules.md", "staff/codes.md"]),
        (("--role", "reader"), {"READINGROOM_ROLE": "editor"}, ["rules.md"]),
        (("--internal", "rules.md"), {}, []),
        (("--internal", "rules.md", "--role", "editor"), {}, ["rules.md", "staff/codes.md"]),
        (("--leave-out", "staff/**", "--role", "editor"), {}, ["rules.md"]),
    ],
)
def test_roles(shelves: Shelves, arguments: tuple[str, ...], env: dict[str, str], found: list[str]) -> None:
    """What an app sees is decided by the command line and the environment alone."""
    with client(shelves, *arguments, env=env) as at:
        assert sorted(paths(at, "book")) == found


def test_stderr_names_no_internal_path(shelves: Shelves) -> None:
    """Hosts show a server's stderr to agents: a reader's names nothing internal, whatever happens to the file."""
    lines: list[str] = []
    shelves.write("staff/broken.md", b"---\nvisibility: [\n---\n\xff\xfe\x00")
    with client(shelves, lines=lines) as at:
        paths(at, "book")
        at.call_tool("library_read", {"path": "staff/codes.md"})
    assert "staff" not in "".join(lines)


def test_changes_are_seen(shelves: Shelves) -> None:
    """What changes while the server runs is served as it stands, and a change that is met brings the next scan about."""
    with client(shelves, "--rescan", "3600") as at:
        assert paths(at, "weeks") == ["rules.md"]
        shelves.document("rules.md", "# Rules\n\nA book is lent for six weeks.\n")
        shelves.write("new.md", "# New\n\nA giraffe.\n", at=None)
        deadline = time.monotonic() + FRESH_S
        while sorted(paths(at, "giraffe weeks")) != ["new.md", "rules.md"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert "six weeks" in at.call_tool("library_read", {"path": "rules.md"}).text


def test_cursors_outlive_the_process(shelves: Shelves) -> None:
    """A cursor that one server gave is taken by the next one on the same folder."""
    for number in range(60):
        shelves.write(f"{number:02}.md", "x\n")
    with client(shelves) as at:
        first = at.call_tool("library_list", {}).structured
    with client(shelves) as at:
        second = at.call_tool("library_list", {"cursor": first["cursor"]}).structured
    assert len(first["items"]) + len(second["items"]) == 61
    assert not {item["path"] for item in first["items"]} & {item["path"] for item in second["items"]}


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["/no/such/folder"], 3, "There is no folder /no/such/folder."),
        ([__file__], 3, "is not a folder"),
        ([".", "--role", "admin"], 2, "--role must be reader or editor, not 'admin'"),
        ([".", "--rescan", "0"], 2, "--rescan"),
        ([".", "--internal", "a["], 2, "'a['"),
        ([".", "--cache", "./cache"], 3, "inside the folder"),
        ([], 2, "FOLDER"),
        ([".", "--rol", "reader"], 2, "did you mean --role?"),
    ],
)
def test_what_is_wrong_is_told_before(arguments: list[str], code: int, told: str, tmp_path: Path) -> None:
    """Nothing is served when it could not be: one line on stderr, nothing on stdout, and the code of the table."""
    done = served(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, b"")
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(shelves: Shelves, number: signal.Signals) -> None:
    """Ctrl-C and SIGTERM end the server with 0, quietly."""
    command = [*COMMAND, str(shelves.docs), "--cache", str(shelves.cache)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((EXAMPLES / "discover.json").read_bytes())
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, b"", b"")


@pytest.mark.parametrize(("options", "member"), [((), "result"), (("--modern-only",), "error")])
def test_older_clients_are_served_unless_it_is_turned_off(
    shelves: Shelves, options: tuple[str, ...], member: str
) -> None:
    """`--modern-only` refuses their handshake."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode()
    command = [*COMMAND, str(shelves.docs), "--cache", str(shelves.cache), *options]
    done = subprocess.run(command, input=request + b"\n", capture_output=True, timeout=50, check=False)
    assert member in json.loads(done.stdout)


def test_the_folder_is_not_written_to(shelves: Shelves) -> None:
    """Serving leaves the folder as it was."""
    before = {
        file: (file.read_bytes(), file.stat().st_mtime_ns)
        for file in shelves.docs.rglob("*")
        if file.is_file()
    }
    with client(shelves) as at:
        paths(at, "book")
    after = {
        file: (file.read_bytes(), file.stat().st_mtime_ns)
        for file in shelves.docs.rglob("*")
        if file.is_file()
    }
    assert after == before


def test_a_person_is_told_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started by hand, the server says on stderr what it is for; started by an app, it says nothing."""
    plan = planned({"folder": "a\x1bb"}, {})
    for stream, told in ((TerminalStream(), "Serving a⟨U+001B⟩b to the role reader"), (io.StringIO(), "")):
        err = io.StringIO()
        monkeypatch.setattr(sys, "stdin", stream)
        monkeypatch.setattr(sys, "stderr", err)
        serving._greet(plan)
        assert err.getvalue().startswith(told)
        assert bool(err.getvalue()) is bool(told)


def test_a_folder_that_vanishes_is_no_traceback(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """When the library cannot be opened in the background, one line names the kind of fault, and no path."""
    from readingroom.apps import compose

    monkeypatch.setattr(serving, "_FIRST_ANSWER_S", 0.0)
    given = settings_from({"folder": str(shelves.docs / "gone")}, {})
    before = set(threading.enumerate())
    serving.start_soon(compose.Opening(given))
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert capsys.readouterr().err == "readingroom: the library could not be opened (FolderUnusable)\n"


def test_the_end_does_not_wait_for_a_slow_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan that does not end holds the process up for a moment only."""
    from readingroom.apps import compose

    forever = threading.Event()
    opening = compose.Opening(settings_from({"folder": os.curdir}, {}))
    monkeypatch.setattr(serving, "_CLOSING_S", 0.01)
    monkeypatch.setattr(opening, "close", forever.wait)
    serving.close(opening)
    forever.set()
