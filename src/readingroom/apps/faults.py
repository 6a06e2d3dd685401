"""What ends a command early, and the exit code and the line it ends with. The only table of that kind."""

from . import exit_codes


class CommandFault(Exception):
    """A command cannot go on; its text is one line for the person at the terminal."""

    code = exit_codes.FAILED


class UsageFault(CommandFault):
    """The command line or the environment cannot be served as it stands."""

    code = exit_codes.USAGE


class NothingFound(CommandFault):
    """There is nothing of what was asked for."""

    code = exit_codes.NOTHING


def told(error: BaseException) -> tuple[int, str]:
    """Give the exit code for an error and the line that says what is wrong."""
    if is_foreseen(error):
        return _code(error), str(error)
    return exit_codes.FAILED, f"a fault of Reading Room: {type(error).__name__}: {error}"


def lines_of(error: BaseException) -> tuple[int, list[str]]:
    """Give the exit code and the harmless lines to print: one, and those of a server that the fault quotes, indented."""
    from .characters import one_line

    code, text = told(error)
    first, *quoted = text.split("\n") if code in (exit_codes.START, exit_codes.CLOSED) else [text]
    return code, [one_line(first), *(f"  {one_line(line.removeprefix('  '))}" for line in quoted)]


def is_foreseen(error: BaseException) -> bool:
    """Whether an error is one of those that the table names."""
    return _code(error) >= 0


def _code(error: BaseException) -> int:
    if isinstance(error, CommandFault):
        return error.code
    kinds: list[tuple[type[Exception], int]] = [
        *_library_faults(),
        *_peer_faults(),
        (OSError, exit_codes.FAILED),
    ]
    return next((code for kind, code in kinds if isinstance(error, kind)), -1)


def _library_faults() -> tuple[tuple[type[Exception], int], ...]:
    from ..library import (
        BadQuery,
        FolderUnusable,
        IndexBusy,
        IndexUnusable,
        LedgerBusy,
        LedgerFull,
        LedgerUnusable,
        NotFound,
    )
    from ..library.operator import NotDecided

    return (
        (NotFound, exit_codes.NOTHING),
        (BadQuery, exit_codes.USAGE),
        (FolderUnusable, exit_codes.FOLDER),
        (IndexBusy, exit_codes.INDEX),
        (IndexUnusable, exit_codes.INDEX),
        (LedgerBusy, exit_codes.LEDGER),
        (LedgerFull, exit_codes.LEDGER),
        (LedgerUnusable, exit_codes.LEDGER),
        (NotDecided, exit_codes.UNDECIDED),
    )


def _peer_faults() -> tuple[tuple[type[Exception], int], ...]:
    from ..errors import (
        Closed,
        ConnectFailed,
        HttpRefused,
        InputRequired,
        PeerProtocolError,
        RemoteError,
        TimedOut,
        TransportError,
        Unauthorized,
        UsageError,
    )

    return (
        (PeerProtocolError, exit_codes.PROTOCOL),
        (RemoteError, exit_codes.REFUSED),
        (InputRequired, exit_codes.REFUSED),
        (ConnectFailed, exit_codes.START),
        (Closed, exit_codes.CLOSED),
        (TimedOut, exit_codes.TIMEOUT),
        (Unauthorized, exit_codes.REFUSED),
        (HttpRefused, exit_codes.REFUSED),
        (TransportError, exit_codes.FAILED),  # of `serve`: streams that are not open, an address in use
        (UsageError, exit_codes.USAGE),
    )
