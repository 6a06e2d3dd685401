"""The library's changes as change notices: a document that changed to who listens to it, the list to who listens to that.
A draft's changes are told to the principal whose it is, and to nobody else.

What a client subscribes to is told exactly as it was spelt. Whether a document exists decides nothing here: an address
that leads nowhere is listened to like any other, and what is told of it is what the role's own library says.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..kit import Server

if TYPE_CHECKING:
    from ..library import Changes, DraftFollower, Follower
    from .editing import Editing


class Notices:
    """Joins a server to a follower of the library, which is made when the first client listens or the library opens."""

    def __init__(
        self, app: Server, editing: "Editing | None" = None, collections: Sequence[str] = ()
    ) -> None:
        self._app = app
        self._collections = collections
        self._editing = editing
        self._follower: Follower | None = None
        self._drafts: DraftFollower | None = None
        self._making = threading.Lock()
        app.on_watch(self._watch)

    def follower(self) -> "Follower":
        """Give what is to follow the library."""
        with self._making:
            if self._follower is None:
                self._follower = self._made()
            return self._follower

    def _made(self) -> "Follower":
        if self._collections:
            from ..library import JointFollower

            return JointFollower(self._tell, self._collections)
        from ..library import Follower

        return Follower(self._tell)

    def drafts(self) -> "DraftFollower | None":
        """Give what follows drafts, or None where there are none."""
        if self._editing is None:
            return None
        with self._making:
            if self._drafts is None:
                self._drafts = self._editing.follower(self._tell_of_draft)
            return self._drafts

    def _watch(self, uri: str, is_watched: bool) -> None:
        drafts = self.drafts()
        follower = drafts if drafts is not None and drafts.follows(uri) else self.follower()
        if is_watched:
            follower.watch(uri)
        else:
            follower.unwatch(uri)

    def _tell(self, changes: "Changes") -> None:
        for uri in changes.updated:
            self._app.resource_updated(uri)
        if changes.listed:
            self._app.resources_changed()

    def _tell_of_draft(self, uri: str, principal: str) -> None:
        self._app.resource_updated(uri, principal=principal)
