"""Which server `list` and `call` speak to: a command after `--`. Pure.

`call TOOL key=value… -- COMMAND…` is the plain order; `call -- COMMAND… -- TOOL key=value…` is understood, too: when no
tool stands before the first `--`, the last `--` ends the command.
"""

from collections.abc import Sequence

from .parsing import CommandParser

SEPARATOR = "--"


def parted(parser: CommandParser, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part a command line at the first `--`: what is ours, and the server's command.

    Raises: UsageFault when there is no command, unless help is asked for.
    """
    given = list(arguments)
    if SEPARATOR in given:
        at = given.index(SEPARATOR)
        return given[:at], given[at + 1 :]
    parser.read(given)
    return parser.error(
        "give the command that starts the server after --, as in: -- readingroom serve FOLDER"
    )


def after_command(command: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part a command at its last `--`: the command, and what comes after it; all is command when there is none."""
    given = list(command)
    if SEPARATOR not in given:
        return given, []
    at = len(given) - 1 - given[::-1].index(SEPARATOR)
    return given[:at], given[at + 1 :]
