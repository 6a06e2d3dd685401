"""Seals `requestState`: what a client carries from round to round and can neither read nor change (MRTR-11, MRTR-12).

AES-256-GCM under keys derived from those handed in (RFC 5869); each text is sealed under a key of its own, made from
random bytes in the text, so that no number of texts wears out a key that replicas share for years. What a state is about
(the method, the arguments, who asks) is not in it but bound to it: one that comes back with anything else does not open.

Pure: random bytes and the time are handed in. `cryptography` is loaded when a first state is sealed or opened.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from ..errors import UsageError
from .sealing import BadSeal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SHORTEST_KEY = 16
_VERSION = "v1"
_SALT = b"readingroom requestState"
_SEED = 12
_NONCE = 12


class StateSealer:
    """Seals with the newest of the keys and opens with any of them; `random` gives that many bytes nobody can foresee.

    Raises: UsageError for no key, and for one that is no bytes or shorter than 16.
    """

    __slots__ = ("_keys", "_newest", "_random")

    def __init__(self, keys: Sequence[bytes], random: Callable[[int], bytes]) -> None:
        if not isinstance(keys, tuple | list) or not keys:
            raise UsageError("state_keys are several: a tuple of bytes, the newest key first")
        if not all(isinstance(key, bytes) and len(key) >= SHORTEST_KEY for key in keys):
            raise UsageError(f"each of the state_keys is bytes, at least {SHORTEST_KEY} of them")
        derived = [(_derive(key, b"name")[:6].hex(), _derive(key, b"key")) for key in keys]
        self._newest = derived[0][0]
        self._keys = dict(derived)
        self._random = random

    def seal(self, state: bytes, about: Sequence[str], expires: int) -> str:
        """Give the text that holds `state` until `expires`, in seconds of the clock that it will be opened by.

        Raises: UsageError when `cryptography` is not installed.
        """
        import base64

        seed, nonce = self._random(_SEED), self._random(_NONCE)
        head = f"{_VERSION}.{self._newest}"
        sealed = _cipher(self._keys[self._newest], seed).encrypt(
            nonce, expires.to_bytes(8, "big") + state, _bound(head, about)
        )
        return f"{head}.{base64.urlsafe_b64encode(seed + nonce + sealed).decode().rstrip('=')}"

    def open(self, text: str, about: Sequence[str], now: float) -> bytes:
        """Give what was sealed into `text` about just that.

        Raises: BadSeal for anything that `seal` did not give, that is about something else, or that has expired by `now`.
        """
        version, _, rest = text.partition(".")
        name, _, payload = rest.partition(".")
        key = self._keys.get(name)
        if version != _VERSION or key is None:
            raise BadSeal("sealed in another way, or with another key")
        data = _decoded(payload)
        seed, nonce, sealed = data[:_SEED], data[_SEED : _SEED + _NONCE], data[_SEED + _NONCE :]
        opened = _opened(key, seed, nonce, sealed, _bound(f"{version}.{name}", about))
        if now >= int.from_bytes(opened[:8], "big"):
            raise BadSeal("expired")
        return opened[8:]


def _decoded(payload: str) -> bytes:
    """Decode base64; one state has one text: other spellings of the same bytes are refused."""
    import base64

    try:
        data = base64.urlsafe_b64decode(payload.encode("ascii") + b"=" * (-len(payload) % 4))
    except ValueError as error:
        raise BadSeal("not a state") from error
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != payload or len(data) <= _SEED + _NONCE:
        raise BadSeal("not a state")
    return data


def _opened(key: bytes, seed: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes:
    cipher = _cipher(key, seed)
    from cryptography.exceptions import InvalidTag

    try:
        return cipher.decrypt(nonce, sealed, bound)
    except InvalidTag as error:
        raise BadSeal("changed, or about something else") from error


def _bound(head: str, about: Sequence[str]) -> bytes:
    return msgspec.json.encode([head, *about])


def _cipher(key: bytes, seed: bytes) -> "AESGCM":
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise UsageError("asking for input needs cryptography: pip install 'readingroom[rounds]'") from error
    return AESGCM(_derive(key, b"text" + seed))


def _derive(key: bytes, purpose: bytes) -> bytes:
    """HKDF with SHA-256 (RFC 5869), one block: 32 bytes for one purpose."""
    import hmac

    return hmac.digest(hmac.digest(_SALT, key, "sha256"), purpose + b"\x01", "sha256")
