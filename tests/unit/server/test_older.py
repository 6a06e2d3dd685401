"""A session of the older era: handshake, requests, what its client is asked, what it is told, and its end."""

from typing import Any

import pytest

from readingroom import Context, CreateMessage, ElicitForm, ElicitUrl, ListRoots, Server, ToolError
from readingroom.limits import Limits
from support.everything import app as everything
from support.older import NEWEST, VERSIONS, OlderClient, call, handshake, message, notice, run

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
ALL: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}

asking = Server("asking", version="1", notices=("tools", "prompts", "resources", "updates"), logging=True)


@asking.tool
def book(city: str, ctx: Context) -> str:
    """Ask once."""
    ok = ctx.ask(ok=ElicitForm(f"Book {city}?", FORM))["ok"]
    return f"{city} {ok.action} {ok.content}"


@asking.tool
async def twice(ctx: Context) -> str:
    """Ask twice, in a coroutine."""
    first = (await ctx.ask(first=ElicitForm("One?", FORM)))["first"]
    roots = (await ctx.ask(roots=ListRoots()))["roots"]
    return f"{first.content['yes']} {[root.uri for root in roots.roots]}"


@asking.tool(quick=True)
def several(ctx: Context) -> str:
    """Ask several things at once."""
    answers = ctx.ask(
        open=ElicitUrl("Log in", "https://example.com/x"), said=CreateMessage(["Hi"], max_tokens=10)
    )
    return f"{answers['open'].action} {answers['said'].text}"


@asking.prompt
def greet(ctx: Context) -> str:
    """Ask in a prompt."""
    return str(ctx.ask(ok=ElicitForm("Greet?", FORM))["ok"].action)


@asking.resource("a:///x")
def text(ctx: Context) -> str:
    """Ask in a resource."""
    return str(ctx.ask(ok=ElicitForm("Read?", FORM))["ok"].action)


@asking.tool
def fails() -> str:
    """Fail."""
    raise ToolError("it failed")


@asking.tool
def tells(ctx: Context) -> str:
    """Tell of progress and log."""
    ctx.progress(1, 2, "half")
    ctx.log("debug", "fine")
    ctx.log("info", "good")
    return "done"


@pytest.fixture
def client() -> OlderClient:
    """A client of the newest version that can be asked everything."""
    return OlderClient(asking, NEWEST, ALL)


def text_of(answer: Any) -> str:
    """The text of a tool's result."""
    (block,) = answer["result"]["content"]
    found: str = block["text"]
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_handshake(version: str) -> None:
    """The server says what it is; nothing of today's is in it."""
    found = OlderClient(everything, version).greeting
    result = found["result"]
    assert found["id"] == "hello"
    assert result["protocolVersion"] == version
    assert result["serverInfo"] == {"name": "srv", "version": "1"}
    assert result["instructions"] == "Ask."
    assert set(result) == {"protocolVersion", "serverInfo", "instructions", "capabilities"}
    assert ("completions" in result["capabilities"]) is (version > "2024-11-05")


def test_before_the_handshake_there_is_only_ping() -> None:
    """Whatever else is asked is refused."""
    client = OlderClient(everything, None)
    assert client.result("ping") == {}
    for method in ("tools/list", "logging/setLevel", "no/such"):
        assert client.error(method)["code"] == -32600
    assert client.error("initialize")["code"] == -32602
    assert client.error("tools/list")["code"] == -32600


def test_a_second_handshake_begins_anew() -> None:
    """With another version and without what was set before; what is in flight stays."""
    client = OlderClient(everything)
    client.result("logging/setLevel", {"level": "emergency"})
    client.held = []
    client.take(call(1, "add", a=1))
    assert client.take(handshake("2025-03-26"))[0]["result"]["protocolVersion"] == "2025-03-26"
    before = len(client.way.sent)
    run(client.held[0])
    (answer,) = client.way.sent[before:]
    assert answer["result"]["structuredContent"] == {"result": 2}
    client.held = None
    told = client.take(message(2, "tools/call", {"name": "tells", "_meta": {"progressToken": "p"}}))
    assert [one.get("method") for one in told] == ["notifications/progress", "notifications/message", None]
    assert "structuredContent" not in told[-1]["result"]


def test_requests_of_every_kind() -> None:
    """Are answered as ever, in the form of the version."""
    client = OlderClient(everything)
    assert client.call("add", a=1, b=2) == {
        "content": [{"type": "text", "text": "3"}],
        "structuredContent": {"result": 3},
    }
    assert client.call("keyword", a=1)["content"] == [{"type": "text", "text": "1 local"}]
    assert client.call("later", a=1)["structuredContent"] == {"x": 1, "y": 0}
    assert client.call("add", a="x")["isError"] is True
    assert client.error("tools/call", {"name": "no"})["code"] == -32602
    assert client.error("resources/read", {"uri": "z:///no"}) == {
        "code": -32002,
        "message": "Resource not found",
        "data": {"uri": "z:///no"},
    }
    assert client.result("resources/read", {"uri": "a:///fixed"})["contents"][0]["text"] == "fixed"
    assert client.result("prompts/get", {"name": "review", "arguments": {"topic": "t"}})["messages"]
    for method, name in (
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
    ):
        assert set(client.result(method)) == {name}
    ref = {"type": "ref/prompt", "name": "review"}
    found = client.result("completion/complete", {"ref": ref, "argument": {"name": "topic", "value": "a"}})
    assert found == {"completion": {"values": ["as"], "total": 1, "hasMore": False}}
    assert client.error("server/discover")["code"] == -32601


def test_a_handler_that_ends_as_if_cancelled_is_answered() -> None:
    """With an error, as in today's era."""
    assert OlderClient(everything).error("tools/call", {"name": "gives_up"})["code"] == -32603


def test_an_id_in_flight_is_not_used_again() -> None:
    """The refusal has no id, for it would settle the first."""
    client = OlderClient(everything)
    client.held = []
    client.take(call(1, "add", a=1))
    (refusal,) = client.take(call(1, "add", a=2))
    assert (refusal["error"]["code"], "id" in refusal) == (-32600, False)
    assert client.take(call("1", "add", a=2)) == []
    assert len(client.held) == 2


def test_levels_of_the_log_hold_for_the_session(client: OlderClient) -> None:
    """From the next request on; a level that there is not is refused."""

    def logged() -> list[Any]:
        return [one["params"]["level"] for one in client.take(call(1, "tells")) if "method" in one]

    assert logged() == ["info"]
    assert client.result("logging/setLevel", {"level": "debug"}) == {}
    assert logged() == ["debug", "info"]
    client.result("logging/setLevel", {"level": "error"})
    assert logged() == []
    assert client.error("logging/setLevel", {"level": "loud"})["code"] == -32602
    assert OlderClient(Server("bare")).error("logging/setLevel", {"level": "debug"})["code"] == -32601


def test_a_question_is_a_request_of_the_server(client: OlderClient) -> None:
    """And its answer runs the handler anew."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    assert asked["method"] == "elicitation/create"
    assert asked["params"] == {"mode": "form", "message": "Book Bern?", "requestedSchema": FORM}
    (answer,) = client.reply(asked, {"action": "accept", "content": {"yes": True}, "_meta": {}})
    assert (answer["id"], text_of(answer)) == (1, "Bern accept {'yes': True}")
    assert client.session.running == 0
    assert client.reply(asked, {"action": "accept", "content": {"yes": True}}) == []


def test_questions_one_after_another(client: OlderClient) -> None:
    """Each is asked once; earlier answers are known."""
    (first,) = client.take(call(1, "twice"))
    (second,) = client.reply(first, {"action": "accept", "content": {"yes": False}})
    assert (second["method"], second["id"] != first["id"]) == ("roots/list", True)
    (answer,) = client.reply(second, {"roots": [{"uri": "file:///a"}]})
    assert text_of(answer) == "False ['file:///a']"


def test_questions_at_once(client: OlderClient) -> None:
    """The handler goes on when all are answered, in whatever order."""
    opened, said = client.take(call(1, "several"))
    assert opened["params"]["elicitationId"]
    model = {"role": "assistant", "content": {"type": "text", "text": "Ho"}, "model": "m"}
    assert client.reply(said, model) == []
    (answer,) = client.reply(opened, {"action": "decline"})
    assert text_of(answer) == "decline Ho"


def test_an_answer_that_does_not_fit_is_asked_for_again(client: OlderClient) -> None:
    """But not for ever."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    for _ in range(15):
        (again,) = client.reply(asked, {"action": "accept", "content": {"yes": "perhaps"}})
        assert again["method"] == "elicitation/create"
        asked = again
    (answer,) = client.reply(asked, {"action": "accept", "content": {"yes": 1}})
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"error": {"code": -1, "message": "User rejected"}}, "User rejected"),
        ({"error": {"code": -1}}, "it gave no result"),
        ({"result": None}, "it gave no result"),
        ({"result": [], "error": None}, "it gave no result"),
        ({"result": {"action": "accept"}, "error": {"code": 1, "message": "both"}}, "both"),
    ],
)
def test_a_client_that_refuses_fails_the_call(client: OlderClient, wrong: Any, words: str) -> None:
    """A tool's model reads why; the other questions of the call are withdrawn."""
    opened, said = client.take(call(1, "several"))
    withdrawn, answer = client.take({"jsonrpc": "2.0", "id": opened["id"], **wrong})
    assert withdrawn == notice("notifications/cancelled", {"requestId": said["id"]})
    assert answer["result"]["isError"] is True
    assert words in text_of(answer)
    assert client.session.running == 0


def test_an_answer_that_cannot_be_read_fails_the_call(client: OlderClient) -> None:
    """It has an id, and no numbers that anybody could hold."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    told = b'{"jsonrpc":"2.0","id":"%b","result":{"x":1e999}}' % asked["id"].encode()
    assert "cannot be read" in text_of(client.take(told)[0])


@pytest.mark.parametrize("request_id", [None, 1, "s99", True])
def test_an_answer_to_nothing_is_passed_over(client: OlderClient, request_id: Any) -> None:
    """Nobody waits for it."""
    client.take(call(1, "book", city="Bern"))
    assert client.take({"jsonrpc": "2.0", "id": request_id, "result": {}}) == []


@pytest.mark.parametrize(
    ("method", "params"), [("prompts/get", {"name": "greet"}), ("resources/read", {"uri": "a:///x"})]
)
def test_prompts_and_resources_ask_as_well(client: OlderClient, method: str, params: Any) -> None:
    """And fail with an error when the client refuses."""
    (asked,) = client.take(message(1, method, params))
    (answer,) = client.reply(asked, {"action": "decline"})
    assert "decline" in str(answer["result"])
    (asked,) = client.take(message(2, method, params))
    (answer,) = client.take({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "no"}})
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("version", "declared"), [(NEWEST, {}), (NEWEST, {"elicitation": {"url": {}}}), ("2025-03-26", ALL)]
)
def test_nobody_is_asked_what_was_not_declared(version: str, declared: Any) -> None:
    """Or what the version does not have: the tool's model is told."""
    client = OlderClient(asking, version, declared)
    (answer,) = client.take(call(1, "book", city="Bern"))
    assert answer["result"]["isError"] is True
    assert "elicitation (form)" in text_of(answer)
    (answer,) = client.take(message(2, "prompts/get", {"name": "greet"}))
    assert answer["error"]["code"] == -32602


def test_who_cannot_be_reached_is_not_asked(client: OlderClient) -> None:
    """The call fails, and does not wait for ever."""
    client.way.can_ask = False
    (answer,) = client.take(call(1, "book", city="Bern"))
    assert answer["result"]["isError"] is True


def test_cancelling_what_waits_for_answers(client: OlderClient) -> None:
    """The questions are withdrawn, and nothing is answered."""
    (asked,) = client.take(call(1, "book", city="Bern"))
    told = client.take(notice("notifications/cancelled", {"requestId": 1}))
    assert told == [notice("notifications/cancelled", {"requestId": asked["id"]})]
    assert client.way.dropped == 1
    assert client.reply(asked, {"action": "accept", "content": {"yes": True}}) == []
    assert client.session.owed == 0


def test_cancelling_what_runs(client: OlderClient) -> None:
    """Nothing more is sent for it, also when its handler goes on."""
    client.held = []
    client.take(call(1, "tells"))
    client.take(call(2, "book", city="Bern"))
    told = []
    client.held[0].flight.on_cancel = lambda: told.append("cancelled")
    for request_id in (1, 2, 1, "1", 99, None, True, [1]):
        assert client.take(notice("notifications/cancelled", {"requestId": request_id})) == []
    assert client.take(notice("notifications/cancelled")) == []
    for held in client.held:
        assert held.flight.cancelled
        run(held)
    assert (told, client.way.dropped, len(client.way.sent)) == (["cancelled"], 2, 1)


def test_a_question_that_comes_too_late_is_withdrawn(client: OlderClient) -> None:
    """It was cancelled while its handler asked."""
    client.held = []
    client.take(call(1, "book", city="Bern"))
    (held,) = client.held
    held.way.ask = lambda frame: (client.way.tell(frame), client.session._settle(held))
    before = len(client.way.sent)
    run(held)
    asked, withdrawn = client.way.sent[before:]
    assert withdrawn == notice("notifications/cancelled", {"requestId": asked["id"]})
    assert client.session.questions.waiting == 0


def test_too_much_at_once_is_refused() -> None:
    """Of what runs, and of what waits for the client."""
    client = OlderClient(asking, NEWEST, ALL, limits=Limits(requests_in_flight=2, older_waiting=2))
    for number in range(2):
        client.take(call(number, "book", city="Bern"))
    assert (client.session.running, client.session.questions.waiting) == (0, 2)
    (answer,) = client.take(call(2, "book", city="Bern"))
    assert answer["result"]["isError"] is True
    client.held = []
    client.take(call(3, "fails"))
    client.take(call(4, "fails"))
    (answer,) = client.take(call(5, "fails"))
    assert answer["error"]["code"] == -32603


def test_closing_ends_everything(client: OlderClient) -> None:
    """What runs, what waits, and the notices."""
    client.take(call(1, "book", city="Bern"))
    client.held = []
    client.take(call(2, "tells"))
    client.session.close()
    assert client.way.dropped == 2
    assert client.held[0].flight.cancelled
    asking.tools_changed()
    assert client.pushed == []


def changed(name: str) -> Any:
    """The notification that a list has changed."""
    return notice(f"notifications/{name}/list_changed")


def test_changes_are_told_without_being_asked_for(client: OlderClient) -> None:
    """Lists always, resources when they are subscribed to; nothing else is in them."""
    asking.tools_changed()
    asking.resource_updated("a:///x")
    assert client.pushed == [changed("tools")]
    for _ in range(2):
        assert client.result("resources/subscribe", {"uri": "a:///x"}) == {}
    asking.resource_updated("a:///x")
    asking.resource_updated("a:///y")
    asking.prompts_changed()
    assert client.pushed[1:] == [
        notice("notifications/resources/updated", {"uri": "a:///x"}),
        changed("prompts"),
    ]
    for _ in range(2):
        assert client.result("resources/unsubscribe", {"uri": "a:///x"}) == {}
    asking.resource_updated("a:///x")
    asking.resources_changed()
    assert client.pushed[3:] == [changed("resources")]
    client.session.close()


def test_a_resource_is_watched_while_a_session_is_subscribed_to_it() -> None:
    """And no longer: whatever it listened to before is left."""
    app = Server("watched", notices=("updates",))
    app.resource("a:///x", name="x", description="d")(lambda: "x")
    seen: list[tuple[str, bool]] = []
    app.on_watch(lambda uri, is_watched: seen.append((uri, is_watched)))
    client = OlderClient(app)
    client.result("resources/subscribe", {"uri": "a:///x"})
    client.result("resources/subscribe", {"uri": "a:///y"})
    client.result("resources/unsubscribe", {"uri": "a:///x"})
    assert seen == [("a:///x", True), ("a:///y", True), ("a:///x", False)]
    client.session.close()
    assert seen[3:] == [("a:///y", False)]


def test_nothing_is_told_before_the_client_is_ready() -> None:
    """Nor to a server's client whose server serves no notices."""
    client = OlderClient(asking, None)
    client.take(notice("notifications/initialized"))
    client.take(handshake())
    asking.tools_changed()
    assert client.pushed == []
    client.take(notice("notifications/initialized"))
    client.take(notice("notifications/roots/list_changed"))
    asking.tools_changed()
    assert client.pushed == [changed("tools")]
    client.session.close()
    bare = OlderClient(Server("bare"))
    assert bare.error("resources/subscribe", {"uri": "a:///x"})["code"] == -32601
    assert bare.error("resources/unsubscribe", {"uri": "a:///x"})["code"] == -32601


def test_a_subscription_makes_ready() -> None:
    """Whoever subscribes takes notices, whether or not it has said so."""
    client = OlderClient(asking, None)
    client.take(handshake())
    client.result("resources/subscribe", {"uri": "a:///x"})
    asking.resource_updated("a:///x")
    assert len(client.pushed) == 1
    client.session.close()


def test_subscriptions_are_bounded() -> None:
    """A session has as many as a listener may name, and the server as many listeners as its limits say."""
    limits = Limits(listen_topics=2)
    client = OlderClient(asking, NEWEST, limits=limits)
    for name in "ab":
        client.result("resources/subscribe", {"uri": f"a:///{name}"})
    assert client.error("resources/subscribe", {"uri": "a:///c"})["code"] == -32602
    client.session.close()
    one = Server("one", notices=("updates",), limits=Limits(subscriptions=2))
    one.resource("a:///x", name="x", description="d")(lambda: "x")
    first = OlderClient(one)
    first.result("resources/subscribe", {"uri": "a:///x"})
    second = OlderClient(one)
    assert second.error("resources/subscribe", {"uri": "a:///x"})["code"] == -32603
    first.session.close()


def test_a_listener_that_cannot_be_replaced_stays() -> None:
    """The resource that there was no room for is not subscribed to; those before it are."""
    one = Server("one", notices=("updates",), limits=Limits(subscribed_bytes=1000))
    one.resource("a:///x", name="x", description="d")(lambda: "x")
    client = OlderClient(one)
    client.result("resources/subscribe", {"uri": "a:///x"})
    assert client.error("resources/subscribe", {"uri": "a:///" + "y" * 900})["code"] == -32603
    one.resource_updated("a:///x")
    assert len(client.pushed) == 1
    client.session.close()


def test_what_is_no_message_is_refused(client: OlderClient) -> None:
    """With its id, where one can be read."""
    (refusal,) = client.take(b'{"jsonrpc":"2.0","id":5}')
    assert (refusal["id"], refusal["error"]["code"]) == (5, -32600)
    assert client.take(notice("notifications/whatever")) == []


def test_a_session_keeps_so_much_of_a_handshake_and_no_more() -> None:
    """A longer one is refused, and nothing of it kept."""
    client = OlderClient(asking, None, limits=Limits(older_handshake_bytes=1000))
    (answer,) = client.take(handshake(capabilities={"experimental": {"x": "y" * 1000}}))
    assert answer["error"]["code"] == -32602
    assert not client.session.is_agreed
    (answer,) = client.take(handshake())
    assert "result" in answer


def test_what_is_subscribed_to_is_bounded_in_bytes() -> None:
    """What is given up makes room again."""
    client = OlderClient(asking, limits=Limits(older_subscribed_bytes=100))
    client.result("resources/subscribe", {"uri": "a:///" + "x" * 80})
    assert client.error("resources/subscribe", {"uri": "a:///" + "y" * 80})["code"] == -32602
    client.result("resources/unsubscribe", {"uri": "a:///" + "x" * 80})
    client.result("resources/subscribe", {"uri": "a:///" + "y" * 80})


def test_calls_wait_for_their_client_until_a_deadline() -> None:
    """With whatever comes next they fail, and the question is withdrawn; each round has its time."""
    client = OlderClient(asking, NEWEST, ALL, limits=Limits(round_seconds=10))
    now = [0.0]
    client.session.questions._clock = lambda: now[0]
    asked = client.take(call(1, "twice"))[-1]
    now[0] = 9
    asked = client.reply(asked, {"action": "accept", "content": {"yes": True}})[-1]
    now[0] = 18
    assert client.take(notice("x")) == []
    now[0] = 19
    withdrawn, answer = client.take(notice("x"))
    assert withdrawn == notice("notifications/cancelled", {"requestId": asked["id"]})
    assert (answer["id"], answer["result"]["isError"]) == (1, True)
    assert "in time" in answer["result"]["content"][0]["text"]
    assert client.reply(asked, {"roots": []}) == []
    assert (client.session.questions.waiting, client.session.questions._shares.taken) == (0, 0)


def test_calls_do_not_wait_for_a_client_that_has_gone(client: OlderClient) -> None:
    """They fail, and make room."""
    client.take(call(1, "book", city="Bern"))
    client.way.is_absent = True
    answer = client.take(notice("x"))[-1]
    assert "left" in answer["result"]["content"][0]["text"]
    assert (client.session.running, client.session.questions.waiting) == (0, 0)


def test_a_call_whose_last_answer_has_come_does_not_fail(client: OlderClient) -> None:
    """Though its time is up at that moment."""
    asked = client.take(call(1, "book", city="Bern"))[-1]
    client.held = []
    client.reply(asked, {"action": "decline"})
    (held,) = client.held
    client.session.questions._fail(held, "too late")
    before = len(client.way.sent)
    run(held)
    assert "decline" in client.way.sent[before]["result"]["content"][0]["text"]


def test_calls_that_keep_much_while_they_wait_count_for_more() -> None:
    """For what came with them, and for what was answered; all is given back."""
    client = OlderClient(asking, NEWEST, ALL, limits=Limits(older_waiting=4))
    shares = client.session.questions._shares
    client.take(call(1, "book", city="x" * 140_000))
    assert shares.taken == 3
    asked = client.take(call(2, "twice"))[-1]
    assert shares.taken == 4
    content = {"yes": True, "more": "y" * 140_000}
    (answer,) = client.reply(asked, {"action": "accept", "content": content})
    assert answer["result"]["isError"] is True
    client.take(notice("notifications/cancelled", {"requestId": 1}))
    assert shares.taken == 0
