"""What is sent over ASGI: whole answers, and the frames of an event stream (HTTP-13, HTTP-17, HTTP-18)."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias

from ..wire import INVALID_REQUEST, encode_error

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]
Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
Scope: TypeAlias = dict[str, Any]
Pair: TypeAlias = tuple[bytes, bytes]

KEEP_ALIVE = b":\n\n"
_JSON = (b"content-type", b"application/json")
_STREAM: tuple[Pair, ...] = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
)


async def respond(send: Send, status: int, body: bytes = b"", more: Sequence[Pair] = ()) -> None:
    """Send a whole answer; a body is JSON."""
    fields: list[Pair] = [(b"content-length", b"%d" % len(body)), *more]
    if body:
        fields.append(_JSON)
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body})


async def refuse(send: Send, status: int, told: str, more: Sequence[Pair] = ()) -> None:
    """Refuse what is no matter of the protocol: an error without an id, for the body may not have been read."""
    await respond(send, status, encode_error(None, INVALID_REQUEST, told), more)


async def start_stream(send: Send, more: Sequence[Pair] = ()) -> None:
    """Begin a stream of events; from here on every error travels in it (HTTP-19)."""
    await send({"type": "http.response.start", "status": 200, "headers": [*_STREAM, *more]})


async def send_frames(send: Send, frames: Iterable[bytes], *, is_last: bool = False) -> None:
    """Send messages as events; waits while the client does not read."""
    text = b"".join([b"data: " + frame + b"\n\n" for frame in frames])
    await send({"type": "http.response.body", "body": text, "more_body": not is_last})


async def send_raw(send: Send, data: bytes) -> None:
    """Send bytes of a stream that are no message: a comment that keeps it alive."""
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def is_gone(receive: Receive) -> None:
    """Wait until the client has closed its side."""
    while (await receive())["type"] != "http.disconnect":
        pass
