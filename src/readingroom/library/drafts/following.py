"""Who wants to hear of drafts: what the ledger says of them now is compared with what it said, whichever process wrote.

Looks at the ledger only while somebody listens, and at the drafts only when something was committed.
"""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from ..address import PREFIX as ROOT
from ..address import Path, is_address, parse
from ..errors import BadQuery, LibraryError
from .model import PREFIX

if TYPE_CHECKING:
    from ..ledger import Draft, Ledger

LOOK_EVERY_S = 0.2
"""How often other processes' commits are looked for, at some 20 µs a look."""

_COMMIT_S = 1.0  # between the time that a change bears and the moment when it can be seen

Told: TypeAlias = Callable[[str, str], None]
"""Called with an address, as it was asked for, and the principal whose draft it is."""


class _Mark(msgspec.Struct):
    """What is known of a watched address: its draft, what it was at the last look, or when it was asked for."""

    id: str
    asked: float
    known: "Draft | None" = None
    is_new: bool = True


class DraftFollower:
    """Calls `told` for each change of a watched draft, from a thread of its own that lives while something is watched.

    `ledger` is called in that thread, and may raise LibraryError: it is then called again. Everything else may be called
    from any thread, and returns at once. An address that leads to no draft is watched like any other.
    """

    def __init__(self, ledger: "Callable[[], Ledger]", told: Told) -> None:
        self._ledger = ledger
        self._told = told
        self._watched: dict[str, _Mark] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._is_stopping = False
        self._thread: threading.Thread | None = None
        self._seen: int | None = None
        self._is_asked = False

    @staticmethod
    def follows(uri: str) -> bool:
        """Whether this is the address of a draft, there or not."""
        return _id_of(uri) is not None

    def watch(self, uri: str) -> None:
        """Tell of this draft from now on."""
        name = _id_of(uri)
        if name is None:
            return
        with self._lock:
            self._watched[uri] = _Mark(name, time.time())
            self._is_asked = True
            if self._thread is None and not self._is_stopping:
                self._thread = threading.Thread(target=self._run, name="readingroom-drafts", daemon=True)
                self._thread.start()
        self._wake.set()

    def unwatch(self, uri: str) -> None:
        """Tell of it no more."""
        with self._lock:
            self._watched.pop(uri, None)
        self._wake.set()

    def stop(self, timeout: float = 1.0) -> None:
        """End. Waits up to `timeout` seconds."""
        self._is_stopping = True
        self._wake.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _run(self) -> None:
        while self._goes_on():
            self._wake.clear()
            try:
                self._look(self._ledger())
            except LibraryError:
                self._is_asked = True  # looked at again; whoever reads or writes drafts tells what is wrong
            except Exception as error:  # noqa: BLE001  -- nobody else would hear of it, and the next change may be told
                _log(f"A change of a draft could not be told ({type(error).__name__}).")
            self._wake.wait(LOOK_EVERY_S)

    def _goes_on(self) -> bool:
        """Whether there is something to look for; where not, the thread ends, and the next watch begins another."""
        with self._lock:
            if self._watched and not self._is_stopping:
                return True
            self._thread = None
            return False

    def _look(self, ledger: "Ledger") -> None:
        """Tell what has changed since the last look. Raises: LibraryError."""
        with self._lock:
            is_asked, self._is_asked = self._is_asked, False
            watched = list(self._watched.items())
        changes = ledger.changes()
        if changes == self._seen and not is_asked:
            return
        with ledger.reading() as reading:
            found = [(uri, mark, reading.draft(mark.id, contents=False)) for uri, mark in watched]
        self._seen = changes
        for uri, mark, draft in found:
            if draft is not None and _has_changed(mark, draft):
                self._told(uri, draft.principal)
            mark.known, mark.is_new = draft, False


def _has_changed(mark: _Mark, draft: "Draft") -> bool:
    if not mark.is_new:
        return draft != mark.known
    # What has just been asked for may have changed before this first look at it, and by a commit that was long under way.
    return max(draft.changed, draft.decided or 0.0) >= mark.asked - _COMMIT_S


def _id_of(uri: str) -> str | None:
    """The id in the address of a draft; None for what is no such address."""
    try:
        found = parse(uri) if is_address(uri) else None
    except BadQuery:
        return None
    if not isinstance(found, Path):
        return None
    folder, _, name = found.path.partition("/")
    return name if f"{ROOT}{folder}/" == PREFIX and name else None


def _log(sentence: str) -> None:
    import logging

    logging.getLogger(__name__).warning(sentence)
