"""One request over HTTP: what comes in answer to it, body by body."""

import json

from readingroom.client import Settled, Violations
from readingroom.client.http_calls import OneCall
from readingroom.errors import PeerProtocolError, RemoteError

RESULT = {"resultType": "complete", "content": []}


def one(request_id=7, *, strict=True, is_older=False):
    """Put a call of a tool in flight, and give it with the record of violations."""
    violations = Violations()
    call = OneCall({}, 64, strict=strict, violations=violations, request_id=request_id)
    assert call.add("owner", "tools/call") == request_id
    if is_older:
        call.turn_older()
    return call, violations


def rules(violations):
    """Give the rules that were broken."""
    return [found.rule for found in violations.last]


def message(request_id=7, **members):
    """Give a message as it comes."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, **members}).encode()


def test_the_answer():
    """The answer with the id of the request ends it; then nothing is missing."""
    call, violations = one()
    [settled] = call.take(message(result=RESULT))
    assert settled.result == RESULT
    assert call.unanswered(b"") == []
    assert violations.count == 0


def test_another_id():
    """A message with another id is no answer, and fails the request, which is the only one there (HTTP-23)."""
    for request_id in (8, "x", 0):
        call, violations = one()
        [settled] = call.take(message(request_id, result=RESULT))
        assert isinstance(settled.error, PeerProtocolError)
        assert rules(violations) == ["HTTP-23"]


def test_what_is_no_message():
    """Over HTTP there is no stdout that only messages may be written to: it is a message that is missing."""
    for body in (b"<html>", b"7", b'{"ok":1}'):
        call, violations = one()
        [settled] = call.take(body)
        assert settled.error.rule == "RPC-1"
        assert "stdout" not in str(settled.error)
        assert rules(violations) == ["RPC-1"]


def test_what_is_tolerated_is_no_answer():
    """Where much is tolerated the request waits for its answer; when none comes, it fails with what was wrong."""
    call, violations = one(strict=False)
    assert call.take(b"<html>") == []
    assert len(call) == 1
    [settled] = call.unanswered_after_fault()
    assert isinstance(settled, Settled)
    assert settled.error.rule == "RPC-1"
    assert rules(violations) == ["RPC-1"]
    quiet, _ = one(strict=False)
    assert quiet.unanswered_after_fault() == []


def test_no_answer_at_all():
    """An answer without a response breaks a rule of its own."""
    call, violations = one()
    [settled] = call.unanswered(b"")
    assert settled.error.rule == "HTTP-13"
    assert rules(violations) == ["HTTP-13"]


def test_errors_with_a_status():
    """The error in a body is the server's own, whatever its id (HTTP-22); that is recorded in the modern era alone."""
    error = {"code": -32000, "message": "no", "data": 1}
    for is_older, request_id, expected in (
        (False, 7, []),
        (False, "e", ["RPC-4"]),
        (True, "e", []),
        (False, None, []),
    ):
        call, violations = one(is_older=is_older)
        found = call.refused(message(request_id, error=error))
        assert isinstance(found, RemoteError)
        assert (found.code, found.message, found.data) == (-32000, "no", 1)
        assert rules(violations) == expected
        assert len(call) == 1
    call, violations = one()
    assert call.refused(message("e", error=error), is_probe=True).code == -32000
    assert violations.count == 0
    assert call.refused(b'{"error":"no"}') is None
    assert call.refused(message(result=RESULT)) is None


def test_violations_that_are_found_by_the_carrier():
    """They are recorded with those that are found here."""
    call, violations = one()
    assert call.record("HTTP-16", "more").rule == "HTTP-16"
    assert rules(violations) == ["HTTP-16"]


def test_an_answer_that_is_too_long():
    """It fails the request also where much is tolerated, for an answer is lost."""
    call, _ = one(strict=False)
    [settled] = call.take_overlong(1000, 10, b"{")
    assert settled.error.rule == "RPC-10"
