"""FastMCP's client of the tasks extension and the conformance fixture's tools that become tasks, over each carrier."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.peers import PATIENCE, SCRIPTS, installer
from support.serving import served

pytestmark = pytest.mark.peers

FIXTURE = str(Path(__file__).resolve().parents[1] / "conformance" / "server.py")
HEADER_MISMATCH = -32020


def done_by_tasks(*server: str) -> dict[str, Any]:
    """Have everything done and give what came."""
    program = installer().python_of("fastmcp-tasks")
    assert program.exists(), "fastmcp-tasks is not installed; run: make test-peers"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COVERAGE"))}
    done = subprocess.run(
        [str(program), str(SCRIPTS / "use_tasks.py"), *server],
        env=kept,
        capture_output=True,
        timeout=PATIENCE,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_on_stdio() -> None:
    """Tasks are waited for, answered when they ask, and cancelled; what a caller gets is the tool's own result (TASK-6)."""
    both = "{'name': 'Ada', 'confirm': True}"
    assert done_by_tasks(sys.executable, FIXTURE) == {
        "greet": [False, ["Hello, Ada!"]],
        "slow_compute": [False, ["sums: computed for 0.3 s"]],
        "confirm_delete": [False, ["f: True"]],
        "multi_input": [False, [f"{both} {both}"]],
        "test_tool_with_task": [False, ["Hello, Ada!"]],
        "failing_job": [True, ["the job has failed"]],
        "protocol_error_job": [True, ["Internal error"]],
        "cancelled": ["working", "cancelled"],
    }


def test_on_http() -> None:
    """This client leaves out the header that names the task, so that it cannot ask for one over HTTP (TASK-12)."""
    with served(FIXTURE, "{port}") as url:
        found = done_by_tasks(url)
    assert found.pop("greet") == [False, ["Hello, Ada!"]]
    assert {name for name, came in found.items() if came != {"code": HEADER_MISMATCH}} == set()
