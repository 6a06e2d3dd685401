"""Who is measured: the servers of `bench/servers/`, how each is started, and its version."""

import functools
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
SERVERS = HERE / "servers"
INSTALLER = HERE.parent / "scripts" / "install_peers.py"


@dataclass(frozen=True)
class Contestant:
    """A server of `add`: its short name, what tables call it, its command, how many calls it is sent at once."""

    name: str
    title: str
    command: tuple[str, ...]
    burst: int


@functools.cache
def peers() -> ModuleType:
    """The installer of peers, which knows where they stand."""
    spec = importlib.util.spec_from_file_location("install_peers", INSTALLER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def install() -> None:
    """Install the peers that are missing. Raises CalledProcessError when one cannot be."""
    subprocess.run([sys.executable, str(INSTALLER)], check=True)


def environment() -> dict[str, str]:
    """This process's environment without what would change how Python or Node runs."""
    return {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "NODE", "COVERAGE"))
    }


def version_in(python: Path, package: str) -> str:
    """The version of a package in another environment."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run(
        [str(python), "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def node() -> str:
    """The `node` binary of the peers. Raises FileNotFoundError when it is not installed."""
    program = peers().node_program()
    if program is None:
        raise FileNotFoundError("Node.js is not installed; run scripts/install_peers.py")
    return str(program)


def node_version() -> str:
    """What `node --version` says, without the v."""
    return (
        subprocess.run([node(), "--version"], capture_output=True, text=True, check=True)
        .stdout.strip()
        .lstrip("v")
    )


def typescript_version() -> str:
    """The version of the installed TypeScript SDK."""
    described = HERE / "node_modules" / "@modelcontextprotocol" / "server" / "package.json"
    return str(json.loads(described.read_text())["version"])


def all_contestants() -> list[Contestant]:
    """The kit in both ways, its peers and the bare loop, in the order of the tables."""
    own, official, fast = sys.executable, peers().python_of("mcp"), peers().python_of("fastmcp")
    ours = version_in(Path(own), "readingroom")
    kit = (own, str(SERVERS / "add.py"))
    return [
        Contestant("kit", f"Reading Room {ours}", kit, 20_000),
        Contestant("quick", f"Reading Room {ours}, tool marked quick", (*kit, "--quick"), 20_000),
        Contestant(
            "mcp", f"mcp {version_in(official, 'mcp')}", (str(official), str(SERVERS / "add_mcp.py")), 700
        ),
        Contestant(
            "fastmcp",
            f"FastMCP {version_in(fast, 'fastmcp')}",
            (str(fast), str(SERVERS / "add_fastmcp.py")),
            400,
        ),
        Contestant(
            "typescript",
            f"TypeScript SDK {typescript_version()} on Node {node_version()}",
            (node(), str(SERVERS / "add_typescript.mjs")),
            7_000,
        ),
        Contestant("bare", "bare loop (no protocol)", (own, str(SERVERS / "add_bare.py")), 20_000),
    ]


def web_contestants() -> list[Contestant]:
    """The servers that are measured over HTTP: each takes a port as its last argument."""
    by_name = {one.name: one for one in all_contestants()}
    sizes = {"kit": 4_000, "quick": 4_000, "mcp": 400, "fastmcp": 300}
    echo = (sys.executable, str(SERVERS / "echo_asgi.py"))
    return [
        *(Contestant(name, by_name[name].title, by_name[name].command, size) for name, size in sizes.items()),
        Contestant("echo", "bare ASGI echo (no protocol)", echo, 6_000),
    ]
