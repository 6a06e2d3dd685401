"""Going on from an earlier answer: `--cursor`, and the JSON of answers, which is that of the library's tools.

The tools seal their cursors, for a model may not make its own. At a terminal a cursor is the position itself.
"""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

import msgspec

from .faults import UsageFault
from .json_text import json_text

if TYPE_CHECKING:
    from ..library import ReadAnswer, SearchAnswer

_MOST = 10_000_000


def configure(parser: ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--cursor",
        metavar="CURSOR",
        help="go on where an earlier answer ended: its `cursor` in the JSON; all else must be given as before",
    )


def position(given: str | None) -> int | None:
    """Read a cursor. Raises: UsageFault."""
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) <= len(str(_MOST)) and int(given) <= _MOST):
        raise UsageFault(f"--cursor takes the cursor of an earlier answer, not {given!r}")
    return int(given)


def search_json(answer: "SearchAnswer") -> str:
    """Give what `library_search` gives as structured content."""
    from ..desk import search_result

    return json_text(search_result(answer, _cursor(answer.next)))


def read_json(answer: "ReadAnswer") -> str:
    """Give what `library_read` gives as structured content."""
    from ..desk import read_result

    return json_text(read_result(answer, _cursor(answer.next)))


def _cursor(following: int | None) -> str | msgspec.UnsetType:
    return msgspec.UNSET if following is None else str(following)
