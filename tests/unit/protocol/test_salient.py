"""What a request is about, and what of it is only spelling."""

from typing import Any

import msgspec
import pytest

from readingroom.errors import InvalidParams
from readingroom.protocol import CallParams, ListParams, Meta, PromptParams, ReadParams
from readingroom.protocol.salient import salient

META = Meta("2026-07-28", {})


def call(arguments: str | None) -> tuple[str, str]:
    """What a call with these arguments is about."""
    raw: Any = msgspec.UNSET if arguments is None else msgspec.Raw(arguments.encode())
    return salient(CallParams(META, "tool", raw))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, "{}"),
        ('{"a":1,"b":2}', ' { "b" : 2 , "a" : 1 } '),
        ('{"a":{"x":[1,{"p":1,"q":2}],"y":0}}', '{"a":{"y":0,"x":[1,{"q":2,"p":1}]}}'),
        ('{"a":"ü"}', '{"a":"\\u00fc"}'),
        ('{"a":1,"a":2}', '{"a":2}'),
    ],
)
def test_spelling_does_not_count(one: str | None, other: str) -> None:
    """Spaces, the order of members and escapes may change on the way."""
    assert call(one) == call(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{}", '{"a":null}'),
        ('{"a":1}', '{"a":"1"}'),
        ('{"a":1}', '{"a":true}'),
        ('{"a":[1,2]}', '{"a":[2,1]}'),
        ('{"a":18446744073709551616}', '{"a":18446744073709551617}'),
        ('{"a":0.10000000000000000000000001}', '{"a":0.1}'),
    ],
)
def test_values_count(one: str, other: str) -> None:
    """Numbers to their last digit, and types."""
    assert call(one) != call(other)


def test_names_and_addresses_count() -> None:
    """And the arguments of prompts."""
    found = {
        salient(CallParams(META, "a")),
        salient(CallParams(META, "b")),
        salient(ReadParams(META, "a:b")),
        salient(ReadParams(META, "a:c")),
        salient(PromptParams(META, "c", {"a": "1"})),
        salient(PromptParams(META, "c", {"a": "2"})),
    }
    assert len(found) == 6
    assert salient(PromptParams(META, "c")) == salient(PromptParams(META, "c", {}))
    assert salient(PromptParams(META, "c", {"a": "1", "b": "2"})) == salient(
        PromptParams(META, "c", {"b": "2", "a": "1"})
    )


@pytest.mark.parametrize("number", ["1e99999999999999999999", "-1e-99999999999999999999"])
def test_a_number_that_nothing_can_hold_is_refused(number: str) -> None:
    """Rather than taken for another."""
    with pytest.raises(InvalidParams):
        call('{"a":' + number + "}")


def test_other_methods_have_no_rounds() -> None:
    """To ask for them is a mistake of the kit's."""
    with pytest.raises(TypeError):
        salient(ListParams(META))
