"""The wait for the end: whatever comes first, and what comes after it."""

import os
import select
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from readingroom.transport import supervisor as module
from readingroom.transport.handles import Handles
from readingroom.transport.supervisor import EXIT_FAILED, EXIT_OK, Supervisor


class Piped:
    """A supervisor over pipes."""

    def __init__(self) -> None:
        self.reading, _ = os.pipe()
        self.theirs, writing = os.pipe()
        self.supervisor = Supervisor(Handles(self.reading, writing))


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> dict[int, Callable[[int, None], None]]:
    """Where signal handlers are put in place of the interpreter."""
    found: dict[int, Any] = {}
    monkeypatch.setattr(signal, "signal", found.__setitem__)
    return found


@pytest.mark.parametrize(
    ("reason", "code"), [("end of input", EXIT_OK), ("failed", EXIT_FAILED), ("broken", EXIT_OK)]
)
def test_the_first_reason_counts(reason: str, code: int) -> None:
    """Before the wait and during it; a second one only hurries, but a failure is never forgotten."""
    supervisor = Piped().supervisor
    supervisor.end(reason)
    assert supervisor.wait() == reason
    assert (supervisor.exit_code, supervisor.is_hurried) == (code, False)
    supervisor.end("end of input")
    assert not supervisor.is_hurried
    supervisor.end("broken")
    assert (supervisor.is_hurried, supervisor.exit_code) == (True, code)
    supervisor.end("failed")
    assert supervisor.exit_code == EXIT_FAILED
    other = Piped().supervisor
    threading.Timer(0.01, other.end, (reason,)).start()
    assert other.wait() == reason


def test_a_client_that_no_longer_reads_is_a_reason() -> None:
    """Which only poll tells."""
    piped = Piped()
    threading.Timer(0.01, os.close, (piped.theirs,)).start()
    assert piped.supervisor.wait() == "broken"


def test_without_poll_reasons_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where pipes have none."""
    monkeypatch.delattr(select, "poll")
    supervisor = Piped().supervisor
    threading.Timer(0.01, supervisor.end, ("end of input",)).start()
    assert supervisor.wait() == "end of input"


def test_a_signal_is_a_reason_and_a_second_one_ends_the_process(
    handlers: dict[int, Callable[[int, None], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, whatever is still owed."""
    exits: list[int] = []
    monkeypatch.setattr(module.os, "_exit", exits.append)
    supervisor = Piped().supervisor
    supervisor.hear_signals()
    handlers[signal.SIGTERM](signal.SIGTERM, None)
    assert supervisor.wait() == "SIGTERM"
    assert (supervisor.exit_code, exits) == (EXIT_OK, [])
    handlers[signal.SIGINT](signal.SIGINT, None)
    assert exits == [EXIT_OK]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on Windows")
def test_a_hang_up_that_is_ignored_stays_ignored(
    handlers: dict[int, Callable[[int, None], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `nohup` wants it; the other signals are heard."""
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)
    Piped().supervisor.hear_signals()
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} == set(handlers)
    handlers.clear()
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_IGN)
    Piped().supervisor.hear_signals()
    assert {signal.SIGINT, signal.SIGTERM} == set(handlers)


def test_signals_are_heard_on_the_main_thread_alone(handlers: dict[int, Callable[[int, None], None]]) -> None:
    """The interpreter allows no other."""
    thread = threading.Thread(target=Piped().supervisor.hear_signals)
    thread.start()
    thread.join()
    assert handlers == {}


def test_a_pause_is_short() -> None:
    """It waits on a lock, so that signals are heard."""
    Piped().supervisor.pause(0.001)
