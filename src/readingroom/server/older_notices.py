"""What a session of the older era is told of without asking each time: that lists and resources have changed (LEG-6).

It is one listener of the server's hub like any other; what the hub gives is sent without the id of a subscription.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from ..errors import InvalidParams, Refused
from ..limits import Limits
from ..protocol import Admitted, Filter, ListenParams
from ..protocol.older import Handshake, meta_of
from ..protocol.older_answers import older_notice
from .dispatch import Dispatcher

if TYPE_CHECKING:
    from .hub import Subscription


class Notices:
    """The notices of one session. `push` sends a frame, on whatever thread something has changed."""

    def __init__(
        self, dispatcher: Dispatcher, principal: str, push: Callable[[bytes], None], limits: Limits
    ) -> None:
        self._dispatcher = dispatcher
        self._principal = principal
        self._push = push
        self._limits = limits
        self._bytes = 0
        self._lock = threading.RLock()
        self._agreed: Handshake | None = None
        self._uris: dict[str, None] = {}
        self._subscription: Subscription | None = None

    @property
    def has_updates(self) -> bool:
        """Whether single resources may be subscribed to."""
        return "updates" in self._dispatcher.notices

    def begin(self, agreed: Handshake) -> None:
        """Begin a session: nothing is subscribed to, and nothing is sent yet."""
        self.close()
        self._agreed = agreed

    def start(self) -> None:
        """Send notices from here on: the client is ready for them (LEG-1). Raises: Refused when the server has no room."""
        with self._lock:
            if self._agreed is not None and self._subscription is None and self._dispatcher.notices:
                self._listen()

    def add(self, uri: str) -> None:
        """Tell of changes of a resource. Raises: Refused when there are too many, or the server has no room."""
        with self._lock:
            if uri in self._uris:
                return
            self._check_room(uri)
            self._uris[uri] = None
            self._bytes += len(uri)
            if self._subscription is not None:
                try:
                    self._listen()
                except Refused:
                    self._forget(uri)
                    raise

    def remove(self, uri: str) -> None:
        """Tell no more of a resource; one that nobody subscribed to is no fault."""
        with self._lock:
            if uri in self._uris:
                self._forget(uri)
                if self._subscription is not None:
                    self._listen()

    def close(self) -> None:
        """Send nothing more, and forget what was subscribed to."""
        with self._lock:
            self._uris, self._bytes = {}, 0
            last, self._subscription = self._subscription, None
        if last is not None:
            last.close()

    def _check_room(self, uri: str) -> None:
        """Refuse one address more than a session may have, in number or in length. Raises: InvalidParams."""
        limits = self._limits
        if len(self._uris) >= limits.listen_topics:
            raise InvalidParams(f"Too many subscriptions: a session has at most {limits.listen_topics}")
        if self._bytes + len(uri) > limits.older_subscribed_bytes:
            raise InvalidParams("Too many subscriptions: their addresses are too long together")

    def _forget(self, uri: str) -> None:
        del self._uris[uri]
        self._bytes -= len(uri)

    def _listen(self) -> None:
        """Listen to what is wanted now. What was listened to before is left only then, so that nothing is missed."""
        assert self._agreed is not None  # noqa: S101  -- the handshake came first; for the type checker
        wanted = Filter(
            tools_list_changed=True,
            prompts_list_changed=True,
            resources_list_changed=True,
            resource_subscriptions=tuple(self._uris) or msgspec.UNSET,
        )
        request = Admitted("", "subscriptions/listen", ListenParams(meta_of(self._agreed), wanted))
        last = self._subscription
        self._subscription = self._dispatcher.listen(request, self._principal, self._send)
        if last is not None:
            self._send_all(last)
            last.close()
        self._send()

    def _send(self) -> None:
        with self._lock:
            if self._subscription is not None:
                self._send_all(self._subscription)

    def _send_all(self, subscription: "Subscription") -> None:
        agreed = self._agreed
        for frame in subscription.take():
            if agreed is not None and b'"notifications/' in frame[:60]:
                self._push(older_notice(frame, agreed.version))
