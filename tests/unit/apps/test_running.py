"""Commands are found by name, read strictly, and each explains itself."""

import shlex

import pytest

from readingroom import __version__
from readingroom.apps.commands import COMMANDS, Command
from readingroom.apps.faults import UsageFault
from readingroom.apps.parsing import CommandParser
from readingroom.apps.running import module_of, overview, parser_of, run

from .streams import console, written


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give a command"),
        (["serach"], "there is no command 'serach'; did you mean search?"),
        (["xyzzy"], "there is no command 'xyzzy'; see readingroom --help"),
        (["--versoin"], "there is no command '--versoin'"),
        (["help", "serach"], "did you mean search?"),
        (["search", "x"], "the following arguments are required: QUERY; see readingroom search --help"),
        (["search", "x", "y", "--limt", "3"], "there is no option --limt; did you mean --limit?"),
        (["search", "x", "y", "--lim", "3"], "there is no option --lim"),
        (["search", "x", "--xyzzy", "y"], "there is no option --xyzzy"),
        (["search", "x", "y", "--limit", "many"], "--limit"),
        (["forget", "x", "y"], "too much was given: y"),
        (["version", "x"], "too much was given: x"),
        (["search", "x", "y", "--role", "admin"], "--role must be reader or editor"),
        (["serve"], "FOLDER"),
        (["call"], "name the tool"),
        (["list", "x"], "too much was given: x"),
        (["list", "x", "--"], "too much was given: x"),
        (["list", "--"], "name a server: give the command that starts it after --"),
        (["list"], "name a server"),
        (["list", "https://x.example/mcp"], "named by --url https://x.example/mcp"),
        (["call", "add"], "name a server"),
        (["call", "--", "server"], "name the tool"),
        (["call", "--", "server", "--", "--json"], "name the tool"),
        (["call", "add", "--timeout", "0", "--", "server"], "--timeout"),
        (["call", "add", "--timeout", "nan", "--", "server"], "--timeout"),
        (["call", "add", "--cwd", "/no/such/folder", "--", "server"], "--cwd"),
        (["call", "add", "--env", "=x", "--", "server"], "--env takes NAME=VALUE"),
        (["call", "add", "--env", "NO_SUCH", "--", "server"], "there is no such variable"),
    ],
)
def test_usage(arguments: list[str], told: str) -> None:
    """What cannot be meant is refused in one line that says what can."""
    with pytest.raises(UsageFault) as caught:
        run(arguments, console())
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"]])
def test_overview(arguments: list[str]) -> None:
    """The overview names every command."""
    given = console()
    assert run(arguments, given) == 0
    assert written(given.out) == overview() + "\n"
    assert all(command.name in overview() for command in COMMANDS)


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command has help with examples, and help is no fault, also where something else is missing."""
    assert run([name, "--help"], console()) == 0
    first = capsys.readouterr().out
    assert run(["help", name], console()) == 0
    assert capsys.readouterr().out == first
    assert f"usage: readingroom {name}" in first
    assert "examples:" in first


def test_help_fits_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Descriptions and options are filled to the terminal's width."""
    monkeypatch.setenv("COLUMNS", "66")
    run(["call", "--help"], console())
    described = capsys.readouterr().out.partition("examples:")[0]
    assert max(map(len, described.splitlines())) <= 66


@pytest.mark.parametrize("arguments", [["version"], ["--version"], ["-V"]])
def test_version(arguments: list[str]) -> None:
    """Three lines: ours, the protocol's, Python's."""
    given = console()
    assert run(arguments, given) == 0
    first, second, third = written(given.out).splitlines()
    assert first == f"Reading Room {__version__}"
    assert second == "Model Context Protocol 2026-07-28"
    assert third.startswith("Python 3.")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_examples_can_be_read(command: Command) -> None:
    """The examples of the help are command lines that the command itself takes."""
    module = module_of(command)
    for line, purpose in module.EXAMPLES:
        words = shlex.split(line.partition(" < ")[0])
        assert words[:2] == ["readingroom", command.name]
        read = getattr(module, "read", CommandParser.read)
        read(parser_of(command), words[2:])
        assert purpose
