"""The servers of a folder of documents: how each indexes, is started and searched, and how its hits are counted."""

import json
import os
import shutil
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
    state: Path
    """Where it keeps what it makes."""
    index: list[str]
    serve: list[str]
    tool: str
    hits: Callable[[dict[str, Any]], int]
    env: dict[str, str] = field(default_factory=dict)
    again: list[str] = field(default_factory=list)
    """What looks at the folder again, where that is another command."""
    arguments: Callable[[str], dict[str, object]] = lambda query: {"query": query}
    """What its tool is called with."""

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
        state,
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
        state,
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
        state,
        [program, "ingest", str(folder), "--store", store],
        [program, "serve", store],
        "search",
        lambda result: len(json.loads(result["content"][0]["text"])["hits"]),
    )


def carrel(folder: Path, state: Path) -> FolderServer | None:
    """carrel, where READINGROOM_BENCH_CARREL names its program: it needs a newer Python than this project does.

    It keeps its index among the documents, so it has a copy of them; a question is sent as words in quotes, for it takes
    any other sign for the language of queries of SQLite.
    """
    program = os.environ.get("READINGROOM_BENCH_CARREL")
    if not program:
        return None
    desk = state / "desk"
    shutil.copytree(folder, desk)
    command = [program, "--root", str(desk)]
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()
    return FolderServer(
        "carrel",
        f"carrel {told[-1]}",
        state,
        [*command, "index", str(desk)],
        [*command, "mcp"],
        "carrel_search",
        lambda result: int(json.loads(result["content"][0]["text"])["count"]),
        arguments=lambda query: {"query": quoted(query), "limit": 10},
    )


def qmd(folder: Path, state: Path) -> FolderServer | None:
    """qmd, where READINGROOM_BENCH_QMD names its program; its full-text search alone, since its models are downloads."""
    program = os.environ.get("READINGROOM_BENCH_QMD")
    if not program:
        return None
    node = peers().node_program()
    command = [str(node), program]
    described = json.loads((Path(program).resolve().parent.parent / "package.json").read_text("utf-8"))
    return FolderServer(
        "qmd",
        f"qmd {described['version']}",
        state,
        [*command, "collection", "add", str(folder), "--name", "pages"],
        [*command, "mcp"],
        "query",
        lambda result: len(result["structuredContent"]["results"]),
        {"XDG_CACHE_HOME": str(state), "XDG_CONFIG_HOME": str(state)},
        again=[*command, "update"],
        arguments=lambda query: {
            "searches": [{"type": "lex", "query": query}],
            "limit": 10,
            "rerank": False,
        },
    )


def quoted(query: str) -> str:
    """The words of a query, each in quotes."""
    words = "".join(one if one.isalnum() else " " for one in query).split()
    return " ".join(f'"{word}"' for word in words)


def wider_servers(folder: Path, states: Path) -> list[FolderServer]:
    """All servers of a folder, those too that have to be installed by hand, as far as they are there."""
    made = folder_servers(folder, states)
    for make in (carrel, qmd):
        state = states / make.__name__
        state.mkdir()
        server = make(folder, state)
        made += [server] if server is not None else []
    return made


def folder_servers(folder: Path, states: Path) -> list[FolderServer]:
    """All of them over one folder, each with its own place under `states`."""
    made = []
    for make in (reading_room, markdown_vault, contextpull):
        state = states / make.__name__
        state.mkdir()
        made.append(make(folder, state))
    return made
