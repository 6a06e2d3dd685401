"""A server that `list` or `call` speaks to: started from a command, with its stderr passed on, harmlessly."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .characters import one_line
from .console import Console
from .faults import UsageFault

if TYPE_CHECKING:
    from ..kit.client import Client

_TIMEOUT_S = 60.0
# Where the platforms let a cache lie: a server of ours must look for its index where our other commands made it.
_CACHES = ("XDG_CACHE_HOME", "LOCALAPPDATA")
# What comes before the lines that an error quotes.
_QUOTED = "; its last lines on stderr:"


def configure(parser: ArgumentParser) -> None:
    """Add the options that say how the server is started and how long it may take."""
    parser.add_argument("--cwd", metavar="DIR", help="the folder to start the server in (default: this one)")
    parser.add_argument(
        "--env", metavar="NAME[=VALUE]", action="append", default=[],
        help="a variable for the server, which gets only a few harmless ones by itself (HOME, PATH, LANG and their like; "
        "XDG_CACHE_HOME and LOCALAPPDATA, which say where caches lie); without a value, the one of this environment; "
        "may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=_TIMEOUT_S,
        help=f"how long each answer may take (default: {_TIMEOUT_S:.0f})",
    )  # fmt: skip
    parser.add_argument(
        "--quiet", action="store_true", help="do not show what the server writes to its stderr"
    )


@contextmanager
def client_of(command: Sequence[str], values: Namespace, console: Console) -> "Iterator[Client]":
    """Start the server, give a client for it, and end it.

    What the server writes to stderr is shown, and errors do not say it again. Raises: UsageFault, the client's errors.
    """
    if not command:
        raise UsageFault("give the command that starts the server after --")
    if not values.timeout > 0:
        raise UsageFault("--timeout must be a number of seconds above 0")
    if values.cwd is not None and not os.path.isdir(values.cwd):  # noqa: PTH112  -- pathlib would cost more than it says
        raise UsageFault(f"--cwd must name a folder, and {values.cwd} is none")
    from .. import Client, Closed, ConnectFailed

    environment = environment_from(values.env, console.environment)

    def show(line: str) -> None:
        if not values.quiet:
            console.err.line(console.err.paint("dim", f"server: {one_line(line)}"))

    try:
        with Client.stdio(
            command, cwd=values.cwd, env=environment, stderr=show, timeout=values.timeout
        ) as client:
            yield client
    except (Closed, ConnectFailed) as error:
        if values.quiet:
            raise
        raise type(error)(str(error).partition(_QUOTED)[0]) from error


def environment_from(given: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Give the variables for the server, those that say where caches lie among them.

    Raises: UsageFault for one that is named only and is not set here.
    """
    variables = {name: environment[name] for name in _CACHES if name in environment}
    for item in given:
        name, equals, value = item.partition("=")
        if not name:
            raise UsageFault(f"--env takes NAME=VALUE or NAME, not {item!r}")
        if not equals and name not in environment:
            raise UsageFault(f"--env {name}: there is no such variable here; give NAME=VALUE")
        variables[name] = value if equals else environment[name]
    return variables
