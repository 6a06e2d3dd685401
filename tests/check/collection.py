"""The collection of servers that each break one rule, and runs of `check` over them."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from readingroom.apps.check.bench import Settings
from readingroom.apps.check.checking import Checked, check
from readingroom.apps.check.http_peer import HttpPeer
from readingroom.apps.check.line import Line
from readingroom.apps.check.post import place_of
from readingroom.apps.check.stdio_peer import StdioPeer
from readingroom.transport.processes import default_environment

SERVERS = Path(__file__).parent / "servers"
TIMEOUT = 5.0
QUIET = 0.1
# Taken once: pytest writes to the environment while threads would read it.
ENVIRONMENT = default_environment()


def _module(name: str) -> ModuleType:
    sys.path.insert(0, str(SERVERS))
    try:
        spec = importlib.util.spec_from_file_location(name, SERVERS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SERVERS))
    return module


FAULTS: dict[str, str] = {name: rule for name, (rule, _) in _module("misbehaving").FAULTS.items()}
"""The rule that each server breaks, by its name."""


def command(name: str) -> list[str]:
    """Give the command that starts a server; its imports are kept small, for it is started often."""
    if name == "good":
        return [sys.executable, "-S", "-E", str(SERVERS / "good.py")]
    return [sys.executable, "-S", "-E", str(SERVERS / "misbehaving.py"), name]


def checked(argv: list[str], timeout: float = TIMEOUT, quiet: float = QUIET, **told: Any) -> Checked:
    """Check a server as the command does."""
    call_tools = told.pop("call_tools", False)
    environment = ENVIRONMENT | told.pop("env", {})

    def connect(note: Any) -> StdioPeer:
        return StdioPeer(Line(argv, None, environment), note, timeout, quiet)

    return check(connect, Settings(timeout=timeout, call_tools=call_tools), **told)


def named(found: Checked) -> list[str]:
    """Give the rules that are broken or warned of."""
    return [finding.rule for finding in found.findings if finding.verdict in ("broken", "warning")]


def posting() -> ModuleType:
    """The servers over HTTP: `FAULTS`, `Posting`, and `start` to serve one in a thread."""
    return _module("posting")


def checked_over_http(url: str, timeout: float = TIMEOUT, **told: Any) -> Checked:
    """Check a server over HTTP as the command does."""
    mirrors: dict[str, Any] = {}
    call_tools = told.pop("call_tools", False)
    token = told.pop("token", "")
    place = place_of(url, [("Authorization", f"Bearer {token}")] if token else ())
    settings = Settings(timeout=timeout, call_tools=call_tools, carrier="http")
    return check(lambda note: HttpPeer(place, note, timeout, mirrors), settings, **told)
