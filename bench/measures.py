"""What is measured of one server of `add`: its start, calls one by one, calls all at once, memory."""

from statistics import median

import calls
import memory
from child import Child
from contestants import Contestant, environment
from rounds import Figures, Measure

WARM_UP = 500
SINGLE = 500
LOAD = 1_000
BURSTS = 3


def discovered(child: Child) -> float:
    """Milliseconds from before the process was started to its answer to `server/discover`, which is checked."""
    moment, line = child.exchange(calls.discover())
    calls.check_discovered(line)
    return 1000 * (moment - child.began)


def one_by_one(child: Child, first: int, count: int) -> list[float]:
    """The seconds that each of `count` calls took, one at a time; every answer is checked."""
    seconds, answers = child.one_by_one([calls.add(identifier) for identifier in range(first, first + count)])
    for identifier, line in enumerate(answers, first):
        calls.check_sum(line, identifier)
    return seconds


def at_once(child: Child, first: int, count: int) -> float:
    """The seconds that `count` calls took, written without waiting; every answer is checked."""
    seconds, lines = child.pipelined([calls.add(identifier) for identifier in range(first, first + count)])
    calls.check_sums(lines, first, count)
    return seconds


def start(contestant: Contestant) -> Figures:
    """The start of one process."""
    with Child(list(contestant.command), environment()) as child:
        return {"start_ms": discovered(child)}


def load(contestant: Contestant) -> Figures:
    """Start, calls one by one and all at once in one process; its memory after the same load for every server."""
    with Child(list(contestant.command), environment()) as child:
        began = discovered(child)
        one_by_one(child, 1, WARM_UP)
        seconds = one_by_one(child, 1_000, SINGLE)
        at_once(child, 10_000, LOAD)
        held = memory.held_by(child.process.pid)
        used = memory.processor_time(child.process.pid)
        firsts = range(100_000, 100_000 + BURSTS * contestant.burst, contestant.burst)
        bursts = [at_once(child, first, contestant.burst) for first in firsts]
        total = memory.processor_time(child.process.pid)
    figures = {
        "start_ms": began,
        "single_p50_us": 1e6 * median(seconds),
        "single_rate": 1 / median(seconds),
        "burst_rate": contestant.burst / median(bursts),
    }
    if held is not None and used is not None and total is not None:
        figures |= {"peak_mib": held["peak"], "pss_mib": held["pss"]}
        figures["burst_cpu_us"] = 1e6 * (total - used) / (BURSTS * contestant.burst)
    return figures


def measures_of(contestant: Contestant) -> list[Measure]:
    """What one round does with a server: two more starts beside the one that carries the load."""
    return [lambda: start(contestant), lambda: start(contestant), lambda: load(contestant)]
