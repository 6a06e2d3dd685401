"""Scans of a folder, looked at from outside."""

from readingroom.library import Library, catalog
from readingroom.library.cataloging import Cataloguer, Known
from readingroom.library.hooks import Hooks

from .shelves import edition


def scan(library: Library) -> int:
    """Scan once; how often the scan asked for another one."""
    asked: list[str] = []
    library._scan(Hooks(pause=lambda: None, tell=lambda _: None, again=lambda path: not asked.append(path)))
    return len(asked)


def indexed(library: Library) -> dict[str, Known]:
    """What the reader's catalogue holds, whatever the files say."""
    cataloguer = Cataloguer.open(edition(library) / catalog.FILE)
    try:
        return dict(cataloguer.known)
    finally:
        cataloguer.close()
