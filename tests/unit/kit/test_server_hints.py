"""`Server`: hints and defaults that cannot be used are refused when a handler is registered, by name."""

import datetime as dt
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypedDict

import msgspec
import pytest

from readingroom import (
    Context,
    Server,
    UsageError,
)
from support.handlers import Pair, wrong
from support.memory import MemoryServer


class Foreign:
    """A class that JSON knows nothing of."""


class Holder(msgspec.Struct):
    """A record that holds one."""

    inner: Foreign


class Names(TypedDict):
    """A dict with names."""

    a: int


def with_parameter(hint: Any, *default: Any) -> Callable[..., Any]:
    """A function whose second parameter has that hint, and that default."""

    def take(first: str, v: Any = None) -> str:
        """Take."""
        return f"{first}{v}"

    take.__annotations__["v"] = hint
    take.__defaults__ = default
    return take


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (Foreign, "the hint Foreign cannot be used with JSON; what can be used: str, int"),
        (list[Foreign], r"the hint list\[.*Foreign\] cannot be used"),
        (Holder, "the hint Holder cannot be used"),
        (Callable[..., Any], "cannot be used"),
        (complex, "the hint complex cannot be used"),
        (Pair | Names, "Type unions may not contain more than one"),
        (Context | None, "its hint is Context alone"),
        (Annotated[int, msgspec.Meta(pattern="x")], "cannot be used"),
    ],
)
def test_a_hint_that_cannot_be_used_names_its_parameter(hint: Any, words: str) -> None:
    """And says what can be, without the advice of a library that the author does not see."""
    with pytest.raises(UsageError, match=words) as caught:
        Server("srv").tool(with_parameter(hint))
    assert "take: parameter 'v'" in str(caught.value)
    assert "hook" not in str(caught.value)
    if hint is Foreign:
        with pytest.raises(UsageError, match="give: the return type: the hint Foreign cannot be used"):
            Server("srv").tool(wrong(Foreign, None))


@pytest.mark.parametrize(
    ("hint", "default"),
    [
        (int, "x"),
        (int, True),
        (int, 1.5),
        (int, None),
        (str, 3),
        (Annotated[int, msgspec.Meta(ge=1)], 0),
        (Literal["a"], "b"),
        (list[int], ["x"]),
        (float, float("inf")),
        (int, object()),
        (Pair, {"b": "y"}),
    ],
)
def test_a_default_that_does_not_fit_is_refused(hint: Any, default: Any) -> None:
    """It would be published, and be given where the hint promises something else."""
    with pytest.raises(UsageError, match="take: parameter 'v': its default"):
        Server("srv").tool(with_parameter(hint, default))


@pytest.mark.parametrize(
    ("hint", "default"),
    [
        (int | None, None),
        (float, 1),
        (list[int], (1, 2)),
        (set[str], frozenset("a")),
        (Pair, Pair(1)),
        (dt.date, dt.date(2026, 11, 30)),
        (bytes, b"x"),
        (Any, None),
        (Annotated[int, msgspec.Meta(ge=1)], 1),
    ],
)
def test_a_default_that_fits_is_taken(hint: Any, default: Any) -> None:
    """Whatever JSON makes of it."""
    app = Server("srv")
    app.tool(with_parameter(hint, default))
    assert "isError" not in MemoryServer(app).call("take", {"first": "x"})


def test_a_prompts_default_fits_as_well() -> None:
    """Its arguments are texts."""
    with pytest.raises(UsageError, match="take: parameter 'v': its default 3"):
        Server("srv").prompt(with_parameter(str, 3))
