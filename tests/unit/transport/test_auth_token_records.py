"""What can be done with static tokens."""

import hashlib
import re

import pytest

from readingroom.transport.auth_token_file import Record
from readingroom.transport.auth_token_records import (
    KEPT_S,
    NoSuchToken,
    digest_of,
    issued,
    revoked,
    rotated,
    used,
    without_old,
)

NOW = 1_800_000_000.0
DAY = 24 * 3600


def made(**changed: object) -> Record:
    """A token's record, good for ninety days."""
    _, record = issued("reader", now=NOW, seconds=90 * DAY, label="laptop")
    return Record(**{**{name: getattr(record, name) for name in record.__struct_fields__}, **changed})


def test_a_token_is_random_and_only_its_hash_is_kept() -> None:
    """256 bits, with a prefix by which people and scanners know it."""
    secret, record = issued("editor", principal="anna", label="laptop", now=NOW + 0.9, seconds=DAY)
    assert re.fullmatch(r"rr_editor_[A-Za-z0-9_-]{43}", secret)
    assert record.hash == hashlib.sha256(secret.encode()).hexdigest() == digest_of(secret).hex()
    assert secret not in repr(record)
    assert (record.role, record.principal, record.label) == ("editor", "anna", "laptop")
    assert (record.created, record.expires) == (int(NOW), int(NOW) + DAY)
    assert len({issued("reader", now=NOW, seconds=1)[0] for _ in range(100)}) == 100


def test_a_token_speaks_for_itself_unless_it_is_told_otherwise() -> None:
    """And it may have no end."""
    _, record = issued("reader", now=NOW, seconds=None)
    assert record.principal == f"token-{record.id}"
    assert record.expires is None
    assert record.is_good(NOW * 2)


def test_what_is_not_ascii_has_a_digest_too() -> None:
    """Whatever somebody sends."""
    assert len(digest_of("ä\ud800")) == 32


def test_when_a_token_is_good() -> None:
    """Until it ends, unless it is revoked."""
    record = made()
    assert record.expires is not None
    assert record.is_good(record.expires - 1)
    assert not record.is_good(record.expires)
    assert not made(revoked=1).is_good(NOW)


def test_revoking() -> None:
    """Marks one, once, and leaves the others."""
    first, second = made(), made()
    after = revoked((first, second), second.id, NOW + 5)
    assert after[0] is first
    assert after[1].revoked == int(NOW) + 5
    with pytest.raises(NoSuchToken, match="revoked already"):
        revoked(after, second.id, NOW)
    with pytest.raises(NoSuchToken, match="there is no token"):
        revoked(after, "nobody00", NOW)


def test_rotating() -> None:
    """Two tokens of one identity are good for a while; then the new one is."""
    old = made(principal="anna")
    secret, new, records = rotated((old,), old.id, now=NOW, seconds=30 * DAY, overlap=7 * DAY)
    assert records[1] is new
    assert new.hash == digest_of(secret).hex()
    assert (new.principal, new.role, new.label) == ("anna", "reader", "laptop")
    assert new.expires == int(NOW) + 30 * DAY
    assert records[0].expires == int(NOW) + 7 * DAY
    assert records[0].successor == new.id
    assert all(record.is_good(NOW + 6 * DAY) for record in records)
    assert not records[0].is_good(NOW + 7 * DAY)


@pytest.mark.parametrize(
    ("expires", "overlap", "ends"), [(DAY, 7 * DAY, DAY), (None, 7 * DAY, 7 * DAY), (9 * DAY, 0, 0)]
)
def test_the_old_token_gets_no_longer_a_life(expires: int | None, overlap: int, ends: int) -> None:
    """It ends when it would have, at the latest; without overlap at once."""
    old = made(expires=None if expires is None else int(NOW) + expires)
    _, _, (kept, _) = rotated((old,), old.id, now=NOW, seconds=None, overlap=overlap)
    assert kept.expires == int(NOW) + ends
    assert kept.is_good(NOW) is (ends > 0)


def test_what_cannot_be_rotated() -> None:
    """What has ended, was revoked, or was rotated before: there is one successor."""
    for record, told in (
        (made(expires=1), "expired"),
        (made(revoked=1), "revoked"),
        (made(successor="abcdefgh"), "its successor is abcdefgh"),
    ):
        with pytest.raises(NoSuchToken, match=told):
            rotated((record,), record.id, now=NOW, seconds=1, overlap=0)


def test_the_day_of_the_last_use() -> None:
    """Of one."""
    first, second = made(), made()
    after = used((first, second), first.id, "2027-01-15")
    assert (after[0].last_used, after[1].last_used) == ("2027-01-15", "")


def test_old_ones_leave_the_list() -> None:
    """Ninety days after they were revoked or ended."""
    kept = [made(), made(expires=None), made(expires=int(NOW) - DAY), made(revoked=int(NOW - KEPT_S) + 1)]
    gone = [made(expires=int(NOW - KEPT_S)), made(revoked=int(NOW - KEPT_S))]
    assert without_old((*kept, *gone), NOW) == tuple(kept)
