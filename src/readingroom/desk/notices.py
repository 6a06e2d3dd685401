"""The library's changes as change notices: a document that changed to who listens to it, the list to who listens to that.

What a client subscribes to is told exactly as it was spelt. Whether a document exists decides nothing here: an address
that leads nowhere is listened to like any other, and what is told of it is what the role's own library says.
"""

import threading
from typing import TYPE_CHECKING

from ..kit import Server

if TYPE_CHECKING:
    from ..library import Changes, Follower


class Notices:
    """Joins a server to a follower of the library, which is made when the first client listens or the library opens."""

    def __init__(self, app: Server) -> None:
        self._app = app
        self._follower: Follower | None = None
        self._making = threading.Lock()
        app.on_watch(self._watch)

    def follower(self) -> "Follower":
        """Give what is to follow the library."""
        with self._making:
            if self._follower is None:
                from ..library import Follower

                self._follower = Follower(self._tell)
            return self._follower

    def _watch(self, uri: str, is_watched: bool) -> None:
        follower = self.follower()
        if is_watched:
            follower.watch(uri)
        else:
            follower.unwatch(uri)

    def _tell(self, changes: "Changes") -> None:
        for uri in changes.updated:
            self._app.resource_updated(uri)
        if changes.listed:
            self._app.resources_changed()
