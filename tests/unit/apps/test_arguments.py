"""`key=value` words become the arguments that the tool's own schema describes."""

from typing import Any

import pytest

from readingroom.apps.arguments import arguments_from, types_of
from readingroom.apps.faults import UsageFault

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean"},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "maybe_count": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"type": ["string", "integer"]},
        "kind": {"enum": ["a", "b"]},
        "level": {"enum": [1, 2]},
        "one": {"const": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
        "lines": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "bare": {"type": "array"},
        "note": {"$ref": "#/$defs/Note"},
        "names": {"$ref": "#/$defs/Names"},
        "remote": {"$ref": "https://example.org/schema"},
        "loop": {"$ref": "#/properties/loop"},
        "free": {},
        "true": True,
    },
    "$defs": {
        "Note": {"type": "object"},
        "Names": {"type": "array", "items": {"$ref": "#/$defs/Name~1Text"}},
        "Name/Text": {"type": "string"},
    },
}


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["text=5"], {"text": "5"}),
        (["text="], {"text": ""}),
        (["text=a=b:=c"], {"text": "a=b:=c"}),
        (["text=null"], {"text": "null"}),
        (["text=two\nlines"], {"text": "two\nlines"}),
        (["count=5"], {"count": 5}),
        (["count=5.0"], {"count": 5.0}),
        (["ratio=5"], {"ratio": 5}),
        (["ratio=0.5"], {"ratio": 0.5}),
        (["deep=true"], {"deep": True}),
        (["maybe=null"], {"maybe": "null"}),
        (["maybe:=null"], {"maybe": None}),
        (["maybe_count=null"], {"maybe_count": None}),
        (["maybe_count=3"], {"maybe_count": 3}),
        (["either=3"], {"either": "3"}),
        (["kind=a"], {"kind": "a"}),
        (["level=2"], {"level": 2}),
        (["one=1"], {"one": 1}),
        (["tags=a"], {"tags": ["a"]}),
        (["tags=a", "tags=b"], {"tags": ["a", "b"]}),
        (['tags=["a", "b"]'], {"tags": ["a", "b"]}),
        (["tags:=[]"], {"tags": []}),
        (["lines=[1, 9]"], {"lines": [1, 9]}),
        (["lines=1", "lines=9"], {"lines": [1, 9]}),
        (["bare=x"], {"bare": ["x"]}),
        (['note={"a": 1}'], {"note": {"a": 1}}),
        (["names=x"], {"names": ["x"]}),
        (["remote=5"], {"remote": "5"}),
        (["loop=5"], {"loop": "5"}),
        (["free=5"], {"free": "5"}),
        (["true=5"], {"true": "5"}),
        (["unknown=5"], {"unknown": "5"}),
        (["unknown:=5"], {"unknown": 5}),
        (["text=a", "count=1"], {"text": "a", "count": 1}),
        ([], {}),
    ],
)
def test_arguments(words: list[str], arguments: dict[str, Any]) -> None:
    """A value is text where the schema allows text or is silent, else JSON of an allowed type."""
    assert arguments_from(words, SCHEMA) == arguments


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["text"], "key=value"),
        (["=x"], "key=value"),
        (["count=five"], "count takes JSON of type integer, not 'five'"),
        (['count="5"'], "count takes JSON of type integer, not string"),
        (["count=true"], "count takes JSON of type integer, not boolean"),
        (["deep=yes"], "deep takes JSON of type boolean, not 'yes'"),
        (["maybe_count=x"], "maybe_count takes JSON of type integer or null"),
        (["lines=x"], "lines takes JSON of type integer"),
        (["free:=x"], "free must be JSON"),
        (["count=\ud800"], "count takes JSON"),
        (["free:=\ud800"], "free must be JSON"),
        (["text=a", "text=b"], "text is given twice"),
        (["tags:=[]", "tags=a"], "tags is given twice"),
        (["tags=a", "tags:=[]"], "tags is given twice"),
    ],
)
def test_what_does_not_fit_is_named(words: list[str], told: str) -> None:
    """A word that cannot be meant is refused with its key, before anything is sent."""
    with pytest.raises(UsageFault, match=told):
        arguments_from(words, SCHEMA)


def test_a_schema_without_properties() -> None:
    """A schema that says nothing takes text."""
    assert arguments_from(["a=1"], {"type": "object", "properties": 5}) == {"a": "1"}


def test_nonsense_in_a_schema_is_no_type() -> None:
    """A server's schema is data: whatever it holds, no error comes of it."""
    for described in (
        5,
        {"type": 5},
        {"type": [5]},
        {"enum": 5},
        {"$ref": 5},
        {"$ref": "#/x/y"},
        {"anyOf": 5},
        {"anyOf": [5]},
    ):
        assert types_of(described, {"x": 1}) == frozenset()
