"""What a subscription is on the wire: the part of its filter that is served, and the frames that carry its id (§9.4).

Pure: which changes there are, and who hears of them, is told elsewhere. Loaded only by servers that serve subscriptions.
"""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import msgspec

from ..wire import RequestId, encode, encode_id, encode_value
from .params import Filter
from .results import Result
from .versions import SUBSCRIPTION_ID

Notice: TypeAlias = Literal["tools", "prompts", "resources", "updates"]
NOTICES: tuple[Notice, ...] = ("tools", "prompts", "resources", "updates")
"""The kinds of change notices: of the three lists, and of single resources."""

ListNotice: TypeAlias = Literal["tools", "prompts", "resources"]

Topic: TypeAlias = tuple[str, str]
"""What a listener may be told of: a kind, and the URI of a resource or the id of a task where there is one."""

_HEAD = b'{"jsonrpc":"2.0","method":"notifications/'


class Event(msgspec.Struct, frozen=True, gc=False):
    """A change of one topic, ready to be sent: the head of its notification up to where the metadata begin."""

    topic: Topic
    head: bytes


class ListenResult(Result, frozen=True):
    """How a server ends a subscription by itself: a result that says nothing but whose it is (SUB-11)."""

    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


def list_event(kind: ListNotice) -> Event:
    """Give the event that a list has changed (SUB-9)."""
    return Event((kind, ""), _HEAD + kind.encode() + b'/list_changed","params":{')


def update_event(uri: str) -> Event:
    """Give the event that a resource has changed (SUB-8). Raises: TypeError and ValueError for what is no text."""
    return Event(("updates", uri), _HEAD + b'resources/updated","params":{"uri":' + encode_value(uri) + b",")


def task_event(task_id: str, members: dict[str, Any] | msgspec.Struct) -> Event:
    """Give the event that a task has changed; `members` are the whole task without `_meta` (TASK-14).

    Raises: TypeError, ValueError and their kind for what JSON cannot say.
    """
    return Event(("tasks", task_id), _HEAD + b'tasks","params":' + encode_value(members)[:-1] + b",")


def honoured(
    wanted: Filter, served: Iterable[str], task_ids: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
) -> Filter:
    """Give the part of a filter that is served: the kinds in `served`, and the tasks that were accepted (SUB-2).

    What is asked for twice is given once.
    """
    kinds = frozenset(served)
    uris = wanted.resource_subscriptions
    return Filter(
        tools_list_changed=wanted.tools_list_changed and "tools" in kinds,
        prompts_list_changed=wanted.prompts_list_changed and "prompts" in kinds,
        resources_list_changed=wanted.resources_list_changed and "resources" in kinds,
        resource_subscriptions=tuple(dict.fromkeys(uris)) if uris and "updates" in kinds else msgspec.UNSET,
        task_ids=task_ids,
    )


def topics_of(accepted: Filter) -> tuple[Topic, ...]:
    """Give what a listener with this filter is told of, each once."""
    lists: tuple[tuple[str, bool], ...] = (
        ("tools", accepted.tools_list_changed),
        ("prompts", accepted.prompts_list_changed),
        ("resources", accepted.resources_list_changed),
    )
    return (
        *((kind, "") for kind, is_wanted in lists if is_wanted),
        *(("updates", uri) for uri in accepted.resource_subscriptions or ()),
        *(("tasks", task_id) for task_id in accepted.task_ids or ()),
    )


def tag(request_id: RequestId) -> bytes:
    """Give the end of a notification of the subscription with that id: the id as it came, type and all (SUB-3)."""
    return b'"_meta":{"' + SUBSCRIPTION_ID.encode() + b'":' + encode_id(request_id) + b"}}}"


def acknowledgement(accepted: Filter, ending: bytes) -> bytes:
    """Give the first frame of a subscription; `ending` is its tag (SUB-2)."""
    return (
        _HEAD + b'subscriptions/acknowledged","params":{"notifications":' + encode(accepted) + b"," + ending
    )


def withdrawal(request_id: RequestId) -> bytes:
    """Give the cancellation that a server on stdio sends after the result of a listen that it ends (SUB-12)."""
    return (
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":'
        + encode_id(request_id)
        + b","
        + tag(request_id)
    )
