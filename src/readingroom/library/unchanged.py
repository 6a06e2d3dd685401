"""Whether a folder is what the last full scan left, told by one digest: then nothing is loaded and nothing compared.

The digest is of all that a scan's outcome hangs on: every file in the state it was found in, everything left out, what the
folder itself hides, and what each edition holds. It is noted by a full scan that took in all it found, and taken away
with the first file that is noted otherwise. Knows nothing of what a document says.
"""

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from . import narrowing, places, walk
from .census import Census
from .editions import Edition
from .hooks import Hooks, ScanProgress
from .model import Found, LeftOut, Role
from .rules import Rules

TELL_EVERY = 16
"""After so many files a scan asks whether it may go on."""


class Digest:
    """Of what was walked, item by item in their order, and then of the editions that hold it."""

    def __init__(self, narrowed: narrowing.Narrowing) -> None:
        self._hash = blake2b(repr(narrowed).encode("utf-8", "surrogatepass"), digest_size=16)

    def add(self, item: Found | LeftOut) -> None:
        """The next item."""
        if isinstance(item, LeftOut):
            told = f"\n{item.path}\0{item.reason}"
        else:
            state = item.state
            told = f"\n{item.path}\0{item.name!r} {state.size} {state.modified_ns} {state.changed_ns} {state.inode}"
        self._hash.update(told.encode("utf-8", "surrogatepass"))

    def over(self, editions: Sequence[Edition]) -> str:
        """All of it, with these editions as they are committed."""
        whole = self._hash.copy()
        for edition in sorted(editions, key=lambda edition: edition.role):
            whole.update(f"\n{edition.role} {edition.holds}".encode())
        return whole.hexdigest()


def is_unchanged(home: places.Home, root: Path, rules: Rules, roles: Sequence[Role], hooks: Hooks) -> bool:
    """Whether a full scan would do nothing; then its time is noted, as if it had been made.

    Raises FolderUnusable when the root cannot be walked, IndexUnusable, and what `hooks.pause` raises.
    """
    editions: list[Edition] = []
    census = Census(home.census)
    try:
        noted = census.noted()
        if not noted or not all(_is_current(home.role(role)) for role in roles):
            return False
        since = hooks.clock()
        for role in roles:
            editions.append(Edition.open(role, home.role(role), ()))  # noqa: PERF401  -- each is closed if a later one fails
        if not all(edition.is_complete for edition in editions):
            return False
        try:
            digest, left_out = _walked(root, rules, hooks)
        except walk.NotReadable:
            return False  # the comparison says what is wrong with it
        if digest.over(editions) != noted:
            return False
        hooks.tell(ScanProgress("finishing", 0, 0))
        for edition in editions:
            edition.commit(reconciled=since)
        census.finish(left_out, since, hooks.clock())
    finally:
        for edition in editions:
            edition.close()
        census.close()
    return True


def _is_current(role_folder: Path) -> bool:
    """Whether there is an edition that is neither damaged nor to be replaced."""
    folder = places.current(role_folder)
    return folder is not None and not places.is_retired(folder) and not places.is_condemned(folder)


def _walked(root: Path, rules: Rules, hooks: Hooks) -> tuple[Digest, list[LeftOut]]:
    """Raises NotReadable when what the folder itself hides is not known."""
    digest = Digest(narrowing.narrowing_of(os.fspath(root)))
    left_out: list[LeftOut] = []
    for number, item in enumerate(walk.walk(root, rules), 1):
        if number % TELL_EVERY == 0:
            hooks.pause()
            hooks.tell(ScanProgress("looking", number, None))
        digest.add(item)
        if isinstance(item, LeftOut):
            left_out.append(item)
    return digest, left_out
