"""One way to name a server on every command line: `-- COMMAND…`, `--url URL`, or `--server NAME [--config FILE]`.

Gives Targets. Knows the configuration files of AI apps, and neither starts nor asks anything.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

import msgspec

from . import hosts, targets
from .characters import one_line
from .faults import UsageFault
from .parsing import CommandParser, nearest
from .targets import Target

_MOST_NAMED = 12


def configure(parser: ArgumentParser, without_server: str = "") -> None:
    """Add the options; `without_server` says what --config is where no server is named."""
    parser.add_argument(
        "--url", metavar="URL", help="the server is at this address, and spoken to over Streamable HTTP"
    )
    parser.add_argument(
        "--server", metavar="NAME", help="the server of this name in the configuration file of an AI app"
    )
    parser.add_argument(
        "--config", metavar="FILE",
        help="that file, of Claude Desktop, Claude Code, Cursor, VS Code, Gemini CLI or Codex (default: the user's own "
        "files of all of these are looked through)" + without_server,
    )  # fmt: skip


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line whose server's command, if there is one, stands after `--`. Raises: UsageFault."""
    ours, command = targets.split(arguments)
    if ours and ours[0].startswith(("http://", "https://")):
        parser.error(f"a server at an address is named by --url {one_line(ours[0])}")
    values = parser.read_mixed(ours)
    values.command = command
    return values


def is_named(values: Namespace) -> bool:
    """Whether one server is named, in whichever way."""
    return values.command is not None or values.url is not None or values.server is not None


def target_of(values: Namespace, environment: Mapping[str, str]) -> Target:
    """Give the server that is named. Raises: UsageFault when it is none, more than one, or cannot be reached."""
    ways = [values.command is not None, values.url is not None, values.server is not None]
    if sum(ways) > 1:
        raise UsageFault("name one server: by a command after --, by --url, or by --server")
    if values.server is not None:
        return usable(_of_name(values, environment))
    if values.config is not None:
        raise UsageFault(f"--config goes with --server NAME; {_known(all_of(values, environment))}")
    if values.url is not None:
        return Target(name=values.url, url=values.url)
    if not values.command:
        raise UsageFault("name a server: give the command that starts it after --, or --url, or --server")
    if len(values.command) == 1 and values.command[0].startswith(("http://", "https://")):
        raise UsageFault(f"a server at an address is named by --url {values.command[0]}")
    return Target(name=" ".join(values.command), command=tuple(values.command))


def usable(target: Target) -> Target:
    """Give the target itself. Raises: UsageFault when it cannot be reached as it is written."""
    if target.fault:
        raise UsageFault(f"the server {target.name} of {target.place} cannot be used: {target.fault}")
    return target


def all_of(values: Namespace, environment: Mapping[str, str]) -> list[Target]:
    """Give every server of the file that is named, or of the user's own files; the same entry is there once.

    Raises: UsageFault for a file that cannot be used.
    """
    given = frozenset(item.partition("=")[0] for item in values.env)
    if values.config is not None:
        return list(hosts.read_file(values.config, environment, given).targets)
    found: list[Target] = []
    for place in hosts.found_files(environment):
        try:
            file = hosts.read_file(place, environment, given)
        except hosts.NoServers:
            continue
        found += [one for one in file.targets if not any(_is_same(one, other) for other in found)]
    return found


def _of_name(values: Namespace, environment: Mapping[str, str]) -> Target:
    known = all_of(values, environment)
    found = [target for target in known if target.name == values.server]
    if not found:
        raise UsageFault(_unknown(values, known, environment))
    if len(found) > 1:
        places = " and ".join(target.place for target in found)
        raise UsageFault(
            f"{one_line(values.server)} is another server in {places}; say which file is meant with --config"
        )
    return found[0]


def _unknown(values: Namespace, known: Sequence[Target], environment: Mapping[str, str]) -> str:
    """Say that there is no such server, and where there is one."""
    told = f"there is no server {one_line(repr(values.server))} in "
    if values.config is None:
        for place in hosts.project_files():
            if _has(place, values.server, environment):
                return (
                    f"{told}your own configuration files; {place} has one: what comes with a project is not started unless "
                    f"it is named, as in: --config {place}"
                )
    meant = nearest(values.server, [target.name for target in known])
    hint = f"did you mean {one_line(meant)}?" if meant else _known(known)
    return f"{told}{values.config or 'the configuration files of AI apps'}; {hint}"


def _has(place: str | os.PathLike[str], name: str, environment: Mapping[str, str]) -> bool:
    try:
        return any(target.name == name for target in hosts.read_file(place, environment).targets)
    except UsageFault:
        return False


def _known(known: Sequence[Target]) -> str:
    if not known:
        return "no servers are known: name a file with --config FILE"
    names = [one_line(target.name) for target in known[:_MOST_NAMED]]
    return f"those known are {', '.join(names)}{', …' if len(known) > _MOST_NAMED else ''}"


def _is_same(one: Target, other: Target) -> bool:
    return msgspec.structs.replace(one, place="") == msgspec.structs.replace(other, place="")
