"""How a server ends: at the end of its input, and when the system asks it to; and what it leaves behind."""

from ..asking import request, result_of
from ..bench import Bench
from ..line import IS_POSIX, TERMINATE, Line
from ..probing import Probe
from ..verdicts import NotReached

_SECONDS = 5.0
_LEFT_SECONDS = 1.0


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


def _asked_to(bench: Bench) -> None:
    bench.discovery()
    if not IS_POSIX:
        raise NotReached("this system has no SIGTERM")
    with bench.fresh() as peer:
        result_of(peer.ask(request("server/discover")), "server/discover")
        peer.line.signal(TERMINATE)
        if not peer.line.exits_within(_SECONDS):
            bench.note.broke("STDIO-11", f"the server still runs {_SECONDS:g} s after SIGTERM", counts=True)


PROBES = (
    Probe(("STDIO-6", "STDIO-12"), "the input ends", _end_of_input, "stdio"),
    Probe(("STDIO-11",), "SIGTERM is sent", _asked_to, "stdio"),
)
