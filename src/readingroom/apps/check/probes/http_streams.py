"""Streams over HTTP: subscriptions, which are acknowledged first and end when their client leaves."""

import time
from typing import Any

from ..asking import Reply, request
from ..bench import Bench
from ..frames import Frame
from ..probing import Probe
from ..verdicts import NotReached
from .subscriptions import ACKNOWLEDGED, topics_of

_SECONDS = 2.0
_LEFT = 24
_NOTICED_SECONDS = 1.0


def _listen(bench: Bench) -> None:
    topics = topics_of(bench)
    for request_id in (5, "5"):
        message = request("subscriptions/listen", {"notifications": topics}, request_id=request_id)
        reply = bench.peer.listen(message, _go_on, _SECONDS)
        if reply.code is not None or reply.result is not None:
            told = "the server tells of changes, and answered a listen at once"
            bench.note.broke("SUB-14", told, reply.sent, reply.got, counts=True)
        elif not _is_acknowledged(reply):
            bench.note.broke("SUB-2", "a listen was not acknowledged", reply.sent, reply.got)


def _leave(bench: Bench) -> None:
    """Leave many subscriptions, one after the other: a server that does not notice runs out of something."""
    topics = topics_of(bench)
    if not _is_acknowledged(_opened(bench, topics, 0)):
        raise NotReached("a listen was not acknowledged")
    for number in range(1, _LEFT + 1):
        reply = _opened(bench, topics, number)
        if not _is_acknowledged(reply):
            time.sleep(_NOTICED_SECONDS)
            reply = _opened(bench, topics, number)
        if not _is_acknowledged(reply):
            told = f"after {number} listens whose client had left, another was answered with {reply.status or 'nothing'}"
            bench.note.broke("HTTP-20", told, reply.sent, reply.got)
            return


def _opened(bench: Bench, topics: dict[str, Any], number: int) -> Reply:
    """Open a subscription, and leave it when it is acknowledged."""
    message = request("subscriptions/listen", {"notifications": topics}, request_id=f"left-{number}")
    reply: Reply = bench.peer.listen(message, _go_on, _SECONDS)
    return reply


def _is_acknowledged(reply: Reply) -> bool:
    return any(frame.method == ACKNOWLEDGED for frame in reply.notices)


def _go_on(frame: Frame) -> bool:
    return frame.method != ACKNOWLEDGED


PROBES = (
    Probe(("SUB-2", "SUB-3", "SUB-14"), "changes are listened to", _listen, "http"),
    Probe(("HTTP-20",), "subscriptions are left, many in turn", _leave, "http"),
)
