"""Any bytes are classified, exactly as a strict oracle does it by other means, and nothing is raised."""

import json
import os
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readingroom.limits import DEFAULT_LIMITS
from readingroom.server import Connection
from readingroom.wire import Fault, Notification, OverLong, Request, Response, classify, readable_id
from support.messages import call, cancel, frame
from support.oracle import classified

NESTING = 8
SEED = int(os.environ.get("READINGROOM_SEED", "20260728"))

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
)
NAMES = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]) | st.text(max_size=4)
TELLING = st.sampled_from(["2.0", "1.0", "tools/list", "", 0, 7, "7", 1.0, True, None, {}, []])
MESSAGES = st.lists(st.tuples(NAMES, TELLING | VALUES), max_size=8)


def written(pairs: list[tuple[str, Any]], ascii_only: bool) -> bytes:
    """An object with its members in that order, duplicates and all."""
    members = (f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=ascii_only)}" for name, value in pairs)
    return ("{" + ",".join(members) + "}").encode("utf-8", "surrogatepass")


def told(data: bytes, nesting: int = NESTING) -> tuple[Any, ...]:
    """What `classify` says, as the oracle writes it."""
    message = classify(data, nesting)
    if isinstance(message, Request):
        return ("request", message.id, message.method)
    if isinstance(message, Notification):
        return ("notification", message.method)
    if isinstance(message, Response):
        return ("response", message.id)
    assert isinstance(message, Fault)
    return ("fault", message.id, message.code)


def check(data: bytes) -> None:
    """The product and the oracle agree; of a message that is too deep the oracle does not know the id."""
    found, expected = told(data), classified(data, NESTING)
    if len(expected) > 1 and expected[1] is ...:
        assert (found[0], found[2]) == (expected[0], expected[2]), data
        return
    assert found == expected, data
    assert [type(part) for part in found] == [type(part) for part in expected], data


@given(st.binary(max_size=60))
def test_any_bytes_are_classified(data: bytes) -> None:
    """Mostly as a parse error."""
    check(data)


@given(MESSAGES, st.booleans())
def test_any_object_is_classified_as_the_oracle_does(pairs: list[tuple[str, Any]], ascii_only: bool) -> None:
    """Members of any kind, in any order, with duplicates, with lone surrogates written or escaped."""
    check(written(pairs, ascii_only))


@given(VALUES)
def test_any_value_is_classified_as_the_oracle_does(value: Any) -> None:
    """Most are no message."""
    check(json.dumps(value).encode())


SAMPLES = [
    frame(7, "server/discover"),
    call("seven", "add", {"a": 1, "b": [True, None, -1.5e3]}),
    call(0, "search", {"query": 'постоянный "адрес" 缓存 \\'}),
    cancel("seven", reason="why not"),
    b'{"jsonrpc":"2.0","id":1,"result":{"a":[[[[[1]]]]]}}',
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"\\ud83d\\udcda"}}',
    b'[{"jsonrpc":"2.0","id":1,"method":"x"}]',
    b'{"id":1e5,"id":1,"jsonrpc":"2.0","method":"m","params":null}',
]
INSERTED = [
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b":",
        b",",
        b"\\",
        b"\\u",
        b"\\ud800",
        b"null",
        b"true",
        b"-",
        b".",
        b"e",
        b"0",
        b"9",
    ),
    *(
        b"1e999",
        b" ",
        b"\t",
        b"\r",
        b"\x00",
        b"\x0c",
        b"\xff",
        b"\xd0",
        b"\xef\xbb\xbf",
        b'"id":',
        b'"method":',
        b'"jsonrpc":',
    ),
    *(b'"result":', b'"id":null,', b'"id":"x",', b"NaN", b"[[[[[[[[[", b"]]]]]]]]]", b'{"":{"":{"":'),
]


def mutated(chance: random.Random) -> bytes:
    """A sample with a few changes: bytes flipped, parts cut, doubled, swapped, or put in."""
    data = bytearray(chance.choice(SAMPLES))
    for _ in range(chance.randint(0, 4)):
        place = chance.randint(0, len(data))
        end = min(len(data), place + chance.randint(0, 12))
        change = chance.randint(0, 4)
        if change == 0 and data:
            data[place % len(data)] = chance.randint(0, 255)
        elif change == 1:
            del data[place:end]
        elif change == 2:
            data[place:place] = data[place:end]
        elif change == 3:
            data[place:end] = reversed(data[place:end])
        else:
            data[place:place] = chance.choice(INSERTED)
    return bytes(data)


def run_mutations(number: int, seed: int) -> dict[str, int]:
    """Classify that many mutated messages, and take each into a connection; give how many there were of each kind."""
    chance = random.Random(seed)
    kinds: dict[str, int] = {}
    connection = Connection(frozenset({"tools"}), DEFAULT_LIMITS)
    for _ in range(number):
        data = mutated(chance)
        check(data)
        kind = told(data)[0]
        kinds[kind] = kinds.get(kind, 0) + 1
        readable_id(data)
        connection.receive(data)
        connection.receive(OverLong(len(data), data[:40], data[-40:]))
    return kinds


@pytest.mark.slow
def test_mutated_messages_are_classified_as_the_oracle_does() -> None:
    """Twenty thousand of them, from a fixed seed, of every kind."""
    kinds = run_mutations(20_000, SEED)
    assert min(kinds.get(kind, 0) for kind in ("request", "notification", "response", "fault")) > 500, kinds


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_million_mutated_messages_are_classified_as_the_oracle_does() -> None:
    """The same for `make soak`, from a seed that is printed."""
    seed = random.SystemRandom().randrange(2**32) if "READINGROOM_SEED" not in os.environ else SEED
    print(f"READINGROOM_SEED={seed}")
    run_mutations(1_000_000, seed)
