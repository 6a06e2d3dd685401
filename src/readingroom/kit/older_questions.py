"""Questions of a server of the older era: requests of its own, answered by the same callbacks (LEG-9).

Each is answered in a thread of its own, for a person may take long, and nothing says which call it belongs to.
"""

import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..client import Violations, asked
from ..client.shapes import Violation
from ..errors import UsageError
from ..transport.connection import Connection
from ..wire import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RequestId
from .callbacks import Callbacks, plain

if TYPE_CHECKING:
    import asyncio

MOST = 16
"""Questions that are open at once, and those of a round in a row; more are refused."""


class Questions:
    """Answers what an older server asks. `loop` is where callbacks that are coroutines run; None where nothing runs them."""

    def __init__(
        self,
        callbacks: Callbacks,
        capabilities: dict[str, Any],
        violations: Violations,
        max_rounds: int,
    ) -> None:
        self._most_in_a_row = MOST * max_rounds
        self._callbacks = callbacks
        self._capabilities = capabilities
        self._violations = violations
        self._lock = threading.Lock()
        self._open = 0
        self.in_a_row = 0
        """Questions since this client has asked something itself: a server could go on asking, and never answer."""
        self.loop: asyncio.AbstractEventLoop | None = None

    def take(
        self, connection: Connection, request_id: RequestId, method: str, params: Mapping[str, Any]
    ) -> None:
        """Take a question, in the reading thread."""
        if method not in asked.METHODS or method.split("/", maxsplit=1)[0] not in self._capabilities:
            connection.reply(request_id, _error(METHOD_NOT_FOUND, f"Method not found: {method}"))
            return
        try:
            ask = asked.ask_of({"method": method, "params": dict(params)}, self._capabilities)
        except Violation as fault:
            self._violations.record(fault.rule, fault.detail)
            connection.reply(request_id, _error(INVALID_PARAMS, fault.detail))
            return
        call = self._callbacks.of(ask)
        with self._lock:
            is_too_much = self._open >= MOST or self.in_a_row >= self._most_in_a_row
            if call is None or is_too_much:
                told = "there is nobody to ask" if call is None else "too much has been asked"
                connection.reply(request_id, _error(INTERNAL_ERROR, told))
                return
            self._open += 1
            self.in_a_row += 1

        def answer() -> None:
            try:
                reply = {"result": asked.answer_of(ask, self._finished(call()))}
            except BaseException:  # noqa: BLE001  -- the server must be answered, whatever a callback raises
                sys.excepthook(*sys.exc_info())
                reply = _error(INTERNAL_ERROR, "the client failed to answer")
            with self._lock:
                self._open -= 1
            connection.reply(request_id, reply)

        threading.Thread(target=answer, name="readingroom-question", daemon=True).start()

    def _finished(self, given: Any) -> Any:
        """Wait for what a callback gave, if it is a coroutine and there is a loop."""
        if self.loop is None or not hasattr(given, "__await__"):
            return plain(given)
        import asyncio

        async def wait() -> Any:
            return await given

        try:
            return asyncio.run_coroutine_threadsafe(wait(), self.loop).result()
        except RuntimeError as error:
            raise UsageError("the event loop of the callback has been closed") from error


def _error(code: int, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
