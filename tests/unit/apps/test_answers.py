"""What a tool of any server gave is told as text, and is never obeyed."""

import json
from typing import Any

import pytest

from readingroom.apps.answers import tell_answer
from readingroom.client import CallToolAnswer

from .streams import console, written


def answer(*content: dict[str, Any], **members: Any) -> CallToolAnswer:
    """Give an answer as the client gives it."""
    raw = {"content": list(content), **members}
    structured = {"structured": members["structuredContent"]} if "structuredContent" in members else {}
    return CallToolAnswer(
        raw=raw, content=list(content), is_error=members.get("isError", False), **structured
    )


def told(given: CallToolAnswer, *, as_json: bool = False, out_is_terminal: bool = False) -> tuple[str, str]:
    """Give what is written to stdout and stderr."""
    at = console(out_is_terminal=out_is_terminal)
    tell_answer(given, at, as_json=as_json)
    return written(at.out), written(at.err)


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "text", "text": "two\nlines\n"}, "two\nlines\n"),
        ({"type": "image", "mimeType": "image/png", "data": "AAAA" * 500}, "[image: image/png, 1.5 KB]\n"),
        (
            {"type": "audio", "mimeType": "audio/\x1bogg", "data": "AAAA"},
            "[audio: audio/⟨U+001B⟩ogg, 3 bytes]\n",
        ),
        ({"type": "resource_link", "uri": "a:b", "name": "c\nd"}, "[resource: a:b c⟨U+000A⟩d]\n"),
        ({"type": "resource", "resource": {"uri": "a:b", "text": "t"}}, "[resource: a:b]\nt\n"),
        ({"type": "resource", "resource": {"uri": "a:b", "blob": "AAAA"}}, "[resource: a:b, 3 bytes]\n"),
    ],
)
def test_blocks(block: dict[str, Any], text: str) -> None:
    """Text is printed, all else is named with its size."""
    assert told(answer(block)) == (text, "")


def test_an_error_of_the_tool() -> None:
    """The text of an error is printed like any other, and stderr says that it is one."""
    out, err = told(answer({"type": "text", "text": "no"}, isError=True))
    assert out == "no\n"
    assert "error" in err


def test_structure_alone() -> None:
    """An answer without content shows its structure."""
    assert told(answer(structuredContent=None)) == ("null\n", "")
    assert told(answer()) == ("", "")


def test_json() -> None:
    """With --json the structure alone; the whole result when there is none, or when it failed."""
    block = {"type": "text", "text": "5"}
    assert json.loads(told(answer(block, structuredContent={"result": 5}), as_json=True)[0]) == {"result": 5}
    assert json.loads(told(answer(block), as_json=True)[0]) == {"content": [block]}
    failed = answer(block, structuredContent={}, isError=True)
    assert json.loads(told(failed, as_json=True)[0])["isError"] is True


def test_a_text_cannot_steer_the_terminal() -> None:
    """On a terminal escapes are shown by name; a pipe gets the text as it came."""
    evil = answer({"type": "text", "text": "\x1b[2J"})
    assert told(evil, out_is_terminal=True)[0] == "⟨U+001B⟩[2J\n"
    assert told(evil)[0] == "\x1b[2J\n"
