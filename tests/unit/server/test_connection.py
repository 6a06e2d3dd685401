"""What is in flight: each answer is owed once, and only while the client waits for it."""

import json
from typing import Any

import pytest

from readingroom.limits import Limits
from readingroom.server import Cancel, Connection, Flight, Reply
from readingroom.wire import OverLong
from support.messages import call, cancel, frame

TOOLS = frozenset({"tools"})


def connected(**limits: Any) -> Connection:
    """A connection to a server with tools."""
    return Connection(TOOLS, Limits(**limits))


def flown(connection: Connection, data: bytes) -> Flight:
    """The flight that a frame begins."""
    action = connection.receive(data)
    assert isinstance(action, Flight)
    return action


def refused(connection: Connection, data: bytes | OverLong) -> Any:
    """The refusal of a frame."""
    action = connection.receive(data)
    assert isinstance(action, Reply)
    return json.loads(action.frame)


def test_a_request_is_owed_one_answer() -> None:
    """Until it is settled, and settling says so once."""
    connection = connected()
    flight = flown(connection, call(7, "t"))
    assert (connection.owed, connection.awaits(flight), flight.cancelled) == (1, True, False)
    assert connection.settle(flight)
    assert (connection.owed, connection.awaits(flight)) == (0, False)
    assert not connection.settle(flight)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", -32700),
        (b"[]", -32600),
        (frame(7, "no/such"), -32601),
        (frame(7, "tools/call"), -32602),
        (b'{"id":1}', -32600),
    ],
)
def test_what_is_refused_is_answered_at_once(data: bytes, code: int) -> None:
    """And nothing is owed for it."""
    connection = connected()
    assert refused(connection, data)["error"]["code"] == code
    assert connection.owed == 0


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","method":"notifications/x"}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        cancel(1),
        cancel(None),
    ],
)
def test_notifications_and_responses_ask_for_nothing(data: bytes) -> None:
    """A cancellation of nothing neither (RPC-6, RPC-7, CAN-4)."""
    assert connected().receive(data) is None


def test_an_id_in_flight_is_refused_without_it() -> None:
    """Ids differ by type, and are free again once settled (RPC-2)."""
    connection = connected()
    first = flown(connection, call(1, "t"))
    error = refused(connection, call(1, "t"))
    assert error["error"]["code"] == -32600
    assert "id" not in error
    other = flown(connection, call("1", "t"))
    assert connection.owed == 2
    assert connection.settle(first)
    again = flown(connection, call(1, "t"))
    assert connection.settle(again)
    assert connection.settle(other)


@pytest.mark.parametrize(
    ("data", "owner"),
    [
        (b'{"id":1,"method":"x"}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","y":' + b"[" * 70 + b"]" * 70 + b"}", 1),
        (OverLong(5_000_000, b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"y":"', b'yyy"}}'), 1),
        (OverLong(5_000_000, b'{"method":"x","params":{"y":"yyy', b'yyy"},"jsonrpc":"2.0","id":1}'), 1),
        (OverLong(5_000_000, b"xxx", b"xxx"), None),
    ],
)
def test_a_refusal_carries_the_id_unless_it_is_in_flight(data: bytes | OverLong, owner: int | None) -> None:
    """Or it would settle the request that has it."""
    connection = connected()
    assert refused(connection, data).get("id") == owner
    flown(connection, call(1, "t"))
    assert "id" not in refused(connection, data)


def test_a_cancelled_request_is_owed_nothing() -> None:
    """Its handler may still run; its id is free at once (CAN-3)."""
    connection = connected()
    flight = flown(connection, call(1, "t"))
    action = connection.receive(cancel(1))
    assert isinstance(action, Cancel)
    assert action.flight is flight
    assert (flight.cancelled, connection.owed, connection.awaits(flight)) == (True, 0, False)
    assert connection.receive(cancel(1)) is None
    again = flown(connection, call(1, "t"))
    assert (connection.owed, connection.awaits(again)) == (1, True)
    assert not connection.settle(flight)
    assert (connection.owed, connection.awaits(again)) == (1, True)
    assert connection.settle(again)


@pytest.mark.parametrize("request_id", ["1", True, 1.0, None, [1], {"a": 1}])
def test_a_cancellation_names_an_id_with_its_type(request_id: Any) -> None:
    """Anything else is passed over in silence (CAN-4)."""
    connection = connected()
    flight = flown(connection, call(1, "t"))
    assert connection.receive(cancel(request_id)) is None
    assert connection.settle(flight)


@pytest.mark.parametrize("params", [None, [1], "x", 1])
def test_a_cancellation_without_its_parameters_is_passed_over(params: Any) -> None:
    """It is malformed (CAN-4)."""
    connection = connected()
    flown(connection, call(1, "t"))
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    assert connection.receive(json.dumps(note).encode()) is None
    assert connection.owed == 1


def test_a_cancellation_that_comes_with_the_answer_loses_or_wins_as_a_whole() -> None:
    """Between the look for a flight and its taking another thread may have settled it."""
    connection = connected()
    flight = flown(connection, call(1, "t"))

    class Settling(dict[Any, Flight]):
        """Settles the flight when it is looked for."""

        def get(self, key: Any, default: Any = None) -> Any:
            found = dict(self).get(key, default)
            self.clear()
            return found

    connection._flights = Settling(connection._flights)
    assert connection.receive(cancel(1)) is None
    assert not flight.cancelled
    assert not connection._lingering


def test_an_answer_does_not_take_the_place_of_another_with_its_id() -> None:
    """It was cancelled, and its id used again, between two looks of the thread that settles it."""
    connection = connected()
    flight = flown(connection, call(1, "t"))
    stale = Flight(flight.request)
    assert not connection.settle(stale)
    assert connection.awaits(flight)
    assert connection.settle(flight)


def test_requests_beyond_the_cap_are_held_back() -> None:
    """Until half of them are done; cancelled ones count while their handlers run."""
    connection = connected(requests_in_flight=4)
    flights = [flown(connection, call(number, "t")) for number in range(3)]
    assert not connection.is_full
    flights.append(flown(connection, call(3, "t")))
    assert connection.is_full
    assert not connection.has_room
    connection.receive(cancel(0))
    assert connection.is_full
    connection.settle(flights[0])
    assert not connection.is_full
    assert not connection.has_room
    connection.settle(flights[1])
    assert connection.has_room


def test_bytes_beyond_the_cap_are_held_back() -> None:
    """Large frames are added up; small ones take half of the cap at most, and are not."""
    connection = connected(bytes_in_flight=100_000)
    flights = [flown(connection, call(number, "t", {"x": "x" * 20_000})) for number in range(2)]
    assert not connection.is_full
    flights.append(flown(connection, call(2, "t", {"x": "x" * 20_000})))
    assert connection.is_full
    assert not connection.has_room
    flown(connection, call("small", "t"))
    connection.settle(flights[0])
    assert not connection.is_full
    assert connection.has_room


def test_what_stays_open_takes_no_room_and_is_owed_nothing() -> None:
    """Its id is its own all the same, and it is settled or cancelled as any other; large ones too."""
    connection = connected(requests_in_flight=2, bytes_in_flight=64 * 1024)
    flights = [flown(connection, call(n, "t", {"x": "x" * 20_000})) for n in range(1)]
    for flight in flights:
        connection.keep_open(flight)
    flights.append(flown(connection, call("a", "t")))
    connection.keep_open(flights[1])
    assert (connection.owed, connection.is_full, connection.has_room) == (0, False, True)
    assert "id" not in refused(connection, call("a", "t"))
    assert connection.awaits(flights[0])
    assert connection.settle(flights[0])
    assert not connection.settle(flights[0])
    assert isinstance(connection.receive(cancel("a")), Cancel)
    assert not connection.awaits(flights[1])
    assert not connection.settle(flights[1])
    assert connection.owed == 0
    flown(connection, call("a", "t"))
    assert (connection.owed, connection.is_full) == (1, False)
    flown(connection, call("b", "t"))
    assert (connection.owed, connection.is_full) == (2, True)
