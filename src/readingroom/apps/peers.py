"""A server that `list` or `call` speaks to: started from a command, with its stderr passed on, harmlessly."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .characters import one_line
from .console import Console
from .faults import UsageFault

if TYPE_CHECKING:
    from ..kit.client import Client

_TIMEOUT_S = 60.0


def configure(parser: ArgumentParser) -> None:
    """Add the options that say how the server is started and how long it may take."""
    parser.add_argument("--cwd", metavar="DIR", help="the folder to start the server in (default: this one)")
    parser.add_argument(
        "--env", metavar="NAME[=VALUE]", action="append", default=[],
        help="a variable for the server, which gets only a few harmless ones by itself; without a value, the one of this "
        "environment; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=_TIMEOUT_S,
        help=f"how long each answer may take (default: {_TIMEOUT_S:.0f})",
    )  # fmt: skip
    parser.add_argument(
        "--quiet", action="store_true", help="do not show what the server writes to its stderr"
    )


def client_of(command: Sequence[str], values: Namespace, console: Console) -> "Client":
    """Give a client for the server, not yet opened. Raises: UsageFault."""
    if not command:
        raise UsageFault("give the command that starts the server after --")
    if not values.timeout > 0:
        raise UsageFault("--timeout must be a number of seconds above 0")
    if values.cwd is not None and not os.path.isdir(values.cwd):  # noqa: PTH112  -- pathlib would cost more than it says
        raise UsageFault(f"--cwd must name a folder, and {values.cwd} is none")
    from .. import Client

    environment = environment_from(values.env, console.environment)

    def show(line: str) -> None:
        if not values.quiet:
            console.err.line(console.err.paint("dim", f"server: {one_line(line)}"))

    return Client.stdio(command, cwd=values.cwd, env=environment, stderr=show, timeout=values.timeout)


def environment_from(given: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Read the variables for the server. Raises: UsageFault for one that is named only and is not set here."""
    variables: dict[str, str] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not name:
            raise UsageFault(f"--env takes NAME=VALUE or NAME, not {item!r}")
        if not equals and name not in environment:
            raise UsageFault(f"--env {name}: there is no such variable here; give NAME=VALUE")
        variables[name] = value if equals else environment[name]
    return variables
