"""What a server owes: the requests it was sent, and how far each has come. Pure."""

from typing import Any

import msgspec

from ...protocol import LOG_LEVEL
from .frames import as_object

LISTEN = "subscriptions/listen"


class Owed(msgspec.Struct):
    """One request. `is_over` is set once nothing may be sent for it any more: it was answered, or cancelled for good."""

    id: Any
    method: str
    params: dict[str, Any]
    answers: int = 0
    is_over: bool = False
    is_acknowledged: bool = False
    progress: float | None = None

    @property
    def is_answered(self) -> bool:
        """Whether an answer has come."""
        return self.answers > 0

    @property
    def token(self) -> Any:
        """The token under which it wants to be told of progress, or None."""
        return self._meta.get("progressToken")

    @property
    def wants_log(self) -> bool:
        """Whether it asked for log lines."""
        return LOG_LEVEL in self._meta

    @property
    def topics(self) -> dict[str, Any]:
        """What a listen asked to be told of."""
        return as_object(self.params.get("notifications"))

    @property
    def _meta(self) -> dict[str, Any]:
        return as_object(self.params.get("_meta"))


def key(value: Any) -> tuple[str, Any]:
    """Tell ids and tokens apart by value and JSON type."""
    return value.__class__.__name__, value if isinstance(value, str | int | float) else repr(value)


class Ledger:
    """The requests of one connection, by id and by token."""

    def __init__(self) -> None:
        self._by_id: dict[tuple[str, Any], Owed] = {}

    def enter(self, message: dict[str, Any]) -> Owed:
        """Enter a request that is about to be sent; an id that is used again begins anew."""
        owed = Owed(message.get("id"), str(message.get("method")), as_object(message.get("params")))
        self._by_id[key(owed.id)] = owed
        return owed

    def of_id(self, value: Any) -> Owed | None:
        """Give the request of an id, answered or not."""
        return self._by_id.get(key(value))

    def like(self, value: Any) -> Owed | None:
        """Give the request whose id is written alike, whatever its JSON type."""
        return next((owed for owed in self._by_id.values() if str(owed.id) == str(value)), None)

    def of_token(self, token: Any) -> Owed | None:
        """Give the last request that gave a token."""
        found = [
            owed for owed in self._by_id.values() if owed.token is not None and key(owed.token) == key(token)
        ]
        return found[-1] if found else None

    def listens(self) -> list[Owed]:
        """Give the subscriptions, but for those that were refused or ended by the server."""
        return [owed for owed in self._by_id.values() if owed.method == LISTEN and not owed.is_answered]

    def some_want_log(self) -> bool:
        """Whether a request that is not answered asked for log lines."""
        return any(owed.wants_log and not owed.is_answered for owed in self._by_id.values())

    def some_wanted_log(self) -> bool:
        """Whether any request ever did."""
        return any(owed.wants_log for owed in self._by_id.values())
