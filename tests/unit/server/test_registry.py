"""Registering: everything that can be wrong is found before the first request."""

from typing import Any

import pytest

from readingroom import Context, UsageError
from readingroom.protocol import CacheHint
from readingroom.server import Described, Registry, ToolOptions


def tool(a: int = 0) -> int:
    """A tool."""
    return a


def no_words(a: int = 0) -> int:  # noqa: D103  -- the missing docstring is what is tested
    return a


def text(id: str) -> str:  # noqa: A002  -- the name of a variable in addresses
    """A text."""
    return id


def number(id: int) -> str:  # noqa: A002  -- as above
    """A text by number."""
    return str(id)


def fixed() -> str:
    """A fixed text."""
    return "x"


def prompt(topic: str, tone: str | None = None) -> str:
    """A prompt."""
    return topic + (tone or "")


def complete(value: str) -> list[str]:
    """Complete a value."""
    return [value]


async def later(a: int = 0) -> int:
    """A coroutine."""
    return a


def provide(after: str | None, limit: int) -> Any:
    """Provide resources."""


def add_resource(registry: Registry, uri: str, function: Any) -> None:
    """Register a resource."""
    registry.add_resource(uri, function, Described(), None, CacheHint())


@pytest.mark.parametrize("name", ["a", "A_b-c.9", "x" * 128])
def test_names_that_hosts_can_take_are_kept(name: str) -> None:
    """Letters, digits and three signs, up to 128 (TOOL-3)."""
    registry = Registry()
    registry.add_tool(tool, ToolOptions(name=name))
    registry.add_prompt(prompt, Described(name=name))
    assert list(registry.tools) == list(registry.prompts) == [name]


@pytest.mark.parametrize("name", [" ", "a b", "a/b", "é", "x" * 129, "a\n", "<lambda>"])
def test_other_names_are_refused(name: str) -> None:
    """For tools, their aliases and prompts."""
    registry = Registry()
    with pytest.raises(UsageError):
        registry.add_tool(tool, ToolOptions(name=name))
    with pytest.raises(UsageError):
        registry.add_tool(tool, ToolOptions(aliases=(name,)))
    with pytest.raises(UsageError):
        registry.add_prompt(prompt, Described(name=name))
    assert {**registry.tools, **registry.aliases, **registry.prompts} == {}


def test_a_name_means_one_thing() -> None:
    """A tool, an alias, a prompt, an address: each is registered once."""
    registry = Registry()
    registry.add_tool(tool, ToolOptions(name="one", aliases=("uno",)))
    for options in (
        ToolOptions(name="one"),
        ToolOptions(name="uno"),
        ToolOptions(name="two", aliases=("one",)),
        ToolOptions(name="two", aliases=("uno",)),
        ToolOptions(name="two", aliases=("two",)),
        ToolOptions(name="two", aliases=("b", "b")),
    ):
        with pytest.raises(UsageError, match="registered twice"):
            registry.add_tool(tool, options)
    assert list(registry.tools) == ["one"]
    assert list(registry.aliases) == ["uno"]
    assert registry.find_tool("uno") is registry.find_tool("one") is registry.tools["one"]
    assert registry.find_tool("two") is None
    registry.add_prompt(prompt, Described())
    with pytest.raises(UsageError, match="registered twice"):
        registry.add_prompt(prompt, Described())
    for uri, function in (("a:///{id}", text), ("a:///x", fixed)):
        add_resource(registry, uri, function)
        with pytest.raises(UsageError, match="registered twice"):
            add_resource(registry, uri, function)


def test_a_feature_has_words_to_be_chosen_by() -> None:
    """A docstring or a description; resources may do without (TOOL-4)."""
    registry = Registry()
    with pytest.raises(UsageError, match="description"):
        registry.add_tool(no_words, ToolOptions())
    registry.add_tool(no_words, ToolOptions(description="Words."))
    assert registry.tools["no_words"].listed.description == "Words."


@pytest.mark.parametrize(
    ("uri", "function"),
    [
        ("notes", fixed),
        ("", fixed),
        (":x", fixed),
        ("1a:x", fixed),
        ("a:x y", fixed),
        ("é:x", fixed),
        ("a:é", fixed),
        ("a:///{id}", fixed),
        ("a:///x", text),
        ("a:///{other}", text),
        ("a:///{id", text),
        ("a:///{id}", number),
    ],
)
def test_addresses_and_functions_fit_together(uri: str, function: Any) -> None:
    """An address is a URI, and its variables are the function's parameters, as texts (RSRC-5)."""
    registry = Registry()
    with pytest.raises(UsageError):
        add_resource(registry, uri, function)
    assert {**registry.resources, **registry.templates} == {}


def counts(n: int) -> str:
    """A prompt that wants a number."""
    return str(n)


def test_a_prompt_takes_texts() -> None:
    """Required unless they have a default (PRO-2)."""
    registry = Registry()
    with pytest.raises(UsageError, match="texts"):
        registry.add_prompt(counts, Described())
    registry.add_prompt(prompt, Described())
    arguments = registry.prompts["prompt"].listed.arguments
    assert arguments
    assert [(argument.name, argument.required) for argument in arguments] == [("topic", True), ("tone", None)]
    registry.add_prompt(fixed, Described())
    assert registry.prompts["fixed"].listed.arguments is None


def wrong(values: str) -> list[str]:
    """A completion with another parameter."""
    return [values]


def with_all(value: str, arguments: dict[str, str], ctx: Context) -> list[str]:
    """A completion that wants everything."""
    return [value, *arguments, ctx.principal]


def test_a_completion_takes_what_was_typed() -> None:
    """And what was chosen before, if it wants it."""
    registry = Registry()
    with pytest.raises(UsageError, match="value"):
        registry.add_completion("prompt", "topic", wrong)
    registry.add_completion("prompt", "topic", complete)
    registry.add_completion("prompt", "tone", with_all)
    assert list(registry.completions) == [("prompt", "topic"), ("prompt", "tone")]


def test_there_is_one_provider_of_resources() -> None:
    """It takes where to go on from, and how many."""
    registry = Registry()
    with pytest.raises(UsageError, match="after"):
        registry.set_provider(text)
    registry.set_provider(provide)
    with pytest.raises(UsageError, match="one provider"):
        registry.set_provider(provide)


def test_a_coroutine_cannot_be_quick() -> None:
    """Quick handlers run inline."""
    with pytest.raises(UsageError, match="quick"):
        Registry().add_tool(later, ToolOptions(quick=True))


def two(a: int, b: int) -> int:
    """Two parameters."""
    return a + b


def test_a_schema_given_by_hand_has_one_object() -> None:
    """The function takes it whole."""
    options = ToolOptions(input_schema={"type": "object"})
    with pytest.raises(UsageError, match="one parameter"):
        Registry().add_tool(two, options)


def test_capabilities_are_exactly_what_is_there() -> None:
    """Nothing is declared that nobody serves (DISC-2)."""
    registry = Registry()
    assert registry.capabilities(logging=False) == {}
    assert registry.capabilities(logging=True) == {"logging": {}}
    registry.add_tool(tool, ToolOptions())
    assert registry.capabilities(logging=False) == {"tools": {}}
    registry.add_prompt(prompt, Described())
    registry.add_completion("prompt", "topic", complete)
    add_resource(registry, "a:///{id}", text)
    assert registry.capabilities(logging=False) == {
        "completions": {},
        "prompts": {},
        "resources": {},
        "tools": {},
    }
    for registered in (lambda one: add_resource(one, "a:///x", fixed), lambda one: one.set_provider(provide)):
        other = Registry()
        registered(other)
        assert other.capabilities(logging=False) == {"resources": {}}


def test_the_room_offers_no_other_names() -> None:
    """What it has not is an AttributeError, as of any module."""
    import readingroom.server

    with pytest.raises(AttributeError, match="Nothing"):
        _ = readingroom.server.Nothing
