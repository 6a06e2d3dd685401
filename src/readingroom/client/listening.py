"""One subscription as its client sees it: what it asked for, what was granted, and whether a notification is among it.

Pure. Frames may come in any order; what breaks a rule is named, and says whether the notification can be passed on all
the same (SUB-16).
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..protocol import SUBSCRIPTION_ID
from .values import Object

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"

LISTS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}
"""Notifications of lists, and the member of the filter that asks for them."""

CHANGES = frozenset((*LISTS, UPDATED))
"""What tells of a change."""

OF_SUBSCRIPTIONS = CHANGES | {ACKNOWLEDGED, "notifications/tasks"}
"""What belongs to a subscription and carries its id."""


class Fault(msgspec.Struct, frozen=True):
    """What a notification breaks, and whether it means something in spite of that."""

    rule: str
    detail: str
    is_usable: bool


class Listening:
    """The state of one listen."""

    __slots__ = ("_wanted", "is_acknowledged")

    def __init__(self, wanted: Mapping[str, Any]) -> None:
        """`wanted` is the filter that was sent."""
        self._wanted = wanted
        self.is_acknowledged = False

    def fault(self, method: str, params: Object) -> Fault | None:
        """Take a notification that carries the id of this subscription, and say what is wrong with it."""
        if method == ACKNOWLEDGED:
            return self._acknowledge(params)
        if not self._is_wanted(method):
            return Fault("SUB-4", f"{method} was not asked for", is_usable=False)
        if method == UPDATED and not isinstance(params.get("uri"), str):
            return Fault("SUB-8", "an update must name a uri", is_usable=False)
        if not self.is_acknowledged:
            return Fault("SUB-4", f"{method} came before the acknowledgement", is_usable=True)
        return None

    def _acknowledge(self, params: Object) -> Fault | None:
        if self.is_acknowledged:
            return Fault("SUB-2", "a subscription is acknowledged once", is_usable=False)
        self.is_acknowledged = True
        granted = params.get("notifications")
        if not isinstance(granted, dict):
            return Fault("SUB-2", "an acknowledgement must say what is granted", is_usable=True)
        extra = [name for name, value in granted.items() if value and not self._wanted.get(name)]
        if extra:
            return Fault(
                "SUB-2", f"the acknowledgement grants {extra[0]:.40}, which was not asked for", is_usable=True
            )
        return None

    def _is_wanted(self, method: str) -> bool:
        if method in LISTS:
            return bool(self._wanted.get(LISTS[method]))
        # Which resources a server counts to one that is listened to is for it to say (SUB-8).
        member = "resourceSubscriptions" if method == UPDATED else "taskIds"
        return bool(self._wanted.get(member))


def subscription_id(params: Object) -> Any:
    """Give the id that a notification or a result carries in its metadata; None where there is none (SUB-3)."""
    meta = params.get("_meta")
    return meta.get(SUBSCRIPTION_ID) if isinstance(meta, dict) else None
