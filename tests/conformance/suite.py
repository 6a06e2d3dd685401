"""Runs the official conformance suite against a server or a client and reads what every check of every scenario said.

The suite's own summary passes over warnings and does not count what a revision does not score; so its files are read.
Knows nothing of the fixture and nothing of Reading Room.
"""

import os
import re
import subprocess
from pathlib import Path

import msgspec
import yaml

from support.peers import installer

SUITE = Path(__file__).parent / "node_modules" / "@modelcontextprotocol" / "conformance"
PATIENCE = 280.0
"""Seconds after which a run has failed; it takes a quarter of a minute on an idle machine."""


class Check(msgspec.Struct, frozen=True, rename="camel"):
    """What one check of a scenario found; `status` is SUCCESS, FAILURE, WARNING, SKIPPED or INFO."""

    id: str
    status: str
    error_message: str = ""
    scenario: str = ""

    def __str__(self) -> str:
        return f"{self.status} {self.scenario}: {self.id}: {self.error_message}"


class Report:
    """What the suite found in one run."""

    def __init__(self, checks: list[Check], output: str) -> None:
        self.checks = checks
        self.output = output

    @property
    def scenarios(self) -> set[str]:
        """The scenarios that were run."""
        return {check.scenario for check in self.checks}

    def having(self, *statuses: str, among: set[str] | None = None) -> list[Check]:
        """Give the checks that ended in one of `statuses`, of all scenarios or those `among`."""
        return [
            check
            for check in self.checks
            if check.status in statuses and (among is None or check.scenario in among)
        ]


def required(revision: str, side: str = "server") -> tuple[set[str], set[str]]:
    """Give the names of the scenarios for one side that a revision scores, and of those that it only reports."""
    listed = yaml.safe_load((SUITE / "requirements" / f"{revision}.yaml").read_text("utf-8"))
    others = {entry["scenario"] for entry in listed["not_scored"] if entry["leg"] == side}
    return set(listed[side]), others


def run(url: str, folder: Path, *options: str) -> Report:
    """Run the suite against a server at `url`; `folder`, which is empty, keeps its files."""
    return _run("server", "--url", url, "-o", str(folder), *options, folder=folder)


def run_client(command: str, folder: Path, *options: str) -> Report:
    """Run the suite against the client that `command` starts; `folder`, which is empty, keeps its files."""
    return _run("client", "--command", command, "-o", str(folder), *options, folder=folder)


def _run(*arguments: str, folder: Path) -> Report:
    program = installer().node_program()
    script = SUITE / "dist" / "index.js"
    assert program is not None, "Node.js is not installed; run: make test-peers"
    assert script.exists(), "the conformance suite is not installed; run: make test-peers"
    env = {name: value for name, value in os.environ.items() if not name.startswith("NODE")}
    done = subprocess.run(
        [str(program), str(script), *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        encoding="utf-8",
    )
    checks = [
        check
        for found in sorted(folder.rglob("checks.json"))
        for check in _checks(found.parent.relative_to(folder).as_posix(), found)
    ]
    assert checks, f"the suite has checked nothing: {done.stdout[-3000:]}"
    return Report(checks, done.stdout)


def _checks(name: str, file: Path) -> list[Check]:
    """Read the checks of one scenario; its folder is named after it and the time."""
    named = re.fullmatch(r"(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", name)
    assert named is not None, name
    found = msgspec.json.decode(file.read_bytes(), type=list[Check])
    return [msgspec.structs.replace(check, scenario=named[1]) for check in found]
