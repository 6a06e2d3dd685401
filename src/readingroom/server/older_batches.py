"""Arrays of messages, as 2025-03-26 has them: what they bring is answered by one array (LEG-4, RPC-8).

A batch is bounded in its messages and in the bytes of its answers, for it is one message to everything that counts those.
"""

import threading
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import Refused
from ..limits import Limits
from ..wire import INTERNAL_ERROR, INVALID_REQUEST, Fault, Message, Request, classify, encode_value

if TYPE_CHECKING:
    from .older import Way

TOO_LONG = "The answers to this batch are too long to be gathered: ask for this one by itself"


class _Answer(msgspec.Struct):
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_answer = msgspec.json.Decoder(_Answer).decode
_answers = msgspec.json.Decoder(list[_Answer]).decode


def is_array(frame: bytes) -> bool:
    """Say whether a frame is an array, or begins like one."""
    return frame.lstrip()[:1] == b"["


def split(frame: bytes, limits: Limits) -> list[tuple[Message, bytes]]:
    """Give the messages of a batch, each with its bytes. Raises: Refused when it is none, is empty or has too many.

    A handshake is none of its messages: what was agreed would hold for some of them, and not for others.
    """
    most = limits.older_batch_messages
    try:
        read = msgspec.structs.astuple(_reader(most)(frame))
    except (msgspec.DecodeError, RecursionError):
        read = ()
    parts = [bytes(part) for part in read if part is not msgspec.UNSET]
    if not parts:
        raise Refused("A batch is an array of messages, and not empty", code=INVALID_REQUEST)
    if len(parts) > most:
        raise Refused(f"A batch has at most {most} messages", code=INVALID_REQUEST)
    return [(_message(part, limits.nesting), part) for part in parts]


@cache
def _reader(most: int) -> Any:
    """Give what reads one message more than there may be: the rest, however many there are, is only looked through."""
    fields = [(f"m{number}", msgspec.Raw, msgspec.UNSET) for number in range(most + 1)]
    return msgspec.json.Decoder(msgspec.defstruct("Parts", fields, array_like=True)).decode


def _message(part: bytes, nesting: int) -> Message:
    message = classify(part, nesting)
    if isinstance(message, Request) and message.method == "initialize":
        return Fault(INVALID_REQUEST, "initialize is not part of a batch", message.id)
    return message


def in_place_of(frame: bytes, told: str) -> bytes:
    """Give the error that says why an answer, or an array of them, is not there."""
    if is_array(frame):
        return b"[" + b",".join(_error(one, told) for one in _answers(frame)) + b"]"
    return _error(_answer(frame), told)


def _error(answer: _Answer, told: str) -> bytes:
    error = {"code": INTERNAL_ERROR, "message": told}
    named = {} if answer.id is msgspec.UNSET else {"id": answer.id}
    return encode_value({"jsonrpc": "2.0", **named, "error": error})


class Gathering:
    """Gathers the answers to the messages of a batch, and gives them to the batch's own way as one array.

    `owed` is how many of them are answered. When all were cancelled there is nothing to answer. An answer that would make
    more than `most_bytes` of them becomes an error; one that is alone may be as long as if it were no part of a batch.
    """

    def __init__(self, way: "Way", owed: int, most_bytes: int) -> None:
        self._way = way
        self.can_ask = way.can_ask
        self._owed = owed
        self._room = most_bytes
        self._lock = threading.Lock()
        self._answers: list[bytes] = []

    @property
    def is_absent(self) -> bool:
        """Whether the client has been gone for long."""
        return self._way.is_absent

    @property
    def is_full(self) -> bool:
        """Whether there is no room for answers any more, so that nothing need be done for them."""
        return self._room <= 0

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
                self._keep(frame)
            is_last = self._owed == 0
        if is_last and self._answers:
            self._way.answer(b"[" + b",".join(self._answers) + b"]")
        elif is_last:
            self._way.drop()

    def _keep(self, frame: bytes) -> None:
        if self._answers and len(frame) > self._room:
            self._room = 0
            frame = in_place_of(frame, TOO_LONG)
        self._room -= len(frame)
        self._answers.append(frame)
