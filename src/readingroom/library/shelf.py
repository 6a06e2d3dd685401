"""The edition that a role's requests are answered from: opened once a process, followed when another takes its place.

The only way from a view to what is indexed, and it leads to one role's folder. Never waits for the writer.
"""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from . import places
from .catalog import FILE, Catalog
from .errors import IndexUnusable

if TYPE_CHECKING:
    from .search.engine import Index


class OpenEdition:
    """One edition, open for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalog = Catalog(folder / FILE)
        self._index: Index | None = None
        self._opening = threading.Lock()

    def index(self) -> "Index":
        """The index, at its newest commit. Raises IndexUnusable."""
        with self._opening:
            if self._index is None:
                from .search.engine import Index

                self._index = Index.open(self.folder / "index")
            else:
                self._index.reload()
            return self._index


class Shelf:
    """The current edition of one role."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state: tuple[int, int] | None = None
        self._edition: OpenEdition | None = None
        self._changing = threading.Lock()

    def edition(self) -> OpenEdition | None:
        """The edition that is current now; None when there is none yet. Costs one look at a file when nothing changed.

        Raises IndexUnusable when the system refuses to let the folder be looked at.
        """
        try:
            state = places.pointer_state(self._folder)
            return self._edition if state == self._state else self._follow(state)
        except OSError as error:
            raise IndexUnusable(f"The index cannot be read: {error.strerror}.") from error

    def _follow(self, state: tuple[int, int] | None) -> OpenEdition | None:
        with self._changing:
            folder = places.current(self._folder)
            if self._edition is not None and folder != self._edition.folder:
                self._edition.catalog.close()
                self._edition = None
            if folder is not None and self._edition is None:
                self._edition = OpenEdition(folder)
            self._state = state
            return self._edition

    def condemn(self, edition: OpenEdition) -> bool:
        """Say that an edition cannot be read. False when it has merely been replaced meanwhile: ask again."""
        if places.current(self._folder) != edition.folder:
            return False
        places.condemn(edition.folder)
        return True

    def close(self) -> None:
        """Close what is open."""
        with self._changing:
            if self._edition is not None:
                self._edition.catalog.close()
            self._edition = None
            self._state = None
