"""What `check` says of servers on other SDKs: docs/explanation/what-check-found.md is written from it."""

import pytest

from check.collection import checked
from support.peers import ROOT, command_of, installer

pytestmark = [pytest.mark.peers, pytest.mark.timeout(240)]
SILENT = {"STDIO-3", "RPC-3", "RPC-1", "RPC-8"}
BROKEN = {"mcp": {"META-5", "TOOL-6"}, "fastmcp": {"META-5", "TOOL-6"}, "typescript": {"META-5"}}
WARNED = {
    "mcp": SILENT | {"RPC-10", "STDIO-11", "PAGE-3", "TOOL-15", "PRO-3"},
    "fastmcp": SILENT | {"RPC-10", "STDIO-11", "PAGE-3", "TOOL-15"},
    "typescript": SILENT | {"RPC-9", "META-3", "PAGE-3"},
}


def command(peer: str) -> list[str]:
    """Give the command of a peer's smallest server."""
    folder = ROOT / "bench" / "servers"
    if peer == "typescript":
        return [str(installer().node_program()), str(folder / "add_typescript.mjs")]
    return [command_of(peer, "serve")[0], str(folder / f"add_{peer}.py")]


@pytest.mark.parametrize("peer", BROKEN)
def test_the_smallest_server(peer: str) -> None:
    """These rules, and no others."""
    found = checked(command(peer), timeout=20, quiet=0.5, call_tools=True)
    by_verdict = {
        verdict: {one.rule for one in found.findings if one.verdict == verdict}
        for verdict in ("broken", "warning")
    }
    assert by_verdict == {"broken": BROKEN[peer], "warning": WARNED[peer]}
