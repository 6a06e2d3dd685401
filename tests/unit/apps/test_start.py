"""What is loaded before `serve` has answered its first request: this list, and nothing else of weight."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

# Run in a fresh interpreter: the background thread waits for an hour, and what is loaded is told at the end.
_SCRIPT = """
import os, sys
before = set(sys.modules)
from readingroom.apps import serving
serving._FIRST_ANSWER_S = 3600.0
leave = os._exit
def tell(code):
    sys.stderr.write("\\n".join(name for name in sys.modules if name not in before))
    sys.stderr.flush()
    leave(code)
os._exit = tell
from readingroom.apps.main import main
main(sys.argv[1:])
"""

ROOMS_OF_OURS = {
    "apps",
    "desk",
    "kit",
    "transport",
    "server",
    "protocol",
    "wire",
    "limits",
    "errors",
    "library",
}
LIGHT_IN_LIBRARY = {"readingroom.library", "readingroom.library.errors", "readingroom.library.model"}
LIGHT_IN_APPS = {
    f"readingroom.apps{name}"
    for name in (
        "",
        ".compose",
        ".config_place",
        ".exit_codes",
        ".faults",
        ".main",
        ".options",
        ".planning",
        ".serving",
        ".settings",
    )
}
# msgspec loads typing_extensions where it is installed, as it is beside our own tools.
FOREIGN = {"msgspec", "typing_extensions"}
HEAVY = {
    "argparse", "asyncio", "gettext", "http", "json", "logging", "multiprocessing", "pathlib", "pickle", "shutil", "socket",
    "sqlite3", "ssl", "subprocess", "tempfile", "unicodedata", "unittest", "urllib", "xml",
}  # fmt: skip


@pytest.fixture(scope="module", params=["reader", "editor"])
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules that a server of either role has loaded when it has answered server/discover."""
    cache = tmp_path_factory.mktemp("cache")
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, "serve", str(EXAMPLES / "library"), "--cache", str(cache), "--role", request.param],
        input=(EXAMPLES / "discover.json").read_bytes(), capture_output=True, timeout=50, check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
    )  # fmt: skip
    assert done.stdout.count(b"\n") == 1
    return set(done.stderr.decode().split())


def test_of_ours(loaded: set[str]) -> None:
    """Of the library only its values are loaded, of the command line what a plain `serve` needs, of the client nothing."""
    ours = {name for name in loaded if name.startswith("readingroom.")}
    assert {name.split(".")[1] for name in ours} <= ROOMS_OF_OURS
    assert {name for name in ours if name.startswith("readingroom.library")} <= LIGHT_IN_LIBRARY
    assert {name for name in ours if name.startswith("readingroom.apps")} <= LIGHT_IN_APPS
    assert not {name for name in ours if "client" in name}


def test_of_others(loaded: set[str]) -> None:
    """msgspec is the only package of others; no engine, no database, no parser is among them."""
    roots = {name.partition(".")[0] for name in loaded} - {"readingroom"}
    assert {root for root in roots if root not in sys.stdlib_module_names} <= FOREIGN


def test_of_python(loaded: set[str]) -> None:
    """Of Python's own library nothing is loaded that costs more than it is needed."""
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
