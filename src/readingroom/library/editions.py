"""One role's edition as a scan writes it: the index and the catalogue, committed in that order.

The index carries the number of its last commit and the catalogue names the number it belongs to. When they differ, a
process died between the two commits, and the edition is given up for a fresh one: nothing has to be repaired.
"""

from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path

from . import catalog, places
from .cataloging import Cataloguer, Known
from .errors import IndexUnusable
from .model import Found, Parsed, Role
from .search import engine

INDEX = "index"
_WORN_LEAST = 2_000
# To build so many documents anew takes less than a second; more of them are built anew once in a while.
_SMALL = 1_000
_LARGE_WAITS_S = 600.0


class Edition:
    """Written between `open` and `close` by the process that holds the writer's lock.

    `beside` is true when another edition is served until this one is finished. Methods raise IndexUnusable.
    """

    def __init__(
        self, role: Role, folder: Path, index: engine.Index, cataloguer: Cataloguer, *, beside: bool
    ) -> None:
        self.role: Role = role
        self.folder = folder
        self.beside = beside
        self.waiting = 0
        self.is_touched = False
        self.has_dropped = False
        self._index = index
        self._is_whole = index.generation == cataloguer.facts.commit
        self._cataloguer = cataloguer
        self._writing = ExitStack()
        self._writer: engine.Writer | None = None
        self._worn = cataloguer.facts.worn

    @classmethod
    def open(cls, role: Role, role_folder: Path, paths: Collection[str] | None = None) -> "Edition":
        """The current edition when it is sound and not retired, else a fresh one that takes its place.

        Of the current one, with `paths`, only what is at and under them is known.
        """
        folder = places.current(role_folder)
        sound = _resume(role, folder, paths) if folder is not None else None
        if folder is not None and sound is not None:
            if not sound.is_due and not sound.is_worn:
                places.sweep(role_folder, keep=folder)
                return sound
            sound.close()
        places.sweep(role_folder, keep=folder)
        return cls._begin(role, role_folder, beside=sound is not None and sound.is_complete)

    @classmethod
    def _begin(cls, role: Role, role_folder: Path, *, beside: bool) -> "Edition":
        folder = places.new_edition(role_folder)
        index = engine.Index.create(folder / INDEX)
        return cls(
            role, folder, index, Cataloguer.create(folder / catalog.FILE, index.generation), beside=beside
        )

    @property
    def known(self) -> dict[str, Known]:
        """The documents in it, with the state of the file they were read from."""
        return self._cataloguer.known

    @property
    def holds(self) -> str:
        """A name for what is committed of it, and for where it lies: no other state of any edition has it."""
        facts = self._cataloguer.facts
        return f"{self.folder.name} {facts.commit} {facts.content} {facts.documents}"

    @property
    def is_complete(self) -> bool:
        """Whether a full scan has gone into it."""
        return self.reconciled is not None

    @property
    def reconciled(self) -> float | None:
        """When the last full scan that went into it began."""
        return self._cataloguer.facts.reconciled

    @property
    def is_worn(self) -> bool:
        """Whether so much was replaced since it was built that counting the old words would tell on the ranking."""
        return self._worn > max(_WORN_LEAST, self._cataloguer.documents)

    @property
    def is_due(self) -> bool:
        """Whether it is to be replaced now. One that was marked for that may go on for a while if it is large and whole;
        why it was marked makes no difference to how long."""
        if not places.is_retired(self.folder):
            return False
        is_large = self._is_whole and self._cataloguer.documents > _SMALL
        return not (is_large and places.is_just_retired(self.folder, _LARGE_WAITS_S))

    def put(self, found: Found, parsed: Parsed, *, bulk: bool) -> None:
        """Take a document in."""
        is_known = found.path in self.known
        self._worn += is_known
        entry = engine.Entry(
            found.path, parsed.title, parsed.language, parsed.tags, parsed.revision, parsed.passages
        )
        writer = self._open_writer(bulk=bulk)
        (writer.replace if is_known else writer.add)(entry)
        self._cataloguer.put(found, parsed)
        self.waiting += 1
        self.is_touched = True

    def keep(self, found: Found) -> None:
        """Note another state of a file with the same bytes."""
        self._cataloguer.keep(found)
        self.is_touched = True

    def drop(self, path: str) -> None:
        """Take a document out."""
        self._open_writer(bulk=False).remove(path)
        self._cataloguer.drop(path)
        self.has_dropped = True
        self._worn += 1
        self.waiting += 1
        self.is_touched = True

    def _open_writer(self, *, bulk: bool) -> engine.Writer:
        if self._writer is None:
            self._writer = self._writing.enter_context(self._index.writer(bulk=bulk))
        return self._writer

    def commit(self, reconciled: float | None = None) -> None:
        """Make what was taken in and out visible. `reconciled` is given at the end of a full scan: when it began."""
        facts = self._cataloguer.facts
        number = facts.commit
        if self.waiting and self._writer is not None:
            number = self._writer.commit()
        since = facts.reconciled if reconciled is None else reconciled
        self._cataloguer.commit(number=number, worn=self._worn, reconciled=since)
        self.waiting = 0
        self.is_touched = False
        if reconciled is not None or not self.beside:
            self._publish()

    def _publish(self) -> None:
        if places.current(self.folder.parent) != self.folder:
            places.publish(self.folder)
        self.beside = False

    def close(self) -> None:
        """Give up what is not committed, and let go of the files."""
        self._cataloguer.close()
        self._writer = None
        self._writing.close()


def _resume(role: Role, folder: Path, paths: Collection[str] | None) -> Edition | None:
    """The edition as it stands, or None when it cannot be read."""
    if places.is_condemned(folder):
        return None
    try:
        index = engine.Index.open(folder / INDEX)
        cataloguer = Cataloguer.open(folder / catalog.FILE, paths)
    except IndexUnusable:
        return None
    if index.generation != cataloguer.facts.commit:
        places.retire(folder)
    return Edition(role, folder, index, cataloguer, beside=False)
