"""A server in memory: the real connection and dispatcher, with a carrier that runs every handler on the spot."""

import asyncio
import json
from typing import Any

from readingroom import Server
from readingroom.limits import DEFAULT_LIMITS, Limits
from readingroom.server import Cancel, Connection, Flight, Reply, Subscription, Work
from readingroom.wire import OverLong

from .messages import call, frame


class MemoryServer:
    """Serves one connection to `app`, with the features it has by now."""

    def __init__(self, app: Server, *, principal: str = "local", limits: Limits = DEFAULT_LIMITS) -> None:
        self.dispatcher = app.dispatcher()
        self.connection = Connection(self.dispatcher.capabilities, limits)
        self._principal = principal
        self._sent: list[bytes] = []
        self.subscriptions: dict[int, Subscription] = {}
        self._woken: list[int] = []

    def take(self, data: bytes | OverLong) -> list[Any]:
        """Take one frame and give every message that it brings, decoded, in their order."""
        self._sent = []
        action = self.connection.receive(data)
        if isinstance(action, Reply):
            self._sent.append(action.frame)
        elif isinstance(action, Flight):
            self._run(action)
        elif isinstance(action, Cancel):
            if action.flight.on_cancel is not None:
                action.flight.on_cancel()
        else:
            assert action is None
        assert not any(b"\n" in frame for frame in self._sent)
        return [json.loads(frame) for frame in self._sent]

    def _run(self, flight: Flight) -> None:
        request = flight.request
        try:
            work = self.dispatcher.route(request, self._principal)
        except Exception as error:  # noqa: BLE001  -- as a carrier does
            answer = self.dispatcher.refused(request, error)
        else:
            if work.step.mode == "listen":
                self._listen(flight)
                return
            answer = self._answered(work, flight)
        if self.connection.settle(flight):
            self._sent.append(answer)

    def _listen(self, flight: Flight) -> None:
        key = id(flight)
        try:
            subscription = self.dispatcher.listen(
                flight.request, self._principal, lambda: self._woken.append(key)
            )
        except Exception as error:  # noqa: BLE001  -- as a carrier does
            self.connection.settle(flight)
            self._sent.append(self.dispatcher.refused(flight.request, error))
            return
        self.connection.keep_open(flight)
        self.subscriptions[key] = subscription
        self._sent.append(subscription.acknowledgement)

        def end() -> None:
            self.subscriptions.pop(key).close()
            self.connection.settle(flight)

        flight.on_cancel = end

    def heard(self) -> list[Any]:
        """Give what has come on the subscriptions that were woken since the last time, decoded."""
        woken, self._woken = self._woken, []
        assert len(woken) == len(set(woken)), "a subscription was woken twice between two takes"
        frames = [
            frame for key in woken if key in self.subscriptions for frame in self.subscriptions[key].take()
        ]
        return [json.loads(frame) for frame in frames]

    def listen(
        self, request_id: Any, meta: dict[str, Any] | None = None, **notifications: Any
    ) -> dict[str, Any]:
        """Listen, and give what was acknowledged."""
        answer = self.answer(
            frame(request_id, "subscriptions/listen", {"notifications": notifications}, meta)
        )
        assert answer["method"] == "notifications/subscriptions/acknowledged", answer
        found: dict[str, Any] = answer["params"]["notifications"]
        return found

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
