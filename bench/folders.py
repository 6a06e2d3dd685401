"""The servers of a folder of documents: how each indexes, is started and searched, and how its hits are counted."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contestants import environment, peers, version_in


@dataclass(frozen=True)
class FolderServer:
    """One server over one folder, with everything it keeps in a folder of its own."""

    name: str
    title: str
    index: list[str]
    serve: list[str]
    tool: str
    hits: Callable[[dict[str, Any]], int]
    env: dict[str, str] = field(default_factory=dict)

    def build(self) -> float:
        """Index the folder from nothing; gives the seconds. Raises RuntimeError when that fails."""
        began = time.perf_counter()
        done = subprocess.run(self.index, env=self.environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.name} could not index: {done.stderr[-2000:]}")
        return time.perf_counter() - began

    def environment(self) -> dict[str, str]:
        """What it is started with."""
        return {**environment(), **self.env}


def reading_room(folder: Path, state: Path) -> FolderServer:
    """This project's server, with its index in `state`."""
    command = [sys.executable, "-m", "readingroom"]
    where = [str(folder), "--cache", str(state)]
    return FolderServer(
        "readingroom",
        f"Reading Room {version_in(Path(sys.executable), 'readingroom')}",
        [*command, "index", *where],
        [*command, "serve", *where],
        "library_search",
        lambda result: len(result["structuredContent"]["items"]),
    )


def markdown_vault(folder: Path, state: Path) -> FolderServer:
    """markdown-vault-mcp, told to keep its index on disk and to offer no writing."""
    program = str(peers().script_of("markdown-vault-mcp", "markdown-vault-mcp"))
    env = {"SOURCE_DIR": str(folder), "INDEX_PATH": str(state / "index.db"), "READ_ONLY": "true"}
    return FolderServer(
        "markdown-vault-mcp",
        f"markdown-vault-mcp {version_in(peers().python_of('markdown-vault-mcp'), 'markdown-vault-mcp')}",
        [program, "index"],
        [program, "serve"],
        "search",
        lambda result: len(result["structuredContent"]["result"]),
        {f"MARKDOWN_VAULT_MCP_{key}": value for key, value in env.items()},
    )


def contextpull(folder: Path, state: Path) -> FolderServer:
    """ContextPull; it serves a store that was made beforehand, and does not look at the folder again."""
    program, store = str(peers().script_of("contextpull", "contextpull")), str(state / "store.sqlite")
    return FolderServer(
        "contextpull",
        f"contextpull {version_in(peers().python_of('contextpull'), 'contextpull')}",
        [program, "ingest", str(folder), "--store", store],
        [program, "serve", store],
        "search",
        lambda result: len(json.loads(result["content"][0]["text"])["hits"]),
    )


def folder_servers(folder: Path, states: Path) -> list[FolderServer]:
    """All of them over one folder, each with its own place under `states`."""
    made = []
    for make in (reading_room, markdown_vault, contextpull):
        state = states / make.__name__
        state.mkdir()
        made.append(make(folder, state))
    return made
