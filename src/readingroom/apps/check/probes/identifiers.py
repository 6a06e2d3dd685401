"""Ids of every kind, notifications, and members that nobody knows: all of them are in order."""

from ....wire import encode
from ..asking import notification, request
from ..bench import Bench
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import served

_IDS = (0, -1, 2**53 - 1, "", "7", "ä/≠", "x" * 200)


def _ids(bench: Bench) -> None:
    bench.discovery()
    for request_id in _IDS:
        if bench.ask("server/discover", request_id=request_id).state not in ("answered", "mangled"):
            raise NotReached(f"the id {encode(request_id).decode()[:20]} was not answered")


def _id_again(bench: Bench) -> None:
    first = bench.ask("server/discover", request_id="again")
    second = bench.ask("server/discover", request_id="again")
    if first.result is not None:
        served(bench, second, "META-5", "an id that was used and answered before")


def _notifications(bench: Bench) -> None:
    bench.discovery()
    for method in ("notifications/unknown", "notifications/initialized"):
        bench.peer.tell(notification(method))


def _cancellations(bench: Bench) -> None:
    bench.discovery()
    for params in ({"requestId": "nobody"}, {}, {"requestId": {"a": 1}}):
        bench.peer.tell(notification("notifications/cancelled", params))


def _unknown_members(bench: Bench) -> None:
    bench.discovery()
    params, meta = {"x-unknown": [1, {"a": None}]}, {"com.example/unknown": {"a": 1}}
    reply = bench.peer.ask(request("server/discover", params, meta=meta))
    served(bench, reply, "RPC-9", "a request with members that nobody knows in its params")
    if "x-unknown" in reply.message.get("result", {}):
        bench.note.broke("RPC-9", "a member that nobody knows was repeated", reply.sent, reply.got)
    beside = bench.peer.attempt({**request("server/discover"), "x-unknown": True})
    if beside.state == "silent":
        told = "a request with a member beside id, method and params was not answered"
        bench.note.broke("RPC-9", told, beside.sent)
    else:
        served(bench, beside, "RPC-9", "a request with a member beside id, method and params")


PROBES = (
    Probe(("RPC-4",), "ids of every kind are used", _ids),
    Probe(("META-5",), "an id is used again once it was answered", _id_again),
    Probe(("RPC-6",), "notifications are sent", _notifications),
    Probe(("CAN-4",), "what nobody asked for is cancelled", _cancellations),
    Probe(("RPC-9",), "members that nobody knows are sent", _unknown_members),
)
