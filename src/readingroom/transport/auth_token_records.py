"""What can be done with static tokens: made, revoked, rotated. Pure but for the randomness of a new token.

A token is 256 random bits, so a fast hash is the right one: it is looked up on every request, and there is nothing to guess.
"""

import hashlib
import secrets
import string

import msgspec

from ..errors import UsageError
from .auth_token_file import Record, Records

KEPT_S = 90 * 24 * 3600
"""For how long, in seconds, a token that is no longer good stays in the list."""

_BYTES = 32
_ID_LETTERS = string.ascii_lowercase + string.digits
_ID_LENGTH = 8


class NoSuchToken(UsageError):
    """No token that can be used has this id."""


def digest_of(secret: str) -> bytes:
    """Give what is kept of a token."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def issued(
    role: str, *, principal: str = "", label: str = "", now: float, seconds: float | None
) -> tuple[str, Record]:
    """Make a token that is good for so many seconds from now; None is for ever. Gives it, once, and what is kept of it.

    Without a principal it speaks for one of its own.
    """
    secret = f"rr_{role}_{secrets.token_urlsafe(_BYTES)}"
    token_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
    record = Record(
        id=token_id,
        hash=digest_of(secret).hex(),
        role=role,
        principal=principal or f"token-{token_id}",
        label=label,
        created=int(now),
        expires=None if seconds is None else int(now + seconds),
    )
    return secret, record


def revoked(records: Records, token_id: str, now: float) -> Records:
    """Take a token back. Raises: NoSuchToken, also for one that is revoked already."""
    return _replaced(records, msgspec.structs.replace(_usable(records, token_id), revoked=int(now)))


def rotated(
    records: Records, token_id: str, *, now: float, seconds: float | None, overlap: float
) -> tuple[str, Record, Records]:
    """Make a token in place of another, which stays good for `overlap` seconds at most.

    Gives the new one, what is kept of it, and all tokens. Raises: NoSuchToken.
    """
    old = _usable(records, token_id)
    if not old.is_good(now):
        raise NoSuchToken(f"the token {token_id} has expired; make another with: readingroom token add")
    if old.successor:
        raise NoSuchToken(f"the token {token_id} has been rotated already; its successor is {old.successor}")
    secret, new = issued(old.role, principal=old.principal, label=old.label, now=now, seconds=seconds)
    ends = int(now + overlap)
    expires = ends if old.expires is None else min(old.expires, ends)
    old = msgspec.structs.replace(old, expires=expires, successor=new.id)
    return secret, new, (*_replaced(records, old), new)


def without_old(records: Records, now: float) -> Records:
    """Leave out those that were revoked, or expired, long ago."""
    return tuple(record for record in records if now < _ended(record) + KEPT_S)


def used(records: Records, token_id: str, day: str) -> Records:
    """Note the day on which a token was last used."""
    return tuple(
        msgspec.structs.replace(record, last_used=day) if record.id == token_id else record
        for record in records
    )


def _usable(records: Records, token_id: str) -> Record:
    for record in records:
        if record.id == token_id:
            if record.revoked is not None:
                raise NoSuchToken(f"the token {token_id} has been revoked already")
            return record
    raise NoSuchToken(f"there is no token {token_id!r}; see: readingroom token list")


def _ended(record: Record) -> float:
    ends = [end for end in (record.revoked, record.expires) if end is not None]
    return min(ends, default=float("inf"))


def _replaced(records: Records, new: Record) -> Records:
    return tuple(new if record.id == new.id else record for record in records)
