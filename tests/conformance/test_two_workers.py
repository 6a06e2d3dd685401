"""The official conformance suite against two processes behind nginx: every request goes to the other one of them.

So each round of a call, each look at a task and each page of a list is answered by a process that knows nothing of the one
before, but what the client brings and what they share.
"""

import secrets
import sys
from pathlib import Path

import pytest

from conformance.suite import required, run
from support.proxying import proxied

pytestmark = [pytest.mark.peers, pytest.mark.timeout(300)]

MODERN = "2026-07-28"
EXCEPTIONS = {
    # The proxy hides the address that the suite takes for its own, and its origin is not among those allowed.
    "localhost-host-valid-accepted",
    # A process tells of its own changes: the one that listens is not the one whose tool was called.
    "sep-2575-server-sends-prompts-list-changed-on-subscription",
    "sep-2575-server-sends-tools-list-changed-on-subscription",
}


def test_two_processes_serve_as_one(tmp_path: Path) -> None:
    """Nothing fails and nothing is warned of but what a proxy and a second process bring with them; tasks included."""
    folder, found = tmp_path / "shared", tmp_path / "found"
    folder.mkdir()
    found.mkdir()
    (folder / "key").write_bytes(secrets.token_bytes(32))
    worker = [sys.executable, str(Path(__file__).with_name("server.py")), "{port}", str(folder)]
    with proxied(folder, worker, worker) as port:
        report = run(f"http://127.0.0.1:{port}/mcp", found, "--requirements", MODERN)
    wrong = report.having("FAILURE", "WARNING")
    assert {check.id for check in wrong} <= EXCEPTIONS, "\n".join(map(str, wrong))
    scored, others = required(MODERN)
    assert report.scenarios == scored | others
