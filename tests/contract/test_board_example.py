"""The example server that tells of changes, as a client that listens sees it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.messages import call, cancel, frame
from support.processes import ServerProcess

BOARD = Path(__file__).resolve().parents[2] / "examples" / "board_server.py"
EVERYTHING = {
    "toolsListChanged": True,
    "promptsListChanged": True,
    "resourcesListChanged": True,
    "resourceSubscriptions": ["board:///c0"],
}


@pytest.fixture
def board() -> Iterator[ServerProcess]:
    """The board, with somebody who listens to all that there is."""
    process = ServerProcess(str(BOARD))
    process.send(frame("all", "subscriptions/listen", {"notifications": EVERYTHING}))
    acknowledged = process.take()["params"]["notifications"]
    assert acknowledged == {name: wanted for name, wanted in EVERYTHING.items() if "prompts" not in name}
    yield process
    process.close()


def done(board: ServerProcess, tool: str, **arguments: str) -> tuple[Any, list[str]]:
    """What a tool gave, and what was told meanwhile; a last change of one's own shows that nothing follows."""
    board.send(call(tool, tool, arguments))
    board.send(call("mark", "board_rewrite", {"card": "c0", "text": "Mark."}))
    answers, told = {}, []
    while "mark" not in answers or "resources/updated" not in told or tool not in answers:
        message = board.take()
        if "id" in message:
            answers[message["id"]] = message["result"]
        else:
            told.append(message["method"].removeprefix("notifications/"))
    told.remove("resources/updated")
    return answers[tool], told


def test_a_new_card_changes_the_list(board: ServerProcess) -> None:
    """Who listens to the list hears of it."""
    result, told = done(board, "board_pin", text="Lost: an umbrella.")
    assert result["structuredContent"] == {"result": "c1"}
    assert told == ["resources/list_changed"]


def test_a_card_that_is_rewritten_is_told_to_who_listens_to_it(board: ServerProcess) -> None:
    """And to nobody else."""
    done(board, "board_pin", text="Lost: an umbrella.")
    _result, told = done(board, "board_rewrite", card="c1", text="Found: an umbrella.")
    assert told == []


def test_a_tool_may_come_later(board: ServerProcess) -> None:
    """It is told, listed and callable; a second opening changes nothing."""
    _result, told = done(board, "board_open_archive")
    assert told == ["tools/list_changed"]
    board.send(call(1, "archive_search", {"word": "mark"}))
    assert board.take_answer(1)["result"]["structuredContent"] == {"result": ["c0"]}
    result, told = done(board, "board_open_archive")
    assert (result["content"][0]["text"], told) == ("The archive is open already.", [])


def test_the_board_knows_what_is_watched(board: ServerProcess) -> None:
    """From the first listener on, until the last has gone."""
    board.until(lambda: board.stderr() == "board:///c0 is watched\n")
    board.send(cancel("all"))
    board.until(lambda: board.stderr().endswith("board:///c0 is no longer watched\n"))
