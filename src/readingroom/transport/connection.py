"""What a client's carrier offers: the seam between `Client`, which knows no carrier, and stdio or HTTP.

Requests go out prepared and come back as `InFlight`; what the server says on its own account goes to those who were named.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from ..client import Prepared
from ..errors import ReadingRoomError
from ..wire import RequestId
from .pending import InFlight, OnNotice, OnProgress

OnAsked: TypeAlias = Callable[[RequestId, str, Mapping[str, Any]], None]
"""Gets the id, the method and the parameters of a request of an older server, in the reading thread; the answer is given
later with `Connection.reply`."""


class Connection(Protocol):
    """A way to one server, open from its construction until `close`. Every method may be called from any thread.

    A carrier is made with what it needs of its own, and with the client's `Violations` and `KnownTools`: it records what
    the server breaks in the one, and finds the mirrored arguments of tools in the other.
    """

    @property
    def over(self) -> str | None:
        """Why no more requests are taken; None while they are. What is in flight has failed with Closed by then."""

    @property
    def principal(self) -> str | None:
        """Whose answers come: what is private is not cached for another (CACHE-6); None where all are one."""

    def send(
        self,
        prepared: Prepared,
        timeout: float,
        on_progress: OnProgress | None = None,
        relay: OnProgress | None = None,
        *,
        ceiling: float | None = None,
        on_notice: OnNotice | None = None,
    ) -> InFlight:
        """Send a request, and do not wait for its answer.

        It ends after `timeout` seconds of silence; progress begins them anew, up to `ceiling` seconds in all. Progress goes
        to `on_progress` in the thread that waits, or to `relay` at once. With `on_notice` the request is a
        `subscriptions/listen`: its acknowledgement and notifications go there, verified, and the silence that is
        counted is that before the acknowledgement (SUB-2).

        What a header needs is in `prepared`: `version`, `method` and `params`, the caller's parameters as they are.

        Raises: Closed; TimedOut when it cannot be sent for so long.
        """

    def has_room(self) -> bool:
        """Say whether `send` would return at once."""

    def close(self, grace: float) -> None:
        """End the connection, failing what is in flight with Closed; gives the server `grace` seconds where it has a say."""

    def suggests_older(self, error: ReadingRoomError) -> bool:
        """Say whether this failure of `server/discover` speaks for a server of the older era (ERA-2 to ERA-7)."""

    def turn_older(self, on_asked: OnAsked, on_notice: OnNotice) -> None:
        """From now on read what comes by the rules of the older era; called before `initialize` is sent.

        There the server may send requests, which go to `on_asked` (`ping` is answered by the carrier), and unasked
        notifications of changes, which go to `on_notice`.
        """

    def reply(self, request_id: RequestId, answer: Mapping[str, Any]) -> None:
        """Answer a request of an older server, with `{"result": …}` or `{"error": …}`; one that is gone gets nothing."""

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification, such as `notifications/initialized`; does nothing once the server is gone."""
