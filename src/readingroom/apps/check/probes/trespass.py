"""Two eras on one connection: that the older one was begun changes nothing for requests of today's."""

from typing import Any

from ..asking import Reply, notification, request
from ..bench import Bench
from ..probing import Probe
from ..verdicts import NotReached


def _both_eras(bench: Bench) -> None:
    bench.discovery()
    lists_change = bench.note.is_broken("TOOL-1") or bench.note.is_broken("TOOL-2")
    methods = ["server/discover", *([] if lists_change or "tools/list" in bench.mute else ["tools/list"])]
    with bench.fresh() as peer:
        before = {method: peer.ask(request(method)) for method in methods}
        client = {"name": "readingroom-check", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        begun = peer.attempt({"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": params})
        if begun.result is None:
            raise NotReached("the server does not take the handshake of the older era")
        peer.tell(notification("notifications/initialized"))
        for method in methods:
            _compare(bench, method, before[method], peer)


def _compare(bench: Bench, method: str, before: Reply, peer: Any) -> None:
    after = peer.ask(request(method))
    if before.result is not None and after.state == "answered" and after.result != before.result:
        told = f"{method} is answered otherwise once the older era was begun"
        bench.note.broke("META-5", told, before.got, after.got)


PROBES = (
    Probe(("META-5",), "requests of today's era follow the handshake of the older one", _both_eras, "stdio"),
)
