"""Which server a command speaks to: what it is as a value, and the command after `--` on a command line. Pure.

`call TOOL key=value… -- COMMAND…` is the plain order; `call -- COMMAND… -- TOOL key=value…` is understood, too: when no
tool stands before the first `--`, the last `--` ends the command.
"""

from collections.abc import Mapping, Sequence

import msgspec

from .parsing import CommandParser

SEPARATOR = "--"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A server and how it is reached: started by `command`, or spoken to at `url`.

    `name` is what we call it, whatever it says of itself; `place` is the file that names it, or "". `fault` says why it
    cannot be reached as it is written there.
    """

    name: str
    command: tuple[str, ...] = ()
    cwd: str | None = None
    env: Mapping[str, str] = {}
    url: str = ""
    headers: Mapping[str, str] = {}
    place: str = ""
    fault: str = ""
    is_disabled: bool = False


def parted(parser: CommandParser, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part a command line at the first `--`: what is ours, and the server's command.

    Raises: UsageFault when there is no command, unless help is asked for.
    """
    ours, command = split(arguments)
    if command is not None:
        return ours, command
    parser.read(ours)
    return parser.error(
        "give the command that starts the server after --, as in: -- readingroom serve FOLDER"
    )


def split(arguments: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """Part a command line at the first `--`: what is ours, and the command, which is None where there is no `--`."""
    given = list(arguments)
    if SEPARATOR not in given:
        return given, None
    at = given.index(SEPARATOR)
    return given[:at], given[at + 1 :]


def after_command(command: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part a command at its last `--`: the command, and what comes after it; all is command when there is none."""
    given = list(command)
    if SEPARATOR not in given:
        return given, []
    at = len(given) - 1 - given[::-1].index(SEPARATOR)
    return given[:at], given[at + 1 :]
