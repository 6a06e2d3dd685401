"""The entry of the command line: finds the command, runs it, and turns whatever ends it into an exit code.

A plain `serve` takes a way of its own that loads next to nothing (docs/reference/exit-codes.md, `options`).
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from . import exit_codes

_OF_SIGNALS = 128
"""What a shell adds to the number of the signal that ended a program."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code; a `serve` that served exits the process itself."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["serve"]:  # it hears signals itself
        return _ended(given)
    from .ending import as_ctrl_c

    with as_ctrl_c() as signals:
        code = _ended(given)
    return _OF_SIGNALS + signals[0] if signals else code


def _ended(given: list[str]) -> int:
    try:
        return _settled(_way_of(given))
    except KeyboardInterrupt:
        _abandon_output()
        return exit_codes.INTERRUPTED


def _way_of(given: list[str]) -> Callable[[], int]:
    if given[:1] == ["serve"]:
        from .options import SERVING, split

        values = split(given[1:], SERVING)
        if values is not None:
            from .serving import serve

            return lambda: serve(values, os.environ)

    def run() -> int:
        from .running import run

        return run(given)

    return run


def _settled(work: Callable[[], int]) -> int:
    """Do the work and see its output written; whatever ends it early is told on stderr."""
    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if not _is_broken_pipe(error):
            return _told(error)
        _abandon_output()
        return exit_codes.OK
    except Exception as error:  # noqa: BLE001  -- the one table of faults names each
        return _told(error)
    return code


def _told(error: Exception) -> int:
    """Tell the fault on stderr, where there is one that can be written to, and give its code."""
    from .faults import is_foreseen, lines_of
    from .terminal import as_utf8

    code, lines = lines_of(error)
    where = [] if is_foreseen(error) else _where(error)
    with suppress(OSError, ValueError, AttributeError):
        as_utf8(sys.stderr)
        sys.stderr.write("\n".join([f"readingroom: {lines[0]}", *lines[1:], *where]) + "\n")
    return code


def _where(error: Exception) -> list[str]:
    """Where a fault of ours was raised, without the texts of the frames, which may hold what was being served."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]


def _is_broken_pipe(error: OSError) -> bool:
    """Whether the reader of the output has gone; Windows says EINVAL for it, and names no file."""
    import errno

    return isinstance(error, BrokenPipeError) or (
        _is_windows() and error.errno == errno.EINVAL and error.filename is None
    )


def _is_windows() -> bool:
    return os.name == "nt"


def _abandon_output() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's own flush at the end is silent."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
    except (OSError, ValueError, AttributeError):
        return
