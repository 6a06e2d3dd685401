"""A configuration file as it is read: JSON, with comments and trailing commas as editors allow them, or TOML."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..faults import UsageFault
from ..targets import Target
from . import expansion
from .entries import Reading, target_from

_LARGEST = 64 * 1024 * 1024
_KEYS = ("mcpServers", "servers", "mcp_servers")
_PROJECT_FOLDERS = (".cursor", ".vscode", ".gemini", ".codex")


class NoServers(UsageFault):
    """A configuration file is in order, and names no servers."""


class ServersFile(msgspec.Struct, frozen=True):
    """The servers that a file names, in its order."""

    place: str
    targets: tuple[Target, ...]


def read_file(
    path: str | os.PathLike[str], environment: Mapping[str, str], given: frozenset[str] = frozenset()
) -> ServersFile:
    """Read the servers of a file; the variables in `given` are not looked for in it.

    Raises: NoServers when it names none; UsageFault when it cannot be read, or is no JSON or TOML.
    """
    place = Path(path)
    document = _document(place)
    entries = _entries(document, place)
    folder = _project(place)
    scope = expansion.Scope(environment, str(folder), str(Path("~").expanduser()))
    reading = Reading(str(place), _style(place, document), scope, given)
    return ServersFile(
        str(place), tuple(target_from(name, entry, reading) for name, entry in entries.items())
    )


def _document(place: Path) -> Mapping[str, Any]:
    try:
        with place.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageFault(f"{place} cannot be read: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise UsageFault(f"{place} is too large for a configuration file")
    try:
        text = data.decode("utf-8-sig")
        document = _toml(text) if place.suffix == ".toml" else msgspec.json.decode(plain_json(text))
    except ValueError as error:
        kind = "TOML" if place.suffix == ".toml" else "JSON"
        raise UsageFault(f"{place} is no {kind} that can be read: {error}") from None
    if not isinstance(document, Mapping):
        raise UsageFault(f"{place} must hold an object")
    return document


def _toml(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def _entries(document: Mapping[str, Any], place: Path) -> dict[str, Any]:
    """Give the entries by name. Those that Claude Code keeps for the folder that we are in come before the user's."""
    nested = document.get("mcp")
    homes = [document, *([nested] if isinstance(nested, Mapping) else [])]
    projects = document.get("projects")
    here = projects.get(str(Path.cwd())) if isinstance(projects, Mapping) else None
    homes += [here] if isinstance(here, Mapping) else []
    found: dict[str, Any] = {}
    seen = False
    for home in homes:
        for key in _KEYS:
            if isinstance(home.get(key), Mapping):
                seen = True
                found.update(home[key])
    if not seen:
        raise NoServers(f"{place} names no servers: it has none of {', '.join(_KEYS)}")
    return found


def _style(place: Path, document: Mapping[str, Any]) -> expansion.Style:
    """Say what is expanded, by the app that the file belongs to, as its name or its form tells."""
    if place.suffix == ".toml" or place.name == "claude_desktop_config.json":
        return expansion.NOTHING
    if place.name in (".mcp.json", ".claude.json"):
        return expansion.CLAUDE_CODE
    if place.parent.name == ".gemini":
        return expansion.GEMINI
    if place.parent.name in (".cursor", ".vscode") or "mcpServers" not in document:
        return expansion.EDITOR
    return expansion.ANY


def _project(place: Path) -> Path:
    """Give the folder of the project that a file belongs to."""
    whole = place.absolute()
    inside = whole.parent.name in _PROJECT_FOLDERS and whole.parent.parent != Path("~").expanduser()
    if inside:
        return whole.parent.parent
    return whole.parent if whole.name == ".mcp.json" else Path.cwd()


def plain_json(text: str) -> str:
    """Give JSON without the comments and the trailing commas that editors allow in their settings.

    What stands in texts is left alone; a comment becomes a space, and its line ends stay, so that errors name the line.
    """
    import re

    pattern = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    bare = pattern.sub(lambda found: found[0] if found[0][0] == '"' else "\n" * found[0].count("\n"), text)
    comma = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
    return comma.sub(lambda found: found[0] if found[0][0] == '"' else "", bare)
