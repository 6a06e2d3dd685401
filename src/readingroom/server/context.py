"""What a handler may ask of the request it serves: who asks, whether it was cancelled, progress and log lines.

A context stands for one request and knows nothing of any other (META-5).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from ..errors import UsageError
from ..protocol import LOG_LEVELS, Admitted, Identity, Meta
from ..wire import RequestId, encode_notification
from .connection import Flight
from .faults import Misuse

if TYPE_CHECKING:
    from ..protocol.asking import Ask, CreateMessage, ElicitForm, ElicitUrl, ListRoots
    from ..protocol.asking_answers import Answers, Elicited, RootList, Sampled
    from .detaching import Detached
    from .rounds import Round

Asks: TypeAlias = Callable[["Context", Admitted, "dict[str, Ask]"], "Answers[Any]"]
"""What gives the answers that a handler asks for in its request, or raises Asking (server/rounds.py)."""


class Cancelled(Exception):
    """Raised by `Context.check` in a handler whose request was cancelled; nothing is answered."""


class Asking(BaseException):
    """Raised by `Context.ask` when answers are missing: it ends this round of the handler, which runs anew with them.

    No Exception, so that a handler's `except Exception` lets it pass. `requests` are what is asked, by key; `ended` is the
    round that ends with it, and knows the answers so far; `state` is the sealed text that the next round brings back, or ""
    when whoever runs the handler goes on from `ended` (server/rounds.py).
    """

    def __init__(self, requests: "dict[str, Ask]", ended: "Round", state: str = "") -> None:
        super().__init__(*requests)
        self.requests = requests
        self.ended = ended
        self.state = state


class Context:
    """The request that a handler serves. A handler gets it by naming a parameter with this type.

    Attributes: `request_id`, `principal` (who asks, from trusted configuration), `client` (how the client names itself,
    never to be trusted), `capabilities` (what the client declared on this request).
    """

    __slots__ = (
        "_emit",
        "_flight",
        "_logging",
        "_meta",
        "_progress",
        "asks",
        "detaches",
        "principal",
        "request_id",
    )

    def __init__(
        self,
        request_id: RequestId,
        meta: Meta,
        flight: Flight,
        emit: Callable[[Flight, bytes], None],
        principal: str,
        *,
        logging: bool = False,
        asks: Asks | None = None,
    ) -> None:
        self.asks = asks
        self.detaches: Callable[[], Detached] | None = None
        self.request_id = request_id
        self.principal = principal
        self._meta = meta
        self._flight = flight
        self._emit = emit
        self._logging = logging
        self._progress = float("-inf")

    @property
    def client(self) -> Identity | None:
        """How the client names itself, or None; self-reported (META-9)."""
        return self._meta.client or None

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the client declared on this very request."""
        return self._meta.capabilities

    @property
    def cancelled(self) -> bool:
        """Whether the client no longer waits for the answer."""
        return self._flight.cancelled

    def check(self) -> None:
        """Raise Cancelled when the client no longer waits for the answer: long work calls it now and then (CAN-3)."""
        if self._flight.cancelled:
            raise Cancelled

    @property
    def wants_progress(self) -> bool:
        """Whether the client asked to be told of progress."""
        return isinstance(self._meta.progress_token, str | int)

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the work has come (PROG-2).

        Nothing is sent when the client did not ask, or when `progress` is not more than before. Raises: ValueError, which is
        also a UsageError, for a number that JSON does not have.
        """
        if not (_is_finite(progress) and (total is None or _is_finite(total))):
            raise Misuse("progress is told in finite numbers")
        if not self.wants_progress or progress <= self._progress:
            return
        self._progress = progress
        params: dict[str, Any] = {"progressToken": self._meta.progress_token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        self._emit(self._flight, encode_notification("notifications/progress", params))

    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log line to the client, if it asked for lines of this level (LOG-1, LOG-2).

        Raises: ValueError, which is also a UsageError, for a level the protocol does not know; UsageError when the server
        does not declare logging.
        """
        if not self._logging:
            raise UsageError("declare it first: Server(..., logging=True)")
        if level not in LOG_LEVELS:
            raise Misuse(f"the level of a log line is one of {', '.join(LOG_LEVELS)}")
        rank = LOG_LEVELS.index(level)
        wanted = self._meta.log_level
        if not isinstance(wanted, str) or rank < LOG_LEVELS.index(wanted):
            return
        params = (
            {"level": level, "data": data}
            if logger is None
            else {"level": level, "logger": logger, "data": data}
        )
        self._emit(self._flight, encode_notification("notifications/message", params))

    @overload
    def ask(self, /, **requests: "ElicitForm | ElicitUrl") -> "Answers[Elicited]": ...

    @overload
    def ask(self, /, **requests: "CreateMessage") -> "Answers[Sampled]": ...

    @overload
    def ask(self, /, **requests: "ListRoots") -> "Answers[RootList]": ...

    @overload
    def ask(self, /, **requests: "Ask") -> "Answers[Any]": ...

    def ask(self, /, **requests: "Ask") -> "Answers[Any]":
        """Ask the client for input, and give its answers by the names that the requests were given (MRTR-1).

        While an answer is missing the call ends this round of the handler: the client is told what is asked, and when it
        comes back with the answers the handler runs anew from its beginning, and this call gives them. So what a handler
        does before it asks is done once for every round; let side effects wait for the last answer (MRTR-18). In coroutines
        `await ctx.ask(...)` is the same.

        Raises: MissingCapability when the client did not declare what is asked for; UsageError in a handler that may not ask
        (only tools, prompts and resources may), and when `cryptography` is not installed; InvalidParams when the client
        has gone through too many rounds or its answers are too large (limits.py).
        """
        from .rounds import requested

        return requested(self, self._flight.request, requests)

    def detach(self) -> "Detached":
        """Let the request be answered with a task, if it may: the handler goes on, and the client asks after it (TASK-3).

        Gives whether it has become one, as a truth value; in coroutines `await ctx.detach()` gives it. It has not where the
        tool is not registered with `task`, where the client does not take tasks, and where there are too many; the handler
        then goes on as if nothing had been. In a task `cancelled` and `check` tell of `tasks/cancel`, `ask` waits for the
        answers instead of ending a round, and progress and log lines go nowhere.

        Raises: Cancelled when the request was cancelled; Refused when there are too many tasks and the tool requires one.
        """
        if self.detaches is None:
            from .detaching import Detached

            return Detached(False)
        return self.detaches()

    def leave(self, flight: Flight, asks: Asks) -> None:
        """Serve no request any more, but the task that it has become; for whoever runs the handler."""
        self._flight = flight
        self._emit = _drop
        self.asks = asks


def _drop(_flight: Flight, _frame: bytes) -> None:
    """Send nothing: a task has no request that notifications could belong to (PROG-2)."""


def _is_finite(number: float) -> bool:
    # Infinity less itself is NaN, as NaN less itself is, and NaN equals nothing; `math` would be one import more.
    return number - number == 0
