"""One way to name a server on every command line, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps import naming, reaching
from readingroom.apps.commands import COMMANDS
from readingroom.apps.faults import UsageFault
from readingroom.apps.running import module_of, parser_of, run
from readingroom.apps.targets import Target
from readingroom.client.authorization import Authorization

from .streams import console


def read(*arguments: str, command: str = "list") -> Any:
    """Read a command line."""
    found = next(one for one in COMMANDS if one.name == command)
    return module_of(found).read(parser_of(found), arguments)


def target(*arguments: str, environment: dict[str, str] | None = None) -> Target:
    """Give the server that a command line names."""
    return naming.target_of(read(*arguments), environment or {"HOME": "/nowhere"})


def test_by_command_and_by_url() -> None:
    """A command after `--`, or an address."""
    assert target("--", "python", "x.py", "--url").command == ("python", "x.py", "--url")
    assert target("--url", "https://x.example/mcp").url == "https://x.example/mcp"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name a server"),
        (("--",), "name a server"),
        (("--url", "https://x.example", "--", "y"), "name one server"),
        (("--url", "https://x.example", "--server", "y"), "name one server"),
        (("--", "https://x.example/mcp"), "--url https://x.example/mcp"),
        (("--server", "x"), "no servers are known"),
        (("--server", "x", "--config", "/no/such/file"), "cannot be read"),
    ],
)
def test_what_names_no_server(arguments: tuple[str, ...], told: str) -> None:
    """The fault says what to give."""
    with pytest.raises(UsageFault) as caught:
        target(*arguments)
    assert told in str(caught.value)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the home of a user, and stand in a project beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "home"


def write(place: Path, **servers: Any) -> None:
    """Write a configuration file."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"mcpServers": servers}), "utf-8")


def test_by_name(home: Path) -> None:
    """The user's own files are looked through; the same entry in two of them is one server."""
    write(home / ".cursor" / "mcp.json", notes={"command": "n"}, other={"command": "o"})
    write(home / ".claude.json", notes={"command": "n"})
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text('{"theme": "dark"}', "utf-8")
    environment = {"HOME": str(home)}
    assert target("--server", "notes", environment=environment).command == ("n",)
    with pytest.raises(UsageFault, match="did you mean notes"):
        target("--server", "notse", environment=environment)
    with pytest.raises(UsageFault, match="those known are notes, other"):
        target("--server", "xyzzy", environment=environment)


def test_a_name_that_means_two_servers(home: Path) -> None:
    """Neither is taken: the file must be named."""
    write(home / ".cursor" / "mcp.json", notes={"command": "n"})
    write(home / ".claude.json", notes={"command": "other"})
    with pytest.raises(UsageFault, match="say which file is meant with --config"):
        target("--server", "notes", environment={"HOME": str(home)})
    found = target(
        "--server", "notes", "--config", str(home / ".claude.json"), environment={"HOME": str(home)}
    )
    assert found.command == ("other",)


def test_a_project_starts_nothing_unasked(home: Path) -> None:
    """What a project's file names is started only when that file is named."""
    write(Path(".mcp.json"), evil={"command": "e"})
    with pytest.raises(UsageFault, match=r"--config \.mcp\.json"):
        target("--server", "evil", environment={"HOME": str(home)})
    assert naming.all_of(read("--all"), {"HOME": str(home)}) == []
    assert target("--server", "evil", "--config", ".mcp.json").command == ("e",)


def test_an_entry_with_a_fault(home: Path) -> None:
    """It is told when that server is named."""
    write(home / ".claude.json", bad={"type": "sse", "url": "x"})
    with pytest.raises(UsageFault, match=r"the server bad of .* cannot be used: .*HTTP\+SSE"):
        target("--server", "bad", environment={"HOME": str(home)})


def test_a_file_alone_names_what_it_has(home: Path) -> None:
    """--config without --server names the servers."""
    write(home / "x.json", one={"command": "a"}, two={"command": "b"})
    with pytest.raises(UsageFault, match="those known are one, two"):
        target("--config", str(home / "x.json"))


def http(
    *arguments: str, headers: dict[str, str] | None = None, url: str = "https://x.example"
) -> dict[str, Any]:
    """Give what a client over HTTP is told."""
    at = console(environment={"READINGROOM_LOGINS": "/nowhere/logins.json"})
    return reaching.http_options(
        Target(name="x", url=url, headers=headers or {}), read("--url", url, *arguments), at
    )


def test_headers_and_tokens(tmp_path: Path) -> None:
    """Those of the command line come before those of the file; a token takes the place of an authorization header."""
    (tmp_path / "token").write_text("abc\n", "utf-8")
    found = http("--header", "A: 2", "--header", "B:3", headers={"A": "1", "C": "4"})
    assert found["headers"] == {"A": "2", "B": "3", "C": "4"}
    found = http("--token-file", str(tmp_path / "token"), headers={"authorization": "old", "C": "4"})
    assert (found["auth"], found["headers"]) == ("abc", {"C": "4"})


def test_the_login_that_is_kept() -> None:
    """It is used where no token is given, no header stands in its place, and a token may be sent."""
    auth: Authorization = http()["auth"]
    assert auth.header("https://x.example") is None
    assert http("--header", "Authorization: Basic x")["auth"] is None
    assert http(url="http://x.example")["auth"] is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--header", "x"), "--header takes NAME:VALUE"),
        (("--cwd", "."), "--cwd and --env"),
        (("--env", "A=1"), "--cwd and --env"),
        (("--ca", "/no/such/file"), "--ca must name a file"),
        (("--token-file", "/no/such/file"), "cannot be read"),
        (("--token-file", __file__), "must hold one token"),
    ],
)
def test_what_makes_no_sense_at_a_url(arguments: tuple[str, ...], told: str) -> None:
    """The fault names the option."""
    with pytest.raises(UsageFault) as caught:
        http(*arguments)
    assert told in str(caught.value)


@pytest.mark.parametrize("arguments", [("--header", "A: 1"), ("--token-file", "x"), ("--ca", "x")])
def test_what_makes_no_sense_with_a_command(arguments: tuple[str, ...]) -> None:
    """What is for HTTP is refused where a server is started."""
    with pytest.raises(UsageFault, match=f"{arguments[0]} is for a server at a URL"):
        reaching.refuse_for_command(read(*arguments, "--", "x"))


@pytest.mark.parametrize(
    ("arguments", "folder", "address", "command"),
    [
        (("f", "a"), "f", "a", None),
        (("--", "f", "a"), "f", "a", None),
        (("f", "--number", "a"), "f", "a", None),
        (("--lines", "1-2", "f", "a"), "f", "a", None),
        (("f", "--number", "--", "a"), "f", "a", None),
        (("--", "-f", "-a"), "-f", "-a", None),
        (("f", "--", "a"), "f", "a", None),
        (("x:y", "a", "--number"), "x:y", "a", None),
        (("notes:///n0", "--", "python", "x"), "notes:///n0", "notes:///n0", ["python", "x"]),
        (("notes:///n0", "--url", "https://x.example"), "notes:///n0", "notes:///n0", None),
        (("C:", "--", "a"), "C:", "a", None),
        (("C:/d", "--", "a"), "C:/d", "a", None),
        (("d:///a", "--", "x"), "d:///a", "d:///a", ["x"]),
    ],
)
def test_read_of_a_folder_or_of_a_server(
    arguments: tuple[str, ...], folder: str, address: str, command: list[str] | None
) -> None:
    """What was written for folders means the same as ever; a URI before `--` makes the rest a command."""
    values = read(*arguments, command="read")
    assert (values.folder, values.address, values.command) == (folder, address, command)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "give FOLDER ADDRESS, or the URI"),
        (("f",), "give FOLDER ADDRESS, or the URI"),
        (("--server", "x"), "by its URI alone"),
        (("a", "b", "--server", "x"), "by its URI alone"),
        (("x:y", "--section", "s", "--server", "x"), "--section is for documents of a folder"),
        (("x:y", "-n", "--server", "x"), "--number is for documents of a folder"),
    ],
)
def test_read_that_means_neither(arguments: tuple[str, ...], told: str) -> None:
    """The fault says what either half takes."""
    with pytest.raises(UsageFault) as caught:
        read(*arguments, command="read")
    assert told in str(caught.value)


def test_output_of_a_folder(tmp_path: Path) -> None:
    """--output is for resources of servers, and says so."""
    with pytest.raises(UsageFault, match="--output is for resources of a server"):
        run(["read", str(tmp_path), "x", "--output", "y"], console())
