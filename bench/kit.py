"""The kit's part of the benchmark: one tool, `add`, on each kit, over stdio."""

from collections.abc import Callable

import measures
from bars import judge, kit_bars
from contestants import Contestant, all_contestants
from outcome import Outcome
from report import figures
from rounds import interleave

COLUMNS = {
    "start_ms": "start to first answer, ms",
    "single_p50_us": "one by one, p50, µs",
    "single_rate": "one by one, calls/s at p50",
    "burst_rate": "all at once, calls/s",
    "burst_cpu_us": "all at once, processor time, µs a call",
    "peak_mib": "memory, peak RSS, MiB",
    "pss_mib": "memory, PSS, MiB",
}


def chosen(names: list[str]) -> list[Contestant]:
    """The contestants named, or all. Raises ValueError for a name there is not."""
    known = all_contestants()
    unknown = set(names) - {contestant.name for contestant in known}
    if unknown:
        raise ValueError(f"no such server: {', '.join(sorted(unknown))}")
    return [contestant for contestant in known if not names or contestant.name in names]


def measure(rounds: int, tell: Callable[[str], None], names: list[str]) -> Outcome:
    """Measure the servers named, or all. Raises Broken or WrongAnswer when one of them fails."""
    contestants = chosen(names)
    for contestant in contestants:
        measures.start(contestant)  # the first start of all compiles bytecode and fills the file cache
    series = interleave({one.name: measures.measures_of(one) for one in contestants}, rounds, tell)
    table = figures(series, {one.name: one.title for one in contestants}, COLUMNS)
    sizes = ", ".join(f"{one.burst:,} to {one.name}" for one in contestants)
    return Outcome(
        "One tool on each kit, over stdio",
        {"Medians, with the least and the greatest value": table},
        judge(kit_bars(), series),
        {"kit": series},
        [f"{measures.SINGLE} calls one by one; {measures.BURSTS} times all at once: {sizes}."],
    )
