"""The event loop for coroutine handlers: on a thread of its own, started with the first of them.

A server with only plain handlers never comes here, and so never imports asyncio.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any


class Coroutines:
    """Runs coroutines on one loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        threading.Thread(target=self._run, name="readingroom-loop", daemon=True).start()

    def _run(self) -> None:
        while True:
            # A task that a handler started beside its request may raise these, or stop the loop; others still need it.
            with contextlib.suppress(SystemExit, KeyboardInterrupt):
                self._loop.run_forever()

    def start(self, coroutine: Coroutine[Any, Any, None], on_end: Callable[[], None]) -> Callable[[], None]:
        """Start a coroutine and give what cancels it; both may be called from any thread.

        `on_end` is called when it has ended, and also when it was cancelled before it began.
        """
        held: list[asyncio.Task[None]] = []
        cancelled = threading.Event()

        def end(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            on_end()

        def begin() -> None:
            task = self._loop.create_task(coroutine)
            self._tasks.add(task)
            task.add_done_callback(end)
            held.append(task)
            if cancelled.is_set():
                task.cancel()

        def cancel() -> None:
            cancelled.set()
            self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in held])

        self._loop.call_soon_threadsafe(begin)
        return cancel
