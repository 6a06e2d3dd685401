"""Finds a command by its name, reads its command line and runs it. Loaded for all but a plain `serve`."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from . import exit_codes
from .commands import COMMANDS, Command
from .console import Console, standard
from .faults import UsageFault
from .parsing import CommandParser, nearest

_ABOUT = "Reading Room serves a folder of documents to AI apps over the Model Context Protocol."


def run(arguments: Sequence[str], console: Console | None = None) -> int:
    """Run one command line. Raises: what `faults` knows."""
    console = console or standard()
    if not arguments:
        raise UsageFault("give a command; see readingroom --help")
    first, *rest = arguments
    if first in ("--help", "-h", "help") and not rest:
        console.out.line(overview())
        return exit_codes.OK
    if first == "help":
        first, rest = rest[0], ["--help"]
    if first in ("--version", "-V"):
        first = "version"
    return run_command(command_named(first), rest, console)


def command_named(name: str) -> Command:
    """Give a command. Raises: UsageFault, which names the one that was probably meant."""
    for command in COMMANDS:
        if command.name == name:
            return command
    meant = nearest(name, [command.name for command in COMMANDS])
    asked = f"did you mean {meant}?" if meant else "see readingroom --help"
    raise UsageFault(f"there is no command {name!r}; {asked}")


def run_command(command: Command, arguments: Sequence[str], console: Console) -> int:
    """Read the command line of a command and run it."""
    module = module_of(command)
    read = getattr(module, "read", CommandParser.read)
    try:
        values = read(parser_of(command), arguments)
    except SystemExit:  # argparse has printed the help that was asked for
        return exit_codes.OK
    return int(module.run(values, console))


def module_of(command: Command) -> Any:
    """Give the module of a command; what it offers stands in `commands`."""
    return import_module(f".commands.{command.module}", __package__)


def parser_of(command: Command) -> CommandParser:
    """Give the parser of a command; docs/reference/command-line.md is made from all of them."""
    module = module_of(command)
    parser = CommandParser(command.name, module.DESCRIPTION, module.EXAMPLES, module.USAGE)
    module.configure(parser)
    return parser


def overview() -> str:
    """Give the text of `readingroom --help`."""
    columns = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:{columns}}  {command.summary}" for command in COMMANDS]
    return "\n".join(
        [
            "usage: readingroom COMMAND …",
            "",
            _ABOUT,
            "",
            "commands:",
            *lines,
            "",
            "readingroom COMMAND --help tells more of a command. Exit codes: docs/reference/exit-codes.md.",
        ]
    )
