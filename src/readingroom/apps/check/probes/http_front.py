"""The endpoint itself: who may ask, by which method, for which types; notifications and bodies that are no message."""

from ....wire import encode
from ..asking import Reply, notification, request
from ..bench import Bench
from ..http_peer import Headers
from ..probing import Probe
from ..verdicts import NotReached

_EVIL = "readingroom-check.invalid"
_GOOD = 200


def _ask(bench: Bench, headers: Headers, verb: str = "POST") -> Reply:
    data = encode(request("server/discover")) if verb == "POST" else b""
    reply: Reply = bench.peer.provoke(data, headers, verb)
    if not reply.status:
        raise NotReached(f"the request was {reply.told}")
    return reply


def _expect(bench: Bench, reply: Reply, rule: str, status: tuple[int, ...], what: str) -> None:
    if reply.status not in status:
        wanted = " or ".join(map(str, status))
        bench.note.broke(
            rule, f"{what} was answered with {reply.status}, not {wanted}", reply.sent, reply.got
        )


def _origin(bench: Bench) -> None:
    bench.discovery()
    reply = _ask(bench, {"Origin": f"https://{_EVIL}"})
    _expect(bench, reply, "HTTP-2", (403,), f"a request of the origin https://{_EVIL}")


def _host(bench: Bench) -> None:
    bench.discovery()
    if not bench.peer.place.is_here:
        raise NotReached("the server is on another machine, where proxies decide about the Host header")
    reply = _ask(bench, {"Host": _EVIL})
    _expect(bench, reply, "HTTP-3", (421, 403, 400), f"a request for the host {_EVIL}")


def _methods(bench: Bench) -> None:
    bench.discovery()
    for verb in ("GET", "DELETE", "PUT"):
        reply = _ask(bench, {}, verb)
        _expect(bench, reply, "HTTP-5", (405,), f"{verb} on the endpoint")


def _session(bench: Bench) -> None:
    bench.discovery()
    reply = bench.peer.ask(request("server/discover"), {"Mcp-Session-Id": "nobody", "Last-Event-ID": "1"})
    if reply.state != "answered" or reply.result is None:
        told = f"a request with the id of a session was answered with {reply.status}: that header is to be passed over"
        bench.note.broke("HTTP-6", told, reply.sent, reply.got)


def _accept(bench: Bench) -> None:
    bench.discovery()
    _expect(bench, _ask(bench, {"Accept": "*/*"}), "HTTP-11", (_GOOD,), "a request that accepts */*")
    _expect(
        bench,
        _ask(bench, {"Accept": "text/html"}),
        "HTTP-11",
        (406,),
        "a request that accepts text/html alone",
    )


def _content_type(bench: Bench) -> None:
    bench.discovery()
    reply = _ask(bench, {"Content-Type": "application/json; charset=utf-8"})
    _expect(bench, reply, "HTTP-12", (_GOOD,), "a body of JSON that says that it is UTF-8")
    _expect(bench, _ask(bench, {"Content-Type": "text/plain"}), "HTTP-12", (415,), "a body of text/plain")


def _notifications(bench: Bench) -> None:
    bench.discovery()
    for method in ("notifications/unknown", "notifications/cancelled"):
        reply = bench.peer.tell(notification(method, {"requestId": "nobody"}))
        if reply.status // 100 == 2 and (reply.status != 202 or reply.got.strip()):
            told = f"a notification was answered with {reply.status}, and is to get 202 and no body"
            bench.note.broke("HTTP-14", told, reply.sent, reply.got)
        elif reply.status // 100 != 2:
            bench.note.unreached(("HTTP-14",), f"{method} was refused with {reply.status}")


def _no_messages(bench: Bench) -> None:
    bench.discovery()
    cases = (
        (b"{oops", "a body that is no JSON"),
        (b"[]", "an empty batch"),
        (b'{"a":"\xff"}', "a body that is not UTF-8"),
    )
    for data, what in cases:
        reply = bench.peer.provoke(data)
        if reply.status // 100 != 4:
            told = f"{what} was answered with {reply.status or 'nothing'}, not 400"
            bench.note.broke("RPC-1", told, reply.sent, reply.got, counts=reply.status == 0 or None)
    after = bench.peer.ask(request("server/discover"))
    if after.result is None:
        raise NotReached(f"discovery was {after.told} after broken bodies")


PROBES = (
    Probe(("HTTP-2",), "a page of another origin asks", _origin, "http"),
    Probe(("HTTP-3",), "another host is asked for", _host, "http"),
    Probe(("HTTP-5",), "GET, DELETE and PUT are tried", _methods, "http"),
    Probe(("HTTP-6",), "the id of a session is sent", _session, "http"),
    Probe(("HTTP-11",), "other types are accepted", _accept, "http"),
    Probe(("HTTP-12",), "other types are sent", _content_type, "http"),
    Probe(("HTTP-14",), "notifications are posted", _notifications, "http"),
    Probe(("RPC-1",), "bodies are posted that are no message", _no_messages, "http"),
)
