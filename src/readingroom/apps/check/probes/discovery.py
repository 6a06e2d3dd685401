"""What a server says of itself, and whether that is so: discovery, versions, capabilities."""

from ....errors import ConnectFailed
from ....protocol import LATEST, PROTOCOL_VERSION
from ..asking import Reply
from ..bench import LISTS, Bench
from ..frames import as_list, as_object
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import refused

# What a connection that could not be made says.
_UNREACHABLE = ("ConnectionRefusedError", "gaierror")
_START_SECONDS = 10.0
_REFUSED = 400
_UNKNOWN_VERSION = "1999-12-31"
_SERVED = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "completion/complete": "completions",
}


def _discover(bench: Bench) -> None:
    reply = bench.ask("server/discover")
    told = reply.got.decode("utf-8", "replace")
    if reply.state == "gone" and bench.settings.carrier == "http" and told.startswith(_UNREACHABLE):
        raise ConnectFailed(f"nothing answers there: {told}")
    refusal = _refusal(reply)
    older = _older(bench) if refusal else ""
    if reply.code is not None or older:
        bench.note.broke("VER-4", f"server/discover was refused with {refusal}{older}", reply.sent, reply.got)
        bench.note.unreached(("DISC-1",), "server/discover was refused")
        return
    found = bench.discovery().get("supportedVersions")
    if LATEST not in as_list(found):
        bench.note.broke(
            "DISC-1", f"{LATEST} was served, and is not among supportedVersions", reply.sent, reply.got
        )


def _refusal(reply: Reply) -> str:
    """Say with what a request was refused, if it was: a code, or over HTTP a status whose body is no answer to it."""
    if reply.code is not None:
        return str(reply.code)
    return f"the status {reply.status}" if reply.state == "mangled" and reply.status >= _REFUSED else ""


def _older(bench: Bench) -> str:
    """Say which version a server speaks that begins with a handshake."""
    reply = _handshake(bench)
    version = (reply.result or {}).get("protocolVersion")
    return f"; it answers `initialize`, and speaks {version}" if isinstance(version, str) else ""


def _handshake(bench: Bench) -> Reply:
    client = {"name": "readingroom-check", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    with bench.fresh() as peer:
        found: Reply = peer.attempt({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    return found


def _start(bench: Bench) -> None:
    bench.discovery()
    took = bench.peer.first_answer_seconds
    if took > _START_SECONDS:
        bench.note.broke("STDIO-13", f"the first answer came {took:.1f} s after the start")


def _versions(bench: Bench) -> None:
    found = [
        version for version in as_list(bench.discovery().get("supportedVersions")) if isinstance(version, str)
    ]
    older = [version for version in found if version < LATEST]
    if older:
        bench.note.broke("VER-2", "versions are offered that begin with a handshake", b"", found)


def _known(bench: Bench) -> list[str]:
    """Give the versions that are served. Raises: NotReached when discovery does not say so."""
    found = [
        version for version in as_list(bench.discovery().get("supportedVersions")) if isinstance(version, str)
    ]
    if LATEST not in found:
        raise NotReached("discovery does not say which versions are served")
    return found


def _unknown_version(bench: Bench) -> None:
    known = _known(bench)
    reply = bench.ask("server/discover", meta={PROTOCOL_VERSION: _UNKNOWN_VERSION})
    if not refused(bench, reply, "VER-1", (-32022,), f"a request of version {_UNKNOWN_VERSION}"):
        return
    data = as_object(reply.message["error"].get("data"))
    supported = data.get("supported")
    if not isinstance(supported, list) or not supported or not all(one in known for one in supported):
        told = "the refusal must name the versions that are served, as discovery does"
        bench.note.broke("VER-1", told, reply.sent, reply.got)
    elif data.get("requested") != _UNKNOWN_VERSION:
        bench.note.broke(
            "VER-1", "the refusal must repeat the version that was asked for", reply.sent, reply.got
        )


def _unknown_method(bench: Bench) -> None:
    bench.discovery()
    for method in ("readingroom/unknown", "ping", "logging/setLevel"):
        refused(bench, bench.ask(method), "RES-5", (-32601,), f"the unknown method {method}")


def _capabilities(bench: Bench) -> None:
    advertised = bench.capabilities()
    for method, capability in _SERVED.items():
        reply = bench.ask(method)
        if capability in advertised and reply.code == -32601:
            told = f"{capability} is advertised, and {method} is unknown"
            bench.note.broke("DISC-2", told, reply.sent, reply.got)
        elif capability not in advertised and reply.result is not None:
            bench.note.broke(
                "DISC-2", f"{method} is served, and {capability} not advertised", reply.sent, reply.got
            )


def _handshake_refused(bench: Bench) -> None:
    known = _known(bench)
    reply = _handshake(bench)
    if reply.result is not None:
        raise NotReached("the server takes the handshake of the older era")
    if reply.state != "answered":
        raise NotReached(f"initialize was {reply.told}")
    if not any(version in reply.got.decode("utf-8", "replace") for version in known):
        told = "who begins with `initialize` is not told which versions are served"
        bench.note.broke("VER-5", told, reply.sent, reply.got)


def _listed(bench: Bench) -> None:
    """Ask for every list once, so that whatever stands in it is judged."""
    for kind in LISTS:
        if LISTS[kind][1] in bench.capabilities():
            bench.listed(kind)


PROBES = (
    Probe(("VER-4", "DISC-1"), "server/discover is asked", _discover),
    Probe(("STDIO-13",), "the time from the start to the first answer is taken", _start, "stdio"),
    Probe(("VER-2",), "the versions offered are looked at", _versions),
    Probe(("VER-1",), "a request of a version that is not served is sent", _unknown_version),
    Probe(("RES-5",), "methods that are not there are asked for", _unknown_method),
    Probe(("DISC-2",), "the methods of every capability are asked for", _capabilities),
    Probe(("VER-5",), "the handshake of the older era is begun", _handshake_refused),
    Probe(("PAGE-1", "TOOL-1", "RSRC-1", "PRO-1"), "every list is asked for", _listed),
)
