"""Two columns of names and what is said of each, for any script. Pure."""

from collections.abc import Sequence

from .characters import pad, width

_INDENT = "  "


def two_columns(rows: Sequence[tuple[str, str]], columns: int) -> list[str]:
    """Give the lines: names side by side with what is said, as wide as the longest of those that take at most half.

    No name is ever cut, since people copy them: one that is wider has what is said of it on the next line.
    """
    fitting = [width(name) for name, _ in rows if width(name) <= columns // 2]
    first = max(fitting, default=0)
    lines: list[str] = []
    for name, said in rows:
        if width(name) <= first:
            lines.append(f"{_INDENT}{pad(name, first)}{_INDENT}{said}".rstrip())
        else:
            lines += [_INDENT + name, *([f"{_INDENT}{' ' * first}{_INDENT}{said}"] if said else [])]
    return lines
