"""The metadata of requests: what must be there, what need not be, and that nothing of it is remembered."""

from typing import Any

from ....protocol import CLIENT_CAPABILITIES, CLIENT_INFO, LATEST, LOG_LEVEL, PROTOCOL_VERSION
from ..asking import META, Reply, request
from ..bench import Bench
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import refused, served

_INVALID = (-32602,)
_BAD_REQUEST = 400
_CAPABILITIES = "without capabilities"


def _lacking() -> dict[str, dict[str, Any]]:
    """Requests that lack what every request must have, by what they lack; what names its version comes first."""
    whole = request("server/discover")
    return {
        _CAPABILITIES: request("server/discover", meta={CLIENT_CAPABILITIES: None}),
        "without a version": request("server/discover", meta={PROTOCOL_VERSION: None}),
        "without _meta": {**whole, "params": {}},
        "without params": {name: value for name, value in whole.items() if name != "params"},
    }


def _missing(bench: Bench) -> None:
    """Ask before anything else, and again after a request that is in order: the answers must be the same."""
    bench.discovery()
    with bench.fresh() as peer:
        before = {what: peer.ask(message) for what, message in _lacking().items()}
        good = peer.ask(request("server/discover"))
        after = {what: peer.ask(_lacking()[what]) for what in _lacking()} if good.result is not None else {}
    for what, reply in before.items():
        _compare(bench, what, reply, after.get(what))


def _missing_at_first(bench: Bench) -> None:
    """A first message without metadata decides nothing for those that come after it."""
    bench.discovery()
    with bench.fresh() as peer:
        first = peer.ask(_lacking()["without _meta"])
        good = peer.ask(request("server/discover"))
    if first.state == "answered" and good.code is not None:
        told = f"a request that is in order is refused with {good.code} because the first one had no metadata"
        bench.note.broke("META-5", told, good.sent, good.got)


def _compare(bench: Bench, what: str, before: Reply, after: Reply | None) -> None:
    try:
        # What names no version may be taken for a message of the older era, which knows other errors.
        counts = False if before.code is not None and what != _CAPABILITIES else None
        is_kept = refused(bench, before, "META-3", _INVALID, f"a request {what}", counts=counts)
    except NotReached as why:
        bench.note.unreached(("META-3",), str(why))
        return
    if is_kept and before.message.get("id") is None:
        bench.note.broke("META-3", "the refusal has not the id of the request", before.sent, before.got)
    if is_kept and bench.settings.carrier == "http" and before.status != _BAD_REQUEST:
        told = f"a request {what} was refused with the status {before.status}, not {_BAD_REQUEST}"
        bench.note.broke("HTTP-19", told, before.sent, before.got, counts=True)
    if after is not None and before.result is None and after.result is not None:
        told = f"a request {what} is served once another has said what it lacks"
        bench.note.broke("META-5", told, after.sent, after.got)


def _ill_typed(bench: Bench) -> None:
    bench.discovery()
    wrong: tuple[dict[str, Any], ...]
    wrong = ({PROTOCOL_VERSION: 20260728}, {CLIENT_CAPABILITIES: []}, {CLIENT_CAPABILITIES: "all"})
    for meta in wrong:
        reply = bench.ask("server/discover", meta=meta)
        refused(bench, reply, "META-4", _INVALID, "a request whose metadata has a wrong type")


def _anonymous(bench: Bench) -> None:
    bench.discovery()
    served(
        bench,
        bench.ask("server/discover", meta={CLIENT_INFO: None}),
        "META-2",
        "a request without clientInfo",
        counts=True,
    )


def _traced(bench: Bench) -> None:
    bench.discovery()
    for value in ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "nonsense"):
        reply = bench.ask("server/discover", meta={"traceparent": value})
        served(bench, reply, "META-15", f"a request with the trace context {value!r}")


def _log_levels(bench: Bench) -> None:
    bench.needs("logging")
    reply = bench.ask("server/discover", meta={LOG_LEVEL: "loud"})
    refused(bench, reply, "LOG-3", _INVALID, "a request for log lines of an unknown level")


def _other_version(bench: Bench) -> None:
    """A version that is refused must not be remembered, nor one that was served."""
    bench.discovery()
    bench.ask("server/discover", meta={PROTOCOL_VERSION: "1999-12-31"})
    reply = bench.ask("server/discover", meta={PROTOCOL_VERSION: META[PROTOCOL_VERSION]})
    served(bench, reply, "META-5", f"a request of {LATEST} after one of another version")


PROBES = (
    Probe(("META-3", "META-5"), "metadata is left out, before and after a good request", _missing),
    Probe(("META-5",), "the first message has no metadata", _missing_at_first),
    Probe(("META-4",), "metadata of wrong types is sent", _ill_typed),
    Probe(("META-2",), "a request does not say who its client is", _anonymous),
    Probe(("META-15",), "trace context is sent, good and bad", _traced),
    Probe(("LOG-3",), "log lines of an unknown level are asked for", _log_levels),
    Probe(("META-5",), "a good request follows one of another version", _other_version),
)
