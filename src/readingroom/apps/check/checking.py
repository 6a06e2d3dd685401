"""One run of `check`: which probes, in which order, and the findings at the end. Whatever was started is ended."""

from collections.abc import Callable, Sequence

import msgspec

from . import http_judging
from .bench import Bench, Settings
from .hearing import PASSIVE
from .probes import PROBES
from .probing import Probe, probe_all, wanted
from .verdicts import Finding, Notebook

# What is forbidden is kept when nothing of the kind came.
_FORBIDDEN = frozenset(("RPC-7", "CAN-7", "SUB-4", "SUB-5"))
_OF_A_CARRIER = {"stdio": _FORBIDDEN | {"STDIO-2"}, "http": _FORBIDDEN | set(http_judging.RULES)}

# Seen in whatever comes, or in what comes after all else.
_OF_EVERYTHING = (*PASSIVE, *http_judging.RULES, "STDIO-2", "STDIO-3", "META-5")


class Checked(msgspec.Struct, frozen=True):
    """What a run found, and how long the first answer took."""

    findings: tuple[Finding, ...]
    start_seconds: float


def known_rules() -> frozenset[str]:
    """Give the ids of all rules that can be checked."""
    probed = {rule for probe in PROBES for rule in probe.rules}
    return frozenset((*probed, *PASSIVE, *_OF_A_CARRIER["stdio"], *_OF_A_CARRIER["http"]))


def check(
    connect: Callable[[Notebook], object],
    settings: Settings,
    *,
    strict: bool = False,
    only: Sequence[str] = (),
    tell: Callable[[Probe], None] = lambda _: None,
) -> Checked:
    """Probe a server. `connect` opens a connection that notes into the notebook it is given.

    Raises: ConnectFailed when the server cannot be started or reached.
    """
    note = Notebook(strict=strict)
    bench = Bench(lambda: connect(note), note, settings)
    try:
        probe_all(wanted(PROBES, only, _OF_EVERYTHING, settings.carrier), bench, tell)
        first = bench.first_answer_seconds
    finally:
        bench.close()
    note.kept(*(_FORBIDDEN if settings.carrier == "http" else _OF_A_CARRIER["stdio"]))
    probed = {rule for probe in PROBES if probe.carrier in ("any", settings.carrier) for rule in probe.rules}
    shown = set(only) or {*probed, *PASSIVE, *_OF_A_CARRIER[settings.carrier], *note.broken()}
    return Checked(tuple(note.findings(shown)), first)
