"""Who may look at the page: whoever has exchanged the address that the terminal printed for a cookie.

A cookie is sent to every port of this machine, so it is bound to a path that nobody else knows (`Site.path`), and is worth
nothing without it. It only lets one look: decisions carry the passphrase, which is never kept here.
"""

import hmac
import secrets
import threading

import msgspec

COOKIE = "readingroom"
_KEY_BYTES = 32


class Visitor(msgspec.Struct, frozen=True):
    """One browser: the secret in its cookie, and the token that its forms carry."""

    secret: str
    token: str


class Visitors:
    """Made with one key, which lets in one browser. May be used from any thread."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(_KEY_BYTES)
        self._is_used = False
        self._visitors: list[Visitor] = []
        self._lock = threading.Lock()

    def enter(self, key: str) -> Visitor | None:
        """Exchange the key for a visitor, once; None for a wrong key, and for one that has been used."""
        with self._lock:
            if self._is_used or not _same(key, self.key):
                return None
            self._is_used = True
            visitor = Visitor(secrets.token_urlsafe(_KEY_BYTES), secrets.token_urlsafe(_KEY_BYTES))
            self._visitors.append(visitor)
            return visitor

    def known(self, secret: str) -> Visitor | None:
        """Give the visitor whose cookie this is."""
        return next((visitor for visitor in self._visitors if _same(secret, visitor.secret)), None)


def is_token(visitor: Visitor, token: str) -> bool:
    """Whether a form's token is the visitor's."""
    return _same(token, visitor.token)


def _same(told: str, known: str) -> bool:
    return hmac.compare_digest(told.encode("utf-8", "surrogatepass"), known.encode())
