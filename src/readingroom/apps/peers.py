"""A server that a command speaks to, started or at a URL; what it writes to stderr is passed on, harmlessly."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import naming, reaching
from .characters import one_line
from .console import Console
from .faults import UsageFault
from .targets import Target

if TYPE_CHECKING:
    from ..kit.client import Client

_TIMEOUT_S = 60.0
# Where the platforms let a cache lie: a server of ours must look for its index where our other commands made it.
_CACHES = ("XDG_CACHE_HOME", "LOCALAPPDATA")
# What comes before the lines that an error quotes.
_QUOTED = "; its last lines on stderr:"


def configure(parser: ArgumentParser, without_server: str = "") -> None:
    """Add the options that say which server is meant, how it is reached and how long it may take.

    `without_server` says what --config is where no server is named.
    """
    naming.configure(parser, without_server)
    parser.add_argument("--cwd", metavar="DIR", help="the folder to start the server in (default: this one)")
    parser.add_argument(
        "--env", metavar="NAME[=VALUE]", action="append", default=[],
        help="a variable for the server, which gets only a few harmless ones by itself (HOME, PATH, LANG and their like; "
        "XDG_CACHE_HOME and LOCALAPPDATA, which say where caches lie); without a value, the one of this environment; "
        "may be repeated",
    )  # fmt: skip
    reaching.configure(parser)
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=_TIMEOUT_S,
        help=f"how long the server may be silent before its answer (default: {_TIMEOUT_S:.0f})",
    )  # fmt: skip
    parser.add_argument(
        "--tolerant",
        action="store_true",
        help="go on after breaches of the protocol that can be gone on after, and count them on stderr",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="show neither what the server writes to its stderr nor progress"
    )


@contextmanager
def client_of(values: Namespace, console: Console, options: Mapping[str, Any] = {}) -> "Iterator[Client]":
    """Open a client for the server that the command line names, and close it.

    What the server writes to stderr is shown, and errors do not say it again. Raises: UsageFault, the client's errors.
    """
    from .. import Closed, ConnectFailed

    target = naming.target_of(values, console.environment)
    try:
        with unopened(target, values, console, options) as client:
            yield client
            _tell_breaches(client, values, console)
    except (Closed, ConnectFailed) as error:
        if values.quiet:
            raise
        raise type(error)(str(error).partition(_QUOTED)[0]) from error


def unopened(
    target: Target, values: Namespace, console: Console, options: Mapping[str, Any] = {}
) -> "Client":
    """Give the client of a target, which is yet to be opened. Raises: UsageFault, UsageError."""
    from .. import Client

    if not 0 < values.timeout < float("inf"):
        raise UsageFault("--timeout must be a number of seconds above 0")
    common = {"timeout": values.timeout, "strict": not values.tolerant, **options}
    if target.url:
        return Client.http(target.url, **reaching.http_options(target, values, console), **common)
    reaching.refuse_for_command(values)
    cwd = values.cwd if values.cwd is not None else target.cwd
    if cwd is not None and not os.path.isdir(cwd):  # noqa: PTH112  -- pathlib would cost more than it says
        raise UsageFault(f"--cwd must name a folder, and {cwd} is none")
    given = environment_from(values.env, console.environment)
    named = {item.partition("=")[0] for item in values.env}
    env = {**given, **target.env, **{name: value for name, value in given.items() if name in named}}

    def show(line: str) -> None:
        if not values.quiet:
            console.err.line(console.err.paint("dim", f"server: {one_line(line)}"))

    return Client.stdio(target.command, cwd=cwd, env=env, stderr=show, **common)


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


def _tell_breaches(client: "Client", values: Namespace, console: Console) -> None:
    """Say how often a server broke the protocol that was let off."""
    count, last = client.violations
    if not values.tolerant or not count:
        return
    times = "once" if count == 1 else f"{count:,} times"
    console.err.line(f"The server broke the protocol {times}:")
    for rule in dict.fromkeys(error.rule for error in last):
        found = next(error for error in last if error.rule == rule)
        console.err.line(f"  {rule}: {one_line(found.detail)}")
