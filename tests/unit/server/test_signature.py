"""What a handler takes and gives, from its hints and its docstring."""

import functools
from typing import Any

import msgspec
import pytest

from readingroom import Context, UsageError
from readingroom.server.signature import Parameter, read_docstring, read_signature


class Box:
    """Handlers of every form."""

    def method(self, a: int, b: str = "x") -> str:
        """A method."""
        raise NotImplementedError  # its signature alone is read

    @staticmethod
    def static(a: int) -> None:
        """A static method."""

    @classmethod
    def of_class(cls, a: int) -> None:
        """A class method."""

    def __call__(self, a: int) -> int:
        """Callable."""
        return a


class AsyncBox:
    """An object whose call is a coroutine."""

    async def __call__(self, a: int) -> int:
        """Callable."""
        return a


def plain(a: int, ctx: Context, *, b: str = "x", c: list[int]) -> str:
    """Do something.

    Args:
        a: A number.
    """
    raise NotImplementedError  # its signature alone is read


def nothing() -> None:
    """Take nothing."""


def decorated(function: Any) -> Any:
    """Wrap a function as decorators do."""

    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


def names(function: Any) -> list[str]:
    """The names of a handler's parameters."""
    return [parameter.name for parameter in read_signature(function).parameters]


def test_a_plain_function_is_read_whole() -> None:
    """Names, hints, defaults, descriptions, where the context goes, what is returned, and its own words."""
    signature = read_signature(plain)
    assert signature.parameters == (
        Parameter("a", int, msgspec.UNSET, "A number."),
        Parameter("b", str, "x"),
        Parameter("c", list[int]),
    )
    assert (signature.context, signature.returns, signature.is_async) == ("ctx", str, False)
    assert signature.summary == "Do something."
    empty = read_signature(nothing)
    assert (empty.parameters, empty.context, empty.returns) == ((), None, type(None))


@pytest.mark.parametrize(
    ("function", "expected", "is_async"),
    [
        (Box().method, ["a", "b"], False),
        (Box.static, ["a"], False),
        (Box.of_class, ["a"], False),
        (Box(), ["a"], False),
        (AsyncBox(), ["a"], True),
        (decorated(plain), ["a", "b", "c"], False),
        (functools.partial(plain, b="y"), ["a", "b", "c"], False),
        (decorated(Box().method), ["a", "b"], False),
    ],
)
def test_every_form_of_handler_is_read(function: Any, expected: list[str], is_async: bool) -> None:
    """Methods, static and class methods, objects that can be called, decorated functions, partial ones."""
    assert names(function) == expected
    assert read_signature(function).is_async is is_async


def test_coroutine_functions_are_told_apart() -> None:
    """Also methods."""

    async def handler(a: int) -> int:
        """Wait."""
        return a

    assert read_signature(handler).is_async
    assert not read_signature(plain).is_async


def test_defaults_of_every_form_are_read() -> None:
    """Those that inspection finds as well."""
    defaults = {
        parameter.name: parameter.default
        for parameter in read_signature(functools.partial(plain, b="y")).parameters
    }
    assert defaults == {"a": msgspec.UNSET, "b": "y", "c": msgspec.UNSET}


def takes_args(*args: int) -> None:
    """No JSON object fills these."""


def takes_kwargs(**kwargs: int) -> None:
    """No JSON object fills these."""


def takes_places(a: int, /) -> None:
    """No JSON object fills these."""


def without_hint(a) -> None:  # type: ignore[no-untyped-def]  # that it has no hint is what is tested
    """No hint."""


def undefined(a: "NoSuchType") -> None:  # type: ignore[name-defined]  # noqa: F821  -- what is undefined is what is tested
    """A hint that means nothing."""


@pytest.mark.parametrize(
    "function",
    [takes_args, takes_kwargs, takes_places, without_hint, undefined, functools.partial(takes_args, 1)],
)
def test_what_cannot_be_filled_from_json_is_refused(function: Any) -> None:
    """When it is registered, with the function's name."""
    with pytest.raises(UsageError, match=r"^(takes|without|undefined|partial)"):
        read_signature(function)


@pytest.mark.parametrize(
    ("text", "summary", "described"),
    [
        ("", "", {}),
        ("One line.", "One line.", {}),
        ("First.\n\n    Second,\n      indented.\n    ", "First.\n\nSecond,\n  indented.", {}),
        (
            "Sum.\n\n    Args:\n        a: One\n            line more.\n        b (int): Two.\n",
            "Sum.",
            {"a": "One line more.", "b": "Two."},
        ),
        ("Sum.\n    Args:\n        a: One.\n    Returns:\n        a: number.\n", "Sum.", {"a": "One."}),
        (
            "Sum.\n    Parameters:\n        a: One.\n\n            Note: no.\n",
            "Sum.",
            {"a": "One. Note: no."},
        ),
        ("Sum.\n    Arguments:\n        Not a parameter at all.\n", "Sum.", {}),
        ("Text with Args: inside.", "Text with Args: inside.", {}),
    ],
)
def test_a_docstring_is_split_into_words_and_descriptions(
    text: str, summary: str, described: dict[str, str]
) -> None:
    """What follows the arguments is for people who read the code."""
    assert read_docstring(text) == (summary, described)
