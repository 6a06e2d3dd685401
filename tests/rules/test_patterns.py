"""PROG, CAN, PAGE, CACHE: progress, cancellation, pages, and how long results hold."""

from typing import Any

import pytest

from readingroom import Context, Limits, Server
from readingroom.protocol import METHODS
from readingroom.server import Cancel, Flight
from support.memory import MemoryServer
from support.messages import call, cancel, frame

rule = pytest.mark.rule
CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
OTHERS = {
    "tools/call": {"name": "words"},
    "prompts/get": {"name": "review", "arguments": {"topic": "t"}},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "review"},
        "argument": {"name": "topic", "value": ""},
    },
}

STREAMS = {"subscriptions/listen"}
# test_tasks.py has a server with tasks.
TASKS = {name for name, row in METHODS.items() if row.capability == "tasks"}
"""Methods whose result is the end of a stream; they are asked in a file of their own."""


def telling(*steps: float, total: float | None = None, text: str | None = None) -> MemoryServer:
    """A server with a tool that tells of those steps."""

    def tell(ctx: Context) -> str:
        for step in steps:
            ctx.progress(step, total, text)
        return "done"

    app = Server("srv")
    app.tool(tell, description="d")
    return MemoryServer(app)


@rule("PROG-1", "passing")
@rule("PROG-2", "passing")
@pytest.mark.parametrize("token", ["t", "", 0, -1, 2**70])
def test_progress_is_told_under_the_token_that_was_given(token: Any) -> None:
    """And it grows, and ends with the answer."""
    *notes, answer = telling(0, 0.5, 2).take(call(1, "tell", None, {"progressToken": token}))
    assert [note["params"]["progress"] for note in notes] == [0, 0.5, 2]
    for note in notes:
        found = note["params"]["progressToken"]
        assert (found, type(found)) == (token, type(token))
    assert answer["id"] == 1


@rule("PROG-1", "violating")
@pytest.mark.parametrize("token", [None, True, 1.5, 1.0, [], {}])
def test_a_token_of_another_type_is_refused(server: MemoryServer, token: Any) -> None:
    """As invalid."""
    assert server.error("tools/call", {"name": "words"}, {"progressToken": token})["code"] == -32602


@rule("PROG-2", "violating")
def test_progress_that_does_not_grow_is_not_told() -> None:
    """Nor is any that nobody asked for, whatever a handler does."""
    server = telling(1, 1, 0, 2)
    *notes, _ = server.take(call(1, "tell", None, {"progressToken": 1}))
    assert [note["params"]["progress"] for note in notes] == [1, 2]
    assert [message.get("method") for message in server.take(call(1, "tell"))] == [None]


@rule("PROG-3", "passing")
def test_progress_has_a_total_and_a_message_if_there_are_any() -> None:
    """It is left out otherwise."""
    note, _ = telling(1, total=4, text="a quarter").take(call(1, "tell", None, {"progressToken": 1}))
    assert note["params"] == {"progressToken": 1, "progress": 1, "total": 4, "message": "a quarter"}
    note, _ = telling(1).take(call(1, "tell", None, {"progressToken": 1}))
    assert note["params"] == {"progressToken": 1, "progress": 1}


@rule("PROG-3", "violating")
@pytest.mark.parametrize("step", [float("nan"), float("inf")])
def test_progress_that_is_no_number_of_json_fails_the_handler(step: float) -> None:
    """It is not sent as null."""
    told = telling(step).take(call(1, "tell", None, {"progressToken": 1}))
    assert [message["error"]["code"] for message in told] == [-32603]


def held(server: MemoryServer, data: bytes) -> Flight:
    """A request in flight."""
    flight = server.connection.receive(data)
    assert isinstance(flight, Flight)
    return flight


@rule("CAN-1", "passing")
@rule("CAN-3", "passing")
@pytest.mark.parametrize("request_id", [0, 7, "", "7"])
def test_a_request_in_flight_is_cancelled_by_its_id(server: MemoryServer, request_id: Any) -> None:
    """Its handler sees it, and nothing more is owed."""
    flight = held(server, call(request_id, "words"))
    action = server.connection.receive(cancel(request_id, reason="why not"))
    assert isinstance(action, Cancel)
    assert (flight.cancelled, server.connection.owed) == (True, 0)
    assert not server.connection.settle(flight)


@rule("CAN-3", "violating")
def test_a_handler_that_goes_on_after_its_cancellation_is_not_heard() -> None:
    """Neither its progress nor its answer is sent."""

    def go_on(ctx: Context) -> str:
        server.connection.receive(cancel(1))
        ctx.progress(1)
        return "an answer"

    app = Server("srv")
    app.tool(go_on, description="d")
    server = MemoryServer(app)
    assert server.take(call(1, "go_on", None, {"progressToken": 1})) == []


@rule("CAN-1", "violating")
@rule("CAN-4", "passing")
@rule("CAN-4", "violating")
@pytest.mark.parametrize("request_id", [8, "7", 7.0, True, None, [7], {"id": 7}])
def test_a_cancellation_of_anything_else_is_passed_over(server: MemoryServer, request_id: Any) -> None:
    """The request that is in flight is not touched, and what is over stays over."""
    flight = held(server, call(7, "words"))
    assert server.take(cancel(request_id)) == []
    assert server.take(b'{"jsonrpc":"2.0","method":"notifications/cancelled"}') == []
    assert server.connection.settle(flight)
    assert server.take(cancel(7)) == []


@rule("CAN-7", "passing")
@rule("CAN-7", "violating")
def test_a_server_never_sends_a_cancellation(server: MemoryServer) -> None:
    """Not for a handler that gives up, and not for a cancelled request."""
    sent = [*server.take(call(1, "gives_up")), *server.take(call(2, "tells", None, {"progressToken": 1}))]
    held(server, call(3, "words"))
    sent += server.take(cancel(3))
    assert "notifications/cancelled" not in [message.get("method") for message in sent]


def listed(number: int, page_items: int = 2) -> MemoryServer:
    """A server with that many tools, on pages of two."""
    app = Server("srv", limits=Limits(page_items=page_items))
    for count in range(number):
        app.tool(lambda: "x", name=f"t{count}", description="d")
    return MemoryServer(app)


@rule("PAGE-1", "passing")
@rule("CACHE-7", "passing")
def test_a_list_comes_in_pages() -> None:
    """A page that others follow has a cursor, and all of them may be shared by the same."""
    server, found, members = listed(5), [], {}
    while True:
        page = server.result("tools/list", members)
        found.append((len(page["tools"]), page["cacheScope"]))
        if "nextCursor" not in page:
            break
        assert type(page["nextCursor"]) is str
        members = {"cursor": page["nextCursor"]}
    assert found == [(2, "private"), (2, "private"), (1, "private")]


@rule("PAGE-1", "violating")
def test_a_list_that_fits_on_a_page_has_no_cursor() -> None:
    """Not an empty one, which would promise more; null neither."""
    assert "nextCursor" not in listed(2).result("tools/list")
    assert "nextCursor" not in listed(1).result("tools/list")


@rule("PAGE-3", "passing")
def test_a_cursor_stays_good_while_the_list_does() -> None:
    """As often as it is used."""
    server = listed(3)
    cursor = server.result("tools/list")["nextCursor"]
    pages = [server.result("tools/list", {"cursor": cursor})["tools"] for _ in range(3)]
    assert pages[0] == pages[1] == pages[2]


@rule("PAGE-3", "violating")
@pytest.mark.parametrize("cursor", ["", "AAAA", "2", "\x00", "x" * 5000])
def test_a_cursor_that_nobody_gave_is_refused(cursor: str) -> None:
    """An empty one is none the less a cursor."""
    assert listed(3).error("tools/list", {"cursor": cursor})["code"] == -32602


@rule("CACHE-7", "violating")
def test_the_scope_of_a_list_does_not_depend_on_its_page() -> None:
    """However many there are on one."""
    scopes = {listed(5, size).result("tools/list")["cacheScope"] for size in (1, 2, 5)}
    assert scopes == {"private"}


@rule("CACHE-1", "passing")
@pytest.mark.parametrize("method", CACHED)
def test_cacheable_results_say_how_long_they_hold(server: MemoryServer, method: str) -> None:
    """In whole milliseconds, and who may share them."""
    found = server.result(method, {"uri": "a:///fixed"} if method == "resources/read" else None)
    assert type(found["ttlMs"]) is int
    assert found["ttlMs"] >= 0
    assert found["cacheScope"] in ("public", "private")


@rule("CACHE-1", "violating")
@pytest.mark.parametrize(("method", "members"), OTHERS.items(), ids=OTHERS)
def test_other_results_say_nothing_of_the_kind(
    server: MemoryServer, method: str, members: dict[str, Any]
) -> None:
    """And these are all the methods there are."""
    assert not {"ttlMs", "cacheScope"} & server.result(method, members).keys()
    assert set(CACHED) | set(OTHERS) | STREAMS | TASKS == set(METHODS)


@rule("CACHE-9", "passing")
def test_what_is_not_said_holds_for_no_time_and_for_nobody_else(server: MemoryServer) -> None:
    """Lists, and resources that say nothing of it."""
    for method, members in (("tools/list", {}), ("resources/read", {"uri": "a:///x"})):
        found = server.result(method, members)
        assert (found["ttlMs"], found["cacheScope"]) == (0, "private")


@rule("CACHE-9", "violating")
def test_what_is_said_holds(server: MemoryServer) -> None:
    """A resource that says how long; it is still shared by nobody."""
    found = server.result("resources/read", {"uri": "a:///fixed"})
    assert (found["ttlMs"], found["cacheScope"]) == (1000, "private")


def test_every_method_is_asked_here() -> None:
    """So that none is forgotten when one is added."""
    assert frame(1, "x")
    assert len(METHODS) == len(CACHED) + len(OTHERS) + len(STREAMS) + len(TASKS)
