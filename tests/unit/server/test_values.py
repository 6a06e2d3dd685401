"""What handlers return, as the protocol tells it."""

from typing import Any

import pytest

from readingroom import (
    AudioContent,
    Completion,
    EmbeddedResource,
    PromptMessage,
    Resource,
    ResourceContents,
    TextContent,
)
from readingroom.protocol import CompletionResult, PromptResult, ReadResult
from readingroom.server.values import completion_of, content_of, contents_of, failed_call, messages_of

SOUND = AudioContent("aGk=", "audio/wav")


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (None, ()),
        ("x", (TextContent("x"),)),
        ("", (TextContent(""),)),
        (SOUND, (SOUND,)),
        ([SOUND, "x"], (SOUND, TextContent("x"))),
        ((TextContent("a"),), (TextContent("a"),)),
        (["x", "y"], (TextContent("x"), TextContent("y"))),
        ([], (TextContent("[]"),)),
        ({"a": 1}, (TextContent('{"a":1}'),)),
        ([1, "x"], (TextContent('[1,"x"]'),)),
        (3, (TextContent("3"),)),
        (b"\xff", (TextContent('"/w=="'),)),
    ],
)
def test_a_tool_without_structure_gives_content(value: Any, content: tuple[Any, ...]) -> None:
    """Texts and blocks as they are, anything else as its JSON."""
    assert content_of(value) == content


@pytest.mark.parametrize("value", [Resource("a:b", "n"), [ResourceContents("a:b")], object()])
def test_what_is_no_content_is_refused(value: Any) -> None:
    """A value of the protocol that is no block, and what JSON cannot say."""
    with pytest.raises(TypeError):
        content_of(value)


def test_a_failed_call_says_why() -> None:
    """As a result that says it is a failure (TOOL-7)."""
    result = failed_call("why")
    assert (result.content, result.is_error) == ((TextContent("why"),), True)


OWN = ResourceContents("a:c", text="own")


@pytest.mark.parametrize(
    ("value", "mime", "contents"),
    [
        ("x", None, (ResourceContents("a:b", "text/plain", "x"),)),
        ("x", "text/markdown", (ResourceContents("a:b", "text/markdown", "x"),)),
        (b"hi", None, (ResourceContents("a:b", "application/octet-stream", blob="aGk="),)),
        (b"", "image/png", (ResourceContents("a:b", "image/png", blob=""),)),
        (OWN, "image/png", (OWN,)),
        (["x", OWN], None, (ResourceContents("a:b", "text/plain", "x"), OWN)),
        ([], None, ()),
    ],
)
def test_a_resource_gives_its_contents(value: Any, mime: str | None, contents: tuple[Any, ...]) -> None:
    """Text, bytes in base64, contents, or several of them (RSRC-2)."""
    assert contents_of(value, "a:b", mime) == ReadResult(contents)


def test_a_prompt_gives_messages() -> None:
    """A text is what a user says (PRO-2)."""
    said = PromptMessage("assistant", EmbeddedResource(ResourceContents("a:b", text="x")))
    asked = PromptMessage("user", TextContent("x"))
    assert messages_of("x", "d") == PromptResult((asked,), "d")
    assert messages_of(["x", said], None) == PromptResult((asked, said))


@pytest.mark.parametrize("value", [3, None, {"a": 1}, [3]])
def test_what_is_neither_text_nor_a_value_of_its_kind_is_refused(value: Any) -> None:
    """In words that name what may be given."""
    with pytest.raises(TypeError, match="resource returned"):
        contents_of(value, "a:b", None)
    with pytest.raises(TypeError, match="prompt returned"):
        messages_of(value, None)


def test_a_completion_sends_the_first_hundred() -> None:
    """And says how many there are (COMP-2)."""
    assert completion_of(["a"]) == CompletionResult(Completion(("a",), 1, False))
    many = completion_of(str(number) for number in range(101)).completion
    assert (len(many.values), many.total, many.has_more) == (100, 101, True)
    own = Completion(("x",))
    assert completion_of(own) == CompletionResult(own)
