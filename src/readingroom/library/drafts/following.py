"""Who wants to hear of drafts: what is said of them now is compared with what was said, whichever process wrote.

Looks only while somebody listens, and at the drafts only when the ledger or the documents have changed.
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from ..address import PREFIX as ROOT
from ..address import Path, is_address, parse
from ..errors import BadQuery, LibraryError
from .model import PREFIX
from .showing import is_undone

if TYPE_CHECKING:
    from ..ledger import Draft, Ledger
    from .model import DraftState

LOOK_EVERY_S = 0.2
"""How often other processes' commits are looked for, at some 200 µs a look."""

_COMMIT_S = 1.0  # between the time that a change bears and the moment when it can be seen

Told: TypeAlias = Callable[[str, str], None]
"""Called with an address, as it was asked for, and the principal whose draft it is."""


class Seen(msgspec.Struct, frozen=True):
    """A draft at a look: its state, whether its publication was undone, and whether something stood at its new path."""

    draft: "Draft"
    state: "DraftState"
    is_undone: bool
    is_occupied: bool

    @property
    def told(self) -> "tuple[Draft, DraftState, bool]":
        """What is told when it changes."""
        return self.draft, self.state, self.is_undone


class DraftStates:
    """What a follower looks at: the drafts of everybody, without their bytes, and the documents as far as they make a draft
    outdated. `state_of` works out a draft's state, `generation` names the documents as the index knows them, and `stands`
    says whether anything stands at a path, at the cost of a few µs: what is no document can be in a draft's way, too.

    While the documents cannot be looked at, no draft becomes outdated, and none ceases to be. Nor does one become so while
    it is being published: its document is changed before that is decided, and the decision is what is told.
    """

    def __init__(
        self,
        ledger: "Ledger",
        state_of: "Callable[[Draft], DraftState]",
        generation: Callable[[], str],
        stands: Callable[[str], bool],
    ) -> None:
        self._ledger = ledger
        self._state_of = state_of
        self._generation = generation
        self._stands = stands

    def mark(self) -> tuple[int, str]:
        """Another value after any commit to the ledger and any change of documents. Raises LibraryError."""
        changes = self._ledger.changes()
        try:
            return changes, self._generation()
        except LibraryError:
            return changes, ""

    def is_occupied(self, draft: "Draft") -> bool:
        """Whether something stands at the path that an open draft would make."""
        is_new = draft.state == "open" and draft.kind in ("create", "rename")
        return is_new and self._stands(draft.to or draft.path)

    def read(self, known: "Mapping[str, DraftState | None]") -> dict[str, Seen]:
        """Those of the drafts that are there, as they are now; `known` are their states before. Raises LibraryError."""
        with self._ledger.reading() as reading:
            found = [reading.draft(name, contents=False) for name in known]
            drafts = [(draft, is_undone(draft, reading)) for draft in found if draft is not None]
        # Whether something stands there is looked at ahead of the state: what comes in between is met by the next look.
        seen = [(draft, undone, self.is_occupied(draft)) for draft, undone in drafts]
        states = {draft.id: self._state(draft, known[draft.id]) for draft, _, _ in seen}
        newly = [draft for draft, _, _ in seen if states[draft.id] == "outdated" != known[draft.id]]
        for name in self._being_published(newly) if newly else ():
            states[name] = known[name] or "open"
        return {draft.id: Seen(draft, states[draft.id], undone, occupied) for draft, undone, occupied in seen}

    def _being_published(self, drafts: "list[Draft]") -> list[str]:
        """Those that are being published, or were changed since they were read: a commit that the next look sees.

        Asked for after the documents were looked at, for a publication is noted before it changes one.
        """
        with self._ledger.reading() as reading:
            under_way = {publication.draft for publication in reading.publications()}
            return [
                draft.id
                for draft in drafts
                if draft.id in under_way or reading.draft(draft.id, contents=False) != draft
            ]

    def _state(self, draft: "Draft", known: "DraftState | None") -> "DraftState":
        try:
            return self._state_of(draft)
        except LibraryError:
            return "outdated" if known == "outdated" and draft.state == "open" else draft.state


class _Mark(msgspec.Struct):
    """What is known of a watched address: its draft, what it was at the last look, or when it was asked for."""

    id: str
    asked: float
    known: Seen | None = None
    is_new: bool = True


class DraftFollower:
    """Calls `told` for each change of a watched draft, from a thread of its own that lives while something is watched.

    `states` is called in that thread, and may raise LibraryError: it is then called again. Everything else may be called
    from any thread, and returns at once. An address that leads to no draft is watched like any other.
    """

    def __init__(self, states: Callable[[], DraftStates], told: Told) -> None:
        self._states = states
        self._told = told
        self._watched: dict[str, _Mark] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._is_stopping = False
        self._thread: threading.Thread | None = None
        self._seen: tuple[int, str] | None = None
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
                self._look(self._states())
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

    def _look(self, states: DraftStates) -> None:
        """Tell what has changed since the last look. Raises: LibraryError."""
        with self._lock:
            is_asked, self._is_asked = self._is_asked, False
            watched = list(self._watched.items())
        seen = states.mark()
        known = [mark.known for _, mark in watched if mark.known is not None]
        is_moved = any(states.is_occupied(one.draft) != one.is_occupied for one in known)
        if seen == self._seen and not is_asked and not is_moved:
            return
        found = states.read({mark.id: mark.known.state if mark.known else None for _, mark in watched})
        self._seen = seen
        for uri, mark in watched:
            now = found.get(mark.id)
            if now is not None and _has_changed(mark, now):
                self._told(uri, now.draft.principal)
            mark.known, mark.is_new = now, False


def _has_changed(mark: _Mark, now: Seen) -> bool:
    if not mark.is_new:
        return mark.known is None or now.told != mark.known.told
    # What has just been asked for may have changed before this first look at it, and by a commit that was long under way.
    draft = now.draft
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
