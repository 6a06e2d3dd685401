"""Who wants to hear of changes: what a role's catalogue says now is compared with what it said before, in every process.

Only one process writes an index; this looks at its commits from outside, and never waits for it. It sees nothing but what
one role may see: where only other documents have changed, the catalogue is the same.
"""

import threading
import time
from collections.abc import Callable

import msgspec

from .address import is_address
from .catalog import Facts
from .errors import BadQuery, IndexUnusable
from .reading import key_of
from .shelf import OpenEdition, Shelf

LOOK_EVERY_S = 0.2
"""How often other processes' commits are looked for, at 50 µs a look; one's own are known at once."""

_CLOCK_NS = 10_000_000  # the file system's clock runs so far behind


class Changes(msgspec.Struct, frozen=True):
    """What has changed for one role: whether its list of documents has (which there are, their titles or formats), and
    of the addresses that are watched those whose document has come, gone, or has other bytes now."""

    listed: bool
    updated: tuple[str, ...]


class _Mark(msgspec.Struct):
    """What is known of a watched address: the revision at its key, "" for none, or when it was asked for, in ns."""

    key: str
    known: str | int


class Follower:
    """Calls `told` for each change of one role's documents, from a thread of its own, once it has been given a shelf.

    `watch` and `unwatch` may be called before, from any thread, and return at once.
    """

    def __init__(self, told: Callable[[Changes], None]) -> None:
        self._told = told
        self._watched: dict[str, _Mark] = {}
        self._lock = threading.Lock()
        self._facts: Facts | None = None
        self._asked = self._looked = 0  # how many addresses were ever asked for, and at the last look
        self._wake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def watch(self, uri: str) -> None:
        """Tell of this address, as it is spelt, from now on."""
        mark = _Mark(_key(uri), time.time_ns())
        with self._lock:
            self._watched[uri] = mark
            self._asked += 1
        self._wake.set()

    def unwatch(self, uri: str) -> None:
        """Tell of it no more."""
        with self._lock:
            self._watched.pop(uri, None)

    def start(self, shelf: Shelf) -> None:
        """Begin to look at this shelf. Called once."""
        run = threading.Thread(target=self._run, args=(shelf,), name="readingroom-follow", daemon=True)
        self._thread = run
        run.start()

    def wake(self) -> None:
        """Look now: something was committed."""
        self._wake.set()

    def stop(self, timeout: float = 1.0) -> None:
        """End. Waits up to `timeout` seconds."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _run(self, shelf: Shelf) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                edition = shelf.edition()
                changes = self.look(edition) if edition is not None else None
                if changes is not None and not self._stopping:
                    self._told(changes)
            except IndexUnusable:
                pass  # whoever answers or scans deals with it
            except Exception as error:  # noqa: BLE001  -- nobody else would hear of it, and the next change may be told
                _log(f"A change of the library could not be told ({type(error).__name__}).")
            self._wake.wait(LOOK_EVERY_S)

    def look(self, edition: OpenEdition) -> Changes | None:
        """What has changed since the last look; None when nothing has, or there is nothing yet to compare with.

        While an edition is being begun it is no library yet. Raises IndexUnusable.
        """
        facts, before = edition.catalog.facts(), self._facts
        if facts.reconciled is None:
            return None
        asked = self._asked
        updated: tuple[str, ...] = ()
        if before is None or facts.content != before.content or asked != self._looked:
            updated = self._updated(edition)
        self._facts, self._looked = facts, asked
        listed = before is not None and facts.listing != before.listing
        return Changes(listed, updated) if listed or updated else None

    def _updated(self, edition: OpenEdition) -> tuple[str, ...]:
        with self._lock:
            watched = list(self._watched.items())
        revisions = edition.catalog.revisions({mark.key for _, mark in watched})
        updated = []
        for uri, mark in watched:
            revision, changed = revisions.get(mark.key, ("", 0))
            # One that has just been asked for may have changed before this first look at it.
            if revision != mark.known if isinstance(mark.known, str) else changed > mark.known - _CLOCK_NS:
                updated.append(uri)
            mark.known = revision
        return tuple(updated)


def _key(uri: str) -> str:
    """The lookup key of an address; one that no document has for what is no address of this library."""
    try:
        return (key_of(uri) if is_address(uri) else None) or ""
    except BadQuery:
        return ""


def _log(sentence: str) -> None:
    import logging

    logging.getLogger(__name__).warning(sentence)
