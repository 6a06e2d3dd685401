"""A request that has been sent, and whoever waits for it."""

import math
import sys
import threading

import pytest

from readingroom.client import Progress
from readingroom.errors import RemoteError, TimedOut, TransportError, Withdrawn
from readingroom.transport import pending as pending_module
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


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """Give the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch):
    """The clock that requests look at."""
    clock = Clock()
    monkeypatch.setattr(pending_module, "time", clock)
    return clock


def test_progress_begins_the_time_anew(clock):
    """Up to the ceiling, for a request that goes on for ever is not to be waited for (CAN-6)."""
    pending = Carrier().made(10, ceiling=25)
    for now, left in ((100, 10), (108, 10), (117, 8), (124, 1)):
        clock.now = now
        pending.report(Progress(now))
        assert pending.left() == left
    clock.now = 125
    assert pending.left() == 0


def test_progress_without_a_ceiling_begins_nothing_anew(clock):
    """Whoever makes a request says whether it may take longer."""
    pending = Carrier().made(10)
    clock.now = 105
    pending.report(Progress(1))
    assert pending.left() == 5


def test_time_that_this_side_takes_is_not_counted(clock):
    """While it is asked something; the ceiling stays, and nothing is given back that was there before."""
    carrier = Carrier()
    pending, bounded = carrier.made(10), carrier.made(10, ceiling=50)
    for one in (pending, bounded):
        one.pause()
    clock.now = 130
    assert (pending.left(), bounded.left()) == (math.inf, 20)
    for one in (pending, bounded):
        one.resume()
    assert (pending.left(), bounded.left()) == (10, 10)
    clock.now = 145
    bounded.pause()
    bounded.resume()
    assert bounded.left() == 5


def test_a_wait_that_progress_prolongs():
    """Whoever waits looks again before the time is over."""
    pending = Carrier().made(0.3, ceiling=30)
    stop = threading.Event()

    def go_on() -> None:
        while not stop.wait(0.01):
            pending.report(Progress(1))

    thread = later(go_on)
    threading.Timer(0.9, lambda: pending.end({"a": 1})).start()
    try:
        assert pending.result() == {"a": 1}
    finally:
        stop.set()
        thread.join()


def test_notices_of_a_subscription():
    """Go to whoever listens, and from the first one on there is time without end."""
    heard = []
    pending = Carrier().made(0.1, on_notice=lambda method, params: heard.append((method, params)))
    pending.notice("m", {"a": 1})
    assert (heard, pending.left()) == ([("m", {"a": 1})], math.inf)
    Carrier().made(0.1).notice("m", {})


def test_how_it_ended():
    """Is there to be seen for the carrier."""
    pending = Carrier().made()
    assert (pending.error, pending.value) == (None, None)
    pending.end(error=TimedOut("late"))
    assert isinstance(pending.error, TimedOut)
