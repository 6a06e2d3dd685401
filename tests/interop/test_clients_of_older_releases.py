"""Older releases of the official clients, each speaking the revision of its time, and our server, over each carrier.

They are what many apps are built on. A program in the language of each does a bit of everything and prints what came
(peers/use_older.py, older/use_older.mjs). Release 1.4 of the TypeScript client has only the HTTP of its time,
with two addresses, which our servers do not offer.
"""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from support.peers import PATIENCE, ROOT, SCRIPTS, installer

pytestmark = pytest.mark.peers

OLDER = ROOT / "tests" / "interop" / "older"
RELEASES = {
    "mcp-1.8": "2024-11-05",
    "mcp-1.9": "2025-03-26",
    "mcp-1.12": "2025-06-18",
    "sdk-1.4": "2024-11-05",
    "sdk-1.11": "2025-03-26",
    "sdk-1.17": "2025-06-18",
    "sdk-1.25": "2025-11-25",
}


def command_of(release: str) -> list[str]:
    """Give the command that does everything with a release; the server is to follow."""
    if release.startswith("mcp"):
        program, script, is_there = installer().python_of(release), [str(SCRIPTS / "use_older.py")], True
    else:
        program, script = installer().node_program(), [str(OLDER / "use_older.mjs"), release]
        is_there = program is not None and (OLDER / "node_modules" / release).exists()
    assert is_there, f"{release} is not installed; run: make test-peers"
    assert program.exists(), f"{release} is not installed; run: make test-peers"
    return [str(program), *script]


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    """Name a release as its environment is named."""
    return str(request.param)


@pytest.fixture(scope="module")
def came(release: str, carrier: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Give what came of everything."""
    if (release, carrier) == ("sdk-1.4", "http"):
        pytest.skip("this release has only the HTTP of 2024-11-05, which our servers do not offer")
    server = (
        [sys.executable, request.getfixturevalue("workshop")]
        if carrier == "stdio"
        else [request.getfixturevalue("workshop_url")]
    )
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "NODE", "COVERAGE"))
    }
    done = subprocess.run(
        [*command_of(release), *server], env=kept, capture_output=True, timeout=PATIENCE, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_agreement(came, release):
    """The revision of the client's time is agreed on (LEG-1)."""
    assert (came["version"], came["name"], came["ping"]) == (RELEASES[release], "workshop", {})


def test_features(came, release):
    """Tools, resources, prompts and completions work; a missing resource has the code of the time (LEG-7)."""
    assert came["tools"] == ([100] if release == "mcp-1.8" else [100, 65])
    assert (came["added"], came["failed"]) == ("3", True)
    assert (came["read"], came["missing"]) == ("fixed", -32002)
    assert came["prompt"] == "Plan a visit to Bern in summer."
    assert came["completed"] == ["Berlin", "Bern"]


def test_what_a_revision_does_not_know(came, release):
    """Structured content, sound and links are sent to those who know them; the others get texts (LEG-7)."""
    version = RELEASES[release]
    sound = "audio" if version >= "2025-03-26" else "text"
    link = "resource_link" if version >= "2025-06-18" else "text"
    assert came["structured"] == ({"result": 3} if version >= "2025-06-18" else None)
    assert came["blocks"] == ["text", "image", sound, link, "resource", "resource"]


def test_what_a_handler_asks(came, release):
    """What a handler asks comes as the requests of that revision, where it has them (LEG-5, LEG-8)."""
    assert came["asked"] == [["A model says so.", "file:///home/ada"], False]
    person = ["accept {'name': 'Ada'}", "accept {'number': 3}"]
    assert came["person"] == (person if RELEASES[release] >= "2025-06-18" else None)


def test_what_a_server_tells(came, release, carrier):
    """Progress, log lines at the level that was set, and news of a resource that was subscribed to (LEG-6)."""
    assert came["lines"] == ["debug", "warning", "error", "error"]
    assert came["updated"] == "x:///fixed"
    if release == "mcp-1.8":
        assert came["progress"] is None
    elif release.startswith("sdk") and carrier == "stdio":
        # This client drops progress that it reads together with the answer.
        assert came["progress"] == [1, 2, 3][: len(came["progress"])]
    else:
        assert came["progress"] == [1, 2, 3]
