"""Streams for the tests of the command line: in memory, or one that says it is a terminal."""

import io
from collections.abc import Iterable, Mapping

from readingroom.apps.console import Console
from readingroom.apps.terminal import Terminal


class TerminalStream(io.StringIO):
    """A stream at which somebody looks."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def written(terminal: Terminal) -> str:
    """Give what has been written to a terminal of the tests."""
    stream = terminal._stream
    assert isinstance(stream, io.StringIO)
    return stream.getvalue()


def console(
    *,
    out_is_terminal: bool = False,
    err_is_terminal: bool = False,
    environment: Mapping[str, str] | None = None,
    typed: Iterable[str] | None = None,
) -> Console:
    """Give a console in memory, without colours unless `environment` asks for them; `typed` are a person's lines."""
    given = {"NO_COLOR": "1"} if environment is None else environment
    out = TerminalStream() if out_is_terminal else io.StringIO()
    err = TerminalStream() if err_is_terminal else io.StringIO()
    lines = None if typed is None else iter(typed)
    answers = None if lines is None else lambda: next(lines, None)
    return Console(Terminal(out, given), Terminal(err, given), given, answers)
