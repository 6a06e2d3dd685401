"""What is no message, or a broken one: it is refused, costs only itself, and changes nothing of what comes after."""

from collections.abc import Callable
from typing import Any

from ....wire import encode
from ..asking import Reply, request
from ..bench import Bench
from ..probing import Probe
from ..verdicts import NotReached

_DEEP = 100_000
_LARGE = 9_000_000
_PARSE_ERROR = -32700
_INVALID = -32600


def _rough(bench: Bench, data: bytes, what: str, id_rule: str = "RPC-4") -> Reply:
    """Send bytes that break a rule; that the server ends or sticks over them is held against it.

    Raises: NotReached.
    """
    peer = bench.rough
    peer.hearing.id_rule = id_rule
    _enter(peer, data)
    reply: Reply = peer.provoke(data)
    peer.hearing.id_rule = "RPC-4"
    if not peer.is_alive():
        end = " / ".join(peer.line.said()[-2:]) or "(nothing)"
        bench.note.broke(
            "STDIO-3", f"the server ended over {what}; its stderr ends: {end}", data, counts=True
        )
        raise NotReached("the server ended over a broken line")
    if reply.state == "mangled" and not reply.got:
        bench.note.broke("STDIO-3", f"after {what} nothing was answered any more", data, counts=True)
        peer.close()
        raise NotReached("nothing was answered any more after a broken line")
    return reply


def _expect(bench: Bench, reply: Reply, rule: str, code: int, what: str) -> None:
    """Expect an error with this code; whatever else comes is a warning, for these answers are little agreed upon."""
    if reply.state == "mangled":
        bench.note.unreached((rule,), f"{what} was {reply.told}")
    elif reply.state == "silent":
        silenced = "STDIO-3" if code == _PARSE_ERROR else rule
        bench.note.broke(silenced, f"{what} was not answered", reply.sent, counts=False)
    elif reply.code != code:
        told = "was served" if reply.code is None else f"was refused with {reply.code}"
        bench.note.broke(rule, f"{what} {told}, not refused with {code}", reply.sent, reply.got, counts=False)


def _each(
    *cases: tuple[bytes | Callable[[], bytes], str, str, int], id_rule: str = "RPC-4"
) -> Callable[[Bench], None]:
    """Make a probe of several lines, each with what it is, the rule it tries and the code it should bring."""

    def run(bench: Bench) -> None:
        bench.discovery()
        failed: NotReached | None = None
        for data, what, rule, code in cases:
            try:
                line = data() if callable(data) else data
                _expect(bench, _rough(bench, line, what, id_rule), rule, code, what)
            except NotReached as why:
                failed = why
        if failed is not None:
            raise failed

    return run


def _with(**changes: Any) -> bytes:
    return encode({**request("server/discover"), **changes})


def _deep() -> bytes:
    return (
        b'{"jsonrpc":"2.0","id":1,"method":"server/discover","params":' + b"[" * _DEEP + b"]" * _DEEP + b"}"
    )


def _large() -> bytes:
    return _with(padding="x" * _LARGE)


def _survives(data: Callable[[], bytes], what: str) -> Callable[[Bench], None]:
    """Make a probe of a line that may be refused or served, but costs only itself."""

    def run(bench: Bench) -> None:
        bench.discovery()
        _rough(bench, data(), what)

    return run


def _enter(peer: Any, line: bytes) -> None:
    """Take note of the id of a line of ours, so that an answer which has it is known."""
    import re

    for found in re.findall(rb'"id":(\d+)[,}]', line[:200]):
        peer.hearing.sent({"id": int(found), "method": "readingroom/any", "params": {}})


def _batch(bench: Bench) -> None:
    bench.discovery()
    messages = [request("server/discover"), request("server/discover")]
    owed = [bench.rough.hearing.sent(message) for message in messages]
    data = encode(messages)
    reply = _rough(bench, data, "a batch")
    if any(one.is_answered for one in owed):
        bench.note.broke("RPC-8", "the messages of a batch were served", data, reply.got, counts=True)
    else:
        _expect(bench, reply, "RPC-8", _INVALID, "a batch")


_ASKED = ("server/discover", "tools/list")


def _before(bench: Bench) -> None:
    """Ask what is asked again after all the nonsense."""
    bench.discovery()
    peer = bench.rough
    bench.before = (
        peer,
        {method: peer.ask(request(method)) for method in _ASKED if method not in bench.mute},
    )


def _nothing_changed(bench: Bench) -> None:
    """After all of that the connection must answer as before."""
    peer, before = bench.before
    if peer is None or not peer.is_alive():
        raise NotReached("the server had to be started anew after a broken line")
    for method, good in before.items():
        if method == "tools/list" and (bench.note.is_broken("TOOL-1") or bench.note.is_broken("TOOL-2")):
            continue
        after = peer.ask(request(method)) if good.result is not None else good
        if after.state == "answered" and after.result != good.result:
            told = f"{method} is answered otherwise after broken messages than before"
            bench.note.broke("META-5", told, good.got, after.got)


_BROKEN_ID = "a request whose id is"
PROBES = (
    Probe((), "good messages are sent before broken ones", _before, "stdio"),
    Probe(
        ("STDIO-3",),
        "lines are written that are no JSON",
        _each(
            (b'{"jsonrpc":"2.0","id":1,"method"', "a line that is cut off", "STDIO-3", _PARSE_ERROR),
            (b"hello", "a word", "STDIO-3", _PARSE_ERROR),
            (b'{"a":"\xff\xfe"}', "a line that is not UTF-8", "STDIO-3", _PARSE_ERROR),
        ),
        "stdio",
    ),
    Probe(
        ("RPC-1", "STDIO-3"),
        "messages of no version are written",
        _each(
            (lambda: _with(jsonrpc="1.0"), "a message of another version of JSON-RPC", "RPC-1", _INVALID),
            (b"7", "a number", "RPC-1", _INVALID),
        ),
        "stdio",
    ),
    Probe(
        ("RPC-3", "STDIO-3"),
        "requests with ids of wrong types are written",
        _each(
            (lambda: _with(id=True), f"{_BROKEN_ID} true", "RPC-3", _INVALID),
            (lambda: _with(id=1.5), f"{_BROKEN_ID} 1.5", "RPC-3", _INVALID),
            (lambda: _with(id=None), f"{_BROKEN_ID} null", "RPC-3", _INVALID),
            (lambda: _with(id={}), f"{_BROKEN_ID} an object", "RPC-3", _INVALID),
            id_rule="RPC-3",
        ),
        "stdio",
    ),
    Probe(("RPC-8", "STDIO-3"), "a batch is written", _batch, "stdio"),
    Probe(
        ("RPC-10", "STDIO-3"),
        "NaN is written",
        _each(
            (
                lambda: _with(padding=0).replace(b'"padding":0', b'"padding":NaN'),
                "NaN",
                "RPC-10",
                _PARSE_ERROR,
            )
        ),
        "stdio",
    ),
    Probe(
        ("STDIO-3",), "a message is written that nests very deep", _survives(_deep, "a deep message"), "stdio"
    ),
    Probe(("STDIO-3",), "a line of nine megabytes is written", _survives(_large, "a long line"), "stdio"),
    Probe(("META-5",), "good messages follow the broken ones", _nothing_changed, "stdio"),
)
