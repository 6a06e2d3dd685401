"""What is loaded when: a start costs next to nothing, and a server never loads what only others need."""

import os
import subprocess
import sys

import pytest

import readingroom
from readingroom import kit

HEAVY = (
    "apsw",
    "asyncio",
    "charset_normalizer",
    "http",
    "jsonschema_rs",
    "logging",
    "pathspec",
    "platformdirs",
    "pyromark",
    "selectolax",
    "socket",
    "sqlite3",
    "ssl",
    "Stemmer",
    "subprocess",
    "tantivy",
    "yaml",
)


def _loaded(program: str) -> set[str]:
    """The modules that are loaded once `program` has run."""
    told = f"{program}\nimport sys\nprint(*sys.modules)"
    # What measures coverage would be loaded, too.
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, env=unmeasured
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("name", readingroom.__all__)
def test_every_public_name_is_there(name: str) -> None:
    """Every name that the package offers can be had, and is the kit's."""
    assert getattr(readingroom, name) is getattr(kit, name)


def test_an_unknown_name_is_refused() -> None:
    """A name that is not offered is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="Nothing"):
        _ = readingroom.Nothing


def test_importing_the_package_loads_nothing() -> None:
    """`import readingroom` loads no other module of ours and nothing of others."""
    ours = {name for name in _loaded("import readingroom") if name.startswith("readingroom")}
    assert ours == {"readingroom"}


def test_the_kit_loads_no_library() -> None:
    """Server and Client load neither search nor SQLite nor HTTP nor asyncio."""
    loaded = _loaded("from readingroom import Server")
    assert loaded.isdisjoint(HEAVY)
    assert not any(name.startswith(("readingroom.library", "readingroom.client")) for name in loaded)
    loaded = _loaded("from readingroom import Client")
    assert loaded.isdisjoint(set(HEAVY) - {"subprocess", "socket", "logging"})
    assert not any(name.startswith(("readingroom.library", "readingroom.server")) for name in loaded)


def test_a_server_answers_discovery_before_anything_heavy() -> None:
    """By the time `readingroom serve` has made its server, nothing heavy is loaded."""
    program = (
        "from readingroom.apps import compose\n"
        "from readingroom.apps.settings import Settings\n"
        "from readingroom.desk import open_desk\n"
        "open_desk(lambda: None, version='1', cursor_key=b'k' * 16).dispatcher()\n"
    )
    assert _loaded(program).isdisjoint(HEAVY)
