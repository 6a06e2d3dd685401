"""The keys of an issuer: which are used, how long they are kept, how often they are asked for."""

import asyncio
import base64
import threading
from typing import Any

import pytest
from joserfc.jwk import OctKey, OKPKey

from readingroom.transport.auth_fetch import FetchFailed
from readingroom.transport.auth_keys import AGAIN_S, FRESH_S, STALE_S, IssuerKeys, KeysUnavailable, keys_in
from support.minting import Clock, Published, ec, key_set, rsa

HOUR = 3600.0


class Asking:
    """Keys with a clock, and what they told."""

    def __init__(self, *keys: Any) -> None:
        self.clock = Clock(1000.0)
        self.published = Published(*keys)
        self.told: list[str] = []
        self.keys = IssuerKeys(self.published, clock=self.clock, tell=self.told.append)

    def finds(self, name: str, algorithm: str = "RS256") -> bool:
        """Whether there is a key of that name."""
        return asyncio.run(self.keys.find(name, algorithm)) is not None

    def later(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.now += seconds


def test_keys_are_fetched_once_and_kept() -> None:
    """For ten minutes."""
    at = Asking()
    assert at.published.asked == 0
    assert all(at.finds("k1") for _ in range(100))
    assert at.published.asked == 1
    at.later(FRESH_S - 1)
    assert at.finds("k1")
    assert at.published.asked == 1
    at.later(1)
    assert at.finds("k1")
    assert at.published.asked == 2


def test_a_new_key_is_found_by_one_fetch() -> None:
    """Once the last fetch is a minute ago."""
    at = Asking()
    assert at.finds("k1")
    at.published.keys = (rsa("k1"), rsa("k2"))
    assert not at.finds("k2")
    at.later(AGAIN_S)
    assert at.finds("k2")
    assert at.published.asked == 2


def test_a_removed_key_is_refused_after_ten_minutes() -> None:
    """When the keys are fetched anew."""
    at = Asking(rsa("k1"), rsa("k2"))
    assert at.finds("k2")
    at.published.keys = (rsa("k1"),)
    at.later(FRESH_S - 1)
    assert at.finds("k2")
    at.later(1)
    assert not at.finds("k2")


def test_while_the_issuer_is_down_its_keys_are_kept() -> None:
    """For a day; then nobody can tell. It is asked once a minute, and again as soon as it is back."""
    at = Asking()
    assert at.finds("k1")
    at.published.error = FetchFailed("status 500")
    at.later(HOUR)
    assert at.finds("k1")
    assert at.finds("k1")
    assert at.published.asked == 2
    assert at.told == ["the keys of the issuer cannot be had: status 500"]
    at.later(STALE_S - HOUR - 1)
    assert at.finds("k1")
    at.later(1)
    with pytest.raises(KeysUnavailable) as caught:
        at.finds("k1")
    assert 1 <= caught.value.retry_after <= AGAIN_S
    at.published.error = None
    at.later(AGAIN_S)
    assert at.finds("k1")


def test_at_the_start_a_failure_is_tried_again_soon() -> None:
    """The two may be started together; but not on every request."""
    at = Asking()
    at.published.error = FetchFailed("down")
    for _ in range(50):
        with pytest.raises(KeysUnavailable):
            at.finds("k1")
    assert at.published.asked == 1
    at.published.error = None
    at.later(5)
    assert at.finds("k1")


def test_unknown_names_do_not_make_us_fetch() -> None:
    """Ten thousand of them in a minute: once."""
    at = Asking()
    assert at.finds("k1")
    asked = at.published.asked

    async def flood() -> None:
        for number in range(10_000):
            assert await at.keys.find(f"no{number}", "RS256") is None

    at.later(AGAIN_S)
    asyncio.run(flood())
    assert at.published.asked == asked + 1
    assert at.finds("k1")


def test_those_who_wait_wait_for_one_fetch() -> None:
    """However many they are, and whoever of them goes away."""
    may_end = threading.Event()
    asked: list[int] = []

    def load() -> Any:
        asked.append(1)
        assert may_end.wait(10)
        return keys_in(key_set(rsa("k1")))

    async def many() -> None:
        keys = IssuerKeys(load, clock=Clock(0.0), tell=print)
        waiting = [asyncio.create_task(keys.find("k1", "RS256")) for _ in range(50)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        may_end.set()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(found[0], asyncio.CancelledError)
        assert all(not isinstance(one, BaseException) and one is not None for one in found[1:])

    asyncio.run(many())
    assert len(asked) == 1


def test_a_known_key_does_not_wait_for_the_refresh_of_another() -> None:
    """Only the request that began it does."""
    may_end = threading.Event()
    published = Published()

    def load() -> Any:
        if published.asked:
            assert may_end.wait(10)
        return published()

    async def two() -> None:
        clock = Clock(0.0)
        keys = IssuerKeys(load, clock=clock, tell=print)
        assert await keys.find("k1", "RS256")
        clock.now += FRESH_S
        first = asyncio.create_task(keys.find("k1", "RS256"))
        await asyncio.sleep(0)
        assert await asyncio.wait_for(keys.find("k1", "RS256"), 5)
        assert not first.done()
        may_end.set()
        assert await first

    asyncio.run(two())


@pytest.mark.parametrize(
    ("name", "algorithm", "found"),
    [
        ("k1", "RS256", True),
        ("k1", "PS256", True),
        ("k1", "ES256", False),
        ("e1", "ES256", True),
        ("e1", "RS256", False),
        ("both", "RS256", True),
        ("both", "ES256", True),
    ],
)
def test_a_key_is_found_by_its_kind(name: str, algorithm: str, found: bool) -> None:
    """An algorithm has keys of its own kind alone."""
    assert Asking(rsa("k1"), ec("e1"), rsa("both"), ec("both")).finds(name, algorithm) is found


def test_a_key_that_says_its_algorithm_is_for_no_other() -> None:
    """Whatever it could do."""
    described = key_set(rsa("k1"))["keys"][0]

    async def look(algorithm: str) -> bool:
        keys = IssuerKeys(
            lambda: keys_in({"keys": [{**described, "alg": "RS512"}]}), clock=Clock(0.0), tell=print
        )
        return await keys.find("k1", algorithm) is not None

    assert not asyncio.run(look("RS256"))
    assert asyncio.run(look("RS512"))


GOOD = key_set(rsa("good"))["keys"][0]


@pytest.mark.parametrize(
    "described",
    [
        {},
        None,
        "key",
        {**GOOD, "kid": None},
        {**GOOD, "kid": ""},
        {**GOOD, "kid": 1},
        {**GOOD, "kid": "k" * 256},
        {name: value for name, value in GOOD.items() if name != "kid"},
        {**GOOD, "kid": "bad", "kty": "oct"},
        {**GOOD, "kid": "bad", "kty": "nonsense"},
        {**GOOD, "kid": "bad", "kty": ["RSA"]},
        {**GOOD, "kid": "bad", "n": "!!"},
        {**GOOD, "kid": "bad", "n": 5},
        {"kid": "bad", "kty": "RSA"},
        {"kid": "bad", "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kid": "bad", "kty": "EC", "crv": "nonsense", "x": "AA", "y": "AA"},
        {**GOOD, "kid": "bad", "use": "enc"},
        {**GOOD, "kid": "bad", "key_ops": ["encrypt"]},
        {**GOOD, "kid": "bad", "key_ops": "verify"},
        {**rsa("bad").as_dict(private=True)},
        {**GOOD, "kid": "bad", "n": base64.urlsafe_b64encode(b"\x7f" + b"\xff" * 255).decode().rstrip("=")},
        {**OctKey.generate_key(256, {"kid": "bad"}).as_dict(private=True)},
        {**OKPKey.generate_key("Ed25519", {"kid": "bad"}).as_dict(private=False)},
    ],
)
def test_a_key_that_cannot_be_used_is_passed_over(described: Any) -> None:
    """Secret, private, short, nameless, for something else, or broken; the others are used."""
    assert set(keys_in({"keys": [described, GOOD]})) == {"good"}


@pytest.mark.parametrize(
    "found",
    [None, [], {}, {"keys": {}}, {"keys": []}, {"keys": [{}]}, {"keys": [GOOD] * 65}],
)
def test_what_is_no_set_of_keys(found: Any) -> None:
    """Or one of too many; what was known before is kept then."""
    with pytest.raises(FetchFailed):
        keys_in(found)


def test_as_many_keys_as_may_be() -> None:
    """Sixty-four."""
    assert len(keys_in({"keys": [{**GOOD, "kid": str(number)} for number in range(64)]})) == 64
