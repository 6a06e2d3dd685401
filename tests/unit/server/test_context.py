"""What a handler may ask of its request, and tell the client meanwhile."""

import json
from typing import Any

import msgspec
import pytest

from readingroom import UsageError
from readingroom.protocol import LOG_LEVELS, Admitted, admit
from readingroom.server import Cancelled, Context, Flight
from readingroom.wire import classify
from support.messages import CAPABILITIES, CLIENT, LOG_LEVEL, META, message


def context(
    meta: dict[str, Any] | None = None, *, logging: bool = False
) -> tuple[Context, Flight, list[Any]]:
    """A context, its flight, and where its notifications go."""
    admitted = admit(
        classify(json.dumps(message(7, "server/discover", None, meta)).encode(), 64), frozenset()
    )
    assert isinstance(admitted, Admitted)
    flight = Flight(admitted)
    sent: list[Any] = []
    ctx = Context(
        7, admitted.params.meta, flight, lambda _, data: sent.append(json.loads(data)), "me", logging=logging
    )
    return ctx, flight, sent


def test_a_context_tells_who_asks_and_what_was_declared() -> None:
    """For this request alone (META-5); how the client names itself is told apart (META-9)."""
    ctx, _, _ = context({CLIENT: {"name": "c", "version": "1", "title": "C"}, CAPABILITIES: {"sampling": {}}})
    assert (ctx.request_id, ctx.principal, ctx.capabilities) == (7, "me", {"sampling": {}})
    assert ctx.client
    assert (ctx.client.name, ctx.client.version, ctx.client.title) == ("c", "1", "C")
    ctx, _, _ = context()
    assert (ctx.client, ctx.capabilities) == (None, META[CAPABILITIES])


def test_a_cancellation_is_seen() -> None:
    """`check` raises, `cancelled` says so."""
    ctx, flight, _ = context()
    ctx.check()
    assert not ctx.cancelled
    flight.cancelled = True
    assert ctx.cancelled
    with pytest.raises(Cancelled):
        ctx.check()


@pytest.mark.parametrize("token", [0, "", "t", 2**70])
def test_progress_is_told_under_the_token_as_it_came(token: Any) -> None:
    """And only when it grows (PROG-2)."""
    ctx, _, sent = context({"progressToken": token})
    assert ctx.wants_progress
    for step in (0, 0, 0.5, 0.4, 1):
        ctx.progress(step)
    ctx.progress(2, 10, "halfway")
    assert [note["params"]["progress"] for note in sent] == [0, 0.5, 1, 2]
    assert all(note["params"]["progressToken"] == token for note in sent)
    assert sent[-1] == {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": token, "progress": 2, "total": 10, "message": "halfway"},
    }


def test_progress_that_nobody_asked_for_is_not_told() -> None:
    """Without a token nothing is sent."""
    ctx, _, sent = context()
    ctx.progress(1)
    assert (ctx.wants_progress, sent) == (False, [])


@pytest.mark.parametrize("numbers", [(float("nan"),), (float("inf"),), (1, float("nan")), (1, float("-inf"))])
def test_progress_is_told_in_finite_numbers(numbers: tuple[float, ...]) -> None:
    """JSON has no others, and nothing is sent as null instead."""
    ctx, _, sent = context({"progressToken": 1})
    with pytest.raises(ValueError, match="finite"):
        ctx.progress(*numbers)
    assert sent == []


@pytest.mark.parametrize("wanted", LOG_LEVELS)
def test_log_lines_are_sent_from_the_level_that_was_asked_for(wanted: str) -> None:
    """Those below are not (LOG-1, LOG-2)."""
    ctx, _, sent = context({LOG_LEVEL: wanted}, logging=True)
    for level in LOG_LEVELS:
        ctx.log(level, {"a": None})
    assert [note["params"]["level"] for note in sent] == list(LOG_LEVELS[LOG_LEVELS.index(wanted) :])
    assert sent[0]["method"] == "notifications/message"
    assert sent[0]["params"] == {"level": wanted, "data": {"a": None}}


def test_a_log_line_may_name_its_logger() -> None:
    """It is left out otherwise (LOG-3)."""
    ctx, _, sent = context({LOG_LEVEL: "debug"}, logging=True)
    ctx.log("info", "x", "indexer")
    assert sent[0]["params"] == {"level": "info", "logger": "indexer", "data": "x"}


def test_log_lines_that_nobody_asked_for_are_not_sent() -> None:
    """Each request asks for itself (LOG-1)."""
    ctx, _, sent = context(logging=True)
    ctx.log("emergency", "x")
    assert sent == []


def test_logging_is_declared_before_it_is_used() -> None:
    """And levels are those of the protocol."""
    ctx, _, _ = context({LOG_LEVEL: "debug"})
    with pytest.raises(UsageError):
        ctx.log("info", "x")
    ctx, _, _ = context({LOG_LEVEL: "debug"}, logging=True)
    with pytest.raises(ValueError, match="one of debug, info"):
        ctx.log("loud", "x")


@pytest.mark.parametrize("value", [object(), "\ud800"])
def test_what_cannot_be_encoded_fails_in_the_handler(value: Any) -> None:
    """Not in the writer."""
    ctx, _, sent = context({LOG_LEVEL: "debug", "progressToken": 1}, logging=True)
    with pytest.raises((TypeError, ValueError, msgspec.MsgspecError)):
        ctx.log("info", value)
    assert sent == []
