"""Prompts, resources and completions of the suite's fixture."""

import base64

from fixture_tools import PIXEL

from readingroom import EmbeddedResource, ImageContent, PromptMessage, ResourceContents, Server, TextContent

WORDS = ("paris", "park", "party")


def register(app: Server) -> None:
    """Register these features."""
    _register_resources(app)
    _register_prompts(app)

    @app.completion("test_prompt_with_arguments", "arg1")
    def first_arguments(value: str) -> list[str]:
        """Complete the first argument."""
        return [word for word in WORDS if word.startswith(value)]


def _register_resources(app: Server) -> None:
    @app.resource("test://static-text", name="static-text", mime_type="text/plain")
    def static_text() -> str:
        """A fixed text."""
        return "This is the content of the static text resource."

    @app.resource("test://static-binary", name="static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """A fixed picture."""
        return base64.b64decode(PIXEL)

    @app.resource("test://template/{id}/data", name="template", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002  -- the template's variable has this name
        """A text for each id."""
        return f'{{"id":"{id}","data":"Data for ID: {id}"}}'

    @app.resource("test://watched-resource", name="watched-resource", mime_type="text/plain")
    def watched_resource() -> str:
        """A text that clients watch."""
        return "Watch this."


def _register_prompts(app: Server) -> None:
    @app.prompt
    def test_simple_prompt() -> str:
        """Give a text."""
        return "This is a simple prompt for testing."

    @app.prompt
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Give a text with both arguments.

        Args:
            arg1: the first
            arg2: the second
        """
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @app.prompt
    def test_prompt_with_embedded_resource(
        resourceUri: str,  # noqa: N803  -- the argument's name on the wire
    ) -> tuple[PromptMessage, ...]:
        """Give a resource inside a message.

        Args:
            resourceUri: the address that the resource is to have
        """
        contents = ResourceContents(uri=resourceUri, mime_type="text/plain", text="Embedded for testing.")
        return (
            PromptMessage("user", EmbeddedResource(contents)),
            PromptMessage("user", TextContent("Please process the embedded resource above.")),
        )

    @app.prompt
    def test_prompt_with_image() -> tuple[PromptMessage, ...]:
        """Give a picture and a text."""
        return (
            PromptMessage("user", ImageContent(PIXEL, "image/png")),
            PromptMessage("user", TextContent("Please analyze the image above.")),
        )
