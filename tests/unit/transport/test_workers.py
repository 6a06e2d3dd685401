"""The threads of plain handlers: as few as keep up, as many as are needed."""

import threading
from typing import Any

import pytest

from readingroom.transport.workers import Workers
from support.processes import until


def test_every_job_is_run_once() -> None:
    """However many threads it takes."""
    done: list[int] = []
    workers: Workers[int] = Workers(8, done.append)
    for number in range(5000):
        workers.put(number)
    until(lambda: len(done) == 5000)
    assert sorted(done) == list(range(5000))
    until(lambda: not workers.are_behind)


def test_jobs_that_come_one_by_one_are_all_run() -> None:
    """Also when a thread has just lain down."""
    ran = threading.Semaphore(0)
    workers: Workers[None] = Workers(4, lambda _: ran.release())
    for _ in range(2000):
        workers.put(None)
        assert ran.acquire(timeout=20)


def test_jobs_that_wait_for_each_other_get_a_thread_each() -> None:
    """Up to the limit."""
    barrier = threading.Barrier(8)
    met: list[int] = []

    def meet(_: None) -> None:
        met.append(barrier.wait(20))

    workers: Workers[None] = Workers(8, meet)
    for _ in range(8):
        workers.put(None)
    until(lambda: len(met) == 8)
    assert workers._started == 8


def test_there_are_no_more_threads_than_the_limit() -> None:
    """What is too much waits."""
    gate = threading.Event()
    entered: list[int] = []

    def hold(number: int) -> None:
        entered.append(number)
        gate.wait(20)

    workers: Workers[int] = Workers(2, hold)
    for number in range(5):
        workers.put(number)
    until(lambda: len(entered) == 2)
    for _ in range(20):
        workers._set_to_work()
    assert (workers._started, len(entered), workers.are_behind) == (2, 2, True)
    gate.set()
    until(lambda: len(entered) == 5)


def test_quick_jobs_share_one_thread() -> None:
    """Threads that take turns only cost time."""
    ran = threading.Semaphore(0)
    workers: Workers[None] = Workers(8, lambda _: ran.release())
    for _ in range(100):
        workers.put(None)
        assert ran.acquire(timeout=20)
    assert workers._started < 8


def test_a_thread_that_died_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault costs its job alone."""
    done: list[int] = []
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)

    def run(number: int) -> None:
        if number == 0:
            raise RuntimeError("a fault")
        done.append(number)

    workers: Workers[int] = Workers(1, run)
    workers.put(0)
    until(lambda: workers._started == 0 and bool(told))
    workers.put(1)
    until(lambda: done == [1])


class Refusing(threading.Thread):
    """Threads that the system does not start, once there are some."""

    allowed = 0

    def start(self) -> None:
        """Start, or say that there can be no more."""
        if Refusing.allowed == 0:
            raise RuntimeError("can't start new thread")
        Refusing.allowed -= 1
        super().start()


def test_threads_that_cannot_be_started_have_to_be_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any, there is nobody to run a job; with one, it runs them all."""
    monkeypatch.setattr(threading, "Thread", Refusing)
    done: list[Any] = []
    workers: Workers[int] = Workers(8, done.append)
    for allowed in (0, 1):
        Refusing.allowed = allowed
        with pytest.raises(RuntimeError):
            workers.put(1)
    Refusing.allowed = 1
    workers.put(2)
    until(lambda: done == [1, 1, 2])
    gate = threading.Event()
    entered = threading.Semaphore(0)

    def hold(_: None) -> None:
        entered.release()
        gate.wait(20)

    waiting: Workers[None] = Workers(8, hold)
    Refusing.allowed = 2
    waiting.put(None)
    assert entered.acquire(timeout=20)
    waiting.put(None)
    waiting._set_to_work()
    assert waiting._started == 1
    gate.set()
    assert entered.acquire(timeout=20)


class Looked(Workers[int]):
    """Workers without threads that count how often one was to be set to work."""

    def __init__(self, jobs: list[int]) -> None:
        super().__init__(8, lambda _: None)
        self._jobs.extend(jobs)
        self.set_to_work = 0
        self.moves = False

    def _set_to_work(self) -> None:
        self.set_to_work += 1
        if self.moves:
            self._jobs.popleft()


def test_another_thread_is_set_to_work_while_the_first_job_does_not_move() -> None:
    """At every look, and once more when the last one waits long."""
    workers = Looked([1, 2])
    workers._look_once()
    assert workers.set_to_work == 8


def test_no_thread_is_set_to_work_when_there_are_no_jobs() -> None:
    """They were taken while it looked."""
    workers = Looked([])
    workers._look_once()
    assert workers.set_to_work == 0
    moving = Looked([1, 2, 3])
    moving.moves = True
    moving._look_once()
    assert (moving.set_to_work, len(moving._jobs)) == (3, 0)


def asleep() -> threading.Lock:
    """The lock of a thread that is about to lie down."""
    lock = threading.Lock()
    lock.acquire()
    return lock


def test_a_thread_that_lies_down_sees_the_job_that_came_meanwhile() -> None:
    """Or nobody would take it."""
    workers = Looked([1])
    workers._rest(asleep())
    assert workers._idle == []


def test_a_thread_that_is_being_woken_while_it_lies_down_is_awake() -> None:
    """It has been taken from the idle ones, so the waking is on its way."""
    lock = asleep()

    class Taken(list[threading.Lock]):
        """Idle threads of which another wakes the last."""

        def remove(self, item: threading.Lock) -> None:
            item.release()
            raise ValueError

    workers = Looked([1])
    workers._idle = Taken()
    workers._rest(lock)
    assert lock.locked()


def test_a_watcher_that_goes_to_sleep_sees_the_job_that_came_meanwhile() -> None:
    """It wakes itself again."""

    class Enough(Exception):
        """Ends the watcher, which has no end."""

    class Watch:
        """A semaphore that is acquired twice."""

        acquired = released = 0

        def acquire(self) -> None:
            self.acquired += 1
            if self.acquired > 1:
                raise Enough

        def release(self) -> None:
            self.released += 1

    class Coming:
        """Jobs that are gone when it looks, and there when it looks again."""

        looks = 0

        def __bool__(self) -> bool:
            self.looks += 1
            return self.looks == 2

    workers, watch = Looked([]), Watch()
    workers._watch, workers._jobs = watch, Coming()  # type: ignore[assignment]  # it answers whether there are jobs, and nothing else is asked
    with pytest.raises(Enough):
        workers._look_on()
    assert (workers._watching, watch.released) == (True, 1)
