"""How a server ends: at the end of its input, and when the system asks it to; and what it leaves behind."""

from ..asking import request, result_of
from ..bench import Bench
from ..line import INTERRUPT, IS_POSIX, TERMINATE, Line, heeds_interrupts
from ..probing import Probe
from ..verdicts import NotReached

_SECONDS = 5.0
_LEFT_SECONDS = 1.0
_AGAIN_SECONDS = 1.0


def _end_of_input(bench: Bench) -> None:
    bench.discovery()
    with bench.fresh() as peer:
        result_of(peer.ask(request("server/discover")), "server/discover")
        peer.line.close_stdin()
        if not peer.line.exits_within(_SECONDS):
            bench.note.broke("STDIO-6", f"the server still runs {_SECONDS:g} s after the end of its input")
            raise NotReached("the server did not end by itself")
        _look_for_what_is_left(bench, peer.line)


def _look_for_what_is_left(bench: Bench, line: Line) -> None:
    if not IS_POSIX:
        bench.note.unreached(("STDIO-12",), "this system does not tell which processes a server has started")
        return
    left = line.left_running(_LEFT_SECONDS)
    if left:
        bench.note.broke(
            "STDIO-12", f"{len(left)} process(es) still run after the server has ended", b"", left
        )


def _terminated(bench: Bench) -> None:
    _asked_to(bench, TERMINATE, "SIGTERM", counts=True)


def _interrupted(bench: Bench) -> None:
    if not heeds_interrupts():
        raise NotReached("SIGINT is ignored here, and so by whatever is started")
    _asked_to(bench, INTERRUPT, "SIGINT", counts=False)


def _asked_to(bench: Bench, number: int, name: str, *, counts: bool) -> None:
    bench.discovery()
    if not IS_POSIX:
        raise NotReached(f"this system has no {name}")
    with bench.fresh() as peer:
        result_of(peer.ask(request("server/discover")), "server/discover")
        peer.line.signal(number)
        if peer.line.exits_within(_AGAIN_SECONDS):
            return
        # One that comes right before a read of the input may be noted by a runtime only after that read.
        peer.line.signal(number)
        if not peer.line.exits_within(_SECONDS):
            told = f"the server still runs {_SECONDS:g} s after {name}"
            bench.note.broke("STDIO-11", told, counts=counts)


PROBES = (
    Probe(("STDIO-6", "STDIO-12"), "the input ends", _end_of_input, "stdio"),
    Probe(("STDIO-11",), "SIGTERM is sent", _terminated, "stdio"),
    Probe(("STDIO-11",), "SIGINT is sent", _interrupted, "stdio"),
)
