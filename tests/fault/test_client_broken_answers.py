"""The client against servers that break one rule each: the right error, no other call hurt, and the next one answered."""

import sys
from pathlib import Path

import pytest

from readingroom.errors import PeerProtocolError, RemoteError
from readingroom.kit.client import Client
from readingroom.limits import Limits

SERVER = Path(__file__).parent / "servers" / "breaking.py"
LIMITS = Limits(answer_bytes=1_000_000)

RULES = {
    "not_utf8": "RPC-1",
    "lone_surrogate": "RPC-1",
    "not_json": "RPC-1",
    "nan": "RPC-1",
    "pretty": "RPC-1",
    "batch": "RPC-8",
    "no_jsonrpc": "RPC-1",
    "jsonrpc_1": "RPC-1",
    "both": "RPC-5",
    "neither": "STDIO-2",
    "result_null": "RPC-5",
    "result_array": "RPC-5",
    "unknown_id": "RPC-4",
    "id_as_text": "RPC-4",
    "id_as_fraction": "RPC-4",
    "id_true": "RPC-4",
    "id_null": "RPC-4",
    "no_id": "RPC-4",
    "error_text": "RPC-5",
    "error_without_code": "ERR-5",
    "error_code_text": "ERR-5",
    "error_without_message": "ERR-5",
    "unknown_result_type": "RES-3",
    "task": "RES-3",
    "undeclared_input": "MRTR-4",
    "empty_input_required": "MRTR-2",
    "no_content": "SHAPE-1",
    "unknown_block": "SHAPE-1",
    "server_request": "RPC-7",
    "notification_with_id": "RPC-6",
    "junk_before": "STDIO-2",
    "junk_json": "STDIO-2",
    "junk_bytes": "STDIO-2",
    "no_newline_before": "STDIO-2",
    "two_on_a_line": "RPC-1",
    "too_deep": "RPC-10",
    "too_long": "RPC-10",
    "too_long_id_last": "RPC-10",
    "progress_repeats": "PROG-2",
    "progress_falls": "PROG-2",
    "progress_text": "PROG-3",
    "cancels": "CAN-7",
}
# In tolerant mode these are counted, and the answer that follows is taken.
COUNTED = {
    "server_request",
    "notification_with_id",
    "junk_before",
    "junk_json",
    "junk_bytes",
    "progress_repeats",
    "progress_falls",
    "progress_text",
}


def opened(name: str, *, strict: bool = True) -> Client:
    """Make a client of the server that breaks `name`."""
    return Client.stdio(
        [sys.executable, str(SERVER), name], timeout=30, limits=LIMITS, strict=strict, stderr=print
    )


@pytest.mark.parametrize("name", RULES)
def test_broken_answer(name):
    """The call fails at once and names the rule with what was sent; the next call is answered."""
    with opened(name) as client:
        with pytest.raises(PeerProtocolError) as caught:
            client.call_tool("break", on_progress=lambda _: None)
        assert caught.value.rule == RULES[name]
        assert caught.value.excerpt
        for number in range(3):
            assert client.call_tool("echo", {"n": number}).structured == {"n": number}
        count, kept = client.violations
        assert count == len(kept) >= 1
        assert kept[0].rule == RULES[name]


def test_calls_that_fail_with_a_broken_line_are_cancelled():
    """The server is told of the calls whose answers it still owes when they have failed (CAN-1)."""
    with opened("junk_before") as client:
        client.call_tool("echo")
        with pytest.raises(PeerProtocolError):
            client.call_tool("break")
        assert client.call_tool("cancelled").structured == {"ids": [3]}


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_tolerant_mode_counts(name):
    """In tolerant mode what is no answer is counted, and the answer is taken."""
    with opened(name, strict=False) as client:
        assert client.call_tool("break", on_progress=lambda _: None).text == "broken"
        count, kept = client.violations
        assert count == len(kept) == 1
        assert kept[0].rule == RULES[name]


@pytest.mark.parametrize("name", ["answers_twice", "unasked_log", "unasked_change"])
def test_what_costs_no_answer_is_recorded(name):
    """A second answer and unasked notifications are recorded; the call and the next one are answered."""
    with opened(name) as client:
        assert client.call_tool("break").text == "broken"
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}
        assert client.violations[0] == 1


@pytest.mark.parametrize(
    "name", ["good", "crlf", "blank_lines", "unknown_token", "unknown_members", "id_last", "byte_by_byte"]
)
def test_what_is_allowed(name):
    """What the protocol allows, or is to be tolerated, is no violation."""
    with opened(name) as client:
        assert client.call_tool("break", on_progress=lambda _: None).text == "broken"
        assert client.violations == (0, [])


@pytest.mark.parametrize("name", ["error_without_id", "error_with_null"])
def test_error_without_an_id(name):
    """An error whose id the server could not read is the answer to the call that is waiting."""
    with opened(name) as client:
        with pytest.raises(RemoteError) as caught:
            client.call_tool("break")
        assert caught.value.code == -32700
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}


@pytest.mark.parametrize(
    "name",
    ["not_json", "both", "unknown_result_type", "error_text", "id_as_text", "too_long", "too_long_id_last"],
)
def test_a_broken_answer_with_an_id_hurts_no_other_call(name):
    """Of many calls under way, only the one whose answer is broken fails."""
    with opened(name) as client:
        calls = [
            client.submit(
                "tools/call", {"name": "break" if number == 5 else "echo", "arguments": {"n": number}}
            )
            for number in range(20)
        ]
        for number, call in enumerate(calls):
            if number == 5:
                with pytest.raises(PeerProtocolError):
                    call.result()
            else:
                assert call.result()["structuredContent"] == {"n": number}


def test_junk_fails_every_call_under_way():
    """A junk line fails all that is under way in strict mode, and mixes no answers up."""
    with opened("junk_before") as client:
        calls = [client.submit("tools/call", {"name": "echo", "arguments": {"seconds": 0.2}})]
        calls += [
            client.submit("tools/call", {"name": "break"}),
            client.submit("tools/call", {"name": "echo"}),
        ]
        assert calls[0].result()
        for call in calls[1:]:
            with pytest.raises(PeerProtocolError, match="STDIO-2"):
                call.result()
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}
