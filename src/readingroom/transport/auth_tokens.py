"""Static tokens as an Authenticator: a token is looked up by its SHA-256, and good or not at once.

There is nothing to discover: no metadata, and challenges that name none (RS-2 binds those who have an authorization server).
"""

import asyncio
import hmac
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from ..errors import UsageError
from ..protocol.authorization import Challenges, Denied, Grant
from . import auth_token_file as token_file
from .auth_attempts import Attempts
from .auth_token_file import Record, Records, State, TokensUnusable
from .auth_token_records import digest_of, used
from .auth_told import refusal, tell

FRESH_S = 2.0
"""For how long, in seconds, the file is not looked at again; a token that is revoked is refused after that."""

_SHORTEST = 32
_ID_LENGTH = 8


class _Entry(msgspec.Struct, frozen=True):
    digest: bytes
    grant: Grant
    record: Record | None = None


class StaticTokens:
    """An Authenticator for tokens that are given: a mapping of each to its Grant.

    `required` names the scopes that any use needs, for the challenge. `clock` gives seconds since the epoch.
    Raises: UsageError for a token of fewer than 32 characters, which could be guessed.
    """

    def __init__(
        self,
        tokens: Mapping[str, Grant],
        *,
        required: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
        attempts: Attempts | None = None,
    ) -> None:
        if any(len(secret) < _SHORTEST for secret in tokens):
            raise UsageError(
                f"a token has {_SHORTEST} characters at least; secrets.token_urlsafe(32) makes one"
            )
        self._clock = clock
        self._attempts = attempts or Attempts()
        self._challenges = Challenges(scopes=tuple(required))
        self._required = frozenset(required)
        self._keep(_Entry(digest_of(secret), grant) for secret, grant in tokens.items())

    @staticmethod
    def from_file(
        file: str | Path,
        *,
        scopes: Mapping[str, Iterable[str]],
        required: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> "TokensOfFile":
        """Take the tokens of a file that `readingroom token` keeps. `scopes` gives what each role allows.

        Raises: TokensUnusable (a UsageError) when the file is not there, not private or not well formed.
        """
        return TokensOfFile(Path(file), scopes=scopes, required=required, clock=clock)

    async def authenticate(self, authorization: Sequence[str], address: str) -> Grant:
        """Give what the token allows. Raises: Denied."""
        digest = digest_of(self._challenges.token_of(authorization))
        now = self._clock()
        entry = self._find(digest)
        if entry is None or not _is_good(entry.grant, now):
            raise self._refused(address, now)
        if not self._required <= entry.grant.scopes:
            raise self.insufficient(self._required)
        if entry.record is not None:
            self._note(entry.record, now)
        return entry.grant

    def holds(self, grant: Grant) -> bool:
        """Whether the token of a grant is still there, and good."""
        self._look()
        return grant.token in self._kept and _is_good(grant, self._clock())

    def insufficient(self, needed: frozenset[str]) -> Denied:
        """Give the refusal of what needs these scopes."""
        return self._challenges.insufficient(needed)

    def document(self, path: str) -> bytes | None:
        """There is no metadata: it would have to name an authorization server."""
        return None

    def _keep(self, entries: Iterable[_Entry]) -> None:
        named = map(_named, entries)
        self._entries = {entry.digest: entry for entry in named}
        self._kept = {entry.grant.token for entry in self._entries.values()}

    def _find(self, digest: bytes) -> _Entry | None:
        """Look a token up by what is known of it alone: what that takes tells nothing of the tokens that are good."""
        self._look()
        entry = self._entries.get(digest)
        return entry if entry is not None and hmac.compare_digest(entry.digest, digest) else None

    def _look(self) -> None:
        """See whether the tokens have changed."""

    def _note(self, record: Record, now: float) -> None:
        """Note that a token was used."""

    def _refused(self, address: str, now: float) -> Denied:
        """Unknown, revoked and expired are refused alike."""
        wait = self._attempts.failed(address, now)
        if wait is not None:
            return Denied(429, retry_after=wait, reason="too many attempts")
        reason = "it is unknown, revoked or expired"
        tell(refusal(address, reason))
        return self._challenges.invalid(reason)


class TokensOfFile(StaticTokens):
    """The tokens of a file, as it stands. When it can no longer be used, no token is good."""

    def __init__(
        self,
        file: Path,
        *,
        scopes: Mapping[str, Iterable[str]],
        required: Sequence[str],
        clock: Callable[[], float],
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__({}, required=required, clock=clock)
        self._file = file
        self._scopes = {role: frozenset(names) for role, names in scopes.items()}
        self._ticks = ticks
        self._state: State | None = token_file.state_of(file) if token_file.exists(file) else None
        self._take(token_file.read(file))
        self._looked = ticks()
        self._trouble = ""
        self._noted: set[tuple[str, str]] = set()

    def _take(self, records: Records) -> None:
        """Keep those that may be good; a role that is not served here is none."""
        now = self._clock()
        self._keep(
            _Entry(bytes.fromhex(record.hash), self._grant(record), record)
            for record in records
            if record.is_good(now) and record.role in self._scopes
        )

    def _grant(self, record: Record) -> Grant:
        expires = None if record.expires is None else float(record.expires)
        return Grant(record.principal, self._scopes[record.role], record.role, record.id, expires)

    def _look(self) -> None:
        now = self._ticks()
        if now < self._looked + FRESH_S:
            return
        self._looked = now
        try:
            state = token_file.state_of(self._file)
            if state == self._state:
                return
            self._take(token_file.read(self._file))
            self._state, self._trouble = state, ""
        except (TokensUnusable, OSError) as error:
            if str(error) != self._trouble:
                tell(f"no token is good any more: {error}")
            self._keep(())
            self._state, self._trouble = None, str(error)

    def _note(self, record: Record, now: float) -> None:
        """Write down the day of a token's use, once a day and aside; tell of one that was rotated and is still used."""
        day = time.strftime("%Y-%m-%d", time.gmtime(now))
        if (record.id, day) in self._noted:
            return
        self._noted = {(token, when) for token, when in self._noted if when == day} | {(record.id, day)}
        if record.successor:
            tell(f"the token {record.id} is still used; its successor is {record.successor}")
        if record.last_used != day:
            asyncio.get_running_loop().run_in_executor(None, self._write_day, record.id, day)

    def _write_day(self, token_id: str, day: str) -> None:
        try:
            with token_file.changing(self._file) as write:
                write(used(token_file.read(self._file), token_id, day))
        except (TokensUnusable, OSError) as error:
            tell(f"the day on which a token was used is not written down: {error}")


def _named(entry: _Entry) -> _Entry:
    """Give a token that has no name for the log a part of its hash for one."""
    if entry.grant.token:
        return entry
    grant = msgspec.structs.replace(entry.grant, token=entry.digest.hex()[:_ID_LENGTH])
    return msgspec.structs.replace(entry, grant=grant)


def _is_good(grant: Grant, now: float) -> bool:
    return grant.expires is None or now < grant.expires
