"""A server in memory: the real connection and dispatcher, with a carrier that runs every handler on the spot."""

import asyncio
import json
from typing import Any

from readingroom import Server
from readingroom.limits import DEFAULT_LIMITS, Limits
from readingroom.server import Cancel, Connection, Flight, Reply, Work
from readingroom.wire import OverLong

from .messages import call, frame


class MemoryServer:
    """Serves one connection to `app`, with the features it has by now."""

    def __init__(self, app: Server, *, principal: str = "local", limits: Limits = DEFAULT_LIMITS) -> None:
        self.dispatcher = app.dispatcher()
        self.connection = Connection(self.dispatcher.capabilities, limits)
        self._principal = principal
        self._sent: list[bytes] = []

    def take(self, data: bytes | OverLong) -> list[Any]:
        """Take one frame and give every message that it brings, decoded, in their order."""
        self._sent = []
        action = self.connection.receive(data)
        if isinstance(action, Reply):
            self._sent.append(action.frame)
        elif isinstance(action, Flight):
            self._run(action)
        else:
            assert action is None or isinstance(action, Cancel)
        assert not any(b"\n" in frame for frame in self._sent)
        return [json.loads(frame) for frame in self._sent]

    def _run(self, flight: Flight) -> None:
        request = flight.request
        try:
            work = self.dispatcher.route(request, self._principal)
        except Exception as error:  # noqa: BLE001  -- as a carrier does
            answer = self.dispatcher.refused(request, error)
        else:
            answer = self._answered(work, flight)
        if self.connection.settle(flight):
            self._sent.append(answer)

    def _answered(self, work: Work, flight: Flight) -> bytes:
        ctx = self.dispatcher.context(flight.request, flight, self._emit, self._principal)
        if work.step.mode == "async":
            answer = asyncio.run(self.dispatcher.run_async(work, ctx))
        else:
            answer = self.dispatcher.run(work, ctx)
        return b"" if flight.cancelled else answer or self.dispatcher.abandoned(work)

    def _emit(self, flight: Flight, frame: bytes) -> None:
        if self.connection.awaits(flight):
            self._sent.append(frame)

    def answer(self, data: bytes | OverLong) -> Any:
        """Take a frame that is answered with one message, and give that."""
        (message,) = self.take(data)
        return message

    def ask(
        self, method: str, members: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
    ) -> Any:
        """Send a request with an id of its own and give the answer."""
        return self.answer(frame("ask", method, members, meta))

    def result(
        self, method: str, members: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
    ) -> Any:
        """Send a request that is answered with a result, and give that."""
        answer = self.ask(method, members, meta)
        assert "result" in answer, answer
        return answer["result"]

    def error(
        self, method: str, members: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
    ) -> Any:
        """Send a request that is answered with an error, and give that."""
        answer = self.ask(method, members, meta)
        assert "error" in answer, answer
        return answer["error"]

    def call(
        self, tool: str, arguments: dict[str, Any] | None = None, meta: dict[str, Any] | None = None
    ) -> Any:
        """Call a tool and give the result."""
        answer = self.answer(call("call", tool, arguments, meta))
        assert "result" in answer, answer
        return answer["result"]
