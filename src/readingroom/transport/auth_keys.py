"""An issuer's public keys: read strictly, kept for ten minutes, asked for again seldom, and kept longer while it is down.

A token names its key, so whoever sends tokens could have keys fetched without end: a name that is not known has them fetched
once a minute at most, for all of the server.
"""

import asyncio
import base64
import time
from collections.abc import Callable, Mapping
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, RSAKey

from .auth_fetch import FetchFailed

FRESH_S = 600.0
STALE_S = 24 * 3600.0
AGAIN_S = 60.0
FIRST_AGAIN_S = 5.0
MOST = 64
_LEAST_BITS = 2048
_LONGEST_NAME = 255

Key = RSAKey | ECKey
_KINDS = {"RS": "RSA", "PS": "RSA", "ES": "EC"}
ALGORITHMS = frozenset(f"{kind}{bits}" for kind in _KINDS for bits in (256, 384, 512))
"""The algorithms that can be allowed: those with a public key."""


class KeysUnavailable(Exception):
    """No key of the issuer's can be had now; `retry_after` says, in seconds, when to try again."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("the issuer's keys cannot be had")
        self.retry_after = retry_after


def keys_in(found: Any) -> dict[str, list[Key]]:
    """Read a set of keys by their names; keys that cannot be used are passed over. Raises: FetchFailed."""
    listed = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(listed, list) or len(listed) > MOST:
        raise FetchFailed(f"what should be a set of keys is none, or has more than {MOST}")
    keys: dict[str, list[Key]] = {}
    for described in listed:
        key = _key(described)
        if key is not None:
            keys.setdefault(described["kid"], []).append(key)
    if not keys:
        raise FetchFailed("the set of keys has none that can be used")
    return keys


def _key(described: Any) -> Key | None:
    if not isinstance(described, dict) or not _is_for_us(described):
        return None
    try:
        key = JWKRegistry.import_key(described)
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    return key if isinstance(key, RSAKey | ECKey) else None


def _is_for_us(described: Mapping[str, Any]) -> bool:
    """Whether a key has a name, is public, and is there to check signatures."""
    name = described.get("kid")
    operations = described.get("key_ops", ["verify"])
    return (
        isinstance(name, str)
        and 0 < len(name) <= _LONGEST_NAME
        and described.get("kty") in _KINDS.values()
        and "d" not in described
        and described.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
        and (described["kty"] != "RSA" or _is_long(described.get("n")))
    )


def _is_long(modulus: Any) -> bool:
    """Whether a modulus of RSA has bits enough; it is asked before a library is, which would warn and go on."""
    try:
        number = base64.b64decode(modulus + "=" * (-len(modulus) % 4), altchars=b"-_", validate=True)
    except (ValueError, TypeError):
        return False
    return int.from_bytes(number).bit_length() >= _LEAST_BITS


class IssuerKeys:
    """The keys of one issuer. `load` fetches them and may take its time: it runs in a thread. `clock` is in seconds."""

    def __init__(
        self,
        load: Callable[[], dict[str, list[Key]]],
        *,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None],
    ) -> None:
        self._load = load
        self._clock = clock
        self._tell = tell
        self._keys: dict[str, list[Key]] = {}
        self._loaded = -STALE_S
        self._next_try = clock()
        self._loading: asyncio.Task[None] | None = None

    async def find(self, name: str, algorithm: str) -> Key | None:
        """Give the key of that name for an algorithm, if the issuer has one. Raises: KeysUnavailable."""
        age = self._clock() - self._loaded
        known = name in self._keys and age < STALE_S
        if (not known or age >= FRESH_S) and self._may_load(known=known):
            await self._refreshed()
        if not self._keys or self._clock() - self._loaded >= STALE_S:
            raise KeysUnavailable(max(1, round(self._next_try - self._clock())))
        return next((key for key in self._keys.get(name, ()) if _fits(key, algorithm)), None)

    def _may_load(self, *, known: bool) -> bool:
        """Whether to wait for keys: not when they were just asked for, nor for a known one that others are waiting for."""
        if self._loading is not None:
            return not known
        return self._clock() >= self._next_try

    async def _refreshed(self) -> None:
        """Load the keys, once for all who wait, whoever of them goes away meanwhile."""
        if self._loading is None:
            self._loading = asyncio.get_running_loop().create_task(self._refresh())
        await asyncio.shield(self._loading)

    async def _refresh(self) -> None:
        # Until this has ended nobody else begins; should it be cancelled, the next try is in a minute all the same.
        self._next_try = self._clock() + AGAIN_S
        try:
            keys = await asyncio.to_thread(self._load)
        except FetchFailed as error:
            self._tell(f"the keys of the issuer cannot be had: {error}")
            self._next_try = self._clock() + (AGAIN_S if self._keys else FIRST_AGAIN_S)
        else:
            self._keys, self._loaded = keys, self._clock()
            self._next_try = self._clock() + AGAIN_S
        finally:
            self._loading = None


def _fits(key: Key, algorithm: str) -> bool:
    said = key.get("alg")
    return key.key_type == _KINDS[algorithm[:2]] and said in (None, algorithm)
