"""Streams over HTTP: subscriptions, which are acknowledged first and end when their client leaves."""

from ..asking import request
from ..bench import Bench
from ..frames import Frame
from ..probing import Probe
from .subscriptions import ACKNOWLEDGED, topics_of

_SECONDS = 2.0


def _listen(bench: Bench) -> None:
    topics = topics_of(bench)
    for request_id in (5, "5"):
        message = request("subscriptions/listen", {"notifications": topics}, request_id=request_id)
        reply = bench.peer.listen(message, _go_on, _SECONDS)
        if reply.code is not None or reply.result is not None:
            told = "the server tells of changes, and answered a listen at once"
            bench.note.broke("SUB-14", told, reply.sent, reply.got, counts=True)
        elif not any(frame.method == ACKNOWLEDGED for frame in reply.notices):
            bench.note.broke("SUB-2", "a listen was not acknowledged", reply.sent, reply.got)


def _go_on(frame: Frame) -> bool:
    return frame.method != ACKNOWLEDGED


PROBES = (Probe(("SUB-2", "SUB-3", "SUB-14"), "changes are listened to", _listen, "http"),)
