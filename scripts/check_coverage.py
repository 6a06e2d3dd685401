"""Runs the tests of the parts once under coverage and holds every room to its bar (part of `make check`).

Left out are most of those that look at whole processes from outside (`tests/fault`, `tests/interop`, `tests/docs`) and the
slow ones: `make test` runs them, and what only they reach is not tested where it is. `--rest` runs them alone. A
client is tested against servers that break.

Every branch of `wire`, `protocol`, `server.connection` and the pure part of the client, which hostile bytes reach first;
95 of 100 lines of every other file. A file that cannot be held to it is listed below, with the reason.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "src/readingroom/"

MEASURED = (
    *(
        "tests/unit",
        "tests/property",
        "tests/contract",
        "tests/rules",
        "tests/house",
        "tests/docs/test_command_line.py",
    ),
    *(
        "tests/fault/test_client_endings.py",
        "tests/fault/test_client_broken_answers.py",
        "tests/fault/test_client_large.py",
    ),
)
WHOLE = ("wire/", "protocol/", "server/connection.py", "client/")
LINES = 95.0

LESS: dict[str, tuple[float, str]] = {
    "transport/windows_job.py": (0.0, "calls Windows alone; the tests of processes run it there"),
    "apps/windows.py": (0.0, "calls Windows alone"),
    "apps/check/": (20.0, "what it says of servers is proved by a server for each rule, in tests/check"),
    "transport/uvicorn_server.py": (
        90.0,
        "its signals and its end are tested on whole processes (test_http_end.py)",
    ),
    "kit/async_subscription.py": (30.0, "it is listened to from whole programs, in test_client_listening.py"),
    "kit/listener.py": (
        85.0,
        "as above, and over HTTP against servers that go and come (test_client_over_http.py)",
    ),
    "transport/http_client_exchange.py": (85.0, "what peers do to it is tested in test_client_http.py"),
    "transport/http_client_replies.py": (80.0, "as above"),
}


def main() -> int:
    """Run, measure, and give 1 if a test fails or a file misses its bar; with `--rest`, run what this leaves out."""
    if sys.argv[1:] == ["--rest"]:
        return rest()
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "COVERAGE_FILE": str(Path(place) / "coverage")}
        report = Path(place) / "coverage.json"
        tests = [
            "pytest", "-q", "-n", "auto", "-m", "not peers and not soak and not slow", "--cov=readingroom", "--cov-report=",
            *MEASURED,
        ]  # fmt: skip
        if subprocess.run([sys.executable, "-m", *tests], cwd=ROOT, env=environment, check=False).returncode:
            return 1
        told = ["coverage", "json", "--quiet", "-o", str(report)]
        subprocess.run([sys.executable, "-m", *told], cwd=ROOT, env=environment, check=True)
        faults = faults_of(json.loads(report.read_text("utf-8"))["files"])
    for fault in faults:
        print(fault)
    print(
        f"coverage: {len(faults)} files under their bar" if faults else "coverage: every file keeps its bar"
    )
    return 1 if faults else 0


def rest() -> int:
    """Run what is not measured: other places, and there the slow tests. Gives what pytest gives."""
    others = [f"--ignore={place}" for place in MEASURED]
    for chosen in (
        (*others, "-m", "not peers and not soak"),
        (*MEASURED, "-m", "slow and not peers and not soak"),
    ):
        run = [sys.executable, "-m", "pytest", "-q", "-n", "auto", *chosen]
        code = subprocess.run(run, cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


def bar_of(name: str) -> float:
    """Give how many lines of 100 of a file are to be covered: by its own name, or by that of its folder."""
    return next((bar for listed, (bar, _) in LESS.items() if name.startswith(listed)), LINES)


def faults_of(files: dict[str, Any]) -> list[str]:
    """Say which files miss their bar, and where."""
    faults = []
    for path, measured in sorted(files.items()):
        name = path.replace(os.sep, "/").partition(SOURCE)[2]
        summary = measured["summary"]
        if not summary["num_statements"]:
            continue
        lines = 100.0 * summary["covered_lines"] / summary["num_statements"]
        missing = measured["missing_lines"]
        if name.startswith(WHOLE):
            branches = measured.get("missing_branches", [])
            if missing or branches:
                faults.append(
                    f"{path}: every branch is to be covered; missing lines {missing}, branches {branches}"
                )
        elif lines < bar_of(name):
            faults.append(f"{path}: {lines:.0f} % of lines; missing {missing}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
