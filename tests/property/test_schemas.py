"""The schema that is published and the decoder that reads agree, whatever the hint and whatever the value."""

import dataclasses
import datetime as dt
import enum
import json
import uuid
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readingroom.server.schema import Arguments, BadArguments, Output
from readingroom.server.signature import Parameter

Meta = msgspec.Meta


class Point(msgspec.Struct):
    """A record."""

    x: int
    y: float = 0.0


class Tree(msgspec.Struct):
    """A record that holds its own kind."""

    name: str
    children: list["Tree"] = []


class Row(NamedTuple):
    """A tuple with names."""

    a: int
    b: str = "x"


class Options(TypedDict):
    """An object with names."""

    a: int
    b: NotRequired[str]


@dataclasses.dataclass
class Person:
    """A record of the standard library that holds others."""

    name: str
    x: Point | None = None
    children: "list[Person]" = dataclasses.field(default_factory=list)


class Cat(msgspec.Struct, tag_field="name", tag="aa"):
    """One of two records that are told apart by a tag."""

    x: int = 0


class Dog(msgspec.Struct, tag_field="name", tag="b"):
    """The other one, which holds records of a library and open ones."""

    y: dict[str, Options] = {}
    children: list[Cat] = []


class Spot(msgspec.Struct, array_like=True):
    """A record that is told as an array, and holds one that is not."""

    at: Point
    more: tuple[int, Options] | None = None


class Shut(msgspec.Struct, forbid_unknown_fields=True, rename={"inner": "x"}):
    """A closed record that holds one that is not."""

    inner: Options


class Nothing(TypedDict):
    """An object without members."""


class Colour(enum.Enum):
    """A choice."""

    RED = "red"
    BLUE = "blue"


EXACT: list[Any] = [
    *(
        int,
        float,
        str,
        bool,
        None,
        Any,
        int | None,
        str | int,
        bool | str,
        float | None,
        list,
        dict,
        list[int],
    ),
    *(
        list[str | None],
        tuple[int, ...],
        tuple[int, str],
        dict[str, int],
        dict[str, Any],
        dict[str, list[int]],
    ),
    *(
        Literal["a", "b"],
        Literal[1, 2],
        (Literal["a", 1] | None),
        Point,
        Row,
        Options,
        Colour,
        Tree,
        list[Point],
    ),
    *(
        Person,
        Cat | Dog,
        list[Cat | Dog | None],
        Cat,
        Spot,
        Shut,
        Nothing,
        dict[str, Point],
        tuple[Options, ...],
    ),
    *(Point | None, Point | str | None, list[dict[str, Any]], frozenset[str]),
    *(
        Annotated[int, Meta(ge=0, le=10)],
        Annotated[int, Meta(gt=0, lt=10)],
        Annotated[int, Meta(multiple_of=3)],
    ),
    *(
        Annotated[str, Meta(min_length=1, max_length=3)],
        Annotated[str, Meta(pattern="^a+")],
        Annotated[float, Meta(ge=0.5)],
    ),
    *(Annotated[list[int], Meta(min_length=1, max_length=2)], Annotated[float, Meta(multiple_of=0.5)]),
]
"""Hints whose schema says all that the decoder takes, and nothing else."""

STRICTER: list[Any] = [
    dt.datetime,
    dt.date,
    dt.time,
    dt.timedelta,
    uuid.UUID,
    bytes,
    dict[int, str],
]
"""Hints of which JSON Schema can say only a part: a form that it calls an annotation, or keys that are numbers."""

NUMBERS = st.sampled_from([0, 1, 2, 3, -1, 9, 10, 11, 2**53, 2**63, 2**64, -(2**70)]) | st.sampled_from(
    [0.0, 1.0, -1.0, 0.5, 1.5, 3.0, 2.5, 1e20, 1e300]
)
TEXTS = st.sampled_from(
    [
        "",
        "a",
        "aa",
        "aaaa",
        "b",
        "red",
        "x",
        "1",
        "éé",
        "\U0001f642" * 3,
        "2020-01-01T00:00:00Z",
        "2020-01-01",
        "P1D",
        "aGk=",
    ]
)
KEYS = st.sampled_from(["a", "b", "x", "y", "name", "children", "1", "zz"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
DOCUMENTS = st.builds(
    lambda value, more: {**({} if value is ... else {"v": value}), **more},
    st.just(...) | VALUES | VALUES | VALUES,
    st.just({}) | st.just({}) | st.just({"w": 1}),
)


def arguments(hint: Any) -> Arguments:
    """Arguments with one of that hint."""
    return Arguments("t", (Parameter("v", hint),))


def is_taken(given: Arguments, document: Any) -> bool:
    """Whether the decoder takes a document."""
    try:
        given.decode(json.dumps(document).encode())
    except BadArguments:
        return False
    return True


@pytest.mark.parametrize("hint", EXACT, ids=str)
@settings(max_examples=60)
@given(document=DOCUMENTS)
def test_the_decoder_takes_exactly_what_the_schema_allows(hint: Any, document: Any) -> None:
    """By another implementation of JSON Schema 2020-12 (SCH-1, SCH-2, SCH-7)."""
    made = arguments(hint)
    assert is_taken(made, document) is jsonschema_rs.is_valid(made.schema, document)


@pytest.mark.parametrize("hint", STRICTER, ids=str)
@settings(max_examples=60)
@given(document=DOCUMENTS)
def test_the_decoder_takes_nothing_that_the_schema_forbids(hint: Any, document: Any) -> None:
    """It may know better what a date is."""
    made = arguments(hint)
    if is_taken(made, document):
        assert jsonschema_rs.is_valid(made.schema, document)


@pytest.mark.parametrize("hint", EXACT, ids=str)
def test_schemas_are_valid(hint: Any) -> None:
    """Of arguments and of results, wrapped or not."""
    jsonschema_rs.meta.validate(arguments(hint).schema)
    jsonschema_rs.validator_for(arguments(hint).schema)
    jsonschema_rs.validator_for(Output("t", hint).schema)


RESULTS = {
    int: 3,
    str: "x",
    list[Point]: [Point(1)],
    Point: Point(1, 2.5),
    Tree: Tree("a", [Tree("b")]),
    dict[str, int]: {"a": 1},
    Row: Row(1),
    Colour: Colour.RED,
    int | None: None,
    bytes: b"hi",
    dt.date: dt.date(2026, 11, 30),
}


@pytest.mark.parametrize(("hint", "value"), RESULTS.items(), ids=str)
def test_what_is_sent_keeps_the_schema_that_is_published(hint: Any, value: Any) -> None:
    """Encoded, wrapped, and checked by the other implementation (TOOL-8)."""
    output = Output("t", hint)
    told = json.loads(output.encode(value))
    jsonschema_rs.validate(output.schema, {"result": told} if output.wraps else told)
