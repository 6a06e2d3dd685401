"""Two columns of names and what is said of each, for any script. Pure."""

from collections.abc import Sequence

from .characters import pad, width
from .wrapping import marked, painted, wrapped

_INDENT = "  "
_LEAST_SAID = 24


def two_columns(rows: Sequence[tuple[str, str]], columns: int) -> list[str]:
    """Give the lines: names side by side with what is said, as wide as the longest of those that take at most half.

    No name is ever cut, since people copy them: one that is wider has what is said of it on the next line.
    """
    fitting = [width(name) for name, _ in rows if width(name) <= columns // 2]
    first = max(fitting, default=0)
    room = max(_LEAST_SAID, columns - first - 2 * len(_INDENT))
    lines: list[str] = []
    for name, said in rows:
        told = [painted(row, str) for row in wrapped(marked(said, ()), room)]
        beside = width(name) <= first
        lines.append(_INDENT + (_INDENT.join((pad(name, first), told[0])) if beside and told else name))
        lines += [f"{_INDENT}{' ' * first}{_INDENT}{more}" for more in told[beside:]]
    return lines
