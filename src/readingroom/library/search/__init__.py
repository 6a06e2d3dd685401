"""Search: texts become terms, terms an index, a query ranked passages with what to show of them.

Nothing is imported until it is asked for, for the engine and the stemmers are not free.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from readingroom.library.search.answer import Ranked, RankedHit, Request, search
    from readingroom.library.search.engine import Index, Writer
    from readingroom.library.search.excerpts import Excerpt, excerpt
    from readingroom.library.search.records import Entry

__all__ = ["Entry", "Excerpt", "Index", "Ranked", "RankedHit", "Request", "Writer", "excerpt", "search"]

_HOMES = {
    "Entry": "records",
    "Index": "engine",
    "Writer": "engine",
    "Ranked": "answer",
    "RankedHit": "answer",
    "Request": "answer",
    "search": "answer",
    "Excerpt": "excerpts",
    "excerpt": "excerpts",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
