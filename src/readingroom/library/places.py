"""Where the rebuildable part of a library lives: one private folder outside the documents, never inside them.

A home is named by the root and by everything that decides content, visibility and the index's form, so nobody opens an
index that was made under other rules. In a home each role has a folder of its own with editions, of which a pointer
file names the current one. Knows nothing of what an edition holds.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from .errors import FolderUnusable, IndexBusy
from .lock import WriterLock
from .model import Role

_POINTER = "current"
_RETIRED = "retired"
_DAMAGED = "damaged"
_UNUSED_S = 30 * 24 * 3600
_EDITION = "edition-"


class Home(msgspec.Struct, frozen=True):
    """The folder of one library under one set of rules."""

    folder: Path

    @property
    def lock(self) -> Path:
        """The file that the one writing process holds locked."""
        return self.folder / "writer.lock"

    @property
    def census(self) -> Path:
        """What the last scan found, internal files included; views never open it."""
        return self.folder / "scan.db"

    def role(self, role: Role) -> Path:
        """The folder that holds what this role may see, and nothing else."""
        return self.folder / role


def default_cache() -> Path:
    """The platform's cache folder for Reading Room."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("readingroom", appauthor=False))


def root_name(root: Path) -> str:
    """The first part of a home's name, equal for all homes of one root."""
    return _digest(os.fsencode(root))


def home_of(cache: Path, root: Path, terms: Any) -> Home:
    """The home of `root` under `terms`: any JSON-encodable value; other terms are another home."""
    return Home(cache / f"{root_name(root)}-{_digest(msgspec.json.encode(terms))}")


def homes_of(cache: Path, root: Path) -> list[Home]:
    """Every home of `root`, whatever the rules it was made under."""
    prefix = root_name(root) + "-"
    try:
        return [Home(entry) for entry in sorted(cache.iterdir()) if entry.name.startswith(prefix)]
    except FileNotFoundError:
        return []


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:20]


def check_outside(root: Path, cache: Path) -> None:
    """Raise FolderUnusable when the cache would lie among the documents (hidden folders are never documents)."""
    try:
        inside = cache.resolve().relative_to(root)
    except ValueError:
        return
    if not any(part.startswith(".") for part in inside.parts):
        raise FolderUnusable(
            f"The cache {cache} lies inside the folder that is served; choose a place outside it."
        )


def prepare(folder: Path) -> None:
    """Make `folder` with access for its owner alone. Raises FolderUnusable when it cannot be, or is another user's."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _claim(folder)
    except OSError as error:
        raise FolderUnusable(f"The index cannot be kept in {folder}: {error.strerror or error}.") from error


def _claim(folder: Path) -> None:
    if os.name == "nt":
        return  # a user's profile is private by its access list
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise FolderUnusable(
            f"The index cannot be kept in {folder}: it belongs to another user or is no folder."
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)


def current(role_folder: Path) -> Path | None:
    """The edition that is served now, or None."""
    try:
        name = (role_folder / _POINTER).read_text("ascii")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    return role_folder / name if name.startswith(_EDITION) and name[len(_EDITION) :].isalnum() else None


def pointer_state(role_folder: Path) -> tuple[int, int] | None:
    """A cheap value that changes whenever another edition becomes the current one."""
    try:
        found = (role_folder / _POINTER).stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns


def new_edition(role_folder: Path) -> Path:
    """An empty folder for an edition; nobody sees it before `publish`."""
    prepare(role_folder)
    edition = role_folder / (_EDITION + os.urandom(8).hex())
    edition.mkdir(mode=0o700)
    return edition


def publish(edition: Path) -> None:
    """Make `edition` the current one, in one step."""
    pointer = edition.parent / _POINTER
    fresh = edition.parent / f"{_POINTER}.{os.urandom(4).hex()}.new"
    with fresh.open("wb") as file:
        file.write(edition.name.encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
    _replace(fresh, pointer)


def _replace(source: Path, target: Path, tries: int = 100) -> None:
    """Windows refuses while a reader has the target open, which lasts microseconds: try again."""
    for left in range(tries - 1, -1, -1):
        try:
            source.replace(target)
        except PermissionError:
            if not left:
                raise
            _pause()
        else:
            return


def _pause() -> None:
    import time

    time.sleep(0.01)


def retire(edition: Path) -> None:
    """Mark a sound edition as one that the next scan has to replace; it is served until then."""
    _mark(edition / _RETIRED)


def is_retired(edition: Path) -> bool:
    """Whether the edition is to be replaced."""
    return (edition / _RETIRED).exists()


def is_just_retired(edition: Path, seconds: float) -> bool:
    """Whether the edition was first marked as one to replace less than so many seconds ago."""
    import time

    try:
        age = time.time() - (edition / _RETIRED).stat().st_mtime
    except FileNotFoundError:
        return False
    return 0 <= age < seconds


def condemn(edition: Path) -> None:
    """Mark an edition, from any process, as one that cannot be used."""
    _mark(edition / _DAMAGED)


def is_condemned(edition: Path) -> bool:
    """Whether the edition cannot be used."""
    return (edition / _DAMAGED).exists()


def _mark(file: Path) -> None:
    try:
        with suppress(FileExistsError):  # the first mark keeps its time
            file.touch(mode=0o600, exist_ok=False)
    except FileNotFoundError:
        return  # the edition has been replaced and removed already


def sweep(role_folder: Path, keep: Path | None) -> None:
    """Remove editions other than `keep` and what interrupted publishing left; what is still in use stays for later."""
    try:
        entries = list(role_folder.iterdir())
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.name.startswith(_EDITION) and entry != keep:
            _remove_tree(entry)
        elif entry.name.endswith(".new"):
            entry.unlink(missing_ok=True)


def _remove_tree(folder: Path) -> None:
    """What is in use, on Windows, stays."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def tidy(home: Home, root: Path) -> None:
    """Remove homes of the same root that nobody has scanned into for a month: rules that are not used any more."""
    import time

    for other in homes_of(home.folder.parent, root):
        try:
            if other != home and time.time() - other.census.stat().st_mtime > _UNUSED_S:
                with WriterLock(other.lock) as lock:
                    discard(other, lock)
        except (OSError, IndexBusy):
            continue  # somebody is at it


def discard(home: Home, lock: WriterLock) -> bool:
    """Remove a home while holding its lock; false when something in it is in use and stays."""
    if not remove(home):
        return False
    lock.remove()
    home.folder.rmdir()
    return True


def remove(home: Home) -> bool:
    """Remove a home, the lock last; false when something in it is in use and stays."""
    for entry in home.folder.iterdir():
        if entry == home.lock:
            continue
        if entry.is_dir():
            _remove_tree(entry)
        else:
            _unlink(entry)
    return all(entry == home.lock for entry in home.folder.iterdir())


def _unlink(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except PermissionError:
        return  # open in another process, on Windows


def size_of(folder: Path) -> int:
    """The bytes of the files under `folder`; what vanishes meanwhile counts nothing."""
    total = 0
    for base, _folders, files in os.walk(folder):
        for name in files:
            try:
                total += Path(base, name).lstat().st_size
            except FileNotFoundError:
                continue
    return total
