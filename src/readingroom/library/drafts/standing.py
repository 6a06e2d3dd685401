"""What stands in the folder now, as far as a draft may be about it: looked at anew each time, no link followed.

Whatever is not served is refused in the same words, whether something stands there or not, and whichever rule it is: an
app learns no more than that. Nothing is written, and no index is asked.
"""

import os
import posixpath
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Literal

from .. import entries, ignore, opening, walk
from ..decode import NotText, decode
from ..digest import digest_of
from ..errors import DraftRefused, NotFound
from ..model import FileState, Found, LeftOut
from ..rules import Rules, format_of
from .paths import check_new, folded

_REMEMBERED = 1_000
_NOT_SERVED = (
    "No document is served at that path: it is hidden, of no served format, left out by the rules of this library, or taken "
    "by something that is not served."
)


class Standing:
    """Looks at one folder under its rules. Every method takes a path in NFC, and raises FolderUnusable for the root."""

    def __init__(self, root: Path, rules: Rules) -> None:
        self._root = root
        self._rules = rules
        self._known: OrderedDict[str, tuple[FileState, str | None]] = OrderedDict()
        self._lock = threading.Lock()

    def document(self, path: str) -> bytes:
        """The bytes of the document at `path`. Raises DraftRefused: not_found, or path_not_served."""
        found = walk.look(self._root, path, self._rules)
        if found is None:
            if self.is_left_out(path):
                raise _not_served()
            raise DraftRefused("not_found", "There is no document at that path.")
        data = self._read(found)
        if data is None or not _is_text(data):
            raise _not_served()
        return data

    def check_vacant(self, path: str, leaving: str = "") -> None:
        """See that a new document can be made at `path`; `leaving` is that of the one which moves there, if one does.

        Raises DraftRefused: bad_path, path_not_served, and exists for a document that is there, or whose name differs
        in case alone, or a folder whose name does. What is left out is in nobody's way by its case.
        """
        check_new(path)
        if self.is_left_out(path):
            raise _not_served()
        found = walk.look(self._root, path, self._rules)
        if isinstance(found, Found) and self._is_served(found):
            raise DraftRefused("exists", "There is a document at that path.")
        if found is not None or self._is_folder(path):
            raise _not_served()
        self._check_case(path, leaving)

    def revision(self, path: str) -> str | None:
        """The revision of the file that is served at `path`, or None when none is; read once while it stands."""
        found = walk.look(self._root, path, self._rules)
        if not isinstance(found, Found):
            return None
        known = self._known.get(path)
        if known is not None and known[0] == found.state:
            return known[1]
        data = self._read(found)
        if data is None:
            return None
        revision = digest_of(data) if _is_text(data) else None
        with self._lock:
            self._known[path] = found.state, revision
            self._known.move_to_end(path)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return revision

    def absence(self, path: str) -> Literal["gone", "not_served"]:
        """Why no document is served at `path`: nothing stands there, or nothing that is served."""
        return "not_served" if self.is_left_out(path) or self.is_taken(path) else "gone"

    def is_taken(self, path: str) -> bool:
        """Whether something stands at `path`, served or not."""
        return walk.look(self._root, path, self._rules) is not None or self._is_folder(path)

    def is_left_out(self, path: str) -> bool:
        """Whether the rules leave `path` out, by what ignore files say now and whether or not something stands there.

        So is what lies below a link, a document or anything else that is no folder.
        """
        if format_of(posixpath.basename(path)) is None or any(
            part.startswith(".") for part in path.split("/")
        ):
            return True
        try:
            return self._is_left_out_on_the_way(path)
        except (OSError, opening.NotReadable):
            return True

    def _is_left_out_on_the_way(self, path: str) -> bool:
        top = os.fspath(self._root)
        cascade, base, name = ignore.start(self._rules), "", b""
        folder: str | None = top
        *parts, last = path.split("/")
        for part in parts:
            if folder is not None:
                cascade = cascade.within(top, name, base, ignore.present(folder))
            base += part + "/"
            if cascade.verdict(base) is not None or isinstance(self._look_above(base), LeftOut | Found):
                return True
            entry = _find(folder, part) if folder is not None else None
            folder = entry.path if entry is not None else None
            name += os.fsencode(entry.name) + b"/" if entry is not None else b""
        if folder is not None:
            cascade = cascade.within(top, name, base, ignore.present(folder))
        return cascade.verdict(base + last) is not None

    def _look_above(self, folder: str) -> Found | LeftOut | None:
        return walk.look(self._root, folder.removesuffix("/"), self._rules)

    def _is_folder(self, path: str) -> bool:
        folder = os.fspath(self._root)
        for part in path.split("/"):
            entry = _find(folder, part)
            if entry is None:
                return False
            folder = entry.path
        return True

    def _is_served(self, found: Found) -> bool:
        data = self._read(found)
        return data is not None and _is_text(data)

    def _read(self, found: Found | LeftOut) -> bytes | None:
        if isinstance(found, LeftOut):
            return None
        try:
            return walk.read(self._root, found, self._rules.max_file_bytes)
        except NotFound:
            return None

    def left_out_alike(self, path: str) -> str:
        """The entry on the way to `path` that is left out and whose name differs in case alone, or "": for the person
        who publishes, and not for an app to know."""
        folder, base = os.fspath(self._root), ""
        for part in path.split("/"):
            try:
                other = _alike(folder, part)
            except DraftRefused:
                return ""
            if other is not None:
                there = walk.look(self._root, base + other, self._rules)
                return base + other if isinstance(there, LeftOut) else ""
            entry = _find(folder, part)
            if entry is None:
                return ""
            folder, base = entry.path, f"{base}{part}/"
        return ""

    def _check_case(self, path: str, leaving: str) -> None:
        """See that at no step another entry has this name but for case. Raises DraftRefused (exists)."""
        folder, base = os.fspath(self._root), ""
        for part in path.split("/"):
            other = _alike(folder, part)
            if other is not None and base + other != leaving:
                there = walk.look(self._root, base + other, self._rules)
                if isinstance(there, LeftOut):
                    return  # not for an app to know; it is the person's who publishes
                raise _clash(path, base, part, other, is_document=there is not None)
            entry = _find(folder, part)
            if entry is None:
                return
            folder, base = entry.path, f"{base}{part}/"


def _find(folder: str, name: str) -> "os.DirEntry[str] | entries.LookedUp | None":
    """The folder of that name in a folder, or None."""
    try:
        listed = entries.find(folder, name, folders=True)
    except FileNotFoundError:
        return None
    return listed.entry if listed is not None and listed.key.endswith("/") else None


def _alike(folder: str, name: str) -> str | None:
    """The first entry of a folder whose name differs from `name` in case alone."""
    try:
        names = [listed.key.removesuffix("/") for listed in entries.listing(folder)]
    except OSError:
        raise _not_served() from None
    if name in names:
        return None
    wanted = folded(name)
    return next((other for other in names if folded(other) == wanted), None)


def _clash(path: str, base: str, part: str, other: str, *, is_document: bool) -> DraftRefused:
    """The refusal of a path of which one part is there in another case."""
    text = f"{base}{other} is there, whose name differs in case alone: many systems take them for one."
    rest = path[len(base) + len(part) :]
    if is_document or not rest:
        return DraftRefused("exists", text, advice="" if is_document else "Choose another path.")
    return DraftRefused("exists", text, advice=f"Write the folder as it is there: {base}{other}{rest}")


def _is_text(data: bytes) -> bool:
    try:
        decode(data)
    except NotText:
        return False
    return True


def _not_served() -> DraftRefused:
    return DraftRefused("path_not_served", _NOT_SERVED)
