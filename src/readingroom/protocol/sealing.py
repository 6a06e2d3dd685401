"""Cursors that only their maker can read back: a position under an HMAC, bound to a purpose and a principal (PAGE-3).

The same position under the same key gives the same cursor: nothing random is in it. Keys are handed in.
"""

import msgspec

_MAC_BYTES = 16


class BadSeal(ValueError):
    """The text was not sealed with this key for this purpose and principal."""


class Sealer:
    """Seals and opens positions with one key of at least 16 bytes."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) < _MAC_BYTES:
            raise ValueError(f"a sealing key has at least {_MAC_BYTES} bytes")
        self._key = key

    def seal(self, position: str, *, purpose: str, principal: str = "") -> str:
        """Give the cursor for `position`: URL-safe text."""
        import base64

        payload = position.encode()
        return base64.urlsafe_b64encode(self._mac(payload, purpose, principal) + payload).decode().rstrip("=")

    def open(self, cursor: str, *, purpose: str, principal: str = "") -> str:
        """Give the position that was sealed into `cursor`.

        Raises: BadSeal for anything that `seal` did not give for this purpose and principal.
        """
        import base64
        import hmac

        try:
            data = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        except ValueError as error:
            raise BadSeal("not a cursor") from error
        mac, payload = data[:_MAC_BYTES], data[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(payload, purpose, principal)):
            raise BadSeal("not a cursor of this list")
        position = payload.decode()
        # One position has one cursor: other spellings of the same bytes are refused.
        if self.seal(position, purpose=purpose, principal=principal) != cursor:
            raise BadSeal("not a cursor of this list")
        return position

    def _mac(self, payload: bytes, purpose: str, principal: str) -> bytes:
        import hmac

        text = msgspec.json.encode([purpose, principal, payload])
        return hmac.digest(self._key, text, "sha256")[:_MAC_BYTES]
