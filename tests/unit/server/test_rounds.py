"""Rounds: a handler that asks runs anew with the answers, and asks nobody what was not declared."""

from typing import Any

import pytest

from readingroom import (
    Answers,
    Context,
    CreateMessage,
    Elicited,
    ElicitForm,
    ElicitUrl,
    ListRoots,
    RootList,
    Sampled,
    Server,
    UsageError,
)
from readingroom.protocol import Admitted, CallParams, Meta
from readingroom.server import Flight
from support.asking import AskedCall, accept, calling
from support.asking_tools import book, form, server_of, text_of
from support.memory import MemoryServer
from support.messages import CAPABILITIES

MESSAGE = {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m"}


def test_a_handler_asks_and_is_answered() -> None:
    """First round: what is asked, and a state. Second round: the answer (MRTR-2, MRTR-3)."""
    call = calling(server_of(book), "book", {"city": "Oslo"})
    assert set(call.result) == {"resultType", "inputRequests", "requestState", "_meta"}
    assert call.asked == {
        "ok": {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": "Book Oslo?",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"yes": {"type": "boolean"}},
                    "required": ["yes"],
                },
            },
        }
    }
    assert text_of(call.answer(ok=accept(yes=True))) == "accept {'yes': True}"


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_person_may_refuse(action: str) -> None:
    """The handler is told, and goes on."""
    call = calling(server_of(book), "book", {"city": "Oslo"})
    assert text_of(call.answer(ok={"action": action})) == f"{action} None"


def test_coroutines_await_what_they_ask() -> None:
    """Or do not: it is the same."""

    async def ask(ctx: Context) -> str:
        first = await ctx.ask(a=form("A?", a="string"))
        second = ctx.ask(b=form("B?", b="string"))
        return f"{first['a'].content} {second['b'].content}"

    call = calling(server_of(ask), "ask").answer(a=accept(a="1"))
    assert list(call.asked) == ["b"]
    assert text_of(call.answer(b=accept(b="2"))) == "{'a': '1'} {'b': '2'}"


def test_all_kinds_at_once() -> None:
    """Each answer is a value of its kind."""

    def ask(ctx: Context) -> str:
        answers: Answers[Any] = ctx.ask(
            form=form("A?", a="string"),
            url=ElicitUrl("Sign in", "https://example.org"),
            message=CreateMessage(["Capital of France?"], 10),
            roots=ListRoots(),
        )
        assert isinstance(answers["form"], Elicited)
        assert isinstance(answers["message"], Sampled)
        assert isinstance(answers["roots"], RootList)
        roots = [root.uri for root in answers["roots"].roots]
        return f"{answers['form'].content} {answers['url'].action} {answers['message'].text} {roots}"

    call = calling(server_of(ask), "ask")
    assert {name: request["method"] for name, request in call.asked.items()} == {
        "form": "elicitation/create",
        "url": "elicitation/create",
        "message": "sampling/createMessage",
        "roots": "roots/list",
    }
    roots = {"roots": [{"uri": "file:///a"}]}
    call.answer(form=accept(a="x"), url={"action": "accept"}, message=MESSAGE, roots=roots)
    assert text_of(call) == "{'a': 'x'} accept Paris ['file:///a']"


def test_what_is_missing_is_asked_again() -> None:
    """And only that; the answers that came are kept in the state (MRTR-13)."""

    def ask(ctx: Context) -> str:
        answers = ctx.ask(a=form("A?", a="string"), b=form("B?", b="string"))
        return f"{answers['a'].content} {answers['b'].content}"

    call = calling(server_of(ask), "ask").answer(a=accept(a="1"), c=accept(c="3"))
    assert list(call.asked) == ["b"]
    call.answer()
    assert list(call.asked) == ["b"]
    assert text_of(call.answer(b=accept(b="2"), a=accept(a="4"))) == "{'a': '1'} {'b': '2'}"


@pytest.mark.parametrize(
    "answer", [{}, {"action": "accept"}, accept(yes="true"), accept(yes=True, no=1), {"action": 1}]
)
def test_what_does_not_fit_is_asked_again(answer: dict[str, Any]) -> None:
    """It never reaches the handler (MRTR-14)."""
    call = calling(server_of(book), "book", {"city": "Oslo"}).answer(ok=answer)
    assert list(call.asked) == ["ok"]
    assert text_of(call.answer(ok=accept(yes=False))) == "accept {'yes': False}"


@pytest.mark.parametrize("responses", [None, 5, "a", [], {"ok": None}, {"ok": 5}, {"ok": [accept(yes=True)]}])
def test_answers_are_an_object_of_objects(responses: Any) -> None:
    """Anything else is invalid, also for a handler that does not ask (MRTR-14)."""

    def plain() -> str:
        return "plain"

    server = server_of(book, plain)
    for tool, arguments in (("book", {"city": "Oslo"}), ("plain", {})):
        error = server.error(
            "tools/call", {"name": tool, "arguments": arguments, "inputResponses": responses}
        )
        assert error["code"] == -32602


def test_answers_may_come_at_once() -> None:
    """Without a state they are taken by their names, each once (MRTR-15)."""

    def ask(ctx: Context) -> str:
        first = ctx.ask(ok=form("A?", a="string"))["ok"]
        second = ctx.ask(ok=form("B?", a="string"))["ok"]
        return f"{first.content} {second.content}"

    call = calling(server_of(ask), "ask")
    call.send({"inputResponses": {"ok": accept(a="1"), "else": accept(b="2")}})
    assert call.asked["ok"]["params"]["message"] == "B?"
    assert text_of(call.answer(ok=accept(a="2"))) == "{'a': '1'} {'a': '2'}"


def test_an_answer_counts_for_the_question_as_it_was_asked() -> None:
    """When the world has changed meanwhile, the person is asked anew."""
    price = [100]

    def buy(ctx: Context) -> str:
        answer = ctx.ask(ok=form(f"Buy for {price[0]}?", yes="boolean"))["ok"]
        return f"{price[0]} {answer.content}"

    call = calling(server_of(buy), "buy")
    price[0] = 200
    call.answer(ok=accept(yes=True))
    assert call.asked["ok"]["params"]["message"] == "Buy for 200?"
    assert text_of(call.answer(ok=accept(yes=False))) == "200 {'yes': False}"


def test_several_rounds_with_one_name() -> None:
    """Earlier answers are told apart by what was asked."""

    def ask(ctx: Context) -> str:
        return " ".join(str(ctx.ask(n=form(f"Number {k}?", n="integer"))["n"].content) for k in range(4))

    call = calling(server_of(ask), "ask")
    for number in range(4):
        call.answer(n=accept(n=number))
    assert text_of(call) == "{'n': 0} {'n': 1} {'n': 2} {'n': 3}"


def test_a_handler_cannot_swallow_that_it_asks() -> None:
    """By catching exceptions; what it cleans up is cleaned up in every round."""
    cleaned: list[str] = []

    def ask(ctx: Context) -> str:
        try:
            answer = ctx.ask(ok=form("A?", a="string"))["ok"]
        except Exception:  # noqa: BLE001  -- what handlers do
            return "swallowed"
        finally:
            cleaned.append("once")
        return str(answer.content)

    call = calling(server_of(ask), "ask")
    assert call.asked
    assert text_of(call.answer(ok=accept(a="1"))) == "{'a': '1'}"
    assert len(cleaned) == 2


def test_prompts_and_resources_ask_as_well() -> None:
    """As tools do, and what they asked for is not to be kept (MRTR-1, MRTR-17)."""
    app = Server("asker", version="1")

    @app.prompt
    def greet(name: str, ctx: Context) -> str:
        """Greet."""
        return f"{name} {ctx.ask(how=form('How?', how='string'))['how'].content}"

    @app.resource("note:///{name}", ttl_ms=5000)
    def note(name: str, ctx: Context) -> str:
        """Give a note, the ones with a lock only when asked."""
        return f"{name} {ctx.ask(ok=form('Sure?', yes='boolean'))['ok'].action}" if name == "locked" else name

    server = MemoryServer(app)
    call = AskedCall(server, "prompts/get", {"name": "greet", "arguments": {"name": "Ada"}})
    assert (
        call.answer(how=accept(how="warmly")).result["messages"][0]["content"]["text"]
        == "Ada {'how': 'warmly'}"
    )
    call = AskedCall(server, "resources/read", {"uri": "note:///locked"})
    assert "ttlMs" not in call.result
    assert "cacheScope" not in call.result
    result = call.answer(ok={"action": "decline"}).result
    assert result["contents"][0]["text"] == "locked decline"
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
    result = AskedCall(server, "resources/read", {"uri": "note:///open"}).result
    assert (result["ttlMs"], result["cacheScope"]) == (5000, "private")
    call = AskedCall(server, "resources/read", {"uri": "note:///open"})
    call.send({"inputResponses": {}})
    assert call.result["ttlMs"] == 0


def test_only_features_may_ask() -> None:
    """A completion and a list have no answer that could carry a question (MRTR-1)."""
    faults: list[BaseException] = []
    app = Server("asker", version="1")

    @app.prompt
    def greet(name: str) -> str:
        """Greet."""
        return name

    @app.completion("greet", "name")
    def names(value: str, ctx: Context) -> list[str]:
        try:
            ctx.ask(ok=form("A?", a="string"))
        except UsageError as error:
            faults.append(error)
            raise
        return []

    server = MemoryServer(app)
    members = {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": "a"}}
    assert server.error("completion/complete", members, {CAPABILITIES: {"elicitation": {}}})["code"] == -32603
    assert "tools, prompts and resources" in str(faults[0])


@pytest.mark.parametrize(
    "requests", [{}, {"a": "A?"}, {"a": form("A?", a="string"), "b": None}, {"a": ElicitForm}]
)
def test_what_is_asked_is_a_request(requests: dict[str, Any]) -> None:
    """Anything else is a mistake of the handler's."""

    def ask(ctx: Context) -> str:
        with pytest.raises(UsageError, match="ask with names"):
            ctx.ask(**requests)
        return "told"

    assert text_of(calling(server_of(ask), "ask")) == "told"


def test_a_context_without_rounds_cannot_ask() -> None:
    """Such as one that was made for a test of a handler."""
    request = Admitted(1, "tools/call", CallParams(Meta("v", {}), "t"))
    ctx = Context(1, request.params.meta, Flight(request), lambda *_: None, "me")
    with pytest.raises(UsageError):
        ctx.ask(a=form("A?", a="string"))


@pytest.mark.parametrize(
    ("ask", "declared", "required"),
    [
        (form("A?", a="string"), {"roots": {}}, {"elicitation": {"form": {}}}),
        (form("A?", a="string"), {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (ElicitUrl("A", "https://a.b"), {"elicitation": {}}, {"elicitation": {"url": {}}}),
        (ElicitUrl("A", "https://a.b"), {"elicitation": {"form": {}}}, {"elicitation": {"url": {}}}),
        (CreateMessage(["A"], 1), {"roots": {}}, {"sampling": {}}),
        (CreateMessage(["A"], 1, tools=[]), {"sampling": {}}, {"sampling": {"tools": {}}}),
        (ListRoots(), {"elicitation": {}}, {"roots": {}}),
    ],
)
def test_nothing_is_asked_that_was_not_declared(
    ask: Any, declared: dict[str, Any], required: dict[str, Any]
) -> None:
    """Even if only one of several requests is affected (MRTR-4, META-11)."""

    def one(ctx: Context) -> str:
        return str(ctx.ask(a=ask))

    call = calling(server_of(one), "one", **declared)
    assert call.error["code"] == -32021
    assert call.error["data"] == {"requiredCapabilities": required}


def test_all_that_is_lacking_is_told_at_once() -> None:
    """So that a client need not find out one by one."""

    def several(ctx: Context) -> str:
        return str(
            ctx.ask(
                a=form("A?", a="string"), b=ElicitUrl("A", "https://a.b"), c=CreateMessage(["A"], 1, tools=[])
            )
        )

    call = calling(server_of(several), "several", roots={})
    assert call.error["data"] == {
        "requiredCapabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}}
    }


def test_what_an_earlier_request_declared_counts_for_nothing() -> None:
    """Every round declares for itself (META-5)."""
    call = calling(server_of(book), "book", {"city": "Oslo"})
    call.meta = {CAPABILITIES: {}}
    assert call.answer(ok=accept(yes=True)).error["code"] == -32021
