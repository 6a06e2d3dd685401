"""The keys that seal cursors and rounds over HTTP: secret, kept in a file, and shared by all processes that serve one URL.

One key a line, in hexadecimal, the newest first: with it is sealed, with all of them is opened, so that keys can be
changed while the server is used.
"""

import contextlib
import hmac
import os
import secrets
from pathlib import Path

from .faults import UsageFault

_KEY_BYTES = 32
_MOST_KEYS = 16
_MOST_BYTES = 64 * 1024
_HOW = "make one with: python3 -c 'import secrets; print(secrets.token_hex(32))'"


def keys_from(given: str | None, folder: str) -> tuple[bytes, ...]:
    """Give the keys of the file that is named, or of the platform's data folder, where they are made when first needed.

    Raises: UsageFault for a file that is not there, that others can read, that lies in the folder that is served, or that
    holds something else than keys; OSError when none can be made.
    """
    if given is not None:
        return _read(Path(given), folder)
    import platformdirs

    file = Path(platformdirs.user_data_dir("readingroom", appauthor=False)) / "http-keys"
    if not file.exists():
        _make(file)
    return _read(file, folder)


def derived(key: bytes, purpose: str) -> bytes:
    """Give a key for one purpose, so that what is sealed for one is never opened for another."""
    return hmac.digest(key, f"readingroom {purpose}".encode(), "sha256")


def _read(file: Path, folder: str) -> tuple[bytes, ...]:
    if file.resolve().is_relative_to(Path(folder).resolve()):
        raise UsageFault(f"the keys {file} lie inside the folder that is served; keep them outside of it")
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            lines = opened.read(_MOST_BYTES).decode("ascii", "replace").splitlines()
    except OSError as error:
        raise UsageFault(f"the keys {file} cannot be read ({error.strerror}); {_HOW}") from error
    if os.name == "posix" and mode & 0o077:
        raise UsageFault(f"others can read the keys {file}; say chmod 600 {file}, and make new ones")
    keys = tuple(_key(line.strip(), file) for line in lines if line.strip() and not line.startswith("#"))
    if not 1 <= len(keys) <= _MOST_KEYS:
        raise UsageFault(f"{file} must hold 1 to {_MOST_KEYS} keys, one a line; {_HOW}")
    return keys


def _key(line: str, file: Path) -> bytes:
    try:
        key = bytes.fromhex(line)
    except ValueError:
        key = b""
    if len(key) < _KEY_BYTES:
        raise UsageFault(f"a line of {file} is no key of 64 hexadecimal digits; {_HOW}")
    return key


def _make(file: Path) -> None:
    """Make a file with one key; of several processes that make it at once, one wins, and no other sees half of it."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as opened:
            opened.write(f"{secrets.token_hex(_KEY_BYTES)}\n")
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()
