"""Tests of `readingroom review --web`: how the command line becomes a page."""

import io
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps import page as door
from readingroom.apps.console import Console
from readingroom.apps.faults import UsageFault
from readingroom.apps.running import run
from readingroom.apps.settings import Settings
from readingroom.apps.terminal import Terminal


def console() -> Console:
    """Streams in memory."""
    return Console(Terminal(io.StringIO(), {}), Terminal(io.StringIO(), {}), {})


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the page is asked for, instead of serving it."""
    asked: list[dict[str, Any]] = []

    def serve(settings: Settings, _: Console, **options: Any) -> int:
        asked.append({"settings": settings, **options})
        return 7

    monkeypatch.setattr(door, "serve_page", serve)
    return asked


def test_the_page_gets_what_the_command_line_says(tmp_path: Path, served: list[dict[str, Any]]) -> None:
    """Its folder, rules, places, port, and whether to commit; no terminal is needed to look."""
    arguments = [
        "review",
        str(tmp_path),
        "--web",
        "--port",
        "8123",
        "--git",
        "--cache",
        "c",
        "--internal",
        "x/**",
    ]
    assert run(arguments, console()) == 7
    (asked,) = served
    assert (asked["port"], asked["has_git"]) == (8123, True)
    assert (asked["settings"].cache, asked["settings"].internal) == ("c", ("x/**",))


def test_without_a_port_a_free_one_is_taken(tmp_path: Path, served: list[dict[str, Any]]) -> None:
    """And nothing is committed unless it is asked for."""
    run(["review", str(tmp_path), "--web"], console())
    assert (served[0]["port"], served[0]["has_git"]) == (0, False)


@pytest.mark.parametrize("port", ["0", "65536", "1e3", "-1", "", "9999999999", "0000565536", "٨٠"])
def test_what_is_no_port_is_refused(tmp_path: Path, served: list[dict[str, Any]], port: str) -> None:
    """Before anything is served."""
    with pytest.raises(UsageFault, match="--port must be a number"):
        run(["review", str(tmp_path), "--web", f"--port={port}"], console())
    assert served == []


def test_what_is_for_the_page_alone_is_refused_without_it(tmp_path: Path) -> None:
    """It would do nothing."""
    with pytest.raises(UsageFault, match="give --web as well"):
        run(["review", str(tmp_path), "--port=8123"], console())
