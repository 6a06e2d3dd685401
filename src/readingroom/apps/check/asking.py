"""What a probe sends and what comes back, whatever carries it. Pure but for the carrier behind `Peer`."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from ...protocol import CLIENT_CAPABILITIES, CLIENT_INFO, LATEST, PROTOCOL_VERSION
from .frames import Frame, as_object
from .verdicts import NotReached

State = Literal["answered", "silent", "gone", "mangled"]

META: dict[str, Any] = {
    PROTOCOL_VERSION: LATEST,
    CLIENT_INFO: {"name": "readingroom-check", "version": "1"},
    CLIENT_CAPABILITIES: {},
}
"""The metadata of an ordinary request, of a client that can do nothing."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one message: `answered`, `silent` (nothing in time), `gone` (the server ended), or `mangled`.

    `notices` are the notifications before the answer; over HTTP there are a status and headers, too.
    """

    state: State
    sent: bytes
    got: bytes = b""
    message: dict[str, Any] = {}
    notices: tuple[Frame, ...] = ()
    status: int = 0
    headers: Mapping[str, str] = {}
    seconds: float = 0.0

    @property
    def result(self) -> dict[str, Any] | None:
        """The result, if it was answered with one."""
        found = self.message.get("result") if self.state == "answered" else None
        return found if isinstance(found, dict) else None

    @property
    def code(self) -> int | None:
        """The code of the error, if it was answered with one."""
        return as_object(self.message.get("error")).get("code") if self.state == "answered" else None

    @property
    def told(self) -> str:
        """What came, in a word, for whoever wonders why something was not reached."""
        if self.code is not None:
            return f"answered with the error {self.code}"
        words = {"answered": "answered", "silent": "not answered", "gone": "not answered: the server ended"}
        return words.get(self.state, "not answered as the rules ask")


class Peer(Protocol):
    """One connection to the server, by whatever carrier."""

    def ask(self, message: dict[str, Any], headers: Mapping[str, str | None] | None = None) -> Reply:
        """Send a request and wait for its answer."""

    def attempt(self, message: dict[str, Any]) -> Reply:
        """Ask what need not be answered: silence is not held against the server."""

    def provoke(self, data: bytes, headers: Mapping[str, str | None] | None = None) -> Reply:
        """Send bytes that may be no message, and give the first answer that they bring, if any."""

    def tell(self, message: dict[str, Any]) -> Reply:
        """Send a notification, which is not to be answered."""

    def is_alive(self) -> bool:
        """Whether more can be sent."""

    def close(self) -> None:
        """End the connection."""


_NUMBERS = iter(range(1, 1 << 53))


def request(
    method: str,
    params: Mapping[str, Any] | None = None,
    *,
    meta: Mapping[str, Any] | None = None,
    request_id: Any = None,
) -> dict[str, Any]:
    """Make a request; `meta` is laid over the ordinary metadata, in which None takes a member away."""
    told = {name: value for name, value in {**META, **(meta or {})}.items() if value is not None}
    number = next(_NUMBERS) if request_id is None else request_id
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {**(params or {}), "_meta": told}}


def notification(method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Make a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": dict(params or {})}


def result_of(reply: Reply, what: str) -> dict[str, Any]:
    """Give the result of an answer. Raises: NotReached when there is none."""
    if reply.result is None:
        raise NotReached(f"{what} was {reply.told}")
    return reply.result
