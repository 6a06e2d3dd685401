"""SUB: who is told of which changes, in which order, and under which id."""

import json
from typing import Any

import pytest

from readingroom import Context, Limits, Server
from support.listening import listened
from support.memory import MemoryServer
from support.messages import call, cancel, frame
from support.processes import ServerProcess

rule = pytest.mark.rule
ID = "io.modelcontextprotocol/subscriptionId"
ALL = ("tools", "prompts", "resources", "updates")
CHANGED = "notifications/{}/list_changed"


def methods(messages: list[Any]) -> list[str]:
    """What messages are called."""
    return [message["method"] for message in messages]


@rule("SUB-1", "passing")
@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"toolsListChanged": True},
        {"promptsListChanged": True, "resourcesListChanged": True},
        {"resourceSubscriptions": ["a:///1", "a:///2"]},
    ],
)
def test_a_listen_says_what_it_wants_to_hear(wanted: dict[str, Any]) -> None:
    """And is told of that, and of nothing else."""
    app, server = listened(*ALL)
    assert server.listen(1, **wanted) == wanted
    app.tools_changed()
    app.prompts_changed()
    app.resources_changed()
    app.resource_updated("a:///1")
    expected = [
        CHANGED.format(kind) for kind in ("tools", "prompts", "resources") if f"{kind}ListChanged" in wanted
    ]
    if "resourceSubscriptions" in wanted:
        expected.append("notifications/resources/updated")
    assert methods(server.heard()) == expected


@rule("SUB-1", "violating")
@pytest.mark.parametrize(
    "members",
    [
        {},
        {"notifications": None},
        {"notifications": []},
        {"notifications": {"toolsListChanged": 1}},
        {"notifications": {"promptsListChanged": "true"}},
        {"notifications": {"resourcesListChanged": None}},
        {"notifications": {"resourceSubscriptions": "a:///1"}},
        {"notifications": {"resourceSubscriptions": [1]}},
        {"notifications": {"resourceSubscriptions": None}},
        {"notifications": {"taskIds": {}}},
    ],
)
def test_a_listen_of_another_form_is_refused(members: dict[str, Any]) -> None:
    """As invalid, and nothing is opened."""
    _app, server = listened(*ALL)
    assert server.error("subscriptions/listen", members)["code"] == -32602
    assert server.subscriptions == {}


@rule("SUB-2", "passing")
def test_the_first_frame_acknowledges_what_is_served() -> None:
    """The rest is left out, not denied; what was asked for twice is said once."""
    _app, server = listened("tools", "updates")
    found = server.listen(
        5,
        toolsListChanged=True,
        promptsListChanged=True,
        resourcesListChanged=False,
        resourceSubscriptions=["x:/1", "x:/2", "x:/1"],
        taskIds=["t"],
    )
    assert found == {"toolsListChanged": True, "resourceSubscriptions": ["x:/1", "x:/2"]}


@rule("SUB-2", "violating")
def test_what_happens_before_the_acknowledgement_does_not_overtake_it() -> None:
    """A change while the subscription is being opened comes after it, on a carrier with threads as well."""
    process = ServerProcess("noticing.py", "eager")
    try:
        for request_id in range(50):
            wanted = {"notifications": {"resourceSubscriptions": [f"a:///{request_id}"]}}
            process.send(frame(request_id, "subscriptions/listen", wanted))
            first, second = process.take(), process.take()
            assert first["method"] == "notifications/subscriptions/acknowledged"
            assert second["method"] == "notifications/resources/updated"
            assert {message["params"]["_meta"][ID] for message in (first, second)} == {request_id}
    finally:
        process.close()


@rule("SUB-3", "passing")
@pytest.mark.parametrize("request_id", [0, 1, -7, 2**70, "", "1", "ключ", 'a"b'])
def test_all_that_belongs_to_a_subscription_has_its_id(request_id: Any) -> None:
    """The acknowledgement, the changes and the result, with the type that the id came with."""
    app, server = listened(*ALL)
    ack = server.answer(
        frame(
            request_id,
            "subscriptions/listen",
            {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["a:///1"]}},
        )
    )
    app.tools_changed()
    app.resource_updated("a:///1")
    changes = server.heard()
    app.close_subscriptions()
    (result,) = server.heard()
    ids = [message["params"]["_meta"][ID] for message in (ack, *changes)]
    ids += [result["id"], result["result"]["_meta"][ID]]
    assert [(found, type(found)) for found in ids] == [(request_id, type(request_id))] * 5


@rule("SUB-3", "violating")
def test_a_number_and_its_text_are_two_subscriptions() -> None:
    """Each is told under its own id, and one is cancelled without the other."""
    app, server = listened("tools")
    for request_id in (1, "1"):
        server.listen(request_id, toolsListChanged=True)
    app.tools_changed()
    assert [message["params"]["_meta"][ID] for message in server.heard()] == [1, "1"]
    assert server.take(cancel("1")) == []
    app.tools_changed()
    assert [message["params"]["_meta"][ID] for message in server.heard()] == [1]


@rule("SUB-4", "passing")
@rule("SUB-4", "violating")
def test_who_has_not_subscribed_is_not_told() -> None:
    """Neither without a subscription, nor of other kinds, nor of other resources."""
    app, server = listened(*ALL)
    app.tools_changed()
    server.listen(1, toolsListChanged=False, promptsListChanged=True, resourceSubscriptions=["a:///1"])
    app.tools_changed()
    app.resources_changed()
    for uri in ("a:///2", "a:///1/", "a:///", "A:///1"):
        app.resource_updated(uri)
    assert server.heard() == []
    assert server.take(call(2, "x"))[0]["id"] == 2


@rule("SUB-5", "passing")
@rule("SUB-5", "violating")
def test_progress_and_log_lines_stay_with_their_request() -> None:
    """A subscription that asked for them gets none, and those of others have no id of a subscription."""
    app = Server("srv", notices=("tools",), logging=True)

    @app.tool
    def work(ctx: Context) -> str:
        """Work."""
        ctx.progress(1)
        ctx.log("error", "x")
        app.tools_changed()
        return "done"

    server = MemoryServer(app)
    meta = {"progressToken": "p", "io.modelcontextprotocol/logLevel": "debug"}
    server.listen(1, meta, toolsListChanged=True)
    messages = server.take(call(2, "work", None, {**meta, "progressToken": "q"}))
    assert methods(messages[:2]) == ["notifications/progress", "notifications/message"]
    assert not any(ID in json.dumps(message) for message in messages)
    assert methods(server.heard()) == [CHANGED.format("tools")]


@rule("SUB-6", "passing")
def test_each_subscription_that_matches_is_told_once() -> None:
    """Several of one connection, and of several connections of one server."""
    app, server = listened(*ALL)
    other = MemoryServer(app)
    server.listen(1, toolsListChanged=True)
    server.listen(2, toolsListChanged=True, resourceSubscriptions=["a:///1"])
    server.listen(3, resourceSubscriptions=["a:///1"])
    other.listen(1, toolsListChanged=True)
    app.tools_changed()
    app.resource_updated("a:///1")
    told = [(message["params"]["_meta"][ID], message["method"][14:]) for message in server.heard()]
    assert told == [
        (1, "tools/list_changed"),
        (2, "tools/list_changed"),
        (2, "resources/updated"),
        (3, "resources/updated"),
    ]
    assert methods(other.heard()) == [CHANGED.format("tools")]


@rule("SUB-6", "violating")
def test_a_second_subscription_under_an_id_in_use_is_refused() -> None:
    """And the first goes on."""
    app, server = listened("tools")
    server.listen(1, toolsListChanged=True)
    (refusal,) = server.take(frame(1, "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))
    assert refusal["error"]["code"] == -32600
    assert "id" not in refusal
    app.tools_changed()
    assert len(server.heard()) == 1


@rule("SUB-8", "passing")
def test_a_resource_that_changed_is_named() -> None:
    """By its URI, as it was subscribed to, and whoever listens may read it anew."""
    app, server = listened("updates")
    uri = "notes:///%D1%87?q=a&b#c"
    server.listen(1, resourceSubscriptions=[uri, "a:///2"])
    app.resource_updated(uri)
    (message,) = server.heard()
    assert message == {
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {"uri": uri, "_meta": {ID: 1}},
    }


@rule("SUB-8", "violating")
def test_a_list_that_changed_names_no_resource() -> None:
    """It says nothing but that."""
    app, server = listened("resources")
    server.listen("s", resourcesListChanged=True)
    app.resources_changed()
    assert [message["params"] for message in server.heard()] == [{"_meta": {ID: "s"}}]


@rule("SUB-9", "passing")
def test_a_server_that_says_its_lists_change_tells_of_it() -> None:
    """What has been registered is there when the change is told."""
    app, server = listened("tools", "prompts", "resources")
    capabilities = server.result("server/discover")["capabilities"]
    assert capabilities == {kind: {"listChanged": True} for kind in ("tools", "prompts", "resources")}
    server.listen(1, toolsListChanged=True, promptsListChanged=True, resourcesListChanged=True)

    @app.tool(description="d")
    def tool() -> str:
        return "t"

    @app.prompt(description="d")
    def prompt() -> str:
        return "p"

    @app.resource("a:///x")
    def resource() -> str:
        return "r"

    assert server.result("tools/list")["tools"] == []
    app.tools_changed()
    app.prompts_changed()
    app.resources_changed()
    assert methods(server.heard()) == [CHANGED.format(kind) for kind in ("tools", "prompts", "resources")]
    assert [one["name"] for one in server.result("tools/list")["tools"]] == ["tool"]
    assert server.call("tool")["content"][0]["text"] == "t"
    assert server.result("prompts/get", {"name": "prompt"})["messages"]
    assert server.result("resources/read", {"uri": "a:///x"})["contents"][0]["text"] == "r"


@rule("SUB-9", "violating")
def test_a_server_that_does_not_say_so_tells_of_no_list() -> None:
    """And no program can make it."""
    from readingroom import UsageError

    app, server = listened("updates")
    assert server.result("server/discover")["capabilities"] == {"resources": {"subscribe": True}}
    assert server.listen(1, toolsListChanged=True, resourcesListChanged=True) == {}
    for change in (app.tools_changed, app.prompts_changed, app.resources_changed):
        with pytest.raises(UsageError, match="declare it first"):
            change()
    assert server.heard() == []


@rule("SUB-14", "passing")
def test_a_server_with_any_notices_takes_every_listen() -> None:
    """One that asks for nothing that there is stays open all the same, until somebody ends it."""
    app, server = listened("prompts")
    assert server.listen(1, toolsListChanged=True, resourceSubscriptions=["a:///1"]) == {}
    assert server.listen(2) == {}
    app.close_subscriptions()
    assert [message["id"] for message in server.heard()] == [1, 2]


@rule("SUB-14", "violating")
def test_a_server_without_notices_does_not_know_the_method(bare: MemoryServer) -> None:
    """Whatever is asked for."""
    answer = bare.error("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert answer["code"] == -32601


@rule("SUB-15", "passing")
def test_what_a_slow_listener_is_due_is_kept_once_for_each_topic() -> None:
    """In the order in which the topics first changed."""
    app, server = listened(*ALL)
    server.listen(1, toolsListChanged=True, resourceSubscriptions=["a:///1", "a:///2"])
    for _ in range(1000):
        app.resource_updated("a:///2")
        app.tools_changed()
        app.resource_updated("a:///1")
    told = [message["params"].get("uri", "tools") for message in server.heard()]
    assert told == ["a:///2", "tools", "a:///1"]


@rule("SUB-15", "violating")
def test_what_is_too_much_is_refused_before_it_is_opened() -> None:
    """Too many subscriptions, too many resources in one, and too long ones together; others go on."""
    limits = Limits(subscriptions=2, listen_topics=3, subscribed_bytes=2000)
    app, server = listened(*ALL, limits=limits)
    wanted = {"resourceSubscriptions": ["a:///1", "a:///2", "a:///3", "a:///4"]}
    assert server.error("subscriptions/listen", {"notifications": wanted})["code"] == -32602
    wanted = {"resourceSubscriptions": ["a:///" + "1" * 2000]}
    assert server.error("subscriptions/listen", {"notifications": wanted})["code"] == -32603
    for request_id in (1, 2):
        server.listen(request_id, toolsListChanged=True)
    assert server.error("subscriptions/listen", {"notifications": {}})["code"] == -32603
    app.tools_changed()
    assert len(server.heard()) == 2
    server.take(cancel(1))
    assert server.listen(3) == {}
