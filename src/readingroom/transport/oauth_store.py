"""Keeps who a client is to each authorization server, and its tokens, keyed by issuer (CL-14); never logged, never shown.

They lie in the system's keyring where the package `keyring` is there and finds one, else in a file of its owner alone.
Whoever changes them holds a lock that all processes know, reads them anew, and writes them whole.
"""

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ..client.oauth_clients import ClientIdentity
from ..client.oauth_tokens import Tokens
from ..errors import UsageError
from .private_file import PrivateFile

LARGEST = 4 * 1024 * 1024
VERSION = 1
PATIENCE_S = 30.0
"""How long to wait for another process: it may be having a token made anew, which takes a while."""

_WHAT = "the logins"
_SERVICE = "readingroom"
_PIECE = 1000
"""Characters of one entry of a keyring: that of Windows takes 1280."""
_ENTRY = "logins"
"""The entry that says which pieces are in use."""
_FIRST_PREFIX = "logins."
_PREFIXES = ("logins.a.", "logins.b.")
"""What the names of pieces begin with: a change takes the one that is not in use."""
_TRIES = 5
"""How often to read while others change what is read, before waiting for them."""


class LoginsUnusable(UsageError):
    """What is kept of logins cannot be used as it stands; the text says why, and what to do."""


class AtIssuer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is kept of one issuer: who we are to it, its token endpoint, and the tokens by endpoint.

    `private` is whether the person has allowed it to be inside a private network.
    """

    client: ClientIdentity | None = None
    token_endpoint: str = ""
    tokens: dict[str, Tokens] = {}
    private: bool = False


class Logins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that is kept. `endpoints` says at which issuer one was last logged in for an endpoint."""

    version: int = VERSION
    issuers: dict[str, AtIssuer] = {}
    endpoints: dict[str, str] = {}

    def at(self, issuer: str) -> AtIssuer:
        """What is kept of an issuer, which may be nothing."""
        return self.issuers.get(issuer, AtIssuer())

    def tokens_for(self, endpoint: str) -> Tokens | None:
        """The tokens of the last login for an endpoint."""
        return self.at(self.endpoints.get(endpoint, "")).tokens.get(endpoint)

    def with_issuer(self, issuer: str, kept: AtIssuer) -> "Logins":
        """Give the same with another record of an issuer."""
        return msgspec.structs.replace(self, issuers={**self.issuers, issuer: kept})

    def with_tokens(self, issuer: str, endpoint: str, tokens: Tokens, token_endpoint: str) -> "Logins":
        """Give the same with the tokens of a login; those of the endpoint at another issuer are dropped."""
        kept = self.at(issuer)
        changed = msgspec.structs.replace(
            kept, token_endpoint=token_endpoint, tokens={**kept.tokens, endpoint: tokens}
        )
        cleared = self.without_tokens(endpoint)
        return msgspec.structs.replace(
            cleared.with_issuer(issuer, changed), endpoints={**cleared.endpoints, endpoint: issuer}
        )

    def without_tokens(self, endpoint: str) -> "Logins":
        """Give the same without tokens of an endpoint; who we are to the issuer is kept."""
        issuer = self.endpoints.get(endpoint)
        if issuer is None:
            return self
        kept = self.at(issuer)
        rest = {name: tokens for name, tokens in kept.tokens.items() if name != endpoint}
        changed = self.with_issuer(issuer, msgspec.structs.replace(kept, tokens=rest))
        left = {name: at for name, at in self.endpoints.items() if name != endpoint}
        return msgspec.structs.replace(changed, endpoints=left)


class _Used(msgspec.Struct, frozen=True):
    """Which pieces of a keyring are in use; `nonce` is another one after every change."""

    prefix: str
    pieces: int
    nonce: str


class LoginStore(Protocol):
    """Where logins are kept. Its methods are called from any thread and by any number of processes."""

    def read(self) -> Logins:
        """Give what is kept. Raises: LoginsUnusable."""

    def changing(self) -> contextlib.AbstractContextManager[Callable[[Logins], None]]:
        """Hold what is kept for a change and give what writes it; read it within. Raises: LoginsUnusable."""


class MemoryLogins:
    """Keeps logins for as long as this program runs, and for one process."""

    def __init__(self) -> None:
        import threading

        self._lock = threading.Lock()
        self._logins = Logins()

    def read(self) -> Logins:
        """Give what is kept."""
        return self._logins

    @contextlib.contextmanager
    def changing(self) -> Iterator[Callable[[Logins], None]]:
        """Hold what is kept for a change."""
        with self._lock:
            yield self._write

    def _write(self, logins: Logins) -> None:
        self._logins = logins


class FileLogins:
    """Keeps logins in a file, which its owner alone may read; its folder, too."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = PrivateFile(Path(path).absolute(), _WHAT, LoginsUnusable, LARGEST, PATIENCE_S)

    @property
    def place(self) -> str:
        """Where they lie, for a person."""
        return str(self._file.path)

    def read(self) -> Logins:
        """Give what is kept. Raises: LoginsUnusable."""
        try:
            return _decoded(self._file.read(), self.place)
        except FileNotFoundError:
            return Logins()

    @contextlib.contextmanager
    def changing(self) -> Iterator[Callable[[Logins], None]]:
        """Hold the file for a change. Raises: LoginsUnusable."""
        with self._file.changing():
            yield lambda logins: self._file.write(_encoded(logins))


class KeyringLogins:
    """Keeps logins in a keyring, in pieces that every system's takes; `lock` names a file beside which the lock lies.

    A change writes its pieces beside those that are in use, then the entry that names them, and then deletes the others:
    one that breaks off changes nothing, or leaves pieces that the next one deletes.
    """

    place = "the keyring of this system"

    def __init__(self, keyring: Any, lock: str | os.PathLike[str]) -> None:
        self._keyring = keyring
        self._file = PrivateFile(Path(lock).absolute(), _WHAT, LoginsUnusable, LARGEST, PATIENCE_S)

    def read(self) -> Logins:
        """Give what is kept: all of one change, or of the next. Raises: LoginsUnusable."""
        for _ in range(_TRIES):
            text = self._text()
            if text is not None:
                break
        else:
            with self._file.changing():
                text = self._text()
        return _decoded((text or "").encode(), self.place) if text != "" else Logins()

    @contextlib.contextmanager
    def changing(self) -> Iterator[Callable[[Logins], None]]:
        """Hold the keyring's entries for a change. Raises: LoginsUnusable."""
        with self._file.changing():
            yield self._write

    def _text(self) -> str | None:
        """Give what all pieces hold together; None when they were changed meanwhile, empty when there are none."""
        with self._speaking():
            used = self._used()
            pieces = [self._get(f"{used.prefix}{number}") or "" for number in range(used.pieces)]
            return "".join(pieces) if self._used() == used else None

    def _write(self, logins: Logins) -> None:
        text = _encoded(logins).decode()
        pieces = [text[begin : begin + _PIECE] for begin in range(0, len(text), _PIECE)]
        with self._speaking():
            last = self._used().prefix
            prefix = next(one for one in _PREFIXES if one != last)
            self._clear(prefix)
            for number, piece in enumerate(pieces):
                self._keyring.set_password(_SERVICE, f"{prefix}{number}", piece)
            # The nonce lets a reader see that there was a change, even when the same names are in use again.
            used = f"{prefix} {len(pieces)} {secrets.token_hex(8)}"
            self._keyring.set_password(_SERVICE, _ENTRY, used)
            for other in (*_PREFIXES, _FIRST_PREFIX):
                if other != prefix:
                    self._clear(other)

    def _used(self) -> _Used:
        """Say which pieces are in use."""
        text = self._get(_ENTRY) or "0"
        if text.isdecimal():  # as it was written before there were prefixes
            return _Used(_FIRST_PREFIX, int(text), "")
        prefix, pieces, nonce = text.split(" ")
        return _Used(prefix, int(pieces), nonce)

    def _clear(self, prefix: str) -> None:
        """Delete all pieces of a prefix, the last first, so that none is ever without those before it."""
        pieces = 0
        while self._get(f"{prefix}{pieces}") is not None:
            pieces += 1
        for number in reversed(range(pieces)):
            self._keyring.delete_password(_SERVICE, f"{prefix}{number}")

    def _get(self, name: str) -> str | None:
        found: str | None = self._keyring.get_password(_SERVICE, name)
        return found

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001  -- every backend has errors of its own
            raise LoginsUnusable(
                f"the keyring cannot be used ({type(error).__name__}); READINGROOM_LOGINS=file keeps logins in a file"
            ) from None


def standard_logins(environment: Mapping[str, str] = os.environ) -> "FileLogins | KeyringLogins":
    """Give where logins are kept on this machine; READINGROOM_LOGINS names another file, or is `file` for no keyring."""
    given = environment.get("READINGROOM_LOGINS", "")
    if given not in ("", "file"):
        return FileLogins(given)
    import platformdirs

    folder = Path(platformdirs.user_data_dir("readingroom", appauthor=False))
    keyring = None if given == "file" else _keyring()
    return (
        FileLogins(folder / "logins.json") if keyring is None else KeyringLogins(keyring, folder / "logins")
    )


def _keyring() -> Any:
    """Give the package when it is there and has a keyring that works; it says so by a priority of at least 1."""
    from importlib import import_module

    try:
        keyring = import_module("keyring")
        return keyring if keyring.get_keyring().priority >= 1 else None
    except ImportError:
        return None
    except Exception:  # noqa: BLE001  -- backends look for their services, and fail as they please
        return None


def _encoded(logins: Logins) -> bytes:
    return msgspec.json.encode(logins)


def _decoded(data: bytes, place: str) -> Logins:
    try:
        found = msgspec.json.decode(data, type=Logins)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LoginsUnusable(f"{place} holds no logins that can be read: {error}") from None
    if found.version != VERSION:
        raise LoginsUnusable(
            f"{place} is of version {found.version}, and this program knows version {VERSION}"
        )
    return found
