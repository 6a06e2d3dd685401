"""Lines as other clients write them: in pieces, several at once, with a carriage return, and long."""

import time

from ....wire import encode
from ..asking import request, result_of
from ..bench import Bench
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import served

_PAUSE = 0.05
_LONG = 1_000_000
_AT_ONCE = 20


def _in_pieces(bench: Bench) -> None:
    bench.discovery()
    with bench.fresh() as peer:
        message = request("server/discover")
        data = encode(message)
        owed = peer.hearing.sent(message)
        for piece in (data[:10], data[10:40], data[40:] + b"\n"):
            peer.line.write(piece)
            time.sleep(_PAUSE)
        if not peer.wait(owed, data, bench.settings.timeout).result:
            bench.note.broke("STDIO-1", "a message that came in pieces was not served", data)


def _many_at_once(bench: Bench) -> None:
    bench.discovery()
    messages = [request("server/discover") for _ in range(_AT_ONCE)]
    owed = [bench.peer.hearing.sent(message) for message in messages]
    data = b"".join(encode(message) + b"\n" for message in messages)
    bench.peer.line.write(data)
    for one in owed:
        if not one.is_answered:
            bench.peer.wait(one, data, bench.settings.timeout)
    missing = [one.id for one in owed if not one.is_answered]
    if missing and bench.peer.is_alive():
        bench.note.broke("RPC-0", f"of {_AT_ONCE} requests at once {len(missing)} were not answered", data)


def _long(bench: Bench) -> None:
    bench.discovery()
    reply = bench.peer.ask(request("server/discover", {"x-long": "é" * (_LONG // 2)}))
    if reply.state != "answered":
        raise NotReached(f"a message of a megabyte was {reply.told}")
    served(bench, reply, "RPC-9", "a message of a megabyte", counts=False)


def _carriage_return(bench: Bench) -> None:
    bench.discovery()
    message = request("server/discover")
    owed = bench.rough.hearing.sent(message)
    data = encode(message) + b"\r"
    bench.rough.line.write(data + b"\n")
    reply = bench.rough.wait(owed, data, bench.settings.timeout)
    if reply.state != "mangled":
        result_of(reply, "a line that ends with CR LF")


PROBES = (
    Probe(("STDIO-1",), "a message is written in pieces", _in_pieces, "stdio"),
    Probe(("RPC-0",), "many requests are written at once", _many_at_once, "stdio"),
    Probe(("RPC-9",), "a message of a megabyte is written", _long),
    Probe(("STDIO-1",), "a line ends with CR LF", _carriage_return, "stdio"),
)
