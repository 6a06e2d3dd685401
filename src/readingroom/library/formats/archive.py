"""The members of a ZIP archive that documents are kept in, within bounds, and their XML without entities.

Everything is counted as it comes out, whatever the archive says of itself: a small one can hold more than a disk. Of a
document type nothing is read: no entity is defined, and nothing outside the archive is ever looked for.
"""

import io
import zipfile
import zlib
from collections.abc import Callable

from ..decode import NotText

MOST_MEMBERS = 10_000
MOST_BYTES = 64 * 1024 * 1024
"""What is expanded of one document in all: a text of that size is more than can be read of it anyway."""

MOST_ELEMENTS = 2_000_000
"""Of all XML in one document: what a thousand pages have, and a few seconds' work."""
_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE = 64 * 1024
_DEEPEST = 2_000  # elements within elements

Attributes = dict[str, str]


class Archive:
    """A document's archive. Raises NotText for one that is broken, encrypted, or too large."""

    def __init__(self, data: bytes, kind: str) -> None:
        self._kind = kind
        self._left = MOST_BYTES
        self._elements = 0
        if data.count(_ENTRY) > MOST_MEMBERS:
            raise NotText(f"it is no {kind}: it has more than {MOST_MEMBERS:,} files within it")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, zlib.error) as error:
            raise NotText(f"it is no {kind}: {error}") from None
        self._names = {member.filename: member for member in self._zip.infolist()}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        pieces: list[bytes] = []
        self._pass_on(name, pieces.append)
        return b"".join(pieces)

    def parse(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None],
        text: Callable[[str], None],
    ) -> None:
        """Read a member as XML: names of elements and attributes without their name spaces."""
        from xml.parsers import expat

        depth = 0

        def begun(element: str, given: Attributes) -> None:
            nonlocal depth
            depth += 1
            self._elements += 1
            if depth > _DEEPEST or self._elements > MOST_ELEMENTS:
                raise NotText(f"{name} in it has more elements than such a document may have")
            start(_local(element), {_local(key): value for key, value in given.items()})

        def ended(element: str) -> None:
            nonlocal depth
            depth -= 1
            end(_local(element))

        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = begun, ended
        parser.CharacterDataHandler = text
        parser.EntityDeclHandler = _refuse_entities
        parser.buffer_text = True
        try:
            self._pass_on(name, lambda piece: parser.Parse(piece, False))
            parser.Parse(b"", True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise NotText(f"it is a broken {self._kind}: {name} in it is no XML: {error}") from None

    def _pass_on(self, name: str, take: Callable[[bytes], object]) -> None:
        member = self._names.get(name)
        if member is None:
            raise NotText(f"it is a broken {self._kind}: {name} is not in it")
        if member.flag_bits & 1:
            raise NotText(f"it is an encrypted {self._kind}: save it without a password")
        if member.compress_type not in _METHODS:
            raise NotText(f"it is a broken {self._kind}: {name} in it is packed in an unusual way")
        try:
            with self._zip.open(member) as opened:
                while piece := opened.read(_PIECE):
                    self._left -= len(piece)
                    if self._left < 0:
                        raise NotText(f"it expands to more than {MOST_BYTES // 1024 // 1024} MiB")
                    take(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
            raise NotText(f"it is a broken {self._kind}: {name} in it cannot be expanded: {error}") from None


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def _refuse_entities(*_: object) -> None:
    raise NotText("its XML defines entities, which no such document needs")
