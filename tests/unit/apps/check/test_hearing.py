"""What is judged on whatever comes: answers, ids, notifications."""

from typing import Any

import pytest

from readingroom.apps.check.hearing import Hearing
from readingroom.apps.check.verdicts import Notebook
from readingroom.wire import encode

TAG = "io.modelcontextprotocol/subscriptionId"
SERVER = {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a", "version": "1"}}}
GOOD = {"resultType": "complete", **SERVER}


def heard(*messages: dict[str, Any], sent: list[dict[str, Any]]) -> list[str]:
    """Give the rules that messages break after these requests."""
    note = Notebook()
    hearing = Hearing(note, "STDIO-2")
    for request in sent:
        hearing.sent(request)
    for message in messages:
        hearing.hear(encode({"jsonrpc": "2.0", **message}))
    return sorted(note.broken())


def call(**meta: Any) -> dict[str, Any]:
    """A call with the id 1."""
    return {"id": 1, "method": "tools/call", "params": {"name": "a", "_meta": meta}}


def listen(request_id: Any = 1, **topics: Any) -> dict[str, Any]:
    """A listen."""
    return {"id": request_id, "method": "subscriptions/listen", "params": {"notifications": topics}}


def told(method: str, **params: Any) -> dict[str, Any]:
    """A notification."""
    return {"method": f"notifications/{method}", "params": params}


ANSWER = {"id": 1, "result": {**GOOD, "content": []}}
ACK = told("subscriptions/acknowledged", _meta={TAG: 1}, notifications={"toolsListChanged": True})


@pytest.mark.parametrize(
    ("result", "rules"),
    [
        ({**GOOD, "content": []}, []),
        ({**SERVER, "content": []}, ["RES-1"]),
        ({**GOOD, "content": [], "resultType": "task"}, ["RES-3"]),
        ({"resultType": "complete", "content": []}, ["META-10"]),
        (
            {**GOOD, "content": [], "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a"}}},
            ["META-10"],
        ),
        ({**GOOD, "content": {}}, ["SHAPE-1"]),
        ({**SERVER, "resultType": "input_required", "requestState": "x"}, []),
        ({**SERVER, "resultType": "input_required"}, ["MRTR-2"]),
        ({**SERVER, "resultType": "input_required", "inputRequests": []}, ["MRTR-3"]),
        ({**SERVER, "resultType": "input_required", "inputRequests": {"a": {}}}, ["MRTR-4"]),
        ({**SERVER, "resultType": "input_required", "requestState": "x", "ttlMs": 1}, ["CACHE-2"]),
    ],
)
def test_results(result: dict[str, Any], rules: list[str]) -> None:
    """Of a call."""
    assert heard({"id": 1, "result": result}, sent=[call()]) == rules


def test_a_list_must_not_ask() -> None:
    """Only calls, prompts and resources may."""
    asks = {"id": 1, "result": {**SERVER, "resultType": "input_required", "requestState": "x"}}
    assert heard(asks, sent=[{"id": 1, "method": "tools/list"}]) == ["MRTR-1"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        (-32602, []),
        (-32002, ["ERR-2"]),
        (-32042, ["ERR-2"]),
        (-32050, ["ERR-1"]),
        (-32000, ["ERR-3"]),
        (-32022, []),
        (7, []),
    ],
)
def test_codes(code: int, rules: list[str]) -> None:
    """Those that are reserved mean what they mean."""
    assert heard({"id": 1, "error": {"code": code, "message": "x"}}, sent=[call()]) == rules


def test_the_handshake_has_rules_of_its_own() -> None:
    """Its result is no result of today's era."""
    assert heard({"id": 1, "result": {}}, sent=[{"id": 1, "method": "initialize"}]) == []


@pytest.mark.parametrize(
    ("messages", "rules"),
    [
        (
            [
                told("progress", progressToken=7, progress=1),
                told("progress", progressToken=7, progress=2),
                ANSWER,
            ],
            [],
        ),
        ([told("progress", progressToken="7", progress=1)], ["PROG-2"]),
        ([told("progress", progressToken=7, progress="1")], ["PROG-2"]),
        (
            [told("progress", progressToken=7, progress=1), told("progress", progressToken=7, progress=1)],
            ["PROG-2"],
        ),
        ([ANSWER, told("progress", progressToken=7, progress=1)], ["PROG-2"]),
        ([told("message", level="info", data=1)], []),
        ([told("message", level="loud", data=1)], ["LOG-3"]),
        ([ANSWER, told("message", level="info", data=1)], ["LOG-1"]),
        ([told("progress", progressToken=7, progress=1, _meta={TAG: 1})], ["SUB-5"]),
        ([told("cancelled", requestId=1)], ["CAN-7"]),
        ([told("unknown")], []),
        ([ANSWER, ANSWER], ["RPC-4"]),
    ],
)
def test_notifications_of_a_call(messages: list[dict[str, Any]], rules: list[str]) -> None:
    """Progress and log lines come before the answer, to who asked."""
    asked = call(progressToken=7, **{"io.modelcontextprotocol/logLevel": "info"})
    assert heard(*messages, sent=[asked]) == rules


def test_log_lines_that_nobody_asked_for() -> None:
    """They break a rule even while a request is under way."""
    assert heard(told("message", level="info", data=1), sent=[call()]) == ["LOG-1"]


@pytest.mark.parametrize(
    ("messages", "rules"),
    [
        ([ACK, told("tools/list_changed", _meta={TAG: 1})], []),
        ([told("tools/list_changed", _meta={TAG: 1}), ACK], ["SUB-2"]),
        (
            [told("subscriptions/acknowledged", _meta={TAG: 1}, notifications={"promptsListChanged": True})],
            ["SUB-2"],
        ),
        ([told("subscriptions/acknowledged", _meta={TAG: "1"}, notifications={})], ["SUB-3"]),
        ([told("subscriptions/acknowledged", notifications={})], ["SUB-3"]),
        ([ACK, told("prompts/list_changed", _meta={TAG: 1})], ["SUB-4"]),
        ([ACK, {"id": 1, "result": {**GOOD, "_meta": {**SERVER["_meta"], TAG: 1}}}], []),
        ([ACK, {"id": 1, "result": {**GOOD, "_meta": {**SERVER["_meta"], TAG: "1"}}}], ["SUB-3"]),
        ([ACK, told("cancelled", requestId=1)], []),
    ],
)
def test_subscriptions(messages: list[dict[str, Any]], rules: list[str]) -> None:
    """Acknowledged first, tagged with the id as it came, and only what was asked for."""
    assert heard(*messages, sent=[listen(toolsListChanged=True)]) == rules


def test_changes_that_nobody_listens_to() -> None:
    """With a listen that was ended, and without any."""
    assert heard(told("tools/list_changed"), sent=[]) == ["SUB-4"]
    note = Notebook()
    hearing = Hearing(note, "STDIO-2")
    hearing.sent(listen(toolsListChanged=True)).is_over = True
    hearing.hear(encode({"jsonrpc": "2.0", **told("tools/list_changed")}))
    hearing.hear(encode({"jsonrpc": "2.0", **told("tools/list_changed", _meta={TAG: 1})}))
    assert note.broken() == ["SUB-4", "SUB-10"]


@pytest.mark.parametrize(("request_", "rule"), [(call(), "CAN-3"), (listen(), "SUB-10")])
def test_answers_to_what_is_over(request_: dict[str, Any], rule: str) -> None:
    """Nothing is sent for what was cancelled."""
    note = Notebook()
    hearing = Hearing(note, "STDIO-2")
    hearing.sent(request_).is_over = True
    hearing.hear(encode({"jsonrpc": "2.0", **ANSWER}))
    assert note.broken() == [rule]


def test_ids() -> None:
    """One that nobody gave, one of another type, none, and null where none could be read."""
    error = {"error": {"code": -32700, "message": "x"}}
    assert heard({"id": 2, "result": GOOD}, sent=[call()]) == ["RPC-4"]
    assert heard({"id": "1", "result": GOOD}, sent=[call()]) == ["RPC-4"]
    assert heard(error, sent=[call()]) == ["RPC-4"]
    note = Notebook()
    hearing = Hearing(note, "STDIO-2")
    hearing.excused = True
    hearing.hear(encode({"jsonrpc": "2.0", **error}))
    assert note.broken() == []
    hearing.id_rule = "RPC-3"
    hearing.hear(encode({"jsonrpc": "2.0", "id": None, **error}))
    hearing.hear(encode({"jsonrpc": "2.0", "id": True, **error}))
    assert note.broken() == ["RPC-4", "RPC-3"]


def test_what_is_not_to_be_answered() -> None:
    """The answer to a request that is owed is in order meanwhile."""
    note = Notebook()
    hearing = Hearing(note, "STDIO-2")
    hearing.sent(call())
    hearing.quiet_rule = "RPC-6"
    hearing.hear(encode({"jsonrpc": "2.0", **ANSWER}))
    assert note.broken() == []
    hearing.hear(encode({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}}))
    assert note.broken() == ["RPC-6"]
