"""Handlers that fail in every way: each costs its own request, and the server lives on."""

import json
from collections.abc import Iterator

import pytest

from support.messages import call, cancel, frame
from support.processes import ServerProcess

KINDS = [
    "exit",
    "sys.exit",
    "interrupt",
    "base",
    "memory",
    "generator",
    "value",
    "recursion",
    "surrogate_refusal",
    "unspeakable",
    "cancelled",
    "stop",
]


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """One server for all: a failure must cost only its own request."""
    process = ServerProcess("kit_server.py")
    yield process
    process.close()


def check_alive(server: ServerProcess) -> None:
    """Plain, quick and coroutine handlers are still answered."""
    for tool in ("add", "add_quick", "add_async"):
        server.send(call(tool, tool, {"a": 2, "b": 3}))
        assert server.take_answer(tool)["result"]["structuredContent"] == {"result": 5}


@pytest.mark.parametrize("tool", ["fail", "fail_quick", "fail_async"])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_handler_raises_is_answered(server: ServerProcess, tool: str, kind: str) -> None:
    """With an internal error that tells nothing of it; also SystemExit, KeyboardInterrupt and their kind."""
    server.send(call(7, tool, {"kind": kind}))
    answer = server.take()
    assert answer["id"] == 7
    error = answer["error"]
    if kind == "surrogate_refusal":
        assert error["code"] == -32602
    else:
        assert error["code"] == -32603
        assert error["message"] == "Internal error"
        assert len(error["data"]["incident"]) == 8
    assert "secret" not in json.dumps(answer)
    check_alive(server)


@pytest.mark.parametrize("tool", ["fail", "fail_quick", "fail_async"])
def test_what_a_model_may_read_is_a_result(server: ServerProcess, tool: str) -> None:
    """ToolError is told as it is (TOOL-7)."""
    server.send(call(7, tool, {"kind": "tool"}))
    result = server.take()["result"]
    assert result["isError"] is True
    assert result["content"] == [{"type": "text", "text": "the model may read this"}]


@pytest.mark.parametrize("tool", ["fail", "fail_quick", "fail_async"])
def test_a_tool_error_that_cannot_be_encoded_is_answered(server: ServerProcess, tool: str) -> None:
    """A lone surrogate in its text makes it an internal error."""
    server.send(call(7, tool, {"kind": "surrogate"}))
    answer = server.take()
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    check_alive(server)


@pytest.mark.parametrize("kind", ["exit", "interrupt", "base"])
def test_a_task_beside_a_request_does_not_end_the_loop(server: ServerProcess, kind: str) -> None:
    """SystemExit in a task that a handler started stops neither the loop nor the other requests."""
    server.send(call(7, "fail_task", {"kind": kind}))
    assert server.take()["id"] == 7
    check_alive(server)


@pytest.mark.parametrize("kind", ["surrogate", "object", "function", "loop", "keys", "deep"])
def test_a_value_that_json_cannot_say_is_an_internal_error(server: ServerProcess, kind: str) -> None:
    """It is encoded before it is queued, so the writer never sees it."""
    server.send(call(7, "give", {"kind": kind}))
    answer = server.take()
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    check_alive(server)


@pytest.mark.parametrize("kind", ["text", "none", "surrogate", "object"])
def test_a_value_that_breaks_the_output_schema_is_never_sent(server: ServerProcess, kind: str) -> None:
    """It is an internal error instead (TOOL-8)."""
    server.send(call(7, "wrong", {"kind": kind}))
    answer = server.take()
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    check_alive(server)


def test_nothing_is_a_result_without_content(server: ServerProcess) -> None:
    """None gives an empty list of content."""
    server.send(call(7, "give", {"kind": "nothing"}))
    assert server.take()["result"]["content"] == []


@pytest.mark.parametrize("characters", [0, 65_536, 5_000_000])
def test_results_may_be_huge(server: ServerProcess, characters: int) -> None:
    """A result of megabytes is written whole, on one line, and the next answers follow it."""
    server.send(call(7, "big", {"characters": characters}), call(8, "add", {"a": 1, "b": 1}))
    answers = {answer["id"]: answer for answer in (server.take(), server.take())}
    assert answers[7]["result"]["structuredContent"] == {"result": "x" * characters}
    assert answers[8]["result"]["structuredContent"] == {"result": 2}


def test_a_cancelled_request_is_never_answered(server: ServerProcess) -> None:
    """Plain and coroutine handlers see it and stop; nothing is sent for them any more (CAN-3)."""
    for tool, name in (("hold", "plain one"), ("hold_async", "async one")):
        server.send(call("held", tool, {"name": name}))
        entered = f"{name} entered"
        server.until(lambda entered=entered: is_open(server, entered))
        server.send(cancel("held"))
        server.until(lambda name=name: name in cancelled_ones(server))
        server.send(call("open", "open_gate", {"name": name}))
        assert server.take()["id"] == "open"
        check_alive(server)


def is_open(server: ServerProcess, name: str) -> bool:
    """Ask the server whether a gate is open."""
    server.send(call("gate", "is_open", {"name": name}))
    return bool(server.take_answer("gate")["result"]["structuredContent"]["result"])


def cancelled_ones(server: ServerProcess) -> list[str]:
    """Ask the server which handlers have seen their cancellation."""
    server.send(call("cancelled", "cancelled_ones"))
    names: list[str] = server.take_answer("cancelled")["result"]["structuredContent"]["result"]
    return names


def test_progress_comes_before_the_answer_and_only_when_asked_for(server: ServerProcess) -> None:
    """Tokens come back as they came, also 0 and the empty one; nothing follows the answer (PROG-2)."""
    for token in (0, "", "t", 2**70):
        server.send(call(7, "progress", {"steps": 3}, {"progressToken": token}))
        notes = [server.take() for _ in range(3)]
        assert [note["params"]["progress"] for note in notes] == [0, 1, 2]
        assert all(note["params"]["progressToken"] == token for note in notes)
        assert server.take()["id"] == 7
    server.send(call(7, "progress", {"steps": 3}))
    assert server.take()["id"] == 7


def test_resources_and_prompts_fail_alone_too(server: ServerProcess) -> None:
    """What is not there is an error of its own kind (RSRC-3)."""
    server.send(frame(7, "resources/read", {"uri": "faults:///none"}))
    assert server.take()["error"] == {
        "code": -32602,
        "message": "Resource not found",
        "data": {"uri": "faults:///none"},
    }
    check_alive(server)
