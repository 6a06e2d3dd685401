"""Static tokens as an Authenticator: given by a program, or kept in a file that changes while it is used."""

import asyncio
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readingroom import Denied, Grant, StaticTokens, UsageError
from readingroom.transport.auth_token_file import Record, TokensUnusable, changing, exists, read
from readingroom.transport.auth_token_records import issued, revoked, rotated
from readingroom.transport.auth_tokens import FRESH_S, TokensOfFile
from support.minting import NOW, Clock

SCOPES = {"reader": ("docs:read",), "editor": ("docs:read", "docs:propose")}
INVALID = (
    'Bearer error="invalid_token", error_description="The access token is not valid here.", scope="docs:read"'
)
DAY = 24 * 3600
ANNA = secrets.token_urlsafe(32)
BERT = secrets.token_urlsafe(32)


class Kept:
    """Tokens in a file, the Authenticator over it, and both of its clocks."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.clock, self.ticks = Clock(), Clock(0.0)
        self.secret, self.record = self.add("reader")
        self.auth = self.opened()

    def opened(self) -> TokensOfFile:
        """Open the file anew."""
        return TokensOfFile(
            self.file, scopes=SCOPES, required=("docs:read",), clock=self.clock, ticks=self.ticks
        )

    def add(self, role: str, seconds: float | None = 90 * DAY) -> tuple[str, Record]:
        """Add a token to the file."""
        secret, record = issued(role, now=self.clock(), seconds=seconds)
        self.change(lambda records: (*records, record))
        return secret, record

    def change(self, what: Callable[[tuple[Record, ...]], tuple[Record, ...]]) -> None:
        """Change the file."""
        with changing(self.file) as write:
            write(what(read(self.file) if exists(self.file) else ()))

    def later(self, seconds: float = FRESH_S) -> None:
        """Let time pass."""
        self.clock.now += seconds
        self.ticks.now += seconds


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """A file with the token of a reader."""
    return Kept(tmp_path / "private" / "tokens.json")


def asked(auth: StaticTokens, *given: str, address: str = "192.0.2.1") -> Grant:
    """Ask what a token allows."""
    return asyncio.run(auth.authenticate([f"Bearer {one}" for one in given], address))


def refused(auth: StaticTokens, *given: str, address: str = "192.0.2.1") -> Denied:
    """Ask with a token that is refused."""
    with pytest.raises(Denied) as caught:
        asked(auth, *given, address=address)
    return caught.value


def test_tokens_of_a_program() -> None:
    """Each has its grant; one without a name for the log gets a part of its hash."""
    auth = StaticTokens({ANNA: Grant("anna", frozenset({"a"}), "editor"), BERT: Grant("bert", token="b-1")})
    grant = asked(auth, ANNA)
    assert (grant.principal, grant.scopes, grant.role) == ("anna", {"a"}, "editor")
    assert len(grant.token) == 8
    assert grant.token not in ANNA
    assert asked(auth, BERT).token == "b-1"
    assert auth.holds(grant)
    assert not auth.holds(Grant("anna", token="other"))


@pytest.mark.parametrize("secret", ["", "x", "x" * 31])
def test_a_token_that_could_be_guessed(secret: str) -> None:
    """Is refused when it is given."""
    with pytest.raises(UsageError, match="32 characters"):
        StaticTokens({secret: Grant("anna")})


def test_a_grant_that_ends() -> None:
    """Is over then, for a request and for what is open."""
    clock = Clock()
    auth = StaticTokens({ANNA: Grant("anna", expires=NOW + 10)}, clock=clock)
    grant = asked(auth, ANNA)
    clock.now = NOW + 9.9
    assert auth.holds(grant)
    clock.now = NOW + 10
    assert not auth.holds(grant)
    assert refused(auth, ANNA).status == 401


def test_scopes_that_any_use_needs() -> None:
    """Without them a good token is told so."""
    auth = StaticTokens({ANNA: Grant("anna", frozenset({"a"}))}, required=("a", "b"))
    denied = refused(auth, ANNA)
    assert denied.status == 403
    assert 'scope="a b"' in denied.challenge
    assert "resource_metadata" not in denied.challenge


def test_there_is_nothing_to_discover() -> None:
    """No metadata, and challenges that name none."""
    auth = StaticTokens({ANNA: Grant("anna")})
    assert auth.document("/.well-known/oauth-protected-resource") is None
    assert auth.document("/.well-known/oauth-protected-resource/mcp") is None
    with pytest.raises(Denied) as caught:
        asyncio.run(auth.authenticate([], ""))
    assert (caught.value.status, caught.value.challenge) == (401, 'Bearer realm="mcp"')
    assert auth.insufficient(frozenset({"a"})).status == 403


@pytest.mark.parametrize(
    "given",
    ["x", ANNA[:-1], ANNA + "A", ANNA.swapcase(), "rr_reader_" + "A" * 43, "a.b.c", "-" * 8000],
    ids=[
        "short",
        "cut",
        "longer",
        "swapped",
        "another",
        "dotted",
        "long",
    ],  # the tokens differ from run to run
)
def test_other_tokens_are_refused_alike(given: str) -> None:
    """By one challenge."""
    auth = StaticTokens({ANNA: Grant("anna")}, required=("docs:read",))
    assert (refused(auth, given).status, refused(auth, given).challenge) == (401, INVALID)


def test_malformed_and_doubled_headers(kept: Kept) -> None:
    """Are no attempts."""
    assert [refused(kept.auth, kept.secret, kept.secret).status for _ in range(20)] == [400] * 20
    assert [refused(kept.auth, "ä").status for _ in range(20)] == [400] * 20


def test_a_token_of_the_file(kept: Kept) -> None:
    """What it allows is its role's."""
    grant = asked(kept.auth, kept.secret)
    assert grant == Grant(
        f"token-{kept.record.id}",
        frozenset({"docs:read"}),
        "reader",
        kept.record.id,
        float(kept.record.expires or 0),
    )
    secret, record = kept.add("editor", None)
    kept.later()
    grant = asked(kept.auth, secret)
    assert (grant.role, grant.scopes, grant.expires) == ("editor", {"docs:read", "docs:propose"}, None)
    assert record.id == grant.token


def test_what_is_in_the_file_is_not_a_token(kept: Kept) -> None:
    """Who reads the file has not got in."""
    assert refused(kept.auth, kept.record.hash).status == 401
    assert refused(kept.auth, kept.record.id).status == 401


def test_a_new_token_is_good_within_seconds(kept: Kept) -> None:
    """Without a restart; until then the file is not looked at."""
    secret, _ = kept.add("reader")
    assert refused(kept.auth, secret).status == 401
    kept.later()
    assert asked(kept.auth, secret).role == "reader"
    for _ in range(2):
        kept.later()
        assert asked(kept.auth, secret).role == "reader"
    assert FRESH_S <= 5


def test_a_revoked_token_is_refused_within_seconds(kept: Kept) -> None:
    """As if it had never been, and what is open with it ends, too."""
    grant = asked(kept.auth, kept.secret)
    kept.change(lambda records: revoked(records, kept.record.id, NOW))
    kept.later()
    assert not kept.auth.holds(grant)
    assert refused(kept.auth, kept.secret).challenge == INVALID == refused(kept.auth, "unknown").challenge


def test_an_expired_token_is_refused(kept: Kept) -> None:
    """On the second, though the file stays as it is."""
    grant = asked(kept.auth, kept.secret)
    kept.later(90 * DAY - 1)
    assert kept.auth.holds(grant)
    assert asked(kept.auth, kept.secret)
    kept.later(1)
    assert not kept.auth.holds(grant)
    assert refused(kept.auth, kept.secret).status == 401


def test_rotation_needs_no_restart(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    """Both are good for one identity while they overlap, and who still uses the old one is told of, once a day."""
    fresh: list[str] = []

    def rotate(records: tuple[Record, ...]) -> tuple[Record, ...]:
        secret, _, after = rotated(
            records, kept.record.id, now=kept.clock(), seconds=90 * DAY, overlap=7 * DAY
        )
        fresh.append(secret)
        return after

    kept.change(rotate)
    kept.later()
    assert asked(kept.auth, fresh[0]).principal == asked(kept.auth, kept.secret).principal
    asked(kept.auth, kept.secret)
    err = capsys.readouterr().err
    assert err.count(f"the token {kept.record.id} is still used") == 1
    kept.later(7 * DAY)
    assert refused(kept.auth, kept.secret).status == 401
    assert asked(kept.auth, fresh[0])


def test_a_role_that_is_not_served_is_none(kept: Kept) -> None:
    """A token of another interface is refused like any other that is unknown."""
    secret, _ = kept.add("operator")
    kept.later()
    assert refused(kept.auth, secret).challenge == INVALID


def test_the_day_of_use_is_written_once(kept: Kept) -> None:
    """Not on every request; and what others have changed meanwhile stays."""
    for _ in range(3):
        asked(kept.auth, kept.secret)
    (record,) = read(kept.file)
    assert record.last_used == "2027-01-15"
    before = kept.file.stat().st_mtime_ns
    kept.later()
    asked(kept.auth, kept.secret)
    assert kept.file.stat().st_mtime_ns == before
    asked(kept.opened(), kept.secret)
    assert kept.file.stat().st_mtime_ns == before
    kept.later(DAY)
    other, _ = kept.add("reader")
    asked(kept.auth, kept.secret)
    assert [one.last_used for one in read(kept.file)] == ["2027-01-16", ""]
    assert asked(kept.auth, other)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_a_day_that_cannot_be_written(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    """Keeps nobody out."""
    kept.file.parent.chmod(0o755)
    assert asked(kept.auth, kept.secret).role == "reader"
    assert "is not written down" in capsys.readouterr().err


def spoiled_mode(file: Path) -> None:
    """Open to others."""
    file.chmod(0o644)


def spoiled_text(file: Path) -> None:
    """No JSON any more."""
    file.write_text("{")


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
@pytest.mark.parametrize("spoil", [spoiled_mode, spoiled_text, Path.unlink])
def test_a_file_that_can_no_longer_be_used(
    kept: Kept, spoil: Callable[[Path], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """No token is good then, which is told once; when it is mended they are good again."""
    grant = asked(kept.auth, kept.secret)
    whole = kept.file.read_bytes()
    spoil(kept.file)
    kept.later()
    assert refused(kept.auth, kept.secret).status == 401
    kept.later()
    assert not kept.auth.holds(grant)
    assert capsys.readouterr().err.count("no token is good any more") == 1
    kept.file.write_bytes(whole)
    kept.file.chmod(0o600)
    kept.later()
    assert asked(kept.auth, kept.secret)
    assert kept.auth.holds(grant)


def test_without_a_file_there_is_no_start(tmp_path: Path) -> None:
    """What cannot be used is told at once."""
    with pytest.raises(TokensUnusable, match="there is no file of tokens"):
        StaticTokens.from_file(tmp_path / "tokens.json", scopes=SCOPES)


def test_a_broken_file_is_told_with_what_to_do(kept: Kept) -> None:
    """Which file, what is wrong, and two ways out."""
    kept.file.write_bytes(kept.file.read_bytes()[:9])
    with pytest.raises(
        TokensUnusable, match=r"is no file of tokens: .*; put a good copy .* readingroom token add$"
    ):
        StaticTokens.from_file(kept.file, scopes=SCOPES)


def test_a_file_by_its_name(kept: Kept) -> None:
    """As a program on the kit opens it."""
    secret, _ = kept.add("reader", None)
    auth = StaticTokens.from_file(str(kept.file), scopes=SCOPES, required=("docs:read",))
    assert asked(auth, secret).role == "reader"


def test_guessing(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten are told that they are wrong, and then to wait; nothing grows, and the good token is good all the same."""

    async def guesses() -> list[Denied]:
        found = []
        for number in range(2_000):
            try:
                await kept.auth.authenticate([f"Bearer guess{number}"], "192.0.2.1")
            except Denied as denied:
                found.append(denied)
        return found

    found = asyncio.run(guesses())
    assert [denied.status for denied in found] == [401] * 10 + [429] * 1_990
    assert {denied.retry_after for denied in found[10:]} == {60}
    assert len(kept.auth._attempts._failures) == 10
    assert asked(kept.auth, kept.secret)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 10
    assert all(line.startswith("readingroom: refused a token from 192.0.2.1: ") for line in told)


def test_no_secret_is_told(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in the log nor in what is raised nor in the file."""
    canary = "rr_reader_" + "Canary" * 7 + "X"
    denied = refused(kept.auth, canary)
    asked(kept.auth, kept.secret)
    everything = [capsys.readouterr().err, str(denied), repr(denied), denied.challenge, kept.file.read_text()]
    everything.append(repr(kept.auth.__dict__))
    assert not any(
        secret in text
        for secret in (canary, canary[10:], kept.secret, kept.secret[10:])
        for text in everything
    )
