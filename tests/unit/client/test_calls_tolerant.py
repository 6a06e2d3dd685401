"""What a tolerant client makes of answers that break the rules, on one connection."""

import json

import pytest

from readingroom.errors import InputRequired, RemoteError
from support.flights import TEXT, Flight, result

BLOCK = {"type": "text", "text": "t"}
PART = {"uri": "x:///a", "text": "t"}
TOOL = {"name": "t", "inputSchema": {"type": "object"}}
HINTS = {"ttlMs": 0, "cacheScope": "private"}


@pytest.mark.parametrize(
    ("method", "given", "rule", "left"),
    [
        ("tools/call", {"structuredContent": 1}, "SHAPE-1", ("content", [])),
        ("tools/call", {"content": [{"type": "video"}, BLOCK]}, "SHAPE-1", ("content", [BLOCK])),
        ("tools/call", {"content": [5, BLOCK]}, "SHAPE-1", ("content", [BLOCK])),
        (
            "tools/call",
            {"content": [{"type": "image", "mimeType": "image/png", "data": "?"}, BLOCK]},
            "SHAPE-1",
            ("content", [BLOCK]),
        ),
        ("prompts/get", {"messages": [{"role": "system", "content": BLOCK}]}, "PRO-2", ("messages", [])),
        ("resources/read", {"contents": [PART, {"uri": "x:///b"}], **HINTS}, "RSRC-2", ("contents", [PART])),
        ("resources/read", {"contents": [], **HINTS}, "RSRC-3", ("contents", [])),
        ("resources/read", {"contents": [PART]}, "CACHE-1", ("contents", [PART])),
        ("completion/complete", {"completion": {"values": ["a"] * 101}}, "COMP-2", ("values", ["a"] * 101)),
    ],
)
def test_a_tolerant_client_goes_on_without_what_is_broken(method, given, rule, left):
    """And counts it; a strict one takes nothing of such an answer."""
    flight = Flight((method,), strict=False)
    (effect,) = flight.hear(result(1, **given))
    assert (effect.error, getattr(effect.value, left[0])) == (None, left[1])
    assert effect.result == given
    assert flight.recorded() == [rule]
    assert Flight((method,)).failures(result(1, **given)) == [("a", rule, None)]


@pytest.mark.parametrize("strict", [True, False])
def test_a_cursor_of_null_costs_no_one_an_answer(strict):
    """It is counted, in either mode (PAGE-1), and taken for none (PAGE-2)."""
    flight = Flight(("tools/list",), strict=strict)
    (effect,) = flight.hear(result(1, tools=[TOOL], nextCursor=None, **HINTS))
    assert (effect.error, effect.value.next_cursor) == (None, None)
    assert flight.recorded() == ["PAGE-1"]


@pytest.mark.parametrize("item", [{"name": "t"}, {"inputSchema": {"type": "object"}}, "t"])
def test_a_tolerant_client_leaves_out_what_cannot_be_read(item):
    """Of a list, the items that can be read are given (SHAPE-1, TOOL-5)."""
    flight = Flight(("tools/list",), strict=False)
    (effect,) = flight.hear(result(1, tools=[item, TOOL], **HINTS))
    assert [tool.name for tool in effect.value.items] == ["t"]
    assert len(flight.recorded()) == 1


def test_a_tolerant_client_understands_another_version_of_json_rpc():
    """For what is meant is plain (RPC-1)."""
    flight = Flight(("tools/call",) * 2, strict=False)
    answer = json.dumps({"id": 1, "result": TEXT}).encode()
    refused = json.dumps({"jsonrpc": "1.0", "id": 2, "error": {"code": 1, "message": "no"}}).encode()
    found = flight.hear(b'{"method":"notifications/x"}', answer, refused)
    assert [type(effect.error) for effect in found] == [type(None), RemoteError]
    assert flight.recorded() == ["RPC-1"] * 3
    assert Flight().failures(answer) == [("a", "RPC-1", None)]


def test_a_tolerant_client_takes_hints_for_what_is_no_answer():
    """A question with cache hints is a question (CACHE-2)."""
    flight = Flight(("resources/read",), strict=False)
    (effect,) = flight.hear(result(1, resultType="input_required", requestState="s", ttlMs=0))
    assert isinstance(effect.error, InputRequired)
    assert flight.recorded() == ["CACHE-2"]
