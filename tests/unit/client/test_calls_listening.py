"""Subscriptions among the calls in flight, and what a server of the older era may say unasked."""

import json
from typing import Any

import pytest

from readingroom.client import Asked, Calls, Noticed, Settled
from readingroom.client.listening import Listening
from readingroom.errors import RemoteError, SubscriptionCancelled

SUB = "io.modelcontextprotocol/subscriptionId"
ALL = {"toolsListChanged": True, "resourceSubscriptions": ["x:///a"], "taskIds": ["t"]}
NONE = {"notifications": {}}


def notice(method: str, found: object = None, **params: Any) -> bytes:
    """Encode a notification, of the subscription `found` if there is one."""
    meta = {} if found is None else {"_meta": {SUB: found}}
    return json.dumps(
        {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": {**params, **meta}}
    ).encode()


def answer(request_id: int, **members: Any) -> bytes:
    """Encode an answer."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, **(members or {"result": {}})}).encode()


class Table:
    """Calls in flight: a subscription `s` with the id 1, and a call `c` with the id 2."""

    def __init__(self, wanted: dict[str, Any] | None = None, *, older: bool = False) -> None:
        self.calls = Calls({}, 64, strict=True)
        self.calls.add_listen("s", ALL if wanted is None else wanted)
        self.calls.add("c", "com.example/do")
        if older:
            self.calls.turn_older()

    def hear(self, *lines: bytes) -> list[Any]:
        """Take lines, and give what they mean."""
        self.calls.hear()
        return [effect for line in lines for effect in self.calls.take(line)]

    def told(self, *lines: bytes) -> list[tuple[Any, str]]:
        """Take lines, and give who is told what, in short."""
        effects = self.hear(*lines)
        assert all(isinstance(effect, Noticed) for effect in effects)
        return [(effect.owner, effect.method.removeprefix("notifications/")) for effect in effects]

    @property
    def rules(self) -> list[str]:
        """What was broken."""
        return [error.rule for error in self.calls.violations.last]


ACK = notice("subscriptions/acknowledged", 1, notifications={"toolsListChanged": True})


def test_notices_go_to_their_subscription() -> None:
    """By the id that they carry (STDIO-4, SUB-3)."""
    table = Table()
    table.calls.add_listen("other", ALL)
    change = "tools/list_changed"
    found = table.told(ACK, notice(change, 1), notice("tasks", 1, taskId="t"))
    assert found == [("s", "subscriptions/acknowledged"), ("s", change), ("s", "tasks")]
    assert table.told(notice("subscriptions/acknowledged", 3, **NONE), notice(change, 3)) == [
        ("other", "subscriptions/acknowledged"),
        ("other", change),
    ]
    assert table.rules == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (notice("tools/list_changed"), "SUB-4"),
        (notice("tools/list_changed", "1"), "SUB-3"),
        (notice("tools/list_changed", True), "SUB-3"),
        (notice("tools/list_changed", 1.0), "SUB-3"),
        (notice("tools/list_changed", 2), "SUB-3"),
        (notice("tools/list_changed", 7), "SUB-3"),
        (notice("prompts/list_changed", 1), "SUB-4"),
        (notice("resources/updated", 1), "SUB-8"),
        (notice("resources/updated", 1, uri=5), "SUB-8"),
        (ACK, "SUB-2"),
    ],
)
def test_notices_that_mean_nothing(line: bytes, rule: str) -> None:
    """Are recorded, and told to nobody."""
    table = Table()
    table.hear(ACK)
    assert table.told(line) == []
    assert table.rules == [rule]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (notice("tools/list_changed", 1), "SUB-4"),
        (notice("subscriptions/acknowledged", 1), "SUB-2"),
        (notice("subscriptions/acknowledged", 1, notifications=["all"]), "SUB-2"),
        (notice("subscriptions/acknowledged", 1, notifications={"promptsListChanged": True}), "SUB-2"),
    ],
)
def test_notices_that_are_understood_all_the_same(line: bytes, rule: str) -> None:
    """Are recorded, and told (SUB-16)."""
    table = Table()
    assert len(table.told(line)) == 1
    assert table.rules == [rule]


def test_a_filter_that_does_not_name_a_kind_grants_nothing_of_it() -> None:
    """What was left out is as good as false (SUB-1)."""
    table = Table({"toolsListChanged": False, "resourceSubscriptions": []})
    table.hear(notice("subscriptions/acknowledged", 1, notifications={"toolsListChanged": False}))
    assert table.told(notice("tools/list_changed", 1), notice("resources/updated", 1, uri="x:///a")) == []
    assert table.rules == ["SUB-4", "SUB-4"]


def test_a_result_ends_a_subscription() -> None:
    """With its id; a cancellation may follow, and what is told later is of no interest (SUB-11, SUB-12)."""
    table = Table()
    (end,) = table.hear(ACK, answer(1, result={"_meta": {SUB: 1}}))[1:]
    assert (end.owner, end.error) == ("s", None)
    late = [notice("cancelled", requestId=1), notice("tools/list_changed", 1), ACK]
    assert table.hear(*late) == []
    assert table.rules == []


@pytest.mark.parametrize("meta", [None, {"_meta": []}, {"_meta": {SUB: "1"}}])
def test_a_result_without_its_id(meta: Any) -> None:
    """Is an end, and recorded (SUB-11)."""
    table = Table()
    (end,) = table.hear(ACK, answer(1, result=meta or {}))[1:]
    assert end.error is None
    assert table.rules == ["SUB-11"]


def test_an_end_before_the_acknowledgement() -> None:
    """Is one, and recorded (SUB-2)."""
    table = Table()
    assert len(table.hear(answer(1, result={"_meta": {SUB: 1}}))) == 1
    assert table.rules == ["SUB-2"]


def test_an_error_ends_a_subscription() -> None:
    """As it ends any request, acknowledged or not."""
    table = Table()
    (end,) = table.hear(answer(1, error={"code": -32603, "message": "too many"}))
    assert isinstance(end.error, RemoteError)
    assert table.rules == []


def test_a_server_may_cancel_a_subscription() -> None:
    """That is a loss, and a result behind it is none of an open request (SUB-16)."""
    table = Table()
    (end,) = table.hear(ACK, notice("cancelled", requestId=1), answer(1, result={"_meta": {SUB: 1}}))[1:]
    assert isinstance(end, Settled)
    assert isinstance(end.error, SubscriptionCancelled)
    assert table.rules == []


@pytest.mark.parametrize("request_id", [2, True, "1", None, 7])
def test_a_server_may_cancel_nothing_else(request_id: Any) -> None:
    """A call that is cancelled by the server has failed (CAN-7)."""
    table = Table()
    table.hear(notice("cancelled", requestId=request_id))
    assert table.rules == ["CAN-7"]


def test_a_subscription_that_ends_twice_at_once() -> None:
    """Whoever takes it out first is the one to end it."""
    table = Table()
    flight = table.calls._flight

    class Slippery(dict[int, Any]):
        """Loses what is looked at."""

        def get(self, key: Any, default: Any = None) -> Any:
            """Give it once."""
            return self.pop(key, default)

    table.calls._flight = Slippery(flight)
    assert table.hear(notice("cancelled", requestId=1)) == []


def test_what_was_ended_is_not_remembered_without_end() -> None:
    """Some thousands are."""
    calls = Calls({}, 64, strict=True)
    for _ in range(5000):
        calls.drop(calls.add_listen("s", ALL))
    assert len(calls._listened) < 4097


def test_an_older_server_may_ask() -> None:
    """And gets no rule held against it (LEG-5)."""
    line = b'{"jsonrpc":"2.0","id":"q","method":"roots/list"}'
    assert Table(older=True).hear(line) == [Asked("q", "roots/list", {})]
    table = Table()
    assert all(effect.error.rule == "RPC-7" for effect in table.hear(line))
    assert table.rules == ["RPC-7"]


def test_an_older_server_tells_of_changes_and_logs_unasked() -> None:
    """Changes are for nobody in particular; its log and what it cancels of its own are passed over (LEG-6)."""
    table = Table(older=True)
    assert table.told(notice("tools/list_changed")) == [(None, "tools/list_changed")]
    assert table.hear(notice("message", level="info", data=1), notice("cancelled", requestId="q")) == []
    assert table.rules == []


def test_results_of_an_older_server() -> None:
    """Have neither a type nor hints (LEG-7)."""
    calls = Calls({}, 64, strict=True)
    calls.turn_older()
    calls.add("t", "tools/list")
    calls.hear()
    (end,) = calls.take(answer(1, result={"tools": [], "resultType": "odd"}))
    assert isinstance(end, Settled)
    assert (end.error, end.result) == (None, {"tools": [], "resultType": "odd"})


def test_listening_starts_unacknowledged() -> None:
    """And says when it is."""
    listening = Listening(ALL)
    assert not listening.is_acknowledged
    assert listening.fault("notifications/subscriptions/acknowledged", NONE) is None
    assert listening.is_acknowledged


def test_who_waits_for_an_answer() -> None:
    """Those whose requests are in flight; a subscription waits for none."""
    assert Table().calls.owners() == ["c"]
