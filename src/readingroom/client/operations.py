"""What a client can ask, as values: a method with its parameters. Sync and async calls are made from the same ones."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..errors import PeerProtocolError, UsageError
from ..limits import DEFAULT_LIMITS
from ..wire import encode
from .requests import Params
from .values import Answer, Page

MAX_PAGES = 1_000
"""Pages of one list that a client reads before it stops (PAGE-4)."""

LISTS = {
    "tools": "tools/list",
    "resources": "resources/list",
    "templates": "resources/templates/list",
    "prompts": "prompts/list",
}


class Operation(msgspec.Struct, frozen=True):
    """One request to be made."""

    method: str
    params: Params | None = None


def discover() -> Operation:
    """Ask what the server is and can (VER-4)."""
    return Operation("server/discover")


def call_tool(name: str, arguments: Params | None) -> Operation:
    """Call a tool; without arguments the member is left out (TOOL-15)."""
    return _named("tools/call", name, arguments)


def get_prompt(name: str, arguments: Mapping[str, str] | None) -> Operation:
    """Fill in a prompt; its arguments are text (PRO-2)."""
    for key, value in (arguments or {}).items():
        if not isinstance(value, str):
            raise UsageError(f"the arguments of a prompt are texts, and {key} is {type(value).__name__}")
    return _named("prompts/get", name, arguments)


def read_resource(uri: str) -> Operation:
    """Read a resource (RSRC-2)."""
    return Operation("resources/read", {"uri": _text("uri", uri)})


def complete(ref: Mapping[str, str], name: str, value: str, arguments: Mapping[str, str] | None) -> Operation:
    """Ask for values of the argument `name` that begin with `value` (COMP-2)."""
    params: dict[str, Any] = {"ref": dict(ref), "argument": {"name": name, "value": value}}
    if arguments is not None:
        params["context"] = {"arguments": dict(arguments)}
    return Operation("completion/complete", params)


def _named(method: str, name: str, arguments: Params | None) -> Operation:
    params: dict[str, Any] = {"name": _text("name", name)}
    if arguments is not None:
        if not isinstance(arguments, Mapping):
            raise UsageError(f"arguments must be a mapping, not {type(arguments).__name__}")
        params["arguments"] = arguments
    return Operation(method, params)


def _text(what: str, value: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{what} must be a text, not {type(value).__name__}")
    return value


class Pages:
    """Walks the pages of one list: gives the next request, takes its page, and stops at the end.

    A server that never ends is stopped (PAGE-4): at a cursor that it gave before, at `most` pages, and at `most_bytes` of
    all pages together.
    """

    __slots__ = ("_bytes_left", "_method", "_most", "_most_bytes", "_next", "_scopes", "_seen", "items")

    def __init__(
        self, kind: str, most: int = MAX_PAGES, most_bytes: int = DEFAULT_LIMITS.answer_bytes
    ) -> None:
        self._method = LISTS[kind]
        self._most = most
        self._most_bytes = self._bytes_left = most_bytes
        self._seen: set[str] = set()
        self._scopes: set[str] = set()
        self._next: Operation | None = Operation(self._method)
        self.items: list[Any] = []

    def next(self) -> Operation | None:
        """Give the request of the next page, or None after the last."""
        return self._next

    @property
    def fault(self) -> str | None:
        """What is wrong with the pages together: one list has one scope (CACHE-7)."""
        return f"the pages of {self._method} differ in cacheScope" if len(self._scopes) > 1 else None

    def take(self, page: Answer | None) -> None:
        """Take the page that was asked for.

        Raises: PeerProtocolError for a cursor that repeats, or a list of more than `most` pages or `most_bytes`.
        """
        assert isinstance(page, Page)  # noqa: S101  -- the reader of every list gives one; for the type checker
        self._count_bytes(page)
        self.items += page.items
        self._scopes.add(str(page.raw.get("cacheScope")))
        cursor = page.next_cursor
        if cursor is None:
            self._next = None
            return
        if cursor in self._seen:
            raise PeerProtocolError("PAGE-4", f"{self._method} gave the same cursor twice", cursor)
        self._seen.add(cursor)
        if len(self._seen) >= self._most:
            raise PeerProtocolError("PAGE-4", f"{self._method} did not end within {self._most} pages", cursor)
        self._next = Operation(self._method, {"cursor": cursor})

    def _count_bytes(self, page: Page) -> None:
        """Take a page off what the list may still cost; one that is all of its list has had the limit of an answer."""
        cursor = page.next_cursor
        if cursor is None and not self._seen:
            return
        self._bytes_left -= len(encode(page.raw))
        if self._bytes_left < 0:
            told = f"{self._method} did not end within {self._most_bytes} bytes"
            raise PeerProtocolError("PAGE-4", told, cursor or "")
