"""Commands that a person is to type, as lines of the terminal. Pure.

A command that is copied must not be broken, and a line from outside must not be broken by the terminal, for then it could
begin with what looks like a word of ours: a command is left whole where its paths are of plain characters alone.
"""

from collections.abc import Iterable, Iterator

from .folding import Paint
from .review_text import told

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./-_ ")
"""What a shell takes as it stands; a blank here parts the words of a command, for one in a path would be quoted."""


def command_lines(commands: Iterable[str], paint: Paint, columns: int | None = None) -> Iterator[str]:
    """Each command on a line of its own; one with a path that has to be quoted is folded at `columns`."""
    for command in commands:
        if set(command) <= _PLAIN:
            yield f"  {command}"
        else:
            yield from told([(command, "")], paint, columns, "  ")
