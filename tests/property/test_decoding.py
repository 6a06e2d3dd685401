"""The decoder gives what the standard library gives, for every document that both take."""

import contextlib
import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from readingroom.wire import Malformed, TooDeep, decode, encode
from support.oracle import NotJson, depth, is_out_of_range, strict_loads

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


def same(left: Any, right: Any) -> bool:
    """Equal, and of the same types all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right and (
        not isinstance(left, float) or math.copysign(1, left) == math.copysign(1, right)
    )


@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 1]))
def test_valid_documents_have_the_same_value(document: Any, ascii_only: bool, indent: int | None) -> None:
    """Whether characters are escaped or not, and with any white space."""
    text = json.dumps(document, ensure_ascii=ascii_only, indent=indent).encode()
    assert same(decode(text, 64), json.loads(text))


@given(DOCUMENTS)
def test_what_is_encoded_is_read_back_by_both(document: Any) -> None:
    """On one line, in UTF-8."""
    text = encode(document)
    assert b"\n" not in text
    assert same(decode(text, 64), document)
    assert same(json.loads(text), document)


TEXTS = st.text(alphabet='{}[]",:\\ue19-+.tfn \n"x', max_size=30) | st.text(max_size=10)


@given(TEXTS)
def test_both_take_the_same_documents(text: str) -> None:
    """What is deep is refused first; what has no value here, such as 1e999, is refused as well."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        value = decode(data, 4)
    except TooDeep:
        assert depth(text) > 4
        return
    except Malformed:
        assert depth(text) <= 4
        with contextlib.suppress(NotJson, UnicodeDecodeError):
            assert is_out_of_range(strict_loads(data.decode()))
        return
    assert depth(text) <= 4
    assert same(value, strict_loads(text))
