"""Servers that `readingroom new` has written, and what is done with them from outside, as their authors do it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

PATIENCE = 180
NAME = "my-notes"
PACKAGE = "my_notes"


def new(folder: Path, *options: str, name: str = NAME) -> Path:
    """Write a server by the command line, and give its folder."""
    done(readingroom("new", name, "--dir", str(folder), *options))
    return folder


def readingroom(*arguments: str) -> list[str]:
    """Give a command line of ours."""
    return [sys.executable, "-m", "readingroom", *arguments]


def attempted(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command, without what is set for the tests around it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "NODE"))}
    return subprocess.run(
        command, cwd=cwd, env=kept, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE
    )


def done(command: list[str], cwd: Path | None = None) -> str:
    """Run a command that must succeed, and give what it writes."""
    run = attempted(command, cwd)
    assert run.returncode == 0, f"{command}\n{run.stdout[-6000:]}\n{run.stderr[-3000:]}"
    return run.stdout


def own_tests(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a Python project as its README says."""
    return attempted([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options], project)


def checked(command: list[str], cwd: Path) -> dict[str, list[str]]:
    """Check a server on stdio; see `verdicts`."""
    return verdicts("--cwd", str(cwd), "--", *command)


def checked_over_http(command: list[str], cwd: Path) -> dict[str, list[str]]:
    """Check a server over HTTP, on a free port, which it tells on stderr; see `verdicts`."""
    with subprocess.Popen([*command, "--http", "0"], cwd=cwd, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            found = re.search(r"http://[^\s;]+", line)
            assert found is not None, line
            return verdicts(found[0])
        finally:
            process.terminate()
            process.communicate()


def verdicts(*target: str) -> dict[str, list[str]]:
    """Run `readingroom check`; give the rules of each verdict, and see that the exit code says the same."""
    run = attempted(readingroom("check", "--json", *target))
    assert run.stdout, run.stderr[-3000:]
    rules: list[dict[str, Any]] = json.loads(run.stdout)["rules"]
    found: dict[str, list[str]] = {}
    for rule in rules:
        found.setdefault(rule["verdict"], []).append(rule["rule"])
    assert run.returncode == bool(found.get("broken")), run.stdout
    return found


def replaced(file: Path, old: str, new: str) -> None:
    """Change a file of a project; what is to be changed must be there."""
    text = file.read_text("utf-8")
    assert old in text, f"{old!r} is not in {file}"
    file.write_text(text.replace(old, new), "utf-8")
