"""Tools of the suite's fixture that answer at once: content of every kind, errors, progress, log lines, change notices."""

import asyncio

from readingroom import (
    AudioContent,
    CallResult,
    Context,
    EmbeddedResource,
    ImageContent,
    ResourceContents,
    Server,
    TextContent,
    ToolError,
)

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
STEP_SECONDS = 0.05


def register(app: Server) -> None:
    """Register these tools."""
    _register_content(app)
    _register_conversation(app)

    @app.tool
    def test_trigger_tool_change() -> str:
        """Tell listeners that the list of tools has changed."""
        app.tools_changed()
        return "told"

    @app.tool
    def test_trigger_prompt_change() -> str:
        """Tell listeners that the list of prompts has changed."""
        app.prompts_changed()
        return "told"


def _register_content(app: Server) -> None:
    @app.tool
    def test_simple_text() -> str:
        """Give a text."""
        return "This is a simple text response for testing."

    @app.tool
    def test_image_content() -> CallResult:
        """Give an image."""
        return CallResult((ImageContent(PIXEL, "image/png"),))

    @app.tool
    def test_audio_content() -> CallResult:
        """Give a sound."""
        return CallResult((AudioContent(SILENCE, "audio/wav"),))

    @app.tool
    def test_embedded_resource() -> CallResult:
        """Give a resource inside the answer."""
        text = "This is an embedded resource content."
        return CallResult((_embedded("test://embedded-resource", "text/plain", text),))

    @app.tool
    def test_multiple_content_types() -> CallResult:
        """Give content of several kinds."""
        text = '{"test":"data","value":123}'
        return CallResult(
            (
                TextContent("Multiple content types test:"),
                ImageContent(PIXEL, "image/png"),
                _embedded("test://mixed-content-resource", "application/json", text),
            )
        )

    @app.tool
    def test_error_handling() -> str:
        """Fail in a way that the model may read."""
        raise ToolError("This tool intentionally returns an error for testing")


def _register_conversation(app: Server) -> None:
    @app.tool
    async def test_tool_with_progress(ctx: Context) -> str:
        """Tell progress in three steps."""
        for step in (0, 50, 100):
            ctx.progress(step, 100)
            await asyncio.sleep(STEP_SECONDS)
        return "done"

    @app.tool
    def test_logging_tool(ctx: Context) -> str:
        """Log a line, which reaches only the client that asked for lines."""
        ctx.log("info", "a line from the tool")
        return "logged"

    @app.tool
    async def test_tool_with_logging(ctx: Context) -> str:
        """Log three lines."""
        for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            ctx.log("info", line)
            await asyncio.sleep(STEP_SECONDS)
        return "logged three lines"

    @app.tool(requires={"sampling": {}})
    def test_missing_capability() -> str:
        """Need a client that samples."""
        return "the client samples"

    @app.tool
    def test_reconnection() -> str:
        """Answer at once: there is no stream that could be lost."""
        return "answered"


def _embedded(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    return EmbeddedResource(ResourceContents(uri=uri, mime_type=mime_type, text=text))
