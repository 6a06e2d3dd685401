"""The author's own prompts: texts with places for arguments, served as prompts beside ours.

An argument is put in as it stands: nothing in a text or in an argument is interpreted, and what was put in is not looked at
again. Where the texts come from is not known here.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ..kit import Server

PLACE = re.compile(r"\{\{[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*\}\}")
OWN_NAMES = ("answer_from_library", "summarize_document", "compare_documents", "review_draft")
"""The names of our prompts, for whatever role; a test holds them. No text of an author's takes one of them."""


class Argument(msgspec.Struct, frozen=True):
    """An argument of a prompt; one that is not required and not given is put in as nothing."""

    name: str
    description: str = ""
    required: bool = False


class AuthorPrompt(msgspec.Struct, frozen=True):
    """A prompt: its text holds `{{name}}` where an argument is put in."""

    name: str
    text: str
    title: str = ""
    description: str = ""
    arguments: tuple[Argument, ...] = ()

    def filled(self, given: dict[str, str]) -> str:
        """Give the text with its arguments put in."""
        return PLACE.sub(lambda place: given.get(place[1]) or "", self.text)


def register(app: Server, prompts: Iterable[AuthorPrompt]) -> None:
    """Register prompts whose names are free with a server."""
    for prompt in prompts:
        app.prompt(
            name=prompt.name,
            title=prompt.title or None,
            description=prompt.description or prompt.title or prompt.name,
        )(_called(prompt))


def _called(prompt: AuthorPrompt) -> Callable[..., str]:
    """Give what is called with a prompt's arguments: an object whose signature is the prompt's."""
    import inspect

    def fill(_self: object, /, **given: str) -> str:
        return prompt.filled(given)

    fill.__annotations__ = {
        argument.name: str if argument.required else str | None for argument in prompt.arguments
    }
    made: Any = type("AuthorPrompt", (), {"__call__": fill, "__doc__": _documented(prompt)})()
    made.__signature__ = inspect.Signature(
        [
            inspect.Parameter(
                argument.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if argument.required else None,
            )
            for argument in prompt.arguments
        ]
    )
    called: Callable[..., str] = made
    return called


def _documented(prompt: AuthorPrompt) -> str:
    """Give the docstring from which the kit takes what is said of each argument."""
    described = [
        f"    {argument.name}: {argument.description}"
        for argument in prompt.arguments
        if argument.description
    ]
    return "\n".join([prompt.name, "", "Args:", *described])
