"""`readingroom list`: what any MCP server offers."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import exit_codes, peers, targets
from ..characters import cut, one_line
from ..console import Console
from ..json_text import json_text
from ..layout import two_columns
from ..parsing import CommandParser

if TYPE_CHECKING:
    from ...kit.client import Client

USAGE = "[options] -- COMMAND…"
DESCRIPTION = """\
Start an MCP server, list its tools, resources, resource templates and prompts, and end it.

The command is started without a shell. What the server says of itself is shown as text and trusted for nothing."""
EXAMPLES = (
    ("readingroom list -- readingroom serve ~/articles", "what our own server offers"),
    (
        "readingroom list --json -- python examples/notes_server.py",
        "everything the server said, schemas included",
    ),
)

_KINDS = (
    ("tools", "Tools", "tools"),
    ("resources", "Resources", "resources"),
    ("templates", "Resource templates", "resources"),
    ("prompts", "Prompts", "prompts"),
)


_SAID = 200


def configure(parser: ArgumentParser) -> None:
    """Add the options; the command stands after them."""
    parser.add_argument("--json", action="store_true", help="print what the server listed, as JSON")
    peers.configure(parser)


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line. Raises: UsageFault."""
    ours, command = targets.parted(parser, arguments)
    values = parser.read(ours)
    values.command = command
    return values


def run(values: Namespace, console: Console) -> int:
    """List and print. Raises: the client's errors, UsageFault."""
    with peers.client_of(values.command, values, console) as client:
        server = client.server
        found = _features(client)
    if values.json:
        listed = {kind: [item.raw for item in items] for kind, items in found.items()}
        console.out.line(json_text({"server": server.raw, **listed}))
        return exit_codes.OK
    name, version = (str(server.server.get(member, "")) for member in ("name", "version"))
    console.out.line(
        console.out.paint("bold", one_line(f"{name or 'A server without a name'} {version}".rstrip()))
    )
    for kind, title, _ in _KINDS:
        for line in _section(title, found.get(kind, []), console):
            console.out.line(line)
    return exit_codes.OK


def _features(client: "Client") -> dict[str, list[Any]]:
    """Give what the server declares, list by list."""
    lists: dict[str, Callable[[], list[Any]]] = {
        "tools": client.list_tools,
        "resources": client.list_resources,
        "templates": client.list_templates,
        "prompts": client.list_prompts,
    }
    declared = client.server.capabilities
    return {kind: lists[kind]() for kind, _, capability in _KINDS if capability in declared}


def _section(title: str, items: Sequence[Any], console: Console) -> list[str]:
    if not items:
        return []
    rows = [(_named(item), cut(one_line(_said(item)), _SAID)) for item in items]
    lines = two_columns(rows, console.out.columns)
    return ["", console.out.paint("bold", f"{title}: {len(items):,}"), *lines]


def _named(item: Any) -> str:
    """What the item is called for: a tool's or prompt's name with its arguments, or an address."""
    raw = item.raw
    address = raw.get("uri") or raw.get("uriTemplate")
    return one_line(str(address) if address else item.name)


def _said(item: Any) -> str:
    said = item.title or ""
    description = " ".join((item.description or "").split())
    return f"{said}: {description}" if said and description else said or description
