"""What every probe works with: connections, what the server said of itself, and the notebook. Knows no probe."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from ...client.shapes import CACHED
from ...limits import MIB
from .asking import Peer, Reply, request, result_of
from .frames import as_list, as_object
from .verdicts import Notebook, NotReached

# What one list may cost, over all its pages: each of them alone may take its time and be as long as a message.
_MOST_PAGES = 200
_MOST_BYTES = 64 * MIB
_MOST_TIMEOUTS = 10

LISTS: Mapping[str, tuple[str, str]] = {
    "tools": ("tools/list", "tools"),
    "resources": ("resources/list", "resources"),
    "resourceTemplates": ("resources/templates/list", "resources"),
    "prompts": ("prompts/list", "prompts"),
}
"""The lists: the member that holds the items, the method, and the capability that it needs."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to probe: how long an answer may take in seconds, and whether tools may be called that are not read-only."""

    timeout: float = 10.0
    call_tools: bool = False
    carrier: str = "stdio"


class Bench:
    """One server under test. `peer` is a connection that only good messages go to, and `rough` one for all others."""

    def __init__(self, connect: Callable[[], Any], note: Notebook, settings: Settings) -> None:
        """`connect` opens a connection. Raises: what it raises."""
        self.note = note
        self.settings = settings
        self._connect = connect
        self._peers: dict[str, Any] = {}
        self._discovery: dict[str, Any] | None = None
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._endless: dict[str, str] = {}
        self.mute: dict[str, str] = {}
        """The methods that are not answered, with what came instead: nobody waits for them twice."""
        self.before: tuple[Any, dict[str, Reply]] = (None, {})
        """The rough connection, and what it answered before anything broken was sent."""
        self.first_answer_seconds = 0.0
        self.calls: dict[str, Reply] = {}
        """The last good call of each tool that was called."""

    @property
    def peer(self) -> Any:
        """The connection for good messages; opened anew when the server has ended."""
        return self._open("good")

    @property
    def rough(self) -> Any:
        """The connection for messages that break rules; opened anew when the server has ended."""
        return self._open("rough")

    @contextmanager
    def fresh(self) -> Iterator[Any]:
        """Give a connection of one's own, and end it."""
        peer = self._connect()
        try:
            yield peer
        finally:
            peer.close()

    def close(self) -> None:
        """End every connection."""
        for peer in self._peers.values():
            peer.close()

    def ask(self, method: str, params: Mapping[str, Any] | None = None, **told: Any) -> Reply:
        """Ask over the connection for good messages.

        Raises: NotReached for a method that was not answered before: nobody waits for it twice.
        """
        if method in self.mute:
            raise NotReached(self.mute[method])
        peer: Peer = self.peer
        reply = peer.ask(request(method, params, **told))
        self.first_answer_seconds = self.first_answer_seconds or self.peer_seconds(peer)
        if reply.state != "answered" and method in (*CACHED, "tools/call"):
            self.mute[method] = f"{method} was {reply.told}"
        return reply

    def result(self, method: str, params: Mapping[str, Any] | None = None, **told: Any) -> dict[str, Any]:
        """Ask and give the result. Raises: NotReached when there is none."""
        return result_of(self.ask(method, params, **told), method)

    @staticmethod
    def peer_seconds(peer: Any) -> float:
        """Give how long the first answer of a connection took, from the start of it."""
        return float(getattr(peer, "first_answer_seconds", 0.0))

    def discovery(self) -> dict[str, Any]:
        """Give what the server says of itself. Raises: NotReached."""
        if self._discovery is None:
            self._discovery = self.result("server/discover")
        return self._discovery

    def capabilities(self) -> dict[str, Any]:
        """Give the capabilities that the server advertises. Raises: NotReached."""
        return as_object(self.discovery().get("capabilities"))

    def needs(self, capability: str) -> None:
        """Go on only where a capability is advertised. Raises: NotReached."""
        if capability not in self.capabilities():
            raise NotReached(f"the server does not advertise {capability}")

    def listed(self, kind: str) -> list[dict[str, Any]]:
        """Give the items of a list, all pages of it. Raises: NotReached."""
        self.needs(LISTS[kind][1])
        if kind not in self._lists:
            self._lists[kind] = _items(kind, self.pages(kind))
        return [item for item in self._lists[kind] if isinstance(item, dict)]

    def pages(self, kind: str, peer: Any = None) -> list[dict[str, Any]]:
        """Give the pages of a list, up to where it repeats a cursor or goes on for too long (PAGE-4).

        Raises: NotReached when there are none, and for a list that went on for too long before: nobody reads it twice.
        """
        method, _ = LISTS[kind]
        if kind in self._endless:
            raise NotReached(self._endless[kind])
        until, size = time.monotonic() + _MOST_TIMEOUTS * self.settings.timeout, 0
        pages: list[dict[str, Any]] = []
        seen: set[str] = set()
        params: dict[str, Any] = {}
        while True:
            reply = self.ask(method, params) if peer is None else peer.ask(request(method, params))
            pages.append(result_of(reply, method))
            cursor = pages[-1].get("nextCursor")
            if not isinstance(cursor, str):
                return pages
            if cursor in seen:
                self.note.broke("PAGE-4", f"{method}: the same cursor came twice", reply.sent, reply.got)
                return pages
            size += len(reply.got)
            if told := self._too_much(len(pages), size):
                self.note.broke("PAGE-4", f"{method}: {told}", reply.sent, reply.got)
            elif time.monotonic() >= until:
                # Slow is not endless: another one may come to the end of it.
                told = f"its pages had no end within {_MOST_TIMEOUTS * self.settings.timeout:g} s"
                self.note.unreached(("PAGE-4",), f"{method}: {told}")
            if told:
                self._give_up(kind, f"{method}: {told}", pages)
                return pages
            seen.add(cursor)
            params = {"cursor": cursor}

    @staticmethod
    def _too_much(pages: int, size: int) -> str:
        """Say which bound a list that goes on has come to, if any."""
        if pages >= _MOST_PAGES:
            return f"there are more than {_MOST_PAGES} pages"
        return f"its pages hold more than {_MOST_BYTES // MIB} MiB" if size >= _MOST_BYTES else ""

    def _give_up(self, kind: str, told: str, pages: list[dict[str, Any]]) -> None:
        """Remember that a list goes on for too long, and what came of it."""
        self._endless[kind] = told
        self._lists.setdefault(kind, _items(kind, pages))

    def _open(self, name: str) -> Any:
        peer = self._peers.get(name)
        if peer is None or not peer.is_alive():
            if peer is not None:
                peer.close()
            peer = self._peers[name] = self._connect()
        return peer


def _items(kind: str, pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [item for page in pages for item in as_list(page.get(kind))]
