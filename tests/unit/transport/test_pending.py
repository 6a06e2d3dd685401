"""A request that has been sent, and whoever waits for it."""

import math
import sys
import threading

import pytest

from readingroom.client import Progress
from readingroom.errors import RemoteError, TimedOut, TransportError, Withdrawn
from readingroom.transport.pending import InFlight


class Carrier:
    """Withdraws requests as a connection does: whoever takes one out first ends it."""

    def __init__(self) -> None:
        self.flight: list[InFlight] = []
        self.lock = threading.Lock()

    def made(self, timeout: float = 30.0, **how: object) -> InFlight:
        """Make a request in flight."""
        pending = InFlight("m", timeout, self.withdraw, **how)
        self.flight.append(pending)
        return pending

    def taken(self, pending: InFlight) -> bool:
        """Take a request out of flight; False when it is out."""
        with self.lock:
            if pending not in self.flight:
                return False
            self.flight.remove(pending)
            return True

    def withdraw(self, pending: InFlight, error: TransportError) -> bool:
        """End a request before its answer."""
        if not self.taken(pending):
            return False
        pending.end(error=error)
        return True


def later(action: object, *arguments: object) -> threading.Thread:
    """Start `action` in another thread."""
    thread = threading.Thread(target=action, args=arguments)
    thread.start()
    return thread


def test_answer_that_is_there():
    """An answer that has come is given at once, as often as it is asked for."""
    pending = Carrier().made()
    assert not pending.done()
    pending.end({"a": 1})
    assert pending.done()
    assert pending.result() == pending.result() == {"a": 1}
    assert pending.answer() is None


def test_answer_that_comes():
    """An answer that comes while a thread waits wakes it."""
    pending = Carrier().made()
    waiting = threading.Event()
    results = []

    def wait() -> None:
        waiting.set()
        results.append(pending.result())

    thread = later(wait)
    waiting.wait()
    pending.end({"a": 1})
    thread.join()
    assert results == [{"a": 1}]


def test_many_threads_wait(monkeypatch):
    """Several threads may wait for one answer, and all get it."""
    monkeypatch.setattr("readingroom.transport.pending._STEP", 3600.0)
    pending = Carrier().made(3600.0)
    results: list[dict] = []
    threads = [later(lambda: results.append(pending.result())) for _ in range(8)]
    while not all(is_in("_wait", thread) for thread in threads):
        continue
    pending.end({"a": 1})
    for thread in threads:
        thread.join()
    assert results == [{"a": 1}] * 8


def is_in(function: str, thread: threading.Thread) -> bool:
    """Say whether a thread is in a function at this moment."""
    frame = sys._current_frames().get(thread.ident)
    return frame is not None and frame.f_code.co_name == function


def test_error():
    """An error is raised, as often as the result is asked for."""
    pending = Carrier().made()
    pending.end(error=RemoteError(1, "no"))
    for _ in range(2):
        with pytest.raises(RemoteError, match="no"):
            pending.result()


def test_time_over():
    """A request whose time is over has ended, and is no longer in flight."""
    carrier = Carrier()
    pending = carrier.made(0.01)
    with pytest.raises(TimedOut):
        pending.result()
    assert carrier.flight == []
    assert pending.left() < 0


def test_no_limit():
    """A request may have no limit, and is waited for in steps."""
    pending = Carrier().made(math.inf)
    thread = later(pending.end, {})
    assert pending.result() == {}
    thread.join()


def test_time_over_while_the_answer_comes():
    """When the time is over just as the answer is being handed over, the answer wins."""
    carrier = Carrier()
    pending = carrier.made(0.01)
    assert carrier.taken(pending)
    threading.Timer(0.1, pending.end, [{"a": 1}]).start()
    assert pending.result() == {"a": 1}


def test_cancelled():
    """A cancelled request has ended; cancelling it again does nothing."""
    pending = Carrier().made()
    assert pending.cancel()
    assert not pending.cancel()
    assert not pending.expire()
    with pytest.raises(Withdrawn):
        pending.result()


def test_progress_is_passed_in_the_waiting_thread():
    """All progress is passed, in order, in the thread that waits, also what comes just before the answer."""
    seen = []
    pending = Carrier().made(on_progress=lambda step: seen.append((step.progress, threading.get_ident())))
    for number in range(3):
        pending.report(Progress(number))
    pending.end({})
    assert seen == []
    pending.result()
    assert seen == [(number, threading.get_ident()) for number in range(3)]


def test_progress_comes_while_waiting():
    """Progress wakes the thread that waits."""
    carrier = Carrier()
    steps: list[float] = []

    def step(progress: Progress) -> None:
        steps.append(progress.progress)
        if progress.progress < 50:
            later(pending.report, Progress(progress.progress + 1))
        else:
            pending.end({})

    pending = carrier.made(on_progress=step)
    pending.report(Progress(1))
    pending.result()
    assert steps == list(range(1, 51))


def test_progress_that_nobody_fetches_is_bounded():
    """Of very much progress that nobody fetches, the newest is kept."""
    seen = []
    pending = Carrier().made(on_progress=seen.append)
    for number in range(10_000):
        pending.report(Progress(number))
    pending.end({})
    pending.result()
    assert len(seen) == 256
    assert seen[-1] == Progress(9_999)


def test_progress_nobody_wants():
    """Progress that nobody wants is dropped."""
    pending = Carrier().made()
    pending.report(Progress(1))
    pending.end({})
    assert pending.result() == {}


def test_relay():
    """A relay gets progress at once, in the thread that reports it."""
    seen = []
    pending = Carrier().made(relay=seen.append)
    pending.report(Progress(1))
    assert seen == [Progress(1)]


def test_failing_progress_callback_ends_the_call():
    """What `on_progress` raises reaches the caller, and the request is withdrawn."""
    carrier = Carrier()
    pending = carrier.made(on_progress=lambda _: 1 / 0)
    pending.report(Progress(1))
    with pytest.raises(ZeroDivisionError):
        pending.result()
    assert carrier.flight == []


def test_callbacks():
    """Callbacks are called once each: those added before when it ends, those added after at once."""
    called = []
    pending = Carrier().made()
    pending.add_done_callback(lambda: called.append(1))
    pending.add_done_callback(lambda: called.append(2))
    assert called == []
    pending.end({})
    assert sorted(called) == [1, 2]
    pending.add_done_callback(lambda: called.append(3))
    assert called[2:] == [3]


def test_failing_callback(monkeypatch):
    """What a callback raises is shown, and keeps neither the thread nor the other callbacks from going on."""
    shown, called = [], []
    monkeypatch.setattr(sys, "excepthook", lambda *error: shown.append(error[0]))
    pending = Carrier().made()
    pending.add_done_callback(lambda: called.append(1))
    pending.add_done_callback(lambda: 1 / 0)
    pending.end({})
    assert (shown, called) == ([ZeroDivisionError], [1])


def test_callbacks_added_while_it_ends():
    """A callback that is added in the moment of the end is called, once."""
    for _ in range(300):
        pending = Carrier().made()
        called: list[int] = []
        threads = [later(pending.add_done_callback, lambda called=called: called.append(1)) for _ in range(2)]
        pending.end({})
        for thread in threads:
            thread.join()
        assert called == [1, 1]
