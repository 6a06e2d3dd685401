"""Whatever is sent as a token, stands in a file of tokens or is published as keys: it is taken, or refused in our words."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from readingroom import Denied, Grant, OAuth, StaticTokens
from readingroom.protocol.authorization import Challenges
from readingroom.transport.auth_fetch import FetchFailed
from readingroom.transport.auth_keys import keys_in
from readingroom.transport.auth_token_file import TokensUnusable, changing, read
from readingroom.transport.auth_token_records import issued
from support.minting import GOOD, Clock, Published, key_set, oauth, rsa, token

ANYTHING = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text() | some.just("\ud800"),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
LETTERS = some.characters(codec="latin-1")  # what a server reads from a header
CHALLENGE = re.compile(r'Bearer (?:\w+="(?:[^"\\\x00-\x1f\x7f-\uffff]|\\.)*"(?:, (?=\w)|$))+')
RUNNER = asyncio.Runner()


@pytest.fixture(scope="module", autouse=True)
def runner() -> Iterator[None]:
    """One loop for all of them."""
    yield
    RUNNER.close()


@pytest.fixture(scope="module", autouse=True)
def quiet() -> Iterator[None]:
    """Nothing is written: what is told is for other tests."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("auth_oauth", "auth_tokens"):
            patch.setattr(f"readingroom.transport.{module}.tell", lambda text: None)
        yield


def outcome(auth: OAuth | StaticTokens, values: list[str]) -> Grant | Denied:
    """Ask, and give what came."""
    try:
        return RUNNER.run(auth.authenticate(values, "192.0.2.1"))
    except Denied as denied:
        return checked(denied)


def checked(denied: Denied) -> Denied:
    """A refusal that can be sent."""
    assert denied.status in (400, 401, 403, 429)
    assert CHALLENGE.fullmatch(denied.challenge) if denied.status != 429 else not denied.challenge
    return denied


@given(some.lists(some.text(LETTERS), max_size=2))
def test_headers(values: list[str]) -> None:
    """One token of those characters that tokens have, or a refusal."""
    try:
        found = Challenges("https://a.example/x", ("a",)).token_of(values)
    except Denied as denied:
        checked(denied)
    else:
        assert len(values) == 1
        assert re.fullmatch(r"[A-Za-z0-9._~+/-]+=*", found)
        assert values[0].strip(" \t").lower().startswith("bearer ")


@given(some.text(some.sampled_from("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-._~+/="), max_size=300))
def test_tokens_that_nobody_made(given_token: str) -> None:
    """Are never good."""
    for auth in (oauth(), StaticTokens({"x" * 40: Grant("x")})):
        assert isinstance(outcome(auth, [f"Bearer {given_token}"]), Denied)


@given(
    some.dictionaries(some.sampled_from([*GOOD, "nbf", "nonce", "token_use", "typ"]), ANYTHING, max_size=4)
)
def test_claims(changed: dict[str, Any]) -> None:
    """Whatever an issuer signs; what is granted is what it says, and can be written in a line."""
    auth = oauth(load_keys=Published(), takes_plain=True)
    found = outcome(auth, [f"Bearer {token(header={'typ': 'JWT'}, **changed)}"])
    if isinstance(found, Grant):
        assert found.principal.isprintable()
        assert found.token.isprintable()
        assert found.role in ("reader", "editor")
        assert all({**GOOD, **changed}[name] == GOOD[name] for name in ("iss",))


@given(
    some.dictionaries(
        some.sampled_from(["alg", "kid", "typ", "crit", "jwk", "x5u", "b64"]), ANYTHING, max_size=3
    )
)
def test_headers_of_tokens(changed: dict[str, Any]) -> None:
    """Whatever stands there."""
    outcome(oauth(), [f"Bearer {token(header=changed)}"])


@given(some.binary(max_size=200))
def test_bytes_for_parts(data: bytes) -> None:
    """Of a token whose signature is good: for a header they are refused, for claims as well."""
    for given_token in (token(header=data), token(payload=data or b"x")):
        assert isinstance(outcome(oauth(), [f"Bearer {given_token}"]), Denied)


@given(ANYTHING | some.fixed_dictionaries({"keys": some.lists(ANYTHING, max_size=4)}))
def test_sets_of_keys(found: Any) -> None:
    """Keys that can be used, or none."""
    with pytest.raises(FetchFailed):
        keys_in(found)


@given(
    some.dictionaries(
        some.sampled_from(["kty", "kid", "n", "e", "use", "alg", "key_ops", "crv", "x", "x5c", "ext"]),
        ANYTHING,
        max_size=3,
    )
)
def test_keys(changed: dict[str, Any]) -> None:
    """One that is broken in whatever way takes none of the others along."""
    good = key_set(rsa("k1"))["keys"][0]
    assert "k1" in keys_in({"keys": [{**good, "kid": "k2", **changed}, good]})


@given(some.binary(max_size=100) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_files_of_tokens(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Are whole, or refused."""
    file = FILES.setdefault("file", tmp_path_factory.mktemp("private") / "tokens.json")
    file.write_bytes(data)
    file.chmod(0o600)
    with pytest.raises(TokensUnusable):
        read(file)


FILES: dict[str, Path] = {}


@given(
    some.lists(
        some.tuples(
            some.sampled_from(["reader", "editor"]),
            some.text(some.characters(categories=["L", "N", "P", "S"]), max_size=100),
            some.none() | some.integers(0, 2**40),
        ),
        max_size=5,
    )
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, tokens: list[tuple[str, str, int | None]]
) -> None:
    """As it was."""
    file = FILES.setdefault("other", tmp_path_factory.mktemp("private") / "tokens.json")
    made = tuple(
        issued(role, label=label, now=Clock()(), seconds=seconds)[1] for role, label, seconds in tokens
    )
    with changing(file) as write:
        write(made)
    assert read(file) == made
