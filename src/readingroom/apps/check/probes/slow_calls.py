"""A call that takes its time: it holds up nothing else, and is over once it is cancelled."""

from typing import Any

from ....wire import encode
from ..asking import notification, request
from ..bench import Bench
from ..probing import Probe
from ..schemas import fitting
from ..verdicts import NotReached
from .calls import make_good_calls

_SLOW_SECONDS = 0.4


def _slow_call(bench: Bench) -> dict[str, Any]:
    """Give the parameters of a call that takes a while. Raises: NotReached when none did."""
    if not bench.calls:
        make_good_calls(bench)
    for name, reply in bench.calls.items():
        if reply.result is not None and reply.seconds > _SLOW_SECONDS:
            message: dict[str, Any] = request("tools/call", _params_of(bench, name))
            return message
    raise NotReached(f"no call of a tool took longer than {_SLOW_SECONDS:g} s")


def _params_of(bench: Bench, name: str) -> dict[str, Any]:
    tool = next(tool for tool in bench.listed("tools") if tool.get("name") == name)
    return {"name": name, "arguments": fitting(tool.get("inputSchema"))}


def _beside(bench: Bench) -> None:
    call = _slow_call(bench)
    with bench.fresh() as peer:
        peer.ask(request("server/discover"))
        slow, sent = peer.send(call)
        quick = peer.ask(request("server/discover"))
        if quick.result is not None and slow.is_answered:
            bench.note.broke(
                "STDIO-10", "a request waited until another, which takes long, was answered", sent, quick.got
            )


def _cancelled(bench: Bench) -> None:
    call = _slow_call(bench)
    with bench.fresh() as peer:
        peer.ask(request("server/discover"))
        slow, sent = peer.send(call)
        peer.line.write(encode(notification("notifications/cancelled", {"requestId": call["id"]})) + b"\n")
        peer.drain(sent)
        if slow.is_answered:
            raise NotReached("the answer came before the cancellation could have been read")
        slow.is_over = True
        peer.wait(slow, sent, bench.calls[call["params"]["name"]].seconds + 1.0)


PROBES = (
    Probe(("STDIO-10",), "something quick is asked beside a call that takes long", _beside, "stdio"),
    Probe(("CAN-3",), "a call that takes long is cancelled", _cancelled, "stdio"),
)
