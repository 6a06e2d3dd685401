"""`readingroom watch`: prints what an MCP server tells of changes, until it is stopped."""

import time
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .. import exit_codes, naming, peers
from ..characters import one_line
from ..console import Console
from ..faults import UsageFault
from ..json_text import time_text

if TYPE_CHECKING:
    from ...client.notices import Notice
    from ...kit.client import Client
    from ...kit.subscription import Subscription

USAGE = "[options] SERVER"
DESCRIPTION = """\
Listen to what an MCP server tells of changes and print each, until Ctrl-C: of its lists of tools, prompts and resources,
and of the resources named by --uri. Without any of these options, of all the lists of which the server tells.

SERVER is -- COMMAND…, which is started without a shell and ended, or --url URL, or --server NAME.

When the server is started anew, or the connection is made anew, Resumed is printed: whatever is watched may have changed
meanwhile."""
EXAMPLES = (
    (
        "readingroom watch --uri library:///rules.md -- readingroom serve ~/articles",
        "one document, and all below it",
    ),
    (
        "readingroom watch --json --resources --url https://docs.example/mcp",
        "one line of JSON a change, for a script",
    ),
    ("readingroom watch --first 1 --uri board:///c1 --server board", "wait for one change"),
)
read = naming.read

_LISTS = ("tools", "prompts", "resources")
_KINDS = {
    "ToolsChanged": ("tools_changed", "the list of tools has changed"),
    "PromptsChanged": ("prompts_changed", "the list of prompts has changed"),
    "ResourcesChanged": ("resources_changed", "the list of resources has changed"),
    "ResourceUpdated": ("resource_updated", "changed"),
    "Resumed": ("resumed", "Resumed: whatever is watched may have changed meanwhile"),
}


def configure(parser: ArgumentParser) -> None:
    """Add the options."""
    for name in _LISTS:
        parser.add_argument(f"--{name}", action="store_true", help=f"watch the list of {name}")
    parser.add_argument(
        "--uri", metavar="URI", action="append", default=[],
        help="watch this resource, and those below it; may be repeated",
    )  # fmt: skip
    parser.add_argument("--first", metavar="N", type=int, default=0, help="end after this many changes")
    parser.add_argument(
        "--json", action="store_true",
        help="print each change as one line of JSON, with the members at, kind and, for a resource, uri",
    )  # fmt: skip
    peers.configure(parser)


def run(values: Namespace, console: Console) -> int:
    """Listen and print. Raises: the client's errors, UsageFault."""
    if values.first < 0:
        raise UsageFault("--first takes a number above 0")
    with suppress(KeyboardInterrupt), peers.client_of(values, console) as client:
        lists = _wanted(client, values)
        with client.listen(
            tools=lists["tools"], prompts=lists["prompts"], resources=lists["resources"], uris=values.uri
        ) as subscription:
            _tell_granted(subscription, values, console)
            for seen, notice in enumerate(subscription, 1):
                console.out.line(_json_line(notice) if values.json else _line(notice))
                console.out.flush()
                if seen == values.first:
                    return exit_codes.OK
        console.err.line("The server has ended the subscription.")
    return exit_codes.OK


def _wanted(client: "Client", values: Namespace) -> dict[str, bool]:
    """Give the lists to watch: those that are named, or all of which the server says that it tells of them."""
    named = {name: bool(getattr(values, name)) for name in _LISTS}
    if any(named.values()) or values.uri:
        return named
    declared = client.server.capabilities
    offered = {name: _tells(declared.get(name)) for name in _LISTS}
    if not any(offered.values()):
        raise UsageFault("the server tells of no changes of its lists; name a resource with --uri")
    return offered


def _tells(capability: Any) -> bool:
    return isinstance(capability, dict) and capability.get("listChanged") is True


def _tell_granted(subscription: "Subscription", values: Namespace, console: Console) -> None:
    """Say on stderr what the server tells of, and what it was asked for and does not tell of."""
    granted = subscription.granted
    lists = [name for name in _LISTS if granted.get(f"{name}ListChanged")]
    uris = [str(uri) for uri in granted.get("resourceSubscriptions", [])]
    told = ", ".join([*(f"the list of {name}" for name in lists), *map(one_line, uris)])
    if not values.quiet:
        console.err.line(f"Watching {told or 'nothing: the server tells of none of it'}; Ctrl-C ends it.")
    missing = [name for name in _LISTS if getattr(values, name) and name not in lists]
    missing += [one_line(uri) for uri in values.uri if uri not in uris]
    if missing:
        console.err.line(f"The server does not tell of {', '.join(missing)}.")
    console.err.flush()


def _line(notice: "Notice") -> str:
    said = _KINDS[type(notice).__name__][1]
    uri = getattr(notice, "uri", None)
    clock = time.strftime("%H:%M:%S")
    return f"{clock}  {said}" if uri is None else f"{clock}  {said}: {one_line(uri)}"


def _json_line(notice: "Notice") -> str:
    from ..json_text import json_line

    members: dict[str, Any] = {"at": time_text(time.time()), "kind": _KINDS[type(notice).__name__][0]}
    uri = getattr(notice, "uri", None)
    return json_line(members if uri is None else {**members, "uri": uri})
