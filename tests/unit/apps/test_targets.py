"""The server's command stands after `--`, in either order of `call`."""

import pytest

from readingroom.apps.commands import COMMANDS, call
from readingroom.apps.faults import UsageFault
from readingroom.apps.running import parser_of
from readingroom.apps.targets import after_command, parted

CALL = next(command for command in COMMANDS if command.name == "call")


@pytest.mark.parametrize(
    ("arguments", "tool", "words", "command"),
    [
        (["add", "a=2", "--", "python", "x.py"], "add", ["a=2"], ["python", "x.py"]),
        (["--json", "add", "a=2", "b=3", "--", "x"], "add", ["a=2", "b=3"], ["x"]),
        (["add", "--", "npx", "--", "x"], "add", [], ["npx", "--", "x"]),
        (["--", "python", "x.py", "--", "add", "a=2"], "add", ["a=2"], ["python", "x.py"]),
        (["--", "npx", "--", "x", "--", "add"], "add", [], ["npx", "--", "x"]),
        (["--json", "--", "x", "--", "add", "a=-2"], "add", ["a=-2"], ["x"]),
        (["--", "x", "--", "add", "--json"], "add", [], ["x"]),
        (["add", "--", "x", "--json"], "add", [], ["x", "--json"]),
        (["add", "--json", "a=2", "--timeout", "3", "b=3", "--", "x"], "add", ["a=2", "b=3"], ["x"]),
    ],
)
def test_both_orders(arguments: list[str], tool: str, words: list[str], command: list[str]) -> None:
    """A tool before the first `--` makes all the rest the command; without one, the last `--` ends the command."""
    values = call.read(parser_of(CALL), arguments)
    assert (values.tool, values.words, values.command) == (tool, words, command)
    assert values.json is (("--json" in arguments) and "--json" not in command)


def test_a_command_without_an_end() -> None:
    """Without a second `--` all is command."""
    assert after_command(["a", "b"]) == (["a", "b"], [])


def test_a_command_that_is_missing_is_asked_for() -> None:
    """Where a command line has to have one."""
    parser = parser_of(next(command for command in COMMANDS if command.name == "check"))
    assert parted(parser, ["--all", "--", "server"]) == (["--all"], ["server"])
    with pytest.raises(UsageFault, match="give the command that starts the server after --"):
        parted(parser, ["--all"])
