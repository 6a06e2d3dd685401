"""The entries of a folder under the names they have in the library: text in NFC, told apart by case.

Knows the file system's tricks with names (two spellings of one name, systems that do not tell case apart) and nothing
of rules.
"""

import os
import stat
import unicodedata

import msgspec

# The characters that NFC makes of others. A name of ASCII without them can be spelt in no other way.
_COMPOSED_ASCII = frozenset(";`K")


class LookedUp:
    """An entry looked up by its name: what a walk asks of an os.DirEntry, answered from its status.

    A system that does not tell case apart may hold it under another spelling.
    """

    __slots__ = ("_status", "name", "path")

    def __init__(self, name: str, path: str, status: os.stat_result) -> None:
        self.name = name
        self.path = path
        self._status = status

    def is_symlink(self) -> bool:
        """Whether the entry itself is a symbolic link."""
        return stat.S_ISLNK(self._status.st_mode)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether the entry itself is a folder; links are not followed, whatever is asked."""
        return stat.S_ISDIR(self._status.st_mode)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """The status of the entry itself; links are not followed, whatever is asked."""
        return self._status


class Listed(msgspec.Struct, frozen=True):
    """An entry and its key: its name in NFC, with a slash at the end for a folder.

    `twin` says that an entry before it, by the bytes of the name, has the same key.
    """

    key: str
    entry: os.DirEntry[str] | LookedUp
    twin: bool = False


def listing(folder: str) -> list[Listed]:
    """The entries of a folder in order of their keys, which is the order of the paths they stand for.

    Raises OSError if the folder cannot be listed.
    """
    with os.scandir(folder) as scanned:
        found = [Listed(_key(entry), entry) for entry in scanned]
    found.sort(key=_order)
    previous = ""
    for number, listed in enumerate(found):
        if listed.key == previous:
            found[number] = Listed(listed.key, listed.entry, twin=True)
        previous = listed.key
    return found


def find(folder: str, name: str, *, folders: bool) -> Listed | None:
    """The entry of `folder` that is named `name` in NFC; a folder or a link if `folders`, else rather anything else.

    Of several the first by bytes, as in a listing. Raises OSError if the folder cannot be searched.
    """
    if os.name != "nt" and name.isascii() and _COMPOSED_ASCII.isdisjoint(name):
        path = os.path.join(folder, name)  # noqa: PTH118  -- text, as os.scandir gives it
        entry = LookedUp(name, path, os.lstat(path))
        if not _cased_otherwise(folder, entry):
            return _chosen([Listed(_key(entry), entry)], name, folders=folders)
    return _chosen(listing(folder), name, folders=folders)


def _cased_otherwise(folder: str, entry: LookedUp) -> bool:
    """Whether the entry may stand under a spelling of other case: it also answers to one."""
    other = entry.name.swapcase()
    if other == entry.name:
        return False
    try:
        status = os.lstat(os.path.join(folder, other))  # noqa: PTH118  -- as above
    except OSError:
        return False
    return os.path.samestat(status, entry.stat())


def _chosen(entries: list[Listed], name: str, *, folders: bool) -> Listed | None:
    same = [listed for listed in entries if listed.key.removesuffix("/") == name and not listed.twin]
    fitting = [listed for listed in same if listed.key.endswith("/") or listed.entry.is_symlink()]
    if folders:
        return fitting[0] if fitting else None
    others = [listed for listed in same if not listed.key.endswith("/")]
    return next(iter(others or same), None)


def _key(entry: os.DirEntry[str] | LookedUp) -> str:
    name = entry.name if entry.name.isascii() else unicodedata.normalize("NFC", entry.name)
    try:
        return name + "/" if entry.is_dir(follow_symlinks=False) else name
    except (
        OSError
    ):  # its kind is not told with the listing, and cannot be asked for: what follows will say so
        return name


def _order(listed: Listed) -> tuple[str, bytes]:
    return listed.key, os.fsencode(listed.entry.name)
