"""Resources: those that are listed can be read, and what is not there is refused."""

from ..bench import Bench
from ..frames import as_object
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import refused

_MOST_READ = 3


def _missing(bench: Bench) -> None:
    bench.needs("resources")
    listed = [str(item.get("uri")) for item in bench.listed("resources")]
    scheme = listed[0].partition(":")[0] if listed and ":" in listed[0] else "readingroom-check"
    uri = f"{scheme}:///readingroom-check/no-such-resource"
    reply = bench.ask("resources/read", {"uri": uri})
    if reply.result is not None and reply.result.get("contents") == []:
        return  # an empty answer was judged by its form
    if refused(bench, reply, "RSRC-3", (-32602,), "reading a resource that is not there"):
        data = as_object(reply.message["error"].get("data"))
        if data.get("uri") != uri:
            told = "the refusal of a resource that is not there does not name it in data.uri"
            bench.note.broke("RSRC-3", told, reply.sent, reply.got, counts=False)


def _read(bench: Bench) -> None:
    listed = [item["uri"] for item in bench.listed("resources") if isinstance(item.get("uri"), str)]
    if not listed:
        raise NotReached("the server lists no resources")
    for uri in listed[:_MOST_READ]:
        reply = bench.ask("resources/read", {"uri": uri})
        if reply.code == -32602:
            bench.note.broke("RSRC-2", f"{uri} is listed, and cannot be read", reply.sent, reply.got)


def _templates(bench: Bench) -> None:
    for item in bench.listed("resourceTemplates"):
        found = str(item.get("uriTemplate"))
        if found.count("{") != found.count("}") or "{}" in found:
            bench.note.broke("RSRC-6", "a template is one of RFC 6570", b"", found)


PROBES = (
    Probe(("RSRC-3",), "a resource is read that is not there", _missing),
    Probe(("RSRC-2",), "the first resources of the list are read", _read),
    Probe(("RSRC-6",), "the templates are looked at", _templates),
)
