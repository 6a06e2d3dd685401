"""What a server offers, list by list: asked for, and laid out for a person or as JSON."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .characters import cut, one_line
from .layout import two_columns
from .terminal import Terminal

if TYPE_CHECKING:
    from ..client import Discovery
    from ..kit.client import Client

_KINDS = (
    ("tools", "Tools", "tools"),
    ("resources", "Resources", "resources"),
    ("templates", "Resource templates", "resources"),
    ("prompts", "Prompts", "prompts"),
)
_SAID = 300
FEW = 20
"""How many of each list are shown, unless all are asked for."""


def features_of(client: "Client") -> dict[str, list[Any]]:
    """Give what the server declares, list by list. Raises: the client's errors."""
    lists: dict[str, Callable[[], list[Any]]] = {
        "tools": client.list_tools,
        "resources": client.list_resources,
        "templates": client.list_templates,
        "prompts": client.list_prompts,
    }
    declared = client.server.capabilities
    return {kind: lists[kind]() for kind, _, capability in _KINDS if capability in declared}


def as_json(server: "Discovery", found: dict[str, list[Any]]) -> dict[str, Any]:
    """Give everything the server said, as it said it."""
    return {"server": server.raw, **{kind: [item.raw for item in items] for kind, items in found.items()}}


def named(server: "Discovery") -> str:
    """Give what a server calls itself, with its version."""
    name, version = (str(server.server.get(member, "")) for member in ("name", "version"))
    return one_line(f"{name or 'A server without a name'} {version}".rstrip())


def lines_of(found: dict[str, list[Any]], out: Terminal, limit: int | None) -> list[str]:
    """Give the lines that tell what was found, at most `limit` of each list."""
    return [line for kind, title, _ in _KINDS for line in _section(title, found.get(kind, []), out, limit)]


def _section(title: str, items: Sequence[Any], out: Terminal, limit: int | None) -> list[str]:
    if not items:
        return []
    rows = [
        (_named(item), "\n\n".join(filter(None, (arguments_of(item), _said(item))))) for item in items[:limit]
    ]
    lines = ["", out.paint("bold", f"{title}: {len(items):,}"), *two_columns(rows, out.columns)]
    left = len(items) - len(rows)
    return [*lines, f"  and {left:,} more: --full lists them"] if left else lines


def _named(item: Any) -> str:
    """What the item is called for: its address, or else its name."""
    address = item.raw.get("uri") or item.raw.get("uriTemplate")
    return one_line(str(address) if address else item.name)


def arguments_of(item: Any) -> str:
    """Give the arguments of a tool or a prompt, those that may be left out in brackets."""
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
