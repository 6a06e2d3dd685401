"""Arrays of messages: taken in the one revision that has them (2025-03-26), and in no other (RPC-8)."""

import json

import pytest

from readingroom.client import Calls, Noticed, Reported, Settled
from readingroom.client.batches import VERSION, parts
from readingroom.errors import PeerProtocolError

TEXT = {"content": [{"type": "text", "text": "t"}]}


def answered(request_id: int, **result: object) -> dict[str, object]:
    """Make an answer."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result or TEXT}


def told(method: str, **params: object) -> dict[str, object]:
    """Make a notification."""
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}


def hear(calls: Calls, message: object) -> list:
    """Take one line."""
    calls.hear()
    return calls.take(json.dumps(message).encode())


def greeted(version: str) -> Calls:
    """Give calls after a handshake that agreed on a version, with two requests in flight."""
    calls = Calls({}, 64, strict=True)
    calls.turn_older()
    calls.add("greeting", "initialize")
    info = {"name": "s", "version": "1"}
    (done,) = hear(calls, answered(1, protocolVersion=version, capabilities={}, serverInfo=info))
    assert done.error is None
    calls.add("a", "tools/call", has_token=True)
    calls.add("b", "tools/call")
    return calls


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'[{"a":1},2]', [b'{"a":1}', b"2"]),
        (b" \t[ [] ]", [b"[]"]),
        (b'{"a":[1]}', None),
        (b"[]", None),
        (b"[1", None),
        (b"[" * 100_000, None),
        (b"", None),
    ],
)
def test_the_messages_of_an_array(line: bytes, found: list[bytes] | None) -> None:
    """As they stand in it; what is none, or empty, is left as it is."""
    assert parts(line) == found


def test_a_batch_is_its_messages() -> None:
    """Answers to several, a notification and progress, each as if it had come alone."""
    calls = greeted(VERSION)
    effects = hear(
        calls,
        [told("progress", progressToken=2, progress=1), told("tools/list_changed"), answered(3), answered(2)],
    )
    assert [type(effect) for effect in effects] == [Reported, Noticed, Settled, Settled]
    assert [effect.owner for effect in effects] == ["a", None, "b", "a"]
    assert calls.violations.count == 0


@pytest.mark.parametrize("batch", [[], [answered(2), [answered(3)]]])
def test_what_is_no_batch_there_either(batch: list[object]) -> None:
    """An empty one, and one within another (RPC-8)."""
    calls = greeted(VERSION)
    errors = [effect.error for effect in hear(calls, batch) if effect.error is not None]
    assert errors
    assert all(isinstance(error, PeerProtocolError) and error.rule == "RPC-8" for error in errors)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_no_other_revision_has_them(version: str) -> None:
    """All that is in flight fails (RPC-8)."""
    effects = hear(greeted(version), [answered(2), answered(3)])
    assert [(effect.owner, effect.error.rule) for effect in effects] == [("a", "RPC-8"), ("b", "RPC-8")]


def test_a_version_that_is_known_beforehand() -> None:
    """Over HTTP, where each request is taken for itself."""
    calls = Calls({}, 64, strict=True)
    calls.turn_older(VERSION)
    calls.add("a", "tools/call")
    (done,) = hear(calls, [answered(1)])
    assert (done.owner, done.error) == ("a", None)
