"""Subscriptions: they are acknowledged first, under the id of their listen, and silent once they are ended."""

from typing import Any

from ....wire import encode
from ..asking import notification, request
from ..bench import Bench
from ..frames import as_object
from ..owed import Owed
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import refused

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
"""The first frame of a subscription."""

_TOLD = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


def topics_of(bench: Bench) -> dict[str, Any]:
    """Give what can be listened to. Raises: NotReached when the server tells of nothing."""
    advertised = bench.capabilities()
    topics: dict[str, Any] = {
        topic: True
        for name, topic in _TOLD.items()
        if as_object(advertised.get(name)).get("listChanged") is True
    }
    if as_object(advertised.get("resources")).get("subscribe") is True:
        uris = [item["uri"] for item in bench.listed("resources") if isinstance(item.get("uri"), str)]
        topics |= {"resourceSubscriptions": uris[:1]} if uris else {}
    if not topics:
        raise NotReached("the server tells of no changes")
    return topics


def _listen(bench: Bench) -> None:
    topics = topics_of(bench)
    with bench.fresh() as peer:
        for request_id in (5, "5"):
            message = request("subscriptions/listen", {"notifications": topics}, request_id=request_id)
            _open_and_end(bench, peer, message)


def _open_and_end(bench: Bench, peer: Any, message: dict[str, Any]) -> None:
    """Listen, see the acknowledgement, end it, and see that nothing comes any more."""
    owed, sent = peer.send(message)
    reply = peer.drain(sent)
    acknowledged = [frame for frame in reply.notices if frame.method == ACKNOWLEDGED]
    if owed.is_answered:
        _answered(bench, owed, sent)
    if not acknowledged:
        bench.note.broke("SUB-2", "a listen was not acknowledged", sent, reply.got)
        raise NotReached("a listen was not acknowledged")
    peer.line.write(encode(notification("notifications/cancelled", {"requestId": message["id"]})) + b"\n")
    # What was on its way when the cancellation was read is in order; the fence comes after it.
    peer.drain(sent)
    if not owed.is_answered:
        owed.is_over = True
        peer.drain(sent)


def _answered(bench: Bench, owed: Owed, sent: bytes) -> None:
    told = "the server tells of changes, and answered a listen at once"
    bench.note.broke("SUB-14", told, sent, counts=True)
    raise NotReached(f"the listen {owed.id!r} was answered at once")


def _without_filter(bench: Bench) -> None:
    topics_of(bench)
    reply = bench.ask("subscriptions/listen", {})
    refused(bench, reply, "SUB-1", (-32602,), "a listen that does not say to what")


PROBES = (
    Probe(
        ("SUB-2", "SUB-3", "SUB-10", "SUB-14"), "changes are listened to, and not any more", _listen, "stdio"
    ),
    Probe(("SUB-1",), "a listen does not say to what", _without_filter),
)
