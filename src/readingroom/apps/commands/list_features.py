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


_SAID = 300
_FEW = 20


def configure(parser: ArgumentParser) -> None:
    """Add the options; the command stands after them."""
    parser.add_argument("--all", action="store_true", help="list everything, however long the lists are")
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
        for line in _section(title, found.get(kind, []), console, None if values.all else _FEW):
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


def _section(title: str, items: Sequence[Any], console: Console, limit: int | None) -> list[str]:
    if not items:
        return []
    rows = [
        (_named(item), "\n\n".join(filter(None, (_arguments(item), _said(item))))) for item in items[:limit]
    ]
    lines = [
        "",
        console.out.paint("bold", f"{title}: {len(items):,}"),
        *two_columns(rows, console.out.columns),
    ]
    return (
        [*lines, f"  and {len(items) - len(rows):,} more: --all lists them"]
        if len(items) > len(rows)
        else lines
    )


def _named(item: Any) -> str:
    """What the item is called for: its address, or else its name."""
    address = item.raw.get("uri") or item.raw.get("uriTemplate")
    return one_line(str(address) if address else item.name)


def _arguments(item: Any) -> str:
    """The arguments of a tool or a prompt, those that may be left out in brackets."""
    schema = item.raw.get("inputSchema")
    if isinstance(schema, dict):
        names, needed = schema.get("properties"), schema.get("required")
    else:
        given = [argument for argument in item.raw.get("arguments", []) if isinstance(argument, dict)]
        names = [argument.get("name") for argument in given]
        needed = [argument.get("name") for argument in given if argument.get("required") is True]
    must = [str(name) for name in needed] if isinstance(needed, list) else []
    may = [str(name) for name in names if name not in must] if isinstance(names, list | dict) else []
    return one_line(" ".join([*must, *([f"[{' '.join(may)}]"] if may else [])]))


def _said(item: Any) -> str:
    """The title and the description, without saying the same twice."""
    title, description = one_line(item.title or ""), one_line(" ".join((item.description or "").split()))
    if description.casefold().startswith(title.casefold().rstrip(".")):
        return cut(description, _SAID)
    return cut(f"{title}: {description}" if description else title, _SAID)
