"""Which paths a draft may name, by their text alone. Pure; what stands there is looked at elsewhere.

A document that is there may have any name that the library serves. A new one has a name that file systems of all kinds can
hold and that shows what it is, for the folder may be copied, shared or kept in git.
"""

import unicodedata

from .. import address
from ..errors import BadQuery, DraftRefused
from . import bounds, unseen

_FORBIDDEN = frozenset('<>:"|?*')  # Windows, and file systems made for it
_DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$"))
_NUMBERED_DEVICES = frozenset(f"{name}{number}" for name in ("com", "lpt") for number in "0123456789¹²³")


def normal(asked: str) -> str:
    """The path that was asked for, in NFC; an address of the library by path is taken, too.

    Raises DraftRefused (bad_path) for what can be no path: with an empty segment, ``.`` or ``..``, a backslash or a
    control character, and for an address by identifier.
    """
    if address.is_address(asked):
        return _of_address(asked)
    path = unicodedata.normalize("NFC", asked)
    if len(path) > address.ADDRESS_CHARACTERS or not all(map(address.is_segment, path.split("/"))):
        raise _bad(
            "A path is relative to the library, with / between folders; it has no empty part, no '.' or '..', no backslash "
            "and no control character."
        )
    return path


def check_new(path: str) -> None:
    """Raise DraftRefused (bad_path) for a path in NFC at which no new document may be made, by its text."""
    parts = path.split("/")
    if len(path.encode()) > bounds.PATH_BYTES:
        raise _bad(f"A new path has at most {bounds.PATH_BYTES:,} bytes.")
    if len(parts) > bounds.DEPTH + 1:
        raise _bad(f"A new path has at most {bounds.DEPTH} folders.")
    for part in parts:
        fault = _fault(part)
        if fault:
            raise _bad(f"A new file or folder cannot be called {ascii(part)[1:-1]}: {fault}.")


def folded(name: str) -> str:
    """A name as file systems compare it that do not tell case apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _of_address(asked: str) -> str:
    try:
        named = address.parse(asked)
    except BadQuery as error:
        raise _bad(str(error)) from None
    if isinstance(named, address.Identifier):
        raise _bad(
            "A draft names its document by the path, and not by the identifier: library_read tells it."
        )
    return named.path


def _fault(name: str) -> str:
    """What is wrong with the name of a new file or folder, or ""."""
    if len(name.encode()) > bounds.NAME_BYTES:
        return f"a name has at most {bounds.NAME_BYTES} bytes"
    if not _FORBIDDEN.isdisjoint(name):
        return f"a name has none of {' '.join(sorted(_FORBIDDEN))}"
    if name != name.strip() or name.endswith("."):
        return "a name neither begins nor ends with a blank, nor ends with a dot"
    if name.partition(".")[0].rstrip().lower() in _DEVICES | _NUMBERED_DEVICES:
        return "some systems take it for a device"
    if unseen.hides(name):
        return "it holds a character that cannot be seen or that changes the direction of text"
    return ""


def _bad(text: str) -> DraftRefused:
    return DraftRefused("bad_path", text)
