"""Whatever comes in whatever order: each request is answered once or cancelled, and nothing is left over."""

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from readingroom.limits import Limits
from readingroom.server import Cancel, Connection, Flight, Reply
from support.messages import call, cancel

IDS = st.sampled_from([0, 1, 2, "", "1", "two", 2**70])
CAP = 5


class Connected(RuleBasedStateMachine):
    """A connection beside a model of it: which ids are in flight, and which cancelled handlers still run."""

    flights: Any = Bundle("flights")

    def __init__(self) -> None:
        super().__init__()
        self.connection = Connection(frozenset({"tools"}), Limits(requests_in_flight=CAP))
        self.in_flight: dict[tuple[type, Any], Flight] = {}
        self.lingering: list[Flight] = []

    @rule(target=flights, request_id=IDS)
    def request(self, request_id: Any) -> Any:
        """A request is in flight, or refused without its id when that is in flight."""
        action = self.connection.receive(call(request_id, "t"))
        key = (type(request_id), request_id)
        if key in self.in_flight:
            assert isinstance(action, Reply)
            assert "id" not in json.loads(action.frame)
            return None
        assert isinstance(action, Flight)
        self.in_flight[key] = action
        return action

    @rule(request_id=IDS)
    def broken(self, request_id: Any) -> None:
        """A broken message is refused, under its id unless that is in flight."""
        action = self.connection.receive(json.dumps({"id": request_id, "method": "x"}).encode())
        assert isinstance(action, Reply)
        found = json.loads(action.frame).get("id", ...)
        assert found == (... if (type(request_id), request_id) in self.in_flight else request_id)

    @rule(request_id=IDS)
    def cancel(self, request_id: Any) -> None:
        """A cancellation ends what it names, and nothing else."""
        action = self.connection.receive(cancel(request_id))
        flight = self.in_flight.pop((type(request_id), request_id), None)
        if flight is None:
            assert action is None
        else:
            assert isinstance(action, Cancel)
            assert action.flight is flight
            self.lingering.append(flight)

    @rule(flight=consumes(flights))
    def settle(self, flight: Flight | None) -> None:
        """A handler ends: its answer is owed unless its request was cancelled."""
        if flight is None:
            return
        owed = any(flight is other for other in self.in_flight.values())
        assert self.connection.awaits(flight) is owed
        assert self.connection.settle(flight) is owed
        assert not self.connection.settle(flight)
        if owed:
            del self.in_flight[type(flight.request.id), flight.request.id]
        else:
            self.lingering = [other for other in self.lingering if other is not flight]

    @invariant()
    def agrees_with_the_model(self) -> None:
        """What is owed and what is full are what the model says."""
        held = len(self.in_flight) + len(self.lingering)
        assert self.connection.owed == len(self.in_flight)
        assert self.connection.is_full is (held >= CAP)
        assert self.connection.has_room is (held <= CAP // 2)
        assert all(flight.cancelled for flight in self.lingering)
        assert not any(flight.cancelled for flight in self.in_flight.values())


Connected.TestCase.settings = settings(max_examples=80, stateful_step_count=30)
TestConnection = Connected.TestCase
