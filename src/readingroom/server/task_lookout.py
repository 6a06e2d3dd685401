"""The thread that looks into the store while tasks run or are listened to; there is none when there are not.

What another process has written reaches the handler by it, within a look.
"""

import threading
import time
from collections.abc import Callable

LOOK_SECONDS = 0.1
# A store that fails is left alone for a while, and the log as well.
_REST_SECONDS = 1.0


class Lookout:
    """Calls `look` again and again while it says that there is reason to; `report` gets what it raises."""

    def __init__(self, look: Callable[[], bool], report: Callable[[BaseException], object]) -> None:
        self._look = look
        self._report = report
        self._lock = threading.Lock()
        self._is_on = False
        self._wanted = False

    @property
    def is_on(self) -> bool:
        """Whether it looks."""
        return self._is_on

    def begin(self) -> None:
        """Look from now on, if it does not already."""
        with self._lock:
            self._wanted = True
            if self._is_on:
                return
            threading.Thread(target=self._run, name="readingroom-tasks", daemon=True).start()
            self._is_on = True

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self._wanted = False
            try:
                goes_on = self._look()
            except Exception as error:  # noqa: BLE001  -- a store that fails now may be well at the next look
                self._report(error)
                time.sleep(_REST_SECONDS)
                goes_on = True
            with self._lock:
                if not goes_on and not self._wanted:
                    self._is_on = False
                    return
