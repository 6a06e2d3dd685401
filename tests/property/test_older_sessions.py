"""Whatever comes in whatever order in the older era: each request is answered once or cancelled, and nothing is left."""

import asyncio
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from readingroom import Context, ElicitForm, ListRoots, Server
from readingroom.limits import Limits
from support.older import VERSIONS, OlderAsgi, OlderClient, call, handshake, message, notice, run

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}}
IDS = st.sampled_from([0, 1, "", "1", 2**70])
CAP = 3

app = Server("asking", version="1", notices=("tools", "updates"), logging=True)


@app.tool
def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


@app.tool
def book(ctx: Context) -> str:
    """Ask twice, and two things at once."""
    ctx.progress(1)
    first = ctx.ask(ok=ElicitForm("Book it?", FORM), roots=ListRoots())
    second = ctx.ask(sure=ElicitForm("Sure?", FORM))
    return f"{first['ok'].action} {second['sure'].action}"


class Spoken(RuleBasedStateMachine):
    """A session beside a model of it: which ids are in flight, and how often each was answered."""

    def __init__(self) -> None:
        super().__init__()
        self.client = OlderClient(
            app,
            capabilities={"elicitation": {}, "roots": {}},
            limits=Limits(requests_in_flight=CAP, older_waiting=CAP),
        )
        self.client.held = []
        self.in_flight: set[tuple[type, Any]] = set()
        self.asked: list[Any] = []
        self.seen = len(self.client.way.sent)

    def hear(self) -> list[Any]:
        """Take what has been sent since the last time: answers end a flight, questions are kept."""
        fresh, self.seen = self.client.way.sent[self.seen :], len(self.client.way.sent)
        for told in fresh:
            if told.get("method") == "notifications/cancelled":
                self.asked = [one for one in self.asked if one["id"] != told["params"]["requestId"]]
            elif "method" in told and "id" in told:
                self.asked.append(told)
            elif "id" in told:
                self.in_flight.remove((type(told["id"]), told["id"]))
        return fresh

    @rule(request_id=IDS, tool=st.sampled_from(["add", "book", "no"]))
    def request(self, request_id: Any, tool: str) -> None:
        """A request is in flight, or is refused, without its id when that is in flight."""
        key = (type(request_id), request_id)
        was_in_flight = key in self.in_flight
        self.in_flight.add(key)
        self.client.take(call(request_id, tool, **({"a": 1} if tool == "add" else {})))
        fresh = self.hear()
        if was_in_flight:
            assert [("id" in told, told["error"]["code"]) for told in fresh] == [(False, -32600)]

    @rule()
    def run_one(self) -> None:
        """A handler comes to the end of its round."""
        if self.client.held:
            run(self.client.held.pop(0))
            self.hear()

    @rule(
        number=st.integers(0, 5),
        answer=st.sampled_from(
            [
                {"result": {"action": "decline"}},
                {"result": {"roots": []}},
                {"result": 7},
                {"error": {"code": 1}},
            ]
        ),
    )
    def reply(self, number: int, answer: dict[str, Any]) -> None:
        """The client answers a question, well or badly; once."""
        if self.asked:
            asked = self.asked.pop(number % len(self.asked))
            for _ in range(2):
                self.client.take({"jsonrpc": "2.0", "id": asked["id"], **answer})
            self.hear()

    @rule(request_id=IDS)
    def cancel(self, request_id: Any) -> None:
        """A cancellation ends what it names, and nothing is answered for it."""
        self.client.take(notice("notifications/cancelled", {"requestId": request_id}))
        self.in_flight.discard((type(request_id), request_id))
        self.hear()

    @invariant()
    def agrees_with_the_model(self) -> None:
        """What is owed is what is in flight, and no more runs or waits than is allowed."""
        session = self.client.session
        assert session.running + session.questions.waiting == len(self.in_flight)
        assert 0 <= session.running <= CAP
        assert session.questions.waiting <= CAP

    def teardown(self) -> None:
        """When all has been run and answered nothing is in flight."""
        for _ in range(100):
            while self.client.held:
                self.run_one()
            if not self.asked:
                break
            self.reply(0, {"result": {"action": "decline", "roots": []}})
        assert self.in_flight == set()
        self.client.session.close()


Spoken.TestCase.settings = settings(max_examples=60, stateful_step_count=30)
TestSession = Spoken.TestCase

messages = st.one_of(
    st.builds(handshake, st.sampled_from([*VERSIONS, "x"])),
    st.builds(message, st.sampled_from([1, "1"]), st.sampled_from(["ping", "tools/list", "x"]), st.none()),
    st.builds(call, st.sampled_from([1, 2]), st.just("add"), a=st.sampled_from([1, "x"])),
    st.builds(notice, st.sampled_from(["notifications/initialized", "notifications/cancelled"])),
    st.sampled_from(
        [None, 7, [], [[]], {}, {"id": 1}, {"id": "s1", "result": {}}, [notice("x")], "\ud7ff", {"a": {}}]
    ),
)
HEADERS = {
    "mcp_session_id": st.sampled_from(["own", None, "x", "", "\xff"]),
    "mcp_protocol_version": st.sampled_from([*VERSIONS, "2026-07-28", "x", "", None]),
    "accept": st.sampled_from(["application/json, text/event-stream", "application/json", None]),
    "last_event_id": st.sampled_from([None, "0-0", "1-1", "x", "-", "9" * 5000 + "-1", "0-" + "9" * 5000]),
}
STATUSES = {200, 202, 400, 404, 405, 406}


async def ended(older: Any) -> None:
    """Wait until the last handler has been seen to end."""
    async with asyncio.timeout(20):
        while older._requests.taken:  # noqa: ASYNC110  -- a worker says so to the loop, and to nobody else
            await asyncio.sleep(0.001)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["POST", "DELETE", "PUT"]), messages, st.fixed_dictionaries(HEADERS)),
        max_size=8,
    )
)
def test_over_http_whatever_is_said_is_answered(said: list[tuple[str, Any, dict[str, Any]]]) -> None:
    """With a status that means something, and an answer that is JSON."""
    client = OlderAsgi(app.asgi())
    try:
        client.begin("2025-03-26")
        for verb, told, headers in said:
            if headers["mcp_session_id"] == "own":
                headers["mcp_session_id"] = client.session_id
            reply = client.say(told, verb, **headers)
            assert reply.status in STATUSES
            if reply.body and not reply.is_stream:
                json.loads(reply.body)
        client.runner.run(ended(client.app._older))
        assert client.app._older._waiting.taken == 0
    finally:
        client.close()
