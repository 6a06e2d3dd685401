"""Public servers that others wrote: how each is started, what is asked of it, and what `check` says of it.

All are installed with locked versions (`scripts/install_peers.py`), need no key, and none needs a network here. A test
fails when one of them comes out otherwise.
"""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.peers import ROOT, installer

GIT = shutil.which("git") or "git"
MODULES = ROOT / "tests" / "interop" / "strangers" / "node_modules"


@dataclass(frozen=True)
class Stranger:
    """One server: `command` gets a folder of its own; the answer to `call` has to say `says`.

    `version` is the one that is agreed on; `broken` and `warned` are the rules that `check` names over stdio, of those in
    `only` or of all.
    """

    name: str
    version: str
    command: Callable[[Path], list[str]]
    call: tuple[str, Mapping[str, Any]]
    says: str
    fails: bool = False
    resource: str = ""
    prompt: tuple[str, Mapping[str, str]] | None = None
    broken: frozenset[str] = frozenset()
    warned: frozenset[str] = frozenset()
    only: tuple[str, ...] = ()
    env: Callable[[Path], dict[str, str]] = field(default=lambda _: {})

    def __str__(self) -> str:
        """Give the name that a test shows."""
        return self.name


def node(script: str, *arguments: str) -> Callable[[Path], list[str]]:
    """Give what starts a script of an npm package; `{folder}` stands for the folder."""

    def command(folder: Path) -> list[str]:
        path, program = MODULES / script, installer().node_program()
        assert path.exists(), f"{script} is not installed; run: make test-peers"
        return [str(program), str(path), *(one.replace("{folder}", str(folder)) for one in arguments)]

    return command


def python(program: str, *arguments: str, peer: str = "strangers") -> Callable[[Path], list[str]]:
    """Give what starts a program of a peer's environment; `{folder}` stands for the folder."""

    def command(folder: Path) -> list[str]:
        path = installer().script_of(peer, program)
        assert path.exists(), f"{program} is not installed; run: make test-peers"
        return [str(path), *(one.replace("{folder}", str(folder)) for one in arguments)]

    return command


def _repository(folder: Path) -> list[str]:
    """Make a repository with one commit, and give what serves it."""
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    if not (folder / ".git").exists():
        subprocess.run([GIT, "init", "--quiet", str(folder)], check=True)
        commit = [
            GIT,
            *identity,
            "-C",
            str(folder),
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            "the first",
        ]
        subprocess.run(commit, check=True)
    return python("mcp-server-git", "--repository", "{folder}")(folder)


def _store(folder: Path) -> list[str]:
    """Read a document into a store, and give what serves it."""
    store = folder / "store.sqlite"
    if not store.exists():
        (folder / "tea.md").write_text("# Tea\n\nTea wants water that has just boiled.\n", encoding="utf-8")
        ingest = [*python("contextpull", "ingest", "{folder}", "--store")(folder), str(store)]
        subprocess.run(ingest, check=True, capture_output=True)
    return [*python("contextpull", "serve")(folder), str(store)]


def _vault(folder: Path) -> dict[str, str]:
    """Write a note, and give the variables that say where it is."""
    notes = folder / "notes"
    notes.mkdir(exist_ok=True)
    (notes / "tea.md").write_text("# Tea\n\nTea wants water that has just boiled.\n", encoding="utf-8")
    told = {"SOURCE_DIR": str(notes), "INDEX_PATH": str(folder / "index.db"), "READ_ONLY": "true"}
    return {f"MARKDOWN_VAULT_MCP_{name}": value for name, value in told.items()}


_OLDER = "2025-11-25"
_MODERN = "2026-07-28"
_NOT_TODAYS = frozenset(("VER-4",))
# Without the rules of what their SDK does with broken lines, which test_check_on_others.py shows: each would be started a
# dozen times.
_OWN = (
    "VER-1", "VER-4", "DISC-1", "DISC-2", "RES-5", "PAGE-3", "TOOL-6", "TOOL-7", "TOOL-15", "RSRC-3", "PRO-3",
)  # fmt: skip
_REFERENCE = "@modelcontextprotocol"

STRANGERS = (
    Stranger(
        "filesystem",
        version=_OLDER,
        command=node(f"{_REFERENCE}/server-filesystem/dist/index.js", "{folder}"),
        call=("list_allowed_directories", {}),
        says="Allowed directories",
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "memory",
        version=_OLDER,
        command=node(f"{_REFERENCE}/server-memory/dist/index.js"),
        call=("read_graph", {}),
        says="entities",
        resource="memory://knowledge-graph",
        env=lambda folder: {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")},
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "everything",
        version=_OLDER,
        command=node(f"{_REFERENCE}/server-everything/dist/index.js", "stdio"),
        call=("get-sum", {"a": 2, "b": 40}),
        says="42",
        resource="demo://resource/static/document/features.md",
        prompt=("args-prompt", {"city": "Paris"}),
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "sequential-thinking",
        version=_OLDER,
        command=node(f"{_REFERENCE}/server-sequential-thinking/dist/index.js"),
        call=(
            "sequentialthinking",
            {"thought": "a", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1},
        ),
        says="thoughtHistoryLength",
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "time",
        _MODERN,
        python("mcp-server-time", "--local-timezone", "UTC"),
        ("get_current_time", {"timezone": "UTC"}),
        '"timezone": "UTC"',
        warned=frozenset(("PAGE-3", "TOOL-15", "PRO-3")),
        only=_OWN,
    ),
    Stranger(
        "fetch",
        _MODERN,
        python("mcp-server-fetch"),
        ("fetch", {"url": "http://127.0.0.1:9/"}),
        "not a public address",
        fails=True,
        prompt=("fetch", {"url": "http://127.0.0.1:9/"}),
        warned=frozenset(("PAGE-3", "TOOL-15")),
        only=_OWN,
    ),
    Stranger(
        "git",
        _MODERN,
        _repository,
        ("git_log", {"repo_path": "{folder}"}),
        "the first",
        warned=frozenset(("PAGE-3", "TOOL-15", "PRO-3")),
        only=_OWN,
    ),
    Stranger(
        "sqlite",
        version=_OLDER,
        command=python("mcp-server-sqlite", "--db-path", "{folder}/tea.db", peer="strangers-mcp-1"),
        call=("list_tables", {}),
        says="[]",
        resource="memo://insights",
        prompt=("mcp-demo", {"topic": "tea"}),
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "context7",
        _MODERN,
        node("@upstash/context7-mcp/dist/index.js"),
        ("resolve-library-id", {"query": "tea", "libraryName": "tea"}),
        "",  # without a network it says that it found none
        warned=frozenset(("PAGE-3",)),
        only=_OWN,
    ),
    Stranger(
        "playwright",
        version=_OLDER,
        command=node("@playwright/mcp/cli.js", "--executable-path", "{folder}/no-browser"),
        call=("browser_tabs", {"action": "list"}),
        says="Error",
        fails=True,
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "obsidian",
        "2024-11-05",
        node("mcp-obsidian/dist/index.js", "{folder}"),
        ("search_notes", {"query": "tea"}),
        "No matches found",
        broken=_NOT_TODAYS,
    ),
    Stranger(
        "motherduck",
        _MODERN,
        python("mcp-server-motherduck", "--db-path", ":memory:", "--read-write"),
        ("execute_query", {"sql": "select 41 + 1 as answer"}),
        "42",
        broken=frozenset(("TOOL-6",)),
        warned=frozenset(("PAGE-3", "TOOL-15")),
        only=_OWN,
    ),
    Stranger(
        "markdown-vault-mcp",
        _MODERN,
        python("markdown-vault-mcp", "serve"),
        ("search", {"query": "water"}),
        "boiled",
        env=_vault,
        broken=frozenset(("TOOL-6",)),
        warned=frozenset(("PAGE-3", "TOOL-15", "PRO-3")),
        only=_OWN,
    ),
    Stranger(
        "contextpull",
        _MODERN,
        _store,
        ("search", {"query": "water"}),
        "boiled",
        broken=frozenset(("TOOL-6", "RSRC-3")),
        warned=frozenset(("PAGE-3", "TOOL-15")),
        only=_OWN,
    ),
)

BY_NAME = {one.name: one for one in STRANGERS}


def _everything_over_http(folder: Path) -> list[str]:
    """Give what serves it: its port is a variable."""
    program, script, _ = BY_NAME["everything"].command(folder)
    return ["/bin/sh", "-c", f'PORT={{port}} exec "{program}" "{script}" streamableHttp']


OVER_HTTP: dict[str, tuple[Callable[[Path], list[str]], frozenset[str]]] = {
    "everything": (_everything_over_http, frozenset(("VER-4", "RPC-4"))),
    "context7": (
        node("@upstash/context7-mcp/dist/index.js", "--transport", "http", "--port", "{port}"),
        frozenset(("RPC-4", "HTTP-2", "HDR-3", "ENC-5")),
    ),
    "motherduck": (
        python(
            "mcp-server-motherduck",
            "--db-path",
            ":memory:",
            "--read-write",
            "--transport",
            "http",
            "--port",
            "{port}",
        ),
        frozenset(("RPC-4", "TOOL-6", "HTTP-2", "ENC-5")),
    ),
}
"""Those that serve over HTTP, too: what does so on `{port}`, and the rules that `check` finds broken there."""
