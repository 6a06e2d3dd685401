"""Many servers at the same time: one that is stuck, or a fault of ours, holds up none of the others."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Self, cast

import pytest

from readingroom import Client, TimedOut
from readingroom.apps.side_by_side import asked
from readingroom.apps.targets import Target
from support.processes import PATIENCE


class Served:
    """A client whose tools are what `list_tools` gives; it ends when it is closed."""

    def __init__(self, list_tools: Callable[["Served"], list[Any]]) -> None:
        self._list_tools = list_tools
        self.server = SimpleNamespace(capabilities={"tools": {}})
        self.closed = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()

    def close(self) -> None:
        """Close it."""
        self.closed.set()

    def list_tools(self) -> list[Any]:
        """Give the tools."""
        return self._list_tools(self)

    list_resources = list_templates = list_prompts = list_tools


def _stuck(client: Served) -> list[Any]:
    assert client.closed.wait(PATIENCE)
    raise TimedOut("closed")


def _fails(_client: Served) -> list[Any]:
    raise ZeroDivisionError


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_stuck_server_is_given_up() -> None:
    """It is told as late and closed, and the one after it is heard all the same; so is one after a fault of ours."""
    clients = {"stuck": Served(_stuck), "broken": Served(_fails), "good": Served(lambda _: [1])}
    targets = [Target(name=name) for name in clients]
    heard = list(asked(targets, lambda target: cast("Client", clients[target.name]), 1.0))
    assert [one.target.name for one in heard] == ["stuck", "broken", "good"]
    assert str(heard[0].error) == "it had not listed everything after 1 s"
    assert "a fault of Reading Room" in str(heard[1].error)
    assert (heard[2].error, heard[2].found) == (None, {"tools": [1]})
    assert clients["stuck"].closed.is_set()


def test_who_stops_early_leaves_nothing_running() -> None:
    """Closing the iteration closes the servers that are still asked."""
    clients = {"good": Served(lambda _: []), "stuck": Served(_stuck)}
    rest = asked(
        [Target(name=name) for name in clients], lambda target: cast("Client", clients[target.name]), PATIENCE
    )
    assert next(rest).error is None
    rest.close()  # type: ignore[attr-defined]  # it is a generator
    assert clients["stuck"].closed.is_set()
