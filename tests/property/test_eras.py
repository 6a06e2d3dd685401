"""Whatever is said in the older era, before or after: modern requests are answered as if it had not been said."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from readingroom.server import Cancel, Flight, Older, Reply
from support.everything import app
from support.memory import MemoryServer
from support.messages import CAPABILITIES, CLIENT, LOG_LEVEL, call, frame
from support.older import VERSIONS, OlderClient, handshake, message, notice
from support.older import call as older_call

META = {CAPABILITIES: {"sampling": {}}, CLIENT: {"name": "n", "version": "1"}, LOG_LEVEL: "warning"}
MODERN = (
    frame(1, "server/discover"),
    frame(2, "tools/list"),
    frame("3", "no/such"),
    frame(4, "initialize", {"protocolVersion": "2025-11-25"}),
    frame(5, "ping"),
    call(6, "add", {"a": 1}),
    call(7, "asks", {}, META),
    call(8, "tells", {}, {LOG_LEVEL: "debug", "progressToken": 0}),
    frame(9, "resources/read", {"uri": "z:///no"}),
    frame(10, "prompts/get", {"name": "review", "arguments": {"topic": "t"}}),
)
older = st.one_of(
    st.builds(
        handshake,
        st.sampled_from([*VERSIONS, "2026-07-28", "x"]),
        st.sampled_from([{}, {"elicitation": {}}, {"sampling": {}}, {"tasks": {}}]),
        st.sampled_from(["o1", "o2"]),
    ),
    st.builds(
        message,
        st.sampled_from(["o3", "o4", 99]),
        st.sampled_from(
            ["ping", "tools/list", "logging/setLevel", "resources/subscribe", "server/discover", "x"]
        ),
        st.sampled_from(
            [None, {}, {"level": "debug"}, {"level": "emergency"}, {"uri": "a:///x"}, {"_meta": {}}]
        ),
    ),
    st.builds(older_call, st.sampled_from(["o5", "o6"]), st.sampled_from(["add", "tells", "no", "asks"])),
    st.builds(
        notice,
        st.sampled_from(
            ["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed"]
        ),
        st.sampled_from([None, {"requestId": "o5"}, {"requestId": "99"}, {}]),
    ),
    st.sampled_from(
        [{"jsonrpc": "2.0", "id": "s1", "result": {}}, [], [older_call("o7", "add", a=1)], {"id": 1}, 7]
    ),
)


class Both(MemoryServer):
    """A server in memory with the older era beside it."""

    def __init__(self) -> None:
        super().__init__(app)
        self.connection = type(self.connection)(self.dispatcher.capabilities, older_era=True)
        self.older = OlderClient(app, None)

    def say(self, told: Any) -> None:
        """Say something in the older era; what is answered is nobody's business here."""
        action = self.connection.receive(json.dumps(told).encode())
        assert not isinstance(action, Flight | Cancel)
        if isinstance(action, Older):
            self.older.take(action.frame)
        else:
            assert action is None or isinstance(action, Reply)


ALONE = [MemoryServer(app).take(one) for one in MODERN]


@given(st.lists(st.tuples(st.lists(older, max_size=4), st.sampled_from(range(len(MODERN)))), max_size=8))
def test_modern_answers_do_not_depend_on_the_older_era(steps: list[tuple[list[Any], int]]) -> None:
    """Neither on what it agreed on, nor on its levels, subscriptions, cancellations or faults."""
    both = Both()
    for said, number in steps:
        for told in said:
            both.say(told)
        assert both.take(MODERN[number]) == ALONE[number]
    both.older.session.close()
