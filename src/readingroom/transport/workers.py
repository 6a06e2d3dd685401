"""The threads that run plain handlers: as few as keep up, as many as are needed, and never waited for at the end.

One thread takes job after job while handlers are quick, for threads that take turns only cost time. A watcher looks on
while jobs wait, and sets another thread to work when the first job has not moved for a moment, or jobs wait long. Not an
executor of the standard library: that one is slow to import, wakes a thread a job, and joins its threads when the
interpreter ends, so that one stuck handler would keep the process alive.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

Job = TypeVar("Job")

_TICK_SECONDS = 0.003
_TICKS_TO_WAIT = 7


class Workers(Generic[Job]):
    """Runs `run(job)` for every job put in, in the order of putting, on up to `limit` daemon threads."""

    def __init__(self, limit: int, run: Callable[[Job], None]) -> None:
        self._limit = limit
        self._run = run
        self._jobs: deque[Job] = deque()
        self._idle: list[threading.Lock] = []
        self._started = 0
        self._starting = threading.Lock()
        self._is_watched = False
        self._watching = False
        self._watch = threading.Semaphore(0)

    @property
    def are_behind(self) -> bool:
        """Whether jobs wait to be taken."""
        return bool(self._jobs)

    def put(self, job: Job) -> None:
        """Add a job. Called from one thread."""
        self._jobs.append(job)
        if self._started == len(self._idle):
            self._set_to_work()
        elif not self._watching:
            self._watching = True
            self._watch.release()

    def _set_to_work(self) -> None:
        """Wake an idle thread, or start one."""
        try:
            self._idle.pop().release()
        except IndexError:
            self._start_another()

    def _start_another(self) -> None:
        """Start a thread, if there may be one more. Raises: RuntimeError when the system has none left for the first."""
        with self._starting:
            if self._started >= self._limit:
                return
            self._started += 1
            try:
                if not self._is_watched:
                    threading.Thread(target=self._look_on, name="readingroom-watcher", daemon=True).start()
                    self._is_watched = True
                name = f"readingroom-worker-{self._started}"
                threading.Thread(target=self._work, name=name, daemon=True).start()
            except RuntimeError:
                # Fewer threads have to do.
                self._started -= 1
                if not self._started:
                    raise

    def _work(self) -> None:
        try:
            self._take_jobs()
        finally:
            # It ends only by a fault; another thread may take its place.
            with self._starting:
                self._started -= 1

    def _take_jobs(self) -> None:
        jobs, run = self._jobs, self._run
        asleep = threading.Lock()
        asleep.acquire()
        while True:
            try:
                job = jobs.popleft()
            except IndexError:
                self._rest(asleep)
            else:
                run(job)

    def _rest(self, asleep: threading.Lock) -> None:
        """Wait to be woken. A job that was put in while this thread lay down is seen by the second look."""
        self._idle.append(asleep)
        if self._jobs:
            try:
                self._idle.remove(asleep)
            except ValueError:
                pass  # it is being woken at this moment
            else:
                return
        asleep.acquire()

    def _look_on(self) -> None:
        while True:
            self._watch.acquire()
            while self._jobs:
                self._look_once()
            self._watching = False
            if self._jobs:
                self._watching = True
                self._watch.release()

    def _look_once(self) -> None:
        """Look at the jobs for a moment, and set a thread to work if the first has not moved or the last waits long."""
        try:
            last = self._jobs[-1]
            for _ in range(_TICKS_TO_WAIT):
                first = self._jobs[0]
                time.sleep(_TICK_SECONDS)
                if self._jobs[0] is first:
                    self._set_to_work()
            if last in self._jobs:
                self._set_to_work()
        except (IndexError, RuntimeError):
            return  # the jobs were taken while this looked: nobody waits
