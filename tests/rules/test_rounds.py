"""MRTR: what a server asks of its client, in rounds that know nothing of each other but what is sealed."""

from typing import Any

import pytest

from readingroom import Context, Server
from support.asking import ALL, AskedCall, accept, calling
from support.asking_rules import ANSWERS, ASKS, FORM, asker
from support.memory import MemoryServer
from support.messages import CAPABILITIES, SERVER, frame

rule = pytest.mark.rule
METHODS: dict[str, dict[str, Any]] = {
    "tools/call": {"name": "ask", "arguments": {"what": "form"}},
    "prompts/get": {"name": "ask", "arguments": {"what": "form"}},
    "resources/read": {"uri": "ask:///form"},
}


@rule("MRTR-1", "passing")
@pytest.mark.parametrize("method", METHODS)
def test_tools_prompts_and_resources_ask(method: str) -> None:
    """By the type of their result, which says which server it is from."""
    result = AskedCall(asker(), method, METHODS[method]).result
    assert result["resultType"] == "input_required"
    assert result["_meta"][SERVER]["name"] == "asker"


@rule("MRTR-1", "violating")
def test_nothing_else_asks() -> None:
    """A handler that tries to has made a mistake, and its client is asked nothing."""
    members = {"ref": {"type": "ref/prompt", "name": "ask"}, "argument": {"name": "what", "value": ""}}
    assert asker().error("completion/complete", members, {CAPABILITIES: ALL})["code"] == -32603


@rule("MRTR-2", "passing")
@rule("MRTR-2", "violating")
@rule("MRTR-3", "passing")
@rule("MRTR-3", "violating")
@pytest.mark.parametrize(
    ("what", "method", "names"),
    [
        ("form", "elicitation/create", {"mode", "message", "requestedSchema"}),
        ("url", "elicitation/create", {"mode", "message", "url"}),
        ("sample", "sampling/createMessage", {"messages", "maxTokens"}),
        ("roots", "roots/list", set()),
    ],
)
def test_what_is_asked_is_told_with_a_state(what: str, method: str, names: set[str]) -> None:
    """Requests by key that are no messages of their own, and a text to come back with."""
    result = calling(asker(), "ask", {"what": what}).result
    assert set(result) == {"resultType", "inputRequests", "requestState", "_meta"}
    assert isinstance(result["requestState"], str)
    (request,) = result["inputRequests"].values()
    assert request.keys() <= {"method", "params"}
    assert request["method"] == method
    assert set(request.get("params", {})) == names


@rule("CACHE-2", "passing")
@rule("CACHE-2", "violating")
@pytest.mark.parametrize("method", METHODS)
def test_a_question_says_nothing_of_how_long_it_is_fresh(method: str) -> None:
    """Also of a resource that does say so of what it holds."""
    assert not {"ttlMs", "cacheScope"} & AskedCall(asker(), method, METHODS[method]).result.keys()


@rule("MRTR-4", "passing")
@pytest.mark.parametrize(
    ("what", "declared"),
    [
        ("form", {"elicitation": {}}),
        ("form", {"elicitation": {"form": {}}}),
        ("url", {"elicitation": {"url": {}}}),
        ("sample", {"sampling": {}}),
        ("roots", {"roots": {}}),
    ],
)
def test_what_was_declared_is_asked(what: str, declared: dict[str, Any]) -> None:
    """And needs nothing else."""
    assert calling(asker(), "ask", {"what": what}, **declared).asked


@rule("MRTR-4", "violating")
@rule("META-11", "passing")
@pytest.mark.parametrize(
    ("what", "declared", "required"),
    [
        ("form", {"sampling": {}, "roots": {}}, {"elicitation": {"form": {}}}),
        ("url", {"sampling": {}, "roots": {}}, {"elicitation": {"url": {}}}),
        ("sample", {"elicitation": {}, "roots": {}}, {"sampling": {}}),
        ("roots", {"elicitation": {}, "sampling": {}}, {"roots": {}}),
        ("roots", {"roots": True}, {"roots": {}}),
    ],
)
def test_what_was_not_is_refused(what: str, declared: dict[str, Any], required: dict[str, Any]) -> None:
    """With what is lacking, as objects."""
    call = calling(asker(), "ask", {"what": what}, **declared)
    assert (call.error["code"], call.error["data"]) == (-32021, {"requiredCapabilities": required})


@rule("ELIC-1", "passing")
@rule("ELIC-1", "violating")
@pytest.mark.parametrize("what", ["form", "url"])
@pytest.mark.parametrize(
    ("declared", "modes"),
    [
        ({}, {"form"}),
        ({"form": {}}, {"form"}),
        ({"url": {}}, {"url"}),
        ({"form": {}, "url": {}}, {"form", "url"}),
    ],
)
def test_modes_are_declared_one_by_one(what: str, declared: dict[str, Any], modes: set[str]) -> None:
    """An empty declaration means forms, as it did when there was nothing else."""
    call = calling(asker(), "ask", {"what": what}, elicitation=declared)
    assert bool(call.result) == (what in modes)
    assert call.result or call.error["code"] == -32021


@rule("MRTR-10", "passing")
@rule("MRTR-10", "violating")
def test_a_question_ends_its_request() -> None:
    """Its id is free again, nothing is owed, and another replica may be the one that is answered."""
    first, second = asker(), asker()
    members = {"name": "ask", "arguments": {"what": "form"}}
    state = ""
    for _ in range(3):
        (answer,) = first.take(frame("same", "tools/call", members, {CAPABILITIES: ALL}))
        state = answer["result"]["requestState"]
        assert first.connection.owed == 0
    call = calling(second, "ask", {"what": "form"})
    call.send({"requestState": state, "inputResponses": {"answer": accept(yes=True)}})
    assert call.result["resultType"] == "complete"


def refused(call: AskedCall) -> bool:
    """Whether the state was refused as invalid, and nothing was asked."""
    return not call.result and (call.error["code"], call.error["message"]) == (
        -32602,
        "requestState rejected",
    )


@rule("MRTR-11", "passing")
@pytest.mark.parametrize("tool", ["ask", "plain"])
@pytest.mark.parametrize(
    "change",
    [
        lambda state: state + "-TAMPERED",
        lambda state: state[:-1],
        lambda state: " " + state,
        lambda _: "",
        lambda _: '{"a": 1}',
        lambda _: calling(asker(key=b"another 16 bytes"), "ask", {"what": "form"}).result["requestState"],
    ],
)
def test_a_state_that_is_not_ours_is_refused(tool: str, change: Any) -> None:
    """Whether or not the handler asks, and whatever answers come with it."""
    call = calling(asker(), "ask", {"what": "form"})
    state = change(call.result["requestState"])
    call = calling(asker(), tool, {"what": "form"} if tool == "ask" else {})
    call.send({"requestState": state, "inputResponses": {"answer": accept(yes=True)}})
    assert refused(call)


@rule("MRTR-11", "violating")
def test_a_state_that_is_ours_is_taken() -> None:
    """As often as it comes back in its time: it holds answers, and no right to anything."""
    call = calling(asker(), "ask", {"what": "form"})
    state = call.result["requestState"]
    for _ in range(2):
        call.send({"requestState": state, "inputResponses": {"answer": accept(yes=True)}})
        assert call.result["resultType"] == "complete"


@rule("MRTR-12", "passing")
@pytest.mark.parametrize(
    ("principal", "method", "members"),
    [
        ("you", "tools/call", METHODS["tools/call"]),
        ("me", "prompts/get", METHODS["prompts/get"]),
        ("me", "resources/read", METHODS["resources/read"]),
        ("me", "tools/call", {"name": "ask", "arguments": {"what": "url"}}),
    ],
)
def test_a_state_is_good_for_what_it_was_given_for(
    principal: str, method: str, members: dict[str, Any]
) -> None:
    """Not for another principal, method or argument."""
    state = calling(asker(), "ask", {"what": "form"}).result["requestState"]
    call = AskedCall(asker(principal), method, members)
    call.send({"requestState": state})
    assert refused(call)


@rule("MRTR-12", "violating")
@pytest.mark.parametrize(("seconds", "is_good"), [(599, True), (602, False)])
def test_a_state_is_good_for_ten_minutes(
    seconds: float, is_good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person has to read what is asked."""
    now = [1000.0]
    monkeypatch.setattr("readingroom.kit.rounds.time.time", lambda: now[0])
    call = calling(asker(), "ask", {"what": "form"})
    now[0] += seconds
    call.answer(answer=accept(yes=True))
    assert refused(call) != is_good


@rule("MRTR-13", "passing")
@rule("MRTR-13", "violating")
@pytest.mark.parametrize("answers", [{}, {"else": accept(yes=True)}])
def test_what_is_missing_is_asked_for_again(answers: dict[str, Any]) -> None:
    """It is no error, and neither is an answer to what nobody asked."""
    call = calling(asker(), "ask", {"what": "form"}).answer(**answers)
    assert list(call.asked) == ["answer"]
    assert call.answer(**answers, answer=accept(yes=True)).result["resultType"] == "complete"


@rule("MRTR-14", "passing")
@pytest.mark.parametrize("what", ASKS)
def test_answers_that_fit_are_accepted(what: str) -> None:
    """Each kind by its own form."""
    call = calling(asker(), "ask", {"what": what}).answer(answer=ANSWERS[what])
    assert call.result["resultType"] == "complete"
    assert "isError" not in call.result


@rule("MRTR-14", "violating")
@pytest.mark.parametrize("what", ASKS)
def test_answers_that_do_not_are_asked_for_again(what: str) -> None:
    """Among them the answers to every other kind."""
    # To have agreed to an address is what a form's answer says as well, and more.
    others = [answer for name, answer in ANSWERS.items() if name != what and (name, what) != ("form", "url")]
    call = calling(asker(), "ask", {"what": what})
    for answer in ({}, {"action": "yes"}, {"content": {"yes": True}}, {"roots": 1}, *others):
        assert list(call.answer(answer=answer).asked) == ["answer"]


@rule("MRTR-14", "violating")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("responses", [None, 0, "", [], {"answer": None}, {"answer": "yes"}])
def test_answers_are_objects_in_an_object(method: str, responses: Any) -> None:
    """Anything else is invalid."""
    call = AskedCall(asker(), method, METHODS[method])
    call.send({"inputResponses": responses})
    assert call.error["code"] == -32602


@rule("MRTR-15", "passing")
@pytest.mark.parametrize("method", METHODS)
def test_answers_may_come_with_a_first_request(method: str) -> None:
    """Who knows what will be asked need not be asked."""
    call = AskedCall(asker(), method, METHODS[method])
    call.send({"inputResponses": {"answer": accept(yes=True)}})
    assert call.result["resultType"] == "complete"


@rule("MRTR-15", "violating")
def test_answers_with_a_state_are_answers_to_its_questions() -> None:
    """One that was not asked for in that round is passed over."""
    app = Server("asker", version="1")

    @app.tool
    def two(ctx: Context) -> str:
        """Ask twice."""
        return f"{ctx.ask(a=FORM)['a'].action} {ctx.ask(b=FORM)['b'].action}"

    call = calling(MemoryServer(app), "two").answer(a={"action": "decline"}, b=accept(yes=True))
    assert list(call.asked) == ["b"]


@rule("MRTR-17", "passing")
def test_what_was_answered_after_input_is_stale_at_once() -> None:
    """It was meant for who answered."""
    result = (
        AskedCall(asker(), "resources/read", METHODS["resources/read"]).answer(answer=accept(yes=True)).result
    )
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")


@rule("MRTR-17", "violating")
def test_what_needed_no_input_stays_fresh() -> None:
    """As long as its handler says."""
    app = Server("asker", version="1")
    app.resource("plain:///", ttl_ms=60_000)(lambda: "plain")
    assert MemoryServer(app).result("resources/read", {"uri": "plain:///"})["ttlMs"] == 60_000


@rule("MRTR-18", "passing")
@rule("MRTR-18", "violating")
def test_a_handler_runs_anew_in_each_round() -> None:
    """What it does before it asks it does every time, and what it does after the last answer it does once."""
    app = Server("asker", version="1")
    before, after = [], []

    @app.tool
    def act(ctx: Context) -> str:
        """Ask, then act."""
        before.append(1)
        answer = ctx.ask(answer=FORM)["answer"]
        after.append(answer.action)
        return answer.action

    calling(MemoryServer(app), "act").answer().answer(answer={"action": "decline"})
    assert (len(before), after) == (3, ["decline"])
