"""Every fault has its exit code and one line."""

import pytest

from readingroom import errors, library
from readingroom.apps import exit_codes
from readingroom.apps.faults import NothingFound, UsageFault, told
from readingroom.library import operator


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageFault("x"), exit_codes.USAGE),
        (NothingFound("x"), exit_codes.NOTHING),
        (library.NotFound("x"), exit_codes.NOTHING),
        (library.BadQuery("x"), exit_codes.USAGE),
        (library.FolderUnusable("x"), exit_codes.FOLDER),
        (library.IndexBusy("x"), exit_codes.INDEX),
        (library.IndexUnusable("x"), exit_codes.INDEX),
        (library.LedgerBusy("x"), exit_codes.LEDGER),
        (library.LedgerFull("x"), exit_codes.LEDGER),
        (library.LedgerUnusable("x"), exit_codes.LEDGER),
        (operator.NoPassphrase("x"), exit_codes.UNDECIDED),
        (operator.WrongPassphrase("x", 1.0), exit_codes.UNDECIDED),
        (errors.ConnectFailed("x"), exit_codes.START),
        (errors.PeerProtocolError("RPC-1", "x"), exit_codes.PROTOCOL),
        (errors.Closed("x"), exit_codes.CLOSED),
        (errors.TimedOut("x"), exit_codes.TIMEOUT),
        (errors.RemoteError(-32602, "x"), exit_codes.REFUSED),
        (errors.UsageError("x"), exit_codes.USAGE),
        (RuntimeError("x"), exit_codes.FAILED),
    ],
)
def test_code(error: Exception, code: int) -> None:
    """The table names the code of each kind, and the error's own text is the line."""
    assert told(error)[0] == code
    assert "x" in told(error)[1]


def test_no_kind_of_the_library_or_the_client_is_forgotten() -> None:
    """A kind of error that is added to the library, or that a client raises, gets a code of its own here."""
    offered = [getattr(library, name) for name in library.__all__]
    ours = [kind for kind in offered if isinstance(kind, type) and issubclass(kind, library.LibraryError)]
    ours.remove(library.DraftRefused)  # no command proposes anything: it is answered through the protocol
    theirs = [
        kind for kind in errors.TransportError.__subclasses__() if kind is not errors.Withdrawn
    ]  # we never give up
    for kind in (*ours, *theirs):
        error = kind("x", status=500) if kind is errors.HttpRefused else kind("x")
        assert kind is library.LibraryError or told(error)[0] != exit_codes.FAILED, kind


def test_a_fault_of_ours_says_so() -> None:
    """What nobody foresaw is named by its class."""
    assert told(ZeroDivisionError("division by zero"))[1].startswith(
        "a fault of Reading Room: ZeroDivisionError"
    )
