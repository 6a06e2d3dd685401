"""The reference of the command line names every command, every option and every exit code."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from readingroom.apps.commands import COMMANDS, Command
from readingroom.apps.exit_codes import EXIT_CODES
from readingroom.apps.running import parser_of


def _script(name: str) -> ModuleType:
    place = Path(__file__).resolve().parents[2] / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pages = _script("docs_command_line").pages()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_commands(command: Command) -> None:
    """A section for each command, with each of its arguments and its help."""
    name = command.name
    section = pages["docs/reference/command-line.md"].partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    entries = parser_of(command).entries()
    assert all(f"| `{written}` | {told}" in section for written, told in entries)
    assert f"readingroom {name}" in section
    assert (name == "version") is (entries == [])


def test_how_arguments_are_written() -> None:
    """Options stand with their values, arguments with what they repeat."""
    by_name = {command.name: dict(parser_of(command).entries()) for command in COMMANDS}
    assert {"FOLDER", "QUERY…", "--json", "--limit N", "--tag TAG"} <= set(by_name["search"])
    assert {"-n, --number", "--lines FIRST-LAST"} <= set(by_name["read"])
    assert {"TOOL", "KEY=VALUE…", "--env NAME[=VALUE]"} <= set(by_name["call"])


def test_exit_codes() -> None:
    """Each code stands in the table."""
    page = pages["docs/reference/exit-codes.md"]
    assert all(f"\n| {code} | {name} | " in page for code, name, _ in EXIT_CODES)
