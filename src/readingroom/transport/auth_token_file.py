"""The file of static tokens: of each it holds the SHA-256 and what it allows, never the token itself.

How it is read and written so that it stays its owner's alone, `PrivateFile` knows.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from ..errors import UsageError
from .private_file import PrivateFile

LARGEST = 4 * 1024 * 1024
VERSION = 1
_PATIENCE_S = 10.0
_SECRET = re.compile(rb"rr_[a-z]+_[A-Za-z0-9_-]{43}")

Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{8}\Z")]
Hash = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
RoleName = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{1,32}\Z")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Second = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class TokensUnusable(UsageError):
    """The file of tokens cannot be used as it stands; the text says why, and what to do."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A token. Times are seconds since the epoch; `expires` is None without an end; `last_used` is a day (ISO 8601).

    `successor` is the id of the token that takes its place, if it has been rotated.
    """

    id: Id
    hash: Hash
    role: RoleName
    principal: Name
    label: Annotated[str, msgspec.Meta(max_length=100)] = ""
    created: Second
    expires: Second | None
    revoked: Second | None = None
    successor: str = ""
    last_used: str = ""

    def is_good(self, now: float) -> bool:
        """Whether it can be used."""
        return self.revoked is None and (self.expires is None or now < self.expires)


Records = tuple[Record, ...]


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    tokens: Records


State = tuple[int, ...]
"""What changes whenever the file does."""


def state_of(file: Path) -> State:
    """Give the state of the file. Raises: OSError when it is not there."""
    found = file.lstat()
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_mode)


def read(file: Path) -> Records:
    """Give the tokens. Raises: TokensUnusable when they are not there, not private, or not well formed."""
    try:
        data = _private(file).read()
    except FileNotFoundError:
        raise TokensUnusable(
            f"there is no file of tokens at {file}; `readingroom token add` makes one"
        ) from None
    return _records(data, file)


@contextlib.contextmanager
def changing(file: Path) -> Iterator[Callable[[Records], None]]:
    """Hold the file for a change and give what writes its new tokens; read it within, if at all.

    Makes it and its folder when they are not there. Raises: TokensUnusable.
    """
    with _private(file).changing():
        yield lambda records: _write(file, records)


def exists(file: Path) -> bool:
    """Whether something is there, be it usable or not."""
    return os.path.lexists(file)


def _private(file: Path) -> PrivateFile:
    return PrivateFile(file, "the tokens", TokensUnusable, LARGEST, _PATIENCE_S)


def _records(data: bytes, file: Path) -> Records:
    if _SECRET.search(data):
        raise TokensUnusable(
            f"{file} holds a token itself; revoke that token, for it is known to whoever read this"
        )
    try:
        found = msgspec.json.decode(data, type=_Written)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TokensUnusable(
            f"{file} is no file of tokens: {error}; put a good copy in its place, or move it away and make new tokens with: "
            "readingroom token add"
        ) from None
    if found.version != VERSION:
        raise TokensUnusable(
            f"{file} is of version {found.version}, and this program knows version {VERSION}"
        )
    for what, values in (
        ("hash", [record.hash for record in found.tokens]),
        ("id", [record.id for record in found.tokens]),
    ):
        if len(set(values)) != len(values):
            raise TokensUnusable(f"{file} has two tokens of one {what}")
    if not all(record.principal.isprintable() and record.label.isprintable() for record in found.tokens):
        raise TokensUnusable(f"{file} has a name that cannot be printed")
    return found.tokens


def _write(file: Path, records: Records) -> None:
    data = msgspec.json.format(msgspec.json.encode(_Written(VERSION, records)), indent=1) + b"\n"
    _private(file).write(data)
