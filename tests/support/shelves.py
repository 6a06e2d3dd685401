"""A folder of documents and the library over it, for tests that go from files to answers."""

import os
from pathlib import Path

from readingroom.library import Library, Principal, Role, Rules, ScanProgress, View

OLD = 1_600_000_000  # seconds: long settled


class Shelves:
    """A folder `docs`, a cache beside it, and ways to change the one and look through the other."""

    def __init__(self, place: Path) -> None:
        self.docs = place / "docs"
        self.cache = place / "cache"
        self.docs.mkdir()

    def write(self, path: str, text: str | bytes = "", *, at: float | None = OLD) -> Path:
        """A file with these contents; `at` is when it was changed, None for now."""
        file = self.docs / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        if at is not None:
            os.utime(file, (at, at))
        return file

    def document(self, path: str, text: str, **front: str) -> Path:
        """A Markdown file with front matter."""
        head = "".join(f"{key}: {value}\n" for key, value in front.items())
        return self.write(path, f"---\n{head}---\n{text}" if front else text)

    def library(self, *roles: Role, rules: Rules | None = None) -> Library:
        """The library over the folder, not yet scanned."""
        return Library.open(self.docs, cache=self.cache, rules=rules, roles=roles or ("reader",))

    def scanned(self, *roles: Role) -> Library:
        """The library over the folder, scanned."""
        library = self.library(*roles)
        library.reconcile()
        return library


def view(library: Library, role: Role = "reader") -> View:
    """The view of a principal with this role."""
    return library.view(Principal("somebody", role))


def paths(library: Library, role: Role = "reader") -> list[str]:
    """What the role can list."""
    return [item.path for item in view(library, role).list(limit=1000).items]


def found(library: Library, query: str, role: Role = "reader") -> list[str]:
    """The paths of a search's hits."""
    return [hit.path for hit in view(library, role).search(query, limit=50).items]


def edition(library: Library, role: Role = "reader") -> Path:
    """The folder of the role's current edition."""
    current = library._shelf(role).edition()
    assert current is not None
    return current.folder


def bytes_under(folder: Path) -> bytes:
    """Everything that is kept in a folder."""
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def told(library: Library) -> list[ScanProgress]:
    """Scan, and what the operator was told."""
    heard: list[ScanProgress] = []
    library.reconcile(heard.append)
    return heard
