"""What a probe is, and how probes are done one after the other. Knows none of them."""

from collections.abc import Callable, Sequence

import msgspec

from .bench import Bench
from .verdicts import NotReached


class Probe(msgspec.Struct, frozen=True):
    """One thing that is tried: the rules it looks at, what is done, and the function that does it.

    The function notes what is broken or out of reach; of its rules those of which it notes nothing are kept.
    """

    rules: tuple[str, ...]
    how: str
    run: Callable[[Bench], None]
    carrier: str = "any"


def wanted(probes: Sequence[Probe], only: Sequence[str], passive: Sequence[str], carrier: str) -> list[Probe]:
    """Give the probes to do: those that look at a rule of `only`, or all, if one of them is judged on whatever comes."""
    fitting = [probe for probe in probes if probe.carrier in ("any", carrier)]
    if not only or set(only) & set(passive):
        return fitting
    return [probe for probe in fitting if set(probe.rules) & set(only)]


def probe_all(probes: Sequence[Probe], bench: Bench, tell: Callable[[Probe], None]) -> None:
    """Do the probes in order. Raises: ConnectFailed when the server cannot be started again."""
    for probe in probes:
        tell(probe)
        try:
            probe.run(bench)
        except NotReached as why:
            bench.note.unreached(probe.rules, str(why))
        else:
            bench.note.settle(probe.rules)
