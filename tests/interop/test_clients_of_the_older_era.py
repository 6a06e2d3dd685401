"""The clients of other SDKs as they speak revision 2025-11-25, and our servers over each carrier.

The Python clients do so with `mode="legacy"`, the TypeScript one as it comes. What is here is what that revision does
differently; what it does alike is checked in passing.
"""

from collections.abc import Callable, Iterator

import pytest

from support.peers import Driven, text_of
from support.processes import until

pytestmark = pytest.mark.peers

OLDER = "2025-11-25"
INVALID_PARAMS = -32602
NOT_FOUND = -32002
WATCHED = "x:///fixed"


@pytest.fixture(scope="module")
def peer(connect: Callable[..., Driven], carrier: str, request: pytest.FixtureRequest) -> Iterator[Driven]:
    """Give a client that stays connected, and hold against the server that the client found nothing wrong with it."""
    server = request.getfixturevalue("workshop" if carrier == "stdio" else "workshop_url")
    driven = connect(server, mode="legacy")
    assert driven.connected == {"ok": "connected"}
    yield driven
    driven.close()


def test_agreement(peer):
    """Client and server agree on the older revision, and on no extension of the newer one (LEG-1)."""
    info = peer.ok("info")
    assert info["version"] == OLDER
    assert info["server"] == {"name": "workshop", "version": "2.1.0", "title": "Workshop"}
    assert sorted(info["capabilities"]) == ["completions", "logging", "prompts", "resources", "tools"]
    assert info["instructions"] == "Try everything."


@pytest.mark.parametrize(
    ("what", "many"), [("tools", 165), ("resources", 252), ("resourceTemplates", 2), ("prompts", 2)]
)
def test_lists(peer, what, many):
    """Every list comes whole, over all of its pages."""
    assert len(peer.ok("list_all", what=what)["items"]) == many


def test_calls(peer):
    """Tools answer with structured content, without what that revision does not know (LEG-7)."""
    result = peer.call("add", a=-1, b=43)
    assert result["structuredContent"] == {"result": 42}
    assert not {"resultType", "ttlMs", "cacheScope"} & result.keys()
    assert text_of(peer.call("greet", name="Ю", times=2)) == "Hello, Ю! Hello, Ю!"


@pytest.mark.parametrize("kind", ["null", "zero", "text", "list"])
def test_structured_content_that_is_no_object(peer, kind):
    """Structured content that is no object is not sent as such; the text holds it (LEG-7)."""
    result = peer.call("any-value", kind=kind)
    assert isinstance(result.get("structuredContent", {}), dict)
    assert text_of(result) == {"null": "null", "zero": "0", "text": '""', "list": "[]"}[kind]


def test_failures(peer):
    """Failures of tools are for the model; an unknown tool is an error (TOOL-6, TOOL-7)."""
    assert "a" in peer.failure("add", a="1", b=2)
    assert peer.failure("fail") == "nothing to be done"
    assert peer.refused("call", name="no_such_tool", arguments={})[0] == INVALID_PARAMS
    assert "secret" not in str(peer.do("call", name="crash", arguments={}))


def test_progress(peer):
    """Progress reaches the caller."""
    told = peer.ok("call_with_progress", name="count", arguments={"to": 5})
    assert told["result"]["structuredContent"] == {"result": 5}
    steps = [[number, 5, f"at {number}"] for number in range(1, 6)]
    assert told["progress"] == steps[: len(told["progress"])]
    if peer.peer != "typescript":
        assert told["progress"] == steps
    else:
        peer.ok("take_faults")


def test_many_calls_at_once(peer):
    """Answers of calls under way together go to the call that each belongs to."""
    each = [{"a": number, "b": number} for number in range(100)]
    answers = [answer["ok"] for answer in peer.ok("call_many", name="add", each=each)]
    assert [answer["structuredContent"]["result"] for answer in answers] == [2 * n for n in range(100)]


def test_cancelled_calls_end_on_the_server(peer):
    """A call that is cancelled, or takes longer than its caller waits, is ended on the server as well (CAN-1)."""
    before, _ = peer.structured("holds")["result"]
    assert peer.ok("cancel", name="hold") == "cancelled"
    assert "timed out" in peer.do("time_out", name="hold", seconds=0.2)["error"]["message"]
    until(lambda: peer.structured("holds")["result"] == [before + 2, before + 2])


def test_resources(peer):
    """Resources are read; a missing one has the error code of that revision (LEG-7).

    The TypeScript client gives any error code for a missing resource as that of the newer revision.
    """
    (part,) = peer.ok("read", uri="x:///fixed")["contents"]
    assert part == {"uri": "x:///fixed", "mimeType": "text/plain", "text": "fixed"}
    assert peer.ok("read", uri="x:///dot")["contents"][0]["blob"].startswith("iVBO")
    code = INVALID_PARAMS if peer.peer == "typescript" else NOT_FOUND
    assert peer.refused("read", uri="x:///none") == (code, {"uri": "x:///none"})


def test_prompts_and_completions(peer):
    """Prompts are filled in and their arguments completed."""
    (message,) = peer.ok("prompt", name="visit", arguments={"city": "Köln"})["messages"]
    assert message["content"]["text"] == "Plan a visit to Köln in summer."
    assert peer.refused("prompt", name="visit")[0] == INVALID_PARAMS
    ref = {"type": "ref/prompt", "name": "visit"}
    assert peer.ok("complete", ref=ref, name="city", value="be")["completion"]["values"] == ["Berlin", "Bern"]


def test_what_a_handler_asks(peer):
    """What a handler asks comes to the client as requests of that revision, one round after the other (LEG-5, LEG-8)."""
    told = peer.structured("ask_person")["result"]
    assert told == ["accept {'name': 'Ada'}", "accept {'number': 3}", "accept"]
    assert peer.structured("ask_machine")["result"] == ["A model says so.", "file:///home/ada"]


def test_changes(peer):
    """Who subscribed to a resource is told when it changes (LEG-6)."""
    if peer.peer == "fastmcp":
        pytest.skip("FastMCP's client has no way to subscribe")
    told = peer.ok("changed", name="touch", arguments={"uri": WATCHED}, uri=WATCHED)
    assert told["method"] == "notifications/resources/updated"
    assert told["params"]["uri"] == WATCHED
