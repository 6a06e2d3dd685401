"""Who wants to hear of changes in several collections: a follower for each, which tells under the joint addresses."""

import threading
from collections.abc import Callable, Sequence

from .address import PREFIX, is_address
from .following import Changes, Follower
from .joint_places import apart


class JointFollower(Follower):
    """A follower to whoever watches; its parts are what looks, each at one collection. May be asked before any is opened.

    An address that names no collection is watched in all of them, where documents may have it as from before.
    """

    def __init__(self, told: Callable[[Changes], None], names: Sequence[str]) -> None:
        super().__init__(told)
        self._spelt: dict[tuple[str, str], set[str]] = {}
        self._spelling = threading.Lock()
        self._parts = {name: Follower(self._teller(name)) for name in names}

    def part(self, name: str) -> Follower:
        """The follower of one collection."""
        return self._parts[name]

    def watch(self, uri: str) -> None:
        """Tell of this address, as it is spelt, from now on."""
        for name, within in self._within(uri):
            with self._spelling:
                spelt = self._spelt.setdefault((name, within), set())
                spelt.add(uri)
            self._parts[name].watch(within)

    def unwatch(self, uri: str) -> None:
        """Tell of it no more."""
        for name, within in self._within(uri):
            with self._spelling:
                spelt = self._spelt.get((name, within), set())
                spelt.discard(uri)
                if spelt:
                    continue
                self._spelt.pop((name, within), None)
            self._parts[name].unwatch(within)

    def _within(self, uri: str) -> list[tuple[str, str]]:
        if not is_address(uri) or uri[: len(PREFIX)].lower() != PREFIX:
            return []
        named = apart(uri, self._parts)
        return [named] if named is not None else [(name, uri) for name in self._parts]

    def _teller(self, name: str) -> Callable[[Changes], None]:
        def tell(changes: Changes) -> None:
            with self._spelling:
                updated = {uri for within in changes.updated for uri in self._spelt.get((name, within), ())}
            if changes.listed or updated:
                self._told(Changes(changes.listed, tuple(sorted(updated))))

        return tell
