"""Lists: their order, over calls, connections and restarts; their pages and cursors."""

from typing import Any

from ..bench import LISTS, Bench
from ..frames import as_list
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import refused

_TIMES = 3
_BOGUS = "readingroom-check-no-such-cursor"


def _names(pages: list[dict[str, Any]]) -> list[str]:
    items = [item for page in pages for item in as_list(page.get("tools")) if isinstance(item, dict)]
    return [str(item.get("name")) for item in items]


def _order(bench: Bench) -> None:
    bench.needs("tools")
    first = _names(bench.pages("tools"))
    for _ in range(_TIMES - 1):
        _same(bench, first, _names(bench.pages("tools")), "when they are listed again")


def _order_elsewhere(bench: Bench) -> None:
    bench.needs("tools")
    first = _names(bench.pages("tools"))
    with bench.fresh() as peer:
        _same(bench, first, _names(bench.pages("tools", peer)), "after a restart, on a connection of its own")


def _same(bench: Bench, first: list[str], again: list[str], when: str) -> None:
    if sorted(first) != sorted(again):
        changed = sorted(set(first) ^ set(again))
        bench.note.broke("TOOL-1", f"other tools are listed {when}", b"", changed[:10])
    elif first != again:
        at = next(place for place, name in enumerate(first) if name != again[place])
        bench.note.broke(
            "TOOL-2", f"the tools come in another order {when}", first[at : at + 5], again[at : at + 5]
        )


def _cursors(bench: Bench) -> None:
    asked = [method for method, capability in LISTS.values() if capability in bench.capabilities()]
    if not asked:
        raise NotReached("the server has no lists")
    for method in asked:
        reply = bench.ask(method, {"cursor": _BOGUS})
        if reply.code == -32601:
            continue  # which another rule speaks of
        refused(bench, reply, "PAGE-3", (-32602,), f"{method} with a cursor that it did not give")


def _scopes(bench: Bench) -> None:
    """The pages of each list name one scope."""
    several = False
    for kind, (method, capability) in LISTS.items():
        if capability not in bench.capabilities():
            continue
        pages = bench.pages(kind)
        scopes = {str(page.get("cacheScope")) for page in pages}
        several = several or len(pages) > 1
        if len(scopes) > 1 and not bench.note.is_broken("CACHE-1"):
            bench.note.broke("CACHE-7", f"the pages of {method} have several scopes", b"", sorted(scopes))
    if not several:
        raise NotReached("no list has more than one page")


PROBES = (
    Probe(("TOOL-1", "TOOL-2"), "tools are listed three times", _order),
    Probe(("TOOL-1", "TOOL-2"), "tools are listed after a restart", _order_elsewhere),
    Probe(("PAGE-3",), "cursors are sent that nobody gave", _cursors),
    Probe(("CACHE-7", "PAGE-4"), "every page of every list is read", _scopes),
)
