"""The one table from exceptions to answers, and what is masked by it."""

import asyncio
import concurrent.futures
import json
from typing import Any

import pytest

from readingroom import InvalidParams, MissingCapability, Refused, ResourceNotFound, ToolError
from readingroom.protocol import CallResult
from readingroom.server import Cancelled, Failures
from readingroom.server.failures import Error
from readingroom.server.schema import BadArguments


def failures(reported: list[Any] | None = None) -> Failures:
    """Failures with a fixed incident id, and a log that keeps what it is given."""
    log: list[Any] = [] if reported is None else reported
    return Failures(lambda: "i1", lambda incident, error, feature: log.append((incident, error, feature)))


MASKED = Error(-32603, "Internal error", {"incident": "i1"})


@pytest.mark.parametrize(
    ("error", "code", "message", "data"),
    [
        (Refused("m"), -32603, "m", None),
        (Refused("m", code=-1, data=[1]), -1, "m", [1]),
        (Refused("m", code=-32601), -32601, "m", None),
        (Refused("m", code=-31999), -31999, "m", None),
        (InvalidParams("m", data=0), -32602, "m", 0),
        (ResourceNotFound("a:b"), -32602, "Resource not found", {"uri": "a:b"}),
        (
            MissingCapability({"sampling": {}}),
            -32021,
            "Client capability required",
            {"requiredCapabilities": {"sampling": {}}},
        ),
    ],
)
def test_a_refusal_is_told_as_it_is(error: Refused, code: int, message: str, data: Any) -> None:
    """With its code, its message and its data."""
    assert failures().outcome(error, is_tool=True, feature="tool t") == Error(code, message, data)


def test_what_a_model_may_read_is_a_failed_call() -> None:
    """Of a tool; elsewhere there is no such thing, and it is an error in those words (TOOL-7)."""
    outcome = failures().outcome(ToolError("why"), is_tool=True, feature="tool t")
    assert isinstance(outcome, CallResult)
    assert outcome.is_error
    assert failures().outcome(ToolError("why"), is_tool=False, feature="prompt p") == Error(-32603, "why")
    assert isinstance(failures().outcome(BadArguments("why"), is_tool=True, feature="tool t"), CallResult)


@pytest.mark.parametrize(
    "error", [ValueError("secret"), KeyError("secret"), SystemExit(1), KeyboardInterrupt(), MemoryError()]
)
def test_everything_else_is_masked_and_reported(error: BaseException) -> None:
    """Under an incident id that the log has too."""
    log: list[Any] = []
    assert failures(log).outcome(error, is_tool=True, feature="tool t") == MASKED
    assert log == [("i1", error, "tool t")]


@pytest.mark.parametrize(
    "code", [-32000, -32002, -32042, -32019, -32050, -32099, -32768, -32700 - 1, True, None, 1.5, "x"]
)
def test_a_code_that_is_reserved_for_others_is_masked(code: Any) -> None:
    """Only those of this revision may be sent from the reserved range, and only integers (ERR-1 to ERR-3, ERR-5)."""
    error = Refused("m")
    error.code = code
    assert failures().outcome(error, is_tool=False, feature="prompt p") == MASKED


@pytest.mark.parametrize(
    "error", [Cancelled(), asyncio.CancelledError(), concurrent.futures.CancelledError()]
)
def test_a_cancelled_request_has_no_outcome(error: BaseException) -> None:
    """Whatever says that it was cancelled (CAN-3)."""
    assert failures().outcome(error, is_tool=True, feature="tool t") is None


def test_a_log_that_cannot_be_written_costs_nothing_else() -> None:
    """The answer is given all the same."""

    def broken(_incident: str, _error: BaseException, _feature: str) -> None:
        raise OSError("no space left")

    assert Failures(lambda: "i1", broken).outcome(ValueError(), is_tool=True, feature="tool t") == MASKED


@pytest.mark.parametrize("data", [object(), "\ud800", {(1, 2): 3}])
def test_an_error_that_cannot_be_encoded_is_told_without_words(data: Any) -> None:
    """Its code and its id are kept."""
    told = json.loads(Failures.encode(7, Error(-32602, "m", data)))
    assert told == {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "Internal error"}}
    assert json.loads(Failures.encode(7, Error(-32602, "m")))["error"] == {"code": -32602, "message": "m"}


def test_a_question_that_was_caught_in_a_task_group_is_told_as_what_it_is() -> None:
    """In the log, where the author of the handler looks; a group without one is any other error."""
    from readingroom.server import told
    from readingroom.server.context import Asking

    asking: Any = Asking({}, None)  # type: ignore[arg-type]  # nobody looks at the round
    nested = BaseExceptionGroup("g", [ValueError("secret"), BaseExceptionGroup("h", [asking])])
    assert "ctx.ask in a task group" in str(told(nested))
    assert told(ExceptionGroup("g", [ValueError("secret")])) is None
