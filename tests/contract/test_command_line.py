"""The client's command line against servers of ours, over stdio and over HTTP, as people and scripts use it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client, Closed, FileLogins, PeerProtocolError, Unauthorized
from readingroom.apps.faults import UsageFault, told
from readingroom.apps.questions import Unanswered
from readingroom.apps.running import run
from readingroom.client.oauth_tokens import Tokens
from support.processes import PATIENCE
from support.serving import served
from unit.apps.streams import console, written

TESTS = Path(__file__).resolve().parents[1]
DESK = str(TESTS / "contract" / "servers" / "desk_of_all.py")
OLDER = str(TESTS / "fault" / "servers" / "older.py")
LISTENING = str(TESTS / "fault" / "servers" / "listening.py")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the desk over HTTP."""
    with served(DESK, "--http", "{port}") as found:
        yield found


@pytest.fixture(params=["stdio", "http"])
def server(request: pytest.FixtureRequest, url: str) -> list[str]:
    """Give how the server is named on a command line."""
    return ["--", sys.executable, DESK] if request.param == "stdio" else ["--url", url]


def ran(*arguments: str, code: int = 0, **how: Any) -> tuple[str, str]:
    """Run a command, and give what it wrote to stdout and stderr."""
    given = console(environment={"NO_COLOR": "1", "READINGROOM_LOGINS": "/nowhere/logins.json"}, **how)
    assert run(arguments, given) == code
    return written(given.out), written(given.err)


def test_list(server: list[str]) -> None:
    """What a server says of itself is harmless."""
    out, _ = ran("list", *server)
    assert out.startswith("desk⟨U+001B⟩[2J 1\n")
    assert "Tools: 2\n" in out
    assert "d:///{+path}" in out


def test_read(server: list[str], tmp_path: Path) -> None:
    """Text as it is, and harmless where somebody looks at it; bytes in words, or into a file."""
    assert ran("read", "d:///a", *server)[0] == "one\u202etwo\n"
    assert ran("read", "d:///a", *server, out_is_terminal=True)[0] == "one⟨U+202E⟩two\n"
    assert ran("read", "d:///b", *server)[0].startswith("[d:///b: ")
    assert json.loads(ran("read", "--json", "d:///b", *server)[0])["contents"][0]["blob"] == "AP8="
    for uri, data in (("d:///a", "one\u202etwo".encode()), ("d:///b", b"\x00\xff")):
        ran("read", uri, "--output", str(tmp_path / "x"), *server)
        assert (tmp_path / "x").read_bytes() == data


def test_prompt(server: list[str]) -> None:
    """The messages, each with who says it."""
    out, _ = ran("prompt", "review", "topic=a=b", *server)
    assert out == "user:\na=b None\n\nassistant:\nyes\x1b\n"
    assert "yes⟨U+001B⟩" in ran("prompt", "review", "topic=x", *server, out_is_terminal=True)[0]
    assert len(json.loads(ran("prompt", "--json", "review", "topic=x", *server)[0])["messages"]) == 2


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["reveiw", "topic=x"], "did you mean review?"),
        (["xyzzy"], "lists no prompt 'xyzzy'"),
        (["review"], "needs topic: give topic=…"),
        (["review", "tpoic=x"], "did you mean topic?"),
        (["review", "topic=x", "xyzzy=y"], "it takes topic, tone"),
        (["review", "topic=x", "topic=y"], "topic is given twice"),
        (["review", "topic"], "written key=value"),
        ([], "name the prompt"),
    ],
)
def test_prompts_that_are_not_there(arguments: list[str], fault: str, url: str) -> None:
    """The fault says what there is."""
    with pytest.raises(UsageFault) as caught:
        ran("prompt", *arguments, "--url", url)
    assert fault in str(caught.value)


def test_complete(server: list[str]) -> None:
    """One value a line, harmless; that there are more is told on stderr; none is the code 1."""
    topic = ("complete", "--prompt", "review", "topic")
    assert ran(*topic, "x", "--chosen", "tone=dry", *server)[0] == "xs⟨U+001B⟩\ndry\n"
    assert ran(*topic, *server, code=1) == ("", "")
    assert json.loads(ran(*topic, "x", "--json", *server)[0])["values"] == ["xs\x1b"]
    out, err = ran("complete", "--template", "d:///{+path}", "path", "n", *server)
    assert out.startswith("n0\nn1\n")
    assert "There are more than these 100" in err


@pytest.mark.parametrize("options", [[], ["--prompt", "review", "--template", "d:///{+path}"]])
def test_complete_of_what(options: list[str], url: str) -> None:
    """It must be said what the argument is of, and but once."""
    with pytest.raises(UsageFault, match="--prompt NAME or --template URI"):
        ran("complete", *options, "x", "--url", url)


def test_complete_by_a_server_that_does_not() -> None:
    """A server that declares no completions is not asked."""
    with pytest.raises(UsageFault, match="does not declare completions"):
        ran("complete", "--prompt", "x", "y", "--", sys.executable, LISTENING)


def test_a_form_at_the_terminal(server: list[str]) -> None:
    """A person is asked in the round, and the tool goes on with the answer."""
    out, err = ran(
        "call", "greet", *server, typed=["Ada", "3", "yes"], out_is_terminal=True, err_is_terminal=True
    )
    assert out == "Hello, Ada and 3⟨U+001B⟩[31m\n"
    assert "Who⟨U+001B⟩ is there?" in err
    out, _ = ran("call", "greet", *server, typed=[":decline"], err_is_terminal=True, code=1)
    assert out == "Nobody.\n"


@pytest.mark.skipif(os.name == "nt", reason="it needs a pseudo terminal")
def test_a_form_at_a_real_terminal() -> None:
    """The command itself asks where stdin and stderr are a terminal, and prints the result to stdout alone."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "readingroom", "call", "greet", "--", sys.executable, DESK]
    with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        shown = b""
        for asked, typed in ((b"> ", b"Ada\n"), (b"> [2] ", b"\n"), (b"yes or no: ", b"yes\n")):
            while not shown.endswith(asked):
                shown += os.read(ours, 4096)
            os.write(ours, typed)
        out, _ = process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert process.returncode == 0
    assert out.decode() == "Hello, Ada and 2\x1b[31m\n"
    assert b"\x1b[2J" not in shown


def test_a_form_in_a_script(server: list[str]) -> None:
    """--answer fills it in; without it, and with what does not do, the command ends with 9."""
    assert ran("call", "greet", "--answer", "name=Ada", *server)[0] == "Hello, Ada and 2\x1b[31m\n"
    for given in ([], ["--answer", "guests=1"]):
        with pytest.raises(Unanswered, match="--answer") as caught:
            ran("call", "greet", *given, *server)
        assert told(caught.value)[0] == 9


OLD_FORM = {
    "message": "Who?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}
OLD = (
    "method=elicitation/create",
    f"params:={json.dumps(OLD_FORM)}",
    "--",
    sys.executable,
    OLDER,
    "2025-11-25",
)


def test_a_form_of_the_older_era() -> None:
    """A server that asks by a request of its own is answered in the same ways, and what is not answered is the code 9."""
    accepted = {"action": "accept", "content": {"name": "Ada"}}
    assert json.loads(ran("call", "ask", "--answer", "name=Ada", *OLD)[0])["result"] == accepted
    out, err = ran("call", "ask", *OLD, typed=["Ada", "yes"], err_is_terminal=True)
    assert json.loads(out)["result"] == accepted
    assert "asks you to fill in a form" in err
    with pytest.raises(Unanswered, match="--answer name=…"):
        ran("call", "ask", "--answer", "other=1", *OLD)


CRASHING = "import sys; sys.exit(4)"


def _file(tmp_path: Path, url: str) -> str:
    place = tmp_path / "mcp.json"
    servers = {
        "slow": {"command": sys.executable, "args": ["-c", "import time; time.sleep(600)"]},
        "web": {"type": "http", "url": url},
        "desk": {"command": sys.executable, "args": [DESK], "env": {"A": "${A:-b}"}},
        "crash": {"command": sys.executable, "args": ["-c", CRASHING]},
        "gone": {"url": "http://127.0.0.1:9/mcp"},
        "bad": {"command": "x", "env": {"K": "${NO_SUCH_KEY}"}},
        "off": {"command": "x", "disabled": True},
    }
    place.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return str(place)


def test_all_servers_of_a_file(tmp_path: Path, url: str) -> None:
    """Side by side, in the order of the file; each that cannot be asked takes one line, and the code is 1."""
    out, err = ran("list", "--all", "--config", _file(tmp_path, url), "--timeout", "3", code=1)
    parts = out.split("\n\n")
    begins = [
        part
        for part in parts
        if part.partition(":")[0].strip() in ("slow", "web", "desk", "crash", "gone", "bad")
    ]
    assert [part.partition(":")[0].strip() for part in begins] == [
        "slow",
        "web",
        "desk",
        "crash",
        "gone",
        "bad",
    ]
    assert all("\n" not in begins[at].strip() for at in (0, 3, 4, 5))
    assert begins[1].strip() == "web: desk⟨U+001B⟩[2J 1"
    assert "exit code 4" in begins[3]
    assert "the variable NO_SUCH_KEY" in begins[5]
    assert f"off is turned off in {tmp_path}" in err


def test_all_servers_as_json(tmp_path: Path, url: str) -> None:
    """By name, each with what it listed or with its error."""
    found = json.loads(
        ran("list", "--all", "--json", "--config", _file(tmp_path, url), "--timeout", "3", code=1)[0]
    )
    servers = found["servers"]
    assert [tool["name"] for tool in servers["desk"]["tools"]] == [
        tool["name"] for tool in servers["web"]["tools"]
    ]
    assert servers["crash"]["error"]["code"] == 5
    assert servers["bad"]["error"]["code"] == 2
    assert "off" not in servers


@pytest.mark.parametrize(
    "option", [["--cwd", "."], ["--header", "a: b"], ["--token-file", "x"], ["--ca", "x"]]
)
def test_options_of_one_server(option: list[str]) -> None:
    """What is for one server is not given to all."""
    with pytest.raises(UsageFault, match="are for one server"):
        ran("list", "--all", *option)


def test_one_server_of_a_file(tmp_path: Path, url: str) -> None:
    """It is named the same way everywhere."""
    named = ("--server", "desk", "--config", _file(tmp_path, url))
    assert ran("read", "d:///a", *named)[0] == "one\u202etwo\n"
    assert ran("call", "change", *named)[0] == "changed\n"


@contextlib.contextmanager
def watching(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run `readingroom watch` until it says that it watches, and give it."""
    command = [sys.executable, "-m", "readingroom", "watch", *arguments]
    environment = {**os.environ, "READINGROOM_LOGINS": "/nowhere/logins.json"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment
    ) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline().startswith(
                "Watching the list of resources, d:///a; Ctrl-C ends it."
            )
            yield process
        finally:
            process.kill()


def test_watch_until_enough(url: str) -> None:
    """Each change is printed when it happens; --first ends it."""
    with watching("--resources", "--uri", "d:///a", "--json", "--first", "2", "--url", url) as process:
        with Client.http(url) as client:
            client.call_tool("change")
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    found = [json.loads(line) for line in out.splitlines()]
    assert sorted(one["kind"] for one in found) == ["resource_updated", "resources_changed"]
    assert [one["uri"] for one in found if "uri" in one] == ["d:///a"]
    assert all(one["at"].endswith("Z") for one in found)


@pytest.mark.skipif(os.name == "nt", reason="SIGINT cannot be sent to one process there")
def test_watch_until_it_is_stopped(url: str) -> None:
    """Ctrl-C is the way to end it: the code is 0, and nothing is said of it."""
    with watching("--resources", "--uri", "d:///a", "--url", url) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")


def test_watch_over_restarts() -> None:
    """A server that dies is started again, and Resumed says that anything may have changed; one that keeps dying ends it."""
    command = ["--uri", "x:///dies", "--json", "--", sys.executable, LISTENING]
    out, _ = ran("watch", "--first", "3", *command)
    assert [json.loads(line)["kind"] for line in out.splitlines()] == [
        "resource_updated",
        "resumed",
        "resource_updated",
    ]


def test_watch_that_is_lost() -> None:
    """A subscription that cannot be had again is the code 7."""
    with pytest.raises(Closed) as caught:
        ran("watch", "--uri", "x:///cancels", "--", sys.executable, LISTENING)
    assert told(caught.value)[0] == 7


def test_watch_that_the_server_ends() -> None:
    """It is told on stderr; what is not granted, too."""
    out, err = ran("watch", "--uri", "x:///ends", "--tools", "--", sys.executable, LISTENING)
    assert out[8:] == "  changed: x:///u\n"
    assert "Watching x:///all" in err
    assert "The server does not tell of tools, x:///ends.\n" in err
    assert err.endswith("The server has ended the subscription.\n")


def test_watch_by_default(url: str) -> None:
    """Without a name, what the server says that it tells of; when it tells of nothing, that is said."""
    with pytest.raises(UsageFault, match="name a resource with --uri"):
        ran("watch", "--", sys.executable, LISTENING)
    with pytest.raises(UsageFault, match="--first"):
        ran("watch", "--first", "-1", "--url", url)


def test_a_tolerant_client() -> None:
    """With --tolerant a breach that can be gone on after is counted on stderr, and the answer is there."""
    # It talks once it has been asked something: what is heard before is nobody's answer.
    talking = (
        "import runpy, select; select.select([0], [], []); print('Hello!', flush=True); "
        f"runpy.run_path({DESK!r}, run_name='__main__')"
    )
    named = ("change", "--", sys.executable, "-c", talking)
    with pytest.raises(PeerProtocolError):
        ran("call", *named)
    out, err = ran("call", "--tolerant", *named)
    assert out == "changed\n"
    assert err.startswith("The server broke the protocol once:\n  STDIO-2: ")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve a library that asks for tokens; give its address, and a file that holds a good one."""
    root = tmp_path_factory.mktemp("guarded")
    (root / "docs").mkdir()
    (root / "docs" / "a.md").write_text("# A\n\nLent for four weeks.\n", "utf-8")
    tokens = str(root / "private" / "tokens.json")
    adding = [sys.executable, "-m", "readingroom", "token", "add", "--role", "reader", "--stdout"]
    adding += ["--tokens", tokens]
    secret = subprocess.run(adding, capture_output=True, check=True).stdout
    (root / "token").write_bytes(secret)
    options = ("--cache", str(root / "cache"), "--http", "127.0.0.1:{port}", "--tokens", tokens)
    with served("-m", "readingroom", "serve", str(root / "docs"), *options) as found:
        yield found, root / "token"


def test_a_token(guarded: tuple[str, Path], tmp_path: Path) -> None:
    """From a file, or as a header; what is refused is the code 9, and the fault holds no token."""
    url, file = guarded
    secret = file.read_text().strip()
    for given in (["--token-file", str(file)], ["--header", f"Authorization: Bearer {secret}"]):
        assert ran("list", *given, "--url", url)[0].startswith("readingroom ")
    wrong = tmp_path / "wrong"
    wrong.write_text(secret[:-1] + ("a" if secret[-1] != "a" else "b"))
    for given in ([], ["--token-file", str(wrong)]):
        with pytest.raises(Unauthorized) as caught:
            ran("list", *given, "--url", url)
        assert told(caught.value)[0] == 9
        assert secret[:-1] not in str(caught.value)


def test_a_login_that_is_kept(guarded: tuple[str, Path], tmp_path: Path) -> None:
    """What `readingroom login` keeps for the URL is used by itself, and for that URL alone."""
    url, file = guarded
    kept = Tokens(client_id="us", resource=url, access=file.read_text().strip())
    logins = FileLogins(tmp_path / "private" / "logins.json")
    with logins.changing() as write:
        write(logins.read().with_tokens("https://issuer.example", url, kept, "https://issuer.example/token"))
    at = console(environment={"READINGROOM_LOGINS": str(tmp_path / "private" / "logins.json")})
    assert run(["read", "library:///a.md", "--url", url], at) == 0
    assert "four weeks" in written(at.out)
    with pytest.raises(Unauthorized):
        run(["read", "library:///a.md", "--url", url.replace("127.0.0.1", "localhost")], at)
