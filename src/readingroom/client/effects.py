"""What a line from a server means for the requests in flight: values that the carriers carry out. Pure."""

from typing import Any, TypeAlias

import msgspec

from ..errors import ReadingRoomError
from ..wire import RequestId
from .values import Answer, Object, Progress


class Settled(msgspec.Struct, frozen=True, gc=False):
    """A request has ended: `error`, or `result` with the value read from it, if its method is of the core.

    `owed` is its id when the server still owes the answer and is to be told that nobody waits for it (CAN-1).
    """

    owner: Any
    result: Object | None = None
    value: Answer | None = None
    error: ReadingRoomError | None = None
    owed: int | None = None


class Reported(msgspec.Struct, frozen=True, gc=False):
    """A request has come further."""

    owner: Any
    progress: Progress


class Noticed(msgspec.Struct, frozen=True, gc=False):
    """Something has changed: told to the subscription `owner`, or, by a server of the older era, to nobody in particular."""

    owner: Any
    method: str
    params: Object


class Asked(msgspec.Struct, frozen=True, gc=False):
    """A server of the older era asks something of this client (LEG-5)."""

    id: RequestId
    method: str
    params: Object


Effect: TypeAlias = Settled | Reported | Noticed | Asked
