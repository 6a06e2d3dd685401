"""What a subscription tells its caller, as values, and the filter that asks for it (SUB-1)."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from ..errors import UsageError
from .listening import UPDATED
from .operations import Operation
from .values import Object


class ToolsChanged(msgspec.Struct, frozen=True):
    """The list of tools is another one now."""


class PromptsChanged(msgspec.Struct, frozen=True):
    """The list of prompts is another one now."""


class ResourcesChanged(msgspec.Struct, frozen=True):
    """The list of resources is another one now."""


class ResourceUpdated(msgspec.Struct, frozen=True):
    """A resource has changed; `uri` may be one below that which was named (SUB-8)."""

    uri: str


class Resumed(msgspec.Struct, frozen=True):
    """The subscription was interrupted, or more changed than was kept: whatever it is about may have changed (SUB-10)."""


Notice: TypeAlias = ToolsChanged | PromptsChanged | ResourcesChanged | ResourceUpdated | Resumed

_LISTS: dict[str, Notice] = {
    "notifications/tools/list_changed": ToolsChanged(),
    "notifications/prompts/list_changed": PromptsChanged(),
    "notifications/resources/list_changed": ResourcesChanged(),
}


def notice_of(method: str, params: Mapping[str, Any]) -> Notice | None:
    """Give the value of a notification, which has been verified; None for what is no change."""
    if method == UPDATED:
        return ResourceUpdated(params["uri"])
    return _LISTS.get(method)


def listen(*, tools: bool, prompts: bool, resources: bool, uris: Sequence[str]) -> Operation:
    """Ask to be told of changes. Raises: UsageError for what asks for nothing, or for URIs that are no texts."""
    if isinstance(uris, str) or not all(isinstance(uri, str) for uri in uris):
        raise UsageError("uris are several: give a list of texts")
    lists = {"toolsListChanged": tools, "promptsListChanged": prompts, "resourcesListChanged": resources}
    wanted: Object = {name: True for name, is_wanted in lists.items() if is_wanted}
    if uris:
        wanted["resourceSubscriptions"] = list(uris)
    if not wanted:
        raise UsageError("there is nothing to listen to: name tools, prompts, resources or uris")
    return Operation("subscriptions/listen", {"notifications": wanted})
