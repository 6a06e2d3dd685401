"""The frames of subscriptions, and which part of a filter is served."""

import json
from typing import Any

import msgspec
import pytest

from readingroom.protocol import Filter
from readingroom.protocol.subscriptions import (
    NOTICES,
    acknowledgement,
    honoured,
    list_event,
    tag,
    task_event,
    topics_of,
    update_event,
    withdrawal,
)

ID = "io.modelcontextprotocol/subscriptionId"
EVERYTHING = Filter(
    tools_list_changed=True,
    prompts_list_changed=True,
    resources_list_changed=True,
    resource_subscriptions=("a:///1", "a:///2"),
    task_ids=("t1", "t2"),
)


def said(accepted: Filter) -> Any:
    """What is acknowledged."""
    return json.loads(acknowledgement(accepted, tag(1)))["params"]["notifications"]


def test_all_is_served_where_all_is_there() -> None:
    """In the words of the protocol."""
    assert said(honoured(EVERYTHING, NOTICES, ("t2",))) == {
        "toolsListChanged": True,
        "promptsListChanged": True,
        "resourcesListChanged": True,
        "resourceSubscriptions": ["a:///1", "a:///2"],
        "taskIds": ["t2"],
    }


@pytest.mark.parametrize(
    ("served", "expected"),
    [
        ((), {}),
        (("tools",), {"toolsListChanged": True}),
        (("prompts",), {"promptsListChanged": True}),
        (("resources",), {"resourcesListChanged": True}),
        (("updates",), {"resourceSubscriptions": ["a:///1", "a:///2"]}),
    ],
)
def test_what_is_not_served_is_left_out(served: tuple[str, ...], expected: dict[str, Any]) -> None:
    """It is not told as false, nor as an empty list."""
    assert said(honoured(EVERYTHING, served)) == expected


def test_what_was_not_asked_for_is_left_out() -> None:
    """False and an empty list ask for nothing; that no task was accepted is an answer."""
    asked = Filter(resource_subscriptions=())
    assert said(honoured(asked, NOTICES)) == {}
    assert said(honoured(asked, NOTICES, ())) == {"taskIds": []}


def test_what_is_asked_for_twice_is_served_once() -> None:
    """In the order in which it was first asked for."""
    asked = Filter(resource_subscriptions=("b", "a", "b", "a"))
    assert honoured(asked, NOTICES).resource_subscriptions == ("b", "a")


def test_every_part_of_a_filter_is_a_topic() -> None:
    """Lists have no name."""
    assert topics_of(EVERYTHING) == (
        ("tools", ""),
        ("prompts", ""),
        ("resources", ""),
        ("updates", "a:///1"),
        ("updates", "a:///2"),
        ("tasks", "t1"),
        ("tasks", "t2"),
    )
    assert topics_of(Filter()) == ()


@pytest.mark.parametrize("request_id", [0, -1, 2**80, "", "0", 'q"uote', "\u2028"])
def test_frames_are_whole_messages_with_the_id_as_it_came(request_id: Any) -> None:
    """On one line each, whatever the id is, with nothing besides what the protocol gives them."""
    ending = tag(request_id)
    meta = {"_meta": {ID: request_id}}
    frames: dict[str, tuple[bytes, dict[str, Any]]] = {
        "subscriptions/acknowledged": (acknowledgement(Filter(), ending), {"notifications": {}}),
        "tools/list_changed": (list_event("tools").head + ending, {}),
        "prompts/list_changed": (list_event("prompts").head + ending, {}),
        "resources/list_changed": (list_event("resources").head + ending, {}),
        "resources/updated": (update_event('a:///"\n').head + ending, {"uri": 'a:///"\n'}),
        "tasks": (task_event("t", {"taskId": "t"}).head + ending, {"taskId": "t"}),
        "cancelled": (withdrawal(request_id), {"requestId": request_id}),
    }
    for name, (frame, members) in frames.items():
        assert b"\n" not in frame
        told = json.loads(frame)
        assert told == {
            "jsonrpc": "2.0",
            "method": f"notifications/{name}",
            "params": {**members, **meta},
        }
        assert type(told["params"]["_meta"][ID]) is type(request_id)


def test_a_task_may_be_told_as_a_record() -> None:
    """Whose fields are then its members."""

    class Task(msgspec.Struct, rename="camel"):
        task_id: str

    event = task_event("t", Task("t"))
    assert event.topic == ("tasks", "t")
    assert json.loads(event.head + tag(1))["params"]["taskId"] == "t"


@pytest.mark.parametrize("members", [{"taskId": float("nan")}, {"taskId": object()}, {"taskId": "\ud800"}])
def test_what_json_cannot_say_is_no_event(members: dict[str, Any]) -> None:
    """It is refused where it is made."""
    with pytest.raises((TypeError, ValueError)):
        task_event("t", members)
