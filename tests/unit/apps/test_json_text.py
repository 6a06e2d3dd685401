"""JSON output says exactly what was meant, and cannot steer a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readingroom.apps.characters import is_risky
from readingroom.apps.json_text import json_text, time_text


@given(st.text() | st.dictionaries(st.text(), st.text() | st.integers(-(2**53), 2**53) | st.none()))
def test_nothing_is_changed(value: object) -> None:
    """What a program reads from it is what was given, and no character of it is one that a terminal obeys."""
    text = json_text(value)
    assert json.loads(text) == value
    assert not any(is_risky(character) for character in text if character != "\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\x1bb", '"a\\u001bb"'),
        ("a\x9bb\x7f", '"a\\u009bb\\u007f"'),
        ("\U000e0041", '"\\udb40\\udc41"'),
        ("缓存", '"缓存"'),
        ({"a": [1, 2]}, '{\n  "a": [\n    1,\n    2\n  ]\n}'),
    ],
)
def test_text(value: object, text: str) -> None:
    """Letters stay as they are, lines are indented, and the rest is escaped."""
    assert json_text(value) == text


def test_replaced() -> None:
    """Members can be told in another form than they are kept in."""
    assert json.loads(json_text({"a": 1, "b": 0.0}, b=time_text(0.0))) == {
        "a": 1,
        "b": "1970-01-01T00:00:00Z",
    }
    assert time_text(None) is None
