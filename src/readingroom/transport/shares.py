"""What one principal may have of the carrier where principals are known, so that nobody keeps others from being served.

For one loop, on its thread. Knows neither requests nor how work is done.
"""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from ..limits import Limits, share_of

Job = TypeVar("Job")


class Shares(Generic[Job]):
    """Counts the requests of each principal, and hands jobs to the workers with `put`, not too many of one at a time."""

    def __init__(self, limits: Limits, put: Callable[[Job], None]) -> None:
        self._most = share_of(limits.requests_at_once)
        self._most_at_work = share_of(limits.workers)
        self._put = put
        self._under_way: dict[str, int] = {}
        self._at_work: dict[str, int] = {}
        self._waiting: dict[str, deque[Job]] = {}

    def enter(self, principal: str) -> bool:
        """Count a request that is under way from now on; false when this principal has its share already."""
        count = self._under_way.get(principal, 0)
        if count >= self._most:
            return False
        self._under_way[principal] = count + 1
        return True

    def leave(self, principal: str) -> None:
        """Count a request no longer."""
        _take_one(self._under_way, principal)

    def work(self, principal: str, job: Job) -> None:
        """Have a job done, now or when another of this principal's has been."""
        count = self._at_work.get(principal, 0)
        if count < self._most_at_work:
            self._at_work[principal] = count + 1
            self._put(job)
        else:
            self._waiting.setdefault(principal, deque()).append(job)

    def end_work(self, principal: str) -> None:
        """A job of this principal's has been done: let the next have its turn."""
        waiting = self._waiting.get(principal)
        if waiting is None:
            _take_one(self._at_work, principal)
            return
        self._put(waiting.popleft())
        if not waiting:
            del self._waiting[principal]


def _take_one(counts: dict[str, int], principal: str) -> None:
    counts[principal] -= 1
    if not counts[principal]:
        del counts[principal]
