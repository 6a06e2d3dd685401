"""Handlers and records with hints for tests of what a server makes of them."""

from collections.abc import Callable
from typing import Any, Literal

import msgspec


def wrong(hint: Any, value: Any) -> Callable[[], Any]:
    """A handler that gives a value, whatever its hint says."""

    def give() -> Any:
        """Give."""
        return value

    give.__annotations__["return"] = hint
    return give


class Pair(msgspec.Struct):
    """A record whose first part is a number."""

    a: int
    b: Literal["x", "y"] = "x"
