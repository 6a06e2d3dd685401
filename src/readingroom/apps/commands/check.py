"""`readingroom check`: whether a server keeps the protocol."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import exit_codes, peers, targets
from ..characters import one_line
from ..console import Console
from ..faults import UsageFault
from ..json_text import json_text
from ..parsing import CommandParser, nearest

if TYPE_CHECKING:
    from ..check.checking import Checked
    from ..check.verdicts import Notebook

USAGE = "[options] -- COMMAND… | [options] URL"
DESCRIPTION = """\
Probe an MCP server by every rule of the protocol that can be seen from outside, and say which it breaks, what was sent, what
came, and what to do.

A command is started several times, without a shell, sent good messages and bad ones, and ended, with everything it has
started. A URL is that of an endpoint of Streamable HTTP that runs already.

Tools are called only if they say that they only read (annotations.readOnlyHint), unless --call-tools is given.

A rule of level MUST that is broken makes the exit code 1. What the specification only recommends, and what it leaves open,
are warnings; --strict counts the former as broken."""
EXAMPLES = (
    ("readingroom check -- readingroom serve ~/articles", "our own server"),
    (
        "readingroom check --junit check.xml -- node server.mjs",
        "in CI: the exit code, and a report that it can show",
    ),
    ("readingroom check http://127.0.0.1:8000/mcp", "a server over HTTP"),
    ("readingroom check --token-file token https://doc.example/mcp", "one that asks for a token"),
    ("readingroom check --only STDIO-2 --json -- python server.py", "one rule, as JSON"),
)
_TIMEOUT_S = 10.0


def configure(parser: ArgumentParser) -> None:
    """Add the options; the command stands after them."""
    parser.add_argument(
        "url", metavar="URL", nargs="?", help="the endpoint of a server over HTTP, if there is no command"
    )
    parser.add_argument(
        "--all", action="store_true", help="list the rules that are kept or were not reached, too"
    )
    parser.add_argument("--json", action="store_true", help="print every rule with its verdict, as JSON")
    parser.add_argument(
        "--junit", metavar="FILE", help="write every rule with its verdict as JUnit's XML, too"
    )
    parser.add_argument(
        "--only", metavar="RULE", action="append", default=[], help="look at this rule alone; may be repeated"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="what the specification recommends (SHOULD) counts as broken as well",
    )
    parser.add_argument(
        "--call-tools", action="store_true", help="call tools that do not say that they only read, too"
    )
    parser.add_argument("--cwd", metavar="DIR", help="the folder to start the server in (default: this one)")
    parser.add_argument(
        "--env", metavar="NAME[=VALUE]", action="append", default=[],
        help="a variable for the server, which gets only a few harmless ones by itself; without a value, the one of this "
        "environment; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=_TIMEOUT_S,
        help=f"how long an answer may take (default: {_TIMEOUT_S:.0f})",
    )  # fmt: skip
    parser.add_argument(
        "--header", metavar="NAME:VALUE", action="append", default=[],
        help="over HTTP, a header for every request; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="over HTTP, a file whose first line is the token to send (Authorization: Bearer)",
    )
    parser.add_argument("--quiet", action="store_true", help="do not show what is being tried")


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line. Raises: UsageFault."""
    if targets.SEPARATOR in arguments:
        ours, command = targets.parted(parser, arguments)
    else:
        ours, command = list(arguments), []
    values = parser.read(ours)
    values.command = command
    if bool(values.url) is bool(command):
        parser.error("give either the command that starts the server after --, or the URL of one that runs")
    return values


def run(values: Namespace, console: Console) -> int:
    """Check and print. Raises: ConnectFailed, UsageFault, and OSError for a report that cannot be written."""
    from ..check import report

    _refuse_unusable(values)
    checked = _checked(values, console)
    target = values.url or " ".join(values.command)
    if values.junit:
        Path(values.junit).write_bytes(report.as_junit(checked.findings, target))
    if values.json:
        console.out.line(json_text(report.as_json(checked.findings, target, checked.start_seconds)))
    else:
        console.out.line(f"{one_line(target)}: the first answer came after {checked.start_seconds:.2f} s")
        console.out.line()
        report.tell(checked.findings, console, all_of_them=values.all)
    is_broken = any(finding.verdict == "broken" for finding in checked.findings)
    return exit_codes.NOTHING if is_broken else exit_codes.OK


def _refuse_unusable(values: Namespace) -> None:
    if not 0 < values.timeout < float("inf"):
        raise UsageFault("--timeout must be a number of seconds above 0")
    if values.cwd is not None and not os.path.isdir(values.cwd):  # noqa: PTH112  -- pathlib would cost more than it says
        raise UsageFault(f"--cwd must name a folder, and {values.cwd} is none")
    from ..check.checking import known_rules

    known = known_rules()
    for rule in values.only:
        if rule not in known:
            meant = nearest(rule, sorted(known))
            hint = f"did you mean {meant}?" if meant else "--all lists those that can"
            raise UsageFault(f"--only {rule}: no such rule can be checked; {hint}")


def _checked(values: Namespace, console: Console) -> "Checked":
    from ..check.bench import Settings
    from ..check.checking import check

    settings = Settings(
        timeout=values.timeout, call_tools=values.call_tools, carrier="http" if values.url else "stdio"
    )

    def tell(what: str) -> None:
        if console.err.is_terminal and not values.quiet:
            console.err.rewrite(what)

    try:
        return check(
            _connecting(values, console),
            settings,
            strict=values.strict,
            only=values.only,
            tell=lambda probe: tell(f"{probe.how} ({', '.join(probe.rules)})"),
        )
    finally:
        tell("")


def _connecting(values: Namespace, console: Console) -> "Callable[[Notebook], object]":
    if values.url:
        return _posting(values)
    from ...transport.processes import default_environment
    from ..check.line import Line
    from ..check.stdio_peer import StdioPeer

    environment = default_environment() | peers.environment_from(values.env, console.environment)
    return lambda note: StdioPeer(Line(values.command, values.cwd, environment), note, values.timeout)


def _posting(values: Namespace) -> "Callable[[Notebook], object]":
    from ...protocol.headers import Mirror
    from ..check.http_peer import HttpPeer
    from ..check.post import place_of

    place = place_of(values.url, _headers(values))
    mirrors: dict[str, tuple[Mirror, ...]] = {}
    return lambda note: HttpPeer(place, note, values.timeout, mirrors)


def _headers(values: Namespace) -> list[tuple[str, str]]:
    """Give the headers for every request. Raises: UsageFault, OSError for a file that cannot be read."""
    headers: list[tuple[str, str]] = []
    for given in values.header:
        name, colon, value = given.partition(":")
        if not colon or not name.strip() or not (name + value).isprintable():
            raise UsageFault(f"--header takes NAME:VALUE, not {given!r}")
        headers.append((name.strip(), value.strip()))
    if values.token_file is not None:
        token = Path(values.token_file).read_text("utf-8").partition("\n")[0].strip()
        if not token or not token.isascii() or not token.isprintable():
            raise UsageFault(f"{values.token_file} has no token in its first line")
        headers.append(("Authorization", f"Bearer {token}"))
    return headers
