"""The files behind the catalogue, for one role: whether a file still is what was indexed, and its bytes when it is not.

Visibility is decided here, on the bytes that are served: bytes with the indexed revision were decided when they were
indexed under the same rules; all others are parsed and decided now. Only files that the role's own catalogue names are
ever looked at, so nothing here depends on a document the role may not see.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from . import address
from .catalog import Row
from .errors import FolderUnusable, LibraryError
from .hooks import MIDWAY_S
from .model import DocumentInfo, FileState, Found, LeftOut, Parsed, Role
from .narrowing import Narrowings
from .rules import CONVERTED, Rules
from .visibility import is_visible

_LOOKS = 5
_LOOK_EVERY_S = 0.05


class Opened(msgspec.Struct, frozen=True):
    """A document as its file stands now. `parsed` is None when the bytes are those that the catalogue describes."""

    row: Row
    data: bytes
    parsed: Parsed | None


class Files:
    """Looks at files for one role; `noticed` is called with the path of one that is not in the state that was indexed."""

    def __init__(self, root: Path, rules: Rules, role: Role, noticed: Callable[[str], None]) -> None:
        self._root = root
        self._base = os.fsencode(root)
        self._rules = rules
        self._role: Role = role
        self._noticed = noticed
        self._narrowings = Narrowings(os.fspath(root))

    def check_root(self) -> None:
        """Raise FolderUnusable when the folder of the library has gone or cannot be read: what was found missing need
        not be."""
        try:
            with os.scandir(self._root):
                return
        except OSError as error:
            raise FolderUnusable(
                f"The folder of this library cannot be read now ({error.strerror or type(error).__name__}): it may have "
                "been moved, or lie on a disk or share that is not connected. Nothing can be said of its documents."
            ) from None

    def check_rules(self) -> None:
        """Raise FolderUnusable while what the folder itself hides cannot be understood."""
        self._narrowings.now()

    def _is_hidden(self, path: str) -> bool:
        """Whether the folder itself makes the document internal for this role by now. Raises as `check_rules` does."""
        return not is_visible(self._role, self._narrowings.now().over(path, "public"))

    def stands(self, row: Row) -> bool:
        """Whether the file is in the state in which it was indexed, and for this role. Costs two looks, reads nothing."""
        return state_of(self._base, row.name) == row.state and not self._is_hidden(row.path)

    def open(self, row: Row) -> Opened | None:
        """The document as it stands now, or None when it is gone, left out, or not for this role."""
        from . import walk
        from .digest import digest_of

        if self._is_hidden(row.path):
            self._noticed(row.path)
            return None
        try:
            if self.stands(row):
                found = Found(row.path, row.name, row.format, row.state)
            else:
                self._noticed(row.path)
                self._await_content(row)
                looked = walk.look(self._root, row.path, self._rules)
                if looked is None or isinstance(looked, LeftOut):
                    return None
                found = looked
            data = walk.read(self._root, found, self._rules.max_file_bytes)
        except LibraryError:
            return None
        if digest_of(data) == row.revision:
            return Opened(msgspec.structs.replace(row, name=found.name, state=found.state), data, None)
        return self._parsed(found, data)

    def _await_content(self, row: Row) -> None:
        """Give a moment to a file that has just become empty: whoever writes it in place has not begun yet."""
        for _ in range(_LOOKS):
            now = state_of(self._base, row.name)
            if now is None or now.size or not row.state.size:
                return
            if not 0 <= time.time_ns() - now.modified_ns < MIDWAY_S * 1e9:
                return
            time.sleep(_LOOK_EVERY_S)

    def _parsed(self, found: Found, data: bytes) -> Opened | None:
        from . import parse

        try:
            parsed = parse.parse(found.path, found.format, data, self._rules)
        except Exception:  # noqa: BLE001  -- bytes that nobody understands are no document; the scan tells the operator
            return None
        if not is_visible(self._role, parsed.visibility):
            return None
        return Opened(row_from(found, parsed), data, parsed)

    def parsed(self, opened: Opened) -> Parsed:
        """What the bytes say, in full."""
        from . import parse

        return opened.parsed or parse.parse(opened.row.path, opened.row.format, opened.data, self._rules)

    def text(self, opened: Opened) -> str:
        """The decoded text, whole; of a converted document, what its bytes were converted to."""
        if opened.parsed is not None:
            return opened.parsed.text
        if opened.row.format in CONVERTED:
            from . import formats

            return formats.text(opened.row.format, opened.data)
        from .decode import decode

        return decode(opened.data).text

    def confirmed(self, row: Row) -> Row | None:
        """The row as it stands now: the same one when the file has not changed, else read anew, or None."""
        if self.stands(row):
            return row
        opened = self.open(row)
        return opened.row if opened is not None else None


def state_of(root: bytes | Path, name: bytes) -> FileState | None:
    """The state of the file `name` under `root` now, or None when it cannot be looked at."""
    try:
        found = os.lstat(os.path.join(os.fsencode(root), name))  # noqa: PTH118  -- bytes, and hot
    except OSError:
        return None
    return FileState(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def row_from(found: Found, parsed: Parsed) -> Row:
    """The row of a document from its file and what its bytes say."""
    return Row(
        path=found.path,
        name=found.name,
        format=parsed.format,
        state=found.state,
        revision=parsed.revision,
        title=parsed.title,
        language=parsed.language,
        tags=parsed.tags,
        identifier=parsed.identifier,
        aliases=parsed.aliases,
    )


def info_of(row: Row) -> DocumentInfo:
    """What a list says of the document."""
    return DocumentInfo(
        uri=address.uri(row.path),
        path=row.path,
        title=row.title,
        format=row.format,
        language=row.language,
        tags=row.tags,
        size=row.state.size,
        modified=row.state.modified_ns / 1e9,
        revision=row.revision,
        identifier=row.identifier,
        aliases=row.aliases,
    )
