"""Where AI apps keep their configuration files: those of the user, and those that lie in a project's folder.

A project's file comes with its code, and what it starts is code: such a file is pointed out, and never used unasked.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_PROJECT = (
    ".mcp.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    ".gemini/settings.json",
    ".codex/config.toml",
)


def found_files(environment: Mapping[str, str], platform: str = sys.platform) -> list[Path]:
    """Give the user's own configuration files that are there."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path("~").expanduser())
    apps = _apps_folder(home, environment, platform)
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home)
    wanted = (
        claude / ".claude.json",
        apps / "Claude" / "claude_desktop_config.json",
        home / ".cursor" / "mcp.json",
        apps / "Code" / "User" / "mcp.json",
        home / ".gemini" / "settings.json",
        codex / "config.toml",
    )
    return [place for place in wanted if place.is_file()]


def project_files(folder: str | os.PathLike[str] = ".") -> list[Path]:
    """Give the configuration files that lie in a project's folder."""
    home = Path("~").expanduser()
    places = [Path(folder) / name for name in _PROJECT] if Path(folder).absolute() != home else []
    return [place for place in places if place.is_file()]


def _apps_folder(home: Path, environment: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    if platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
