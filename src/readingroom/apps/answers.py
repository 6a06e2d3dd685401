"""Prints what a server gave: texts, and in words what is no text. What it sends is shown and never obeyed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .characters import one_line
from .console import Console
from .counting import size_text
from .json_text import json_text

if TYPE_CHECKING:
    from ..client import CallToolAnswer


def tell_answer(answer: "CallToolAnswer", console: Console, *, as_json: bool) -> None:
    """Print an answer. With `as_json` the structured content, or the whole result where there is none or it failed."""
    if as_json:
        has_structure = "structuredContent" in answer.raw and not answer.is_error
        console.out.line(json_text(answer.raw["structuredContent"] if has_structure else answer.raw))
        return
    if answer.is_error:
        console.err.line(console.err.paint("bad", "The tool answered with an error:"))
    for block in answer.content:
        console.out.text(_told(block).removesuffix("\n") + "\n")
    if not answer.content and "structuredContent" in answer.raw:
        console.out.line(json_text(answer.raw["structuredContent"]))


def tell_message(message: dict[str, Any], console: Console) -> None:
    """Print a message of a prompt: who says it, and what."""
    console.out.line(console.out.paint("bold", f"{one_line(str(message['role']))}:"))
    content = message["content"]
    for block in content if isinstance(content, list) else [content]:
        console.out.text(_told(block).removesuffix("\n") + "\n")


def tell_resource(contents: Sequence[dict[str, Any]], console: Console) -> None:
    """Print what a resource holds: text as it is, and in words what is no text; each named where there are several."""
    for number, part in enumerate(contents):
        if len(contents) > 1:
            console.out.line(
                ("\n" if number else "") + console.out.paint("bold", f"{one_line(part['uri'])}:")
            )
        if "text" in part:
            console.out.text(str(part["text"]).removesuffix("\n") + "\n")
        else:
            kind = one_line(str(part.get("mimeType") or "no type"))
            console.out.line(f"[{one_line(part['uri'])}: {kind}, {_decoded_size(part['blob'])}]")


def _told(block: dict[str, Any]) -> str:
    """Give one block of content as text."""
    kind = block["type"]
    if kind == "text":
        return str(block["text"])
    if kind in ("image", "audio"):
        return f"[{kind}: {one_line(block['mimeType'])}, {_decoded_size(block['data'])}]"
    if kind == "resource_link":
        return f"[resource: {one_line(block['uri'])} {one_line(block['name'])}]"
    resource = block["resource"]
    if "text" in resource:
        return f"[resource: {one_line(resource['uri'])}]\n{resource['text']}"
    return f"[resource: {one_line(resource['uri'])}, {_decoded_size(resource['blob'])}]"


def _decoded_size(base64: str) -> str:
    return size_text(len(base64) * 3 // 4)
