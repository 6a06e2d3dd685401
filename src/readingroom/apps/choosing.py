"""The drafts that a command line names, shown to the person one after another."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .characters import one_line
from .deciding import Undecided
from .faults import NothingFound, UsageFault
from .review_text import draft_lines

if TYPE_CHECKING:
    from ..library.operator import Operator, Shown
    from .terminal import Terminal

_LEAST = 4


def chosen(operator: "Operator", names: Sequence[str], out: "Terminal") -> "list[Shown]":
    """Show every draft that is named, by its id or the beginning of it, and give them, none twice.

    Raises: NothingFound for a name that is no open draft's, UsageFault for one that is several drafts', Undecided for a
    draft that has been decided.
    """
    known = [pending.draft.id for pending in operator.queue()]
    found = [
        _shown(operator, identifier) for identifier in dict.fromkeys(_named(name, known) for name in names)
    ]
    for number, one in enumerate(found, 1):
        out.line()
        for line in draft_lines(
            one,
            out.paint,
            time.time(),
            f"{number} of {len(found)}" if len(found) > 1 else "",
            out.whole_width,
        ):
            out.line(line)
    out.line()
    return found


def _named(name: str, known: Sequence[str]) -> str:
    if name in known or len(name) < _LEAST:
        return name
    beginnings = [identifier for identifier in known if identifier.startswith(name)]
    if len(beginnings) > 1:
        raise UsageFault(f"{one_line(name)} is the beginning of {len(beginnings)} drafts; give more of it")
    return beginnings[0] if beginnings else name


def _shown(operator: "Operator", identifier: str) -> "Shown":
    from ..library import NotFound

    try:
        shown = operator.show(identifier)
    except NotFound:
        raise NothingFound(
            f"there is no draft {identifier}; `readingroom review` shows those that wait"
        ) from None
    if shown.draft.state != "open":
        raise Undecided(f"draft {identifier} is {shown.draft.state} already")
    return shown
