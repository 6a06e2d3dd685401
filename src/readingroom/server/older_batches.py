"""Arrays of messages, as 2025-03-26 has them: what they bring is answered by one array (LEG-4, RPC-8)."""

import threading
from typing import TYPE_CHECKING

import msgspec

from ..wire import INVALID_REQUEST, Fault, Message, Request, classify

if TYPE_CHECKING:
    from .older import Way

_split = msgspec.json.Decoder(list[msgspec.Raw]).decode


def is_array(frame: bytes) -> bool:
    """Say whether a frame is an array, or begins like one."""
    return frame.lstrip()[:1] == b"["


def split(frame: bytes, nesting: int) -> list[tuple[Message, bytes]] | None:
    """Give the messages of a batch, each with its bytes; None when it is none, or is empty.

    A handshake is none of its messages: what was agreed would hold for some of them, and not for others.
    """
    try:
        parts = [bytes(part) for part in _split(frame)]
    except (msgspec.DecodeError, RecursionError):
        return None
    return [(_message(part, nesting), part) for part in parts] or None


def _message(part: bytes, nesting: int) -> Message:
    message = classify(part, nesting)
    if isinstance(message, Request) and message.method == "initialize":
        return Fault(INVALID_REQUEST, "initialize is not part of a batch", message.id)
    return message


class Gathering:
    """Gathers the answers to the messages of a batch, and gives them to the batch's own way as one array.

    `owed` is how many of them are answered. When all were cancelled there is nothing to answer.
    """

    def __init__(self, way: "Way", owed: int) -> None:
        self._way = way
        self.can_ask = way.can_ask
        self._owed = owed
        self._lock = threading.Lock()
        self._answers: list[bytes] = []

    def tell(self, frame: bytes) -> None:
        """Send what comes before an answer, by itself."""
        self._way.tell(frame)

    def ask(self, frame: bytes) -> None:
        """Send a request of the server, by itself."""
        self._way.ask(frame)

    def answer(self, frame: bytes) -> None:
        """Keep an answer; the last one sends them all."""
        self._settle(frame)

    def drop(self) -> None:
        """Wait for one less."""
        self._settle(None)

    def _settle(self, frame: bytes | None) -> None:
        with self._lock:
            self._owed -= 1
            if frame is not None:
                self._answers.append(frame)
            is_last = self._owed == 0
        if is_last and self._answers:
            self._way.answer(b"[" + b",".join(self._answers) + b"]")
        elif is_last:
            self._way.drop()
