"""A server on the kit for the clients of other SDKs: every kind of content and value, lists of several pages, long work.

`workshop.py` serves on stdio, `workshop.py modern` does so without the older era, `workshop.py PORT` serves on HTTP.
"""

import sys
import threading
from typing import Annotated, Any, Literal

import msgspec

from readingroom import (
    Annotations,
    AudioContent,
    CallResult,
    Context,
    CreateMessage,
    ElicitForm,
    ElicitUrl,
    EmbeddedResource,
    ImageContent,
    ListRoots,
    Page,
    PromptMessage,
    Resource,
    ResourceContents,
    ResourceLink,
    Server,
    TextContent,
    ToolError,
)

app = Server(
    "workshop",
    version="2.1.0",
    title="Workshop",
    instructions="Try everything.",
    logging=True,
    notices=("tools", "updates"),
)

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
CITIES = ("Berlin", "Bern", "Bremen", "Köln", "Paris", "Санкт-Петербург", "北京")
PARTS = 250
VALUES: dict[str, Any] = {
    "null": None,
    "false": False,
    "zero": 0,
    "text": "",
    "list": [],
    "object": {"a": [1, 2.5, None, {"б": "字"}], "empty": {}},
}


class Part(msgspec.Struct, frozen=True):
    """A part with a number and, perhaps, a note."""

    number: int
    name: str
    note: str | None = None


class Held:
    """How many calls of `hold` have begun and how many have ended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.begun = self.ended = 0


held = Held()


@app.tool(read_only=True, quick=True)
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


@app.tool
def greet(
    name: Annotated[str, msgspec.Meta(min_length=1)], times: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
) -> str:
    """Greet someone.

    Args:
        name: who is greeted
        times: how often
    """
    return " ".join([f"Hello, {name}!"] * times)


@app.tool
async def part(number: int, note: str | None = None) -> Part:
    """Give a part."""
    return Part(number, f"part {number}", note)


@app.tool(name="any-value")
def any_value(kind: Literal["null", "false", "zero", "text", "list", "object"]) -> CallResult:
    """Give a value of a kind as structured content, without an object around it."""
    return CallResult((TextContent(msgspec.json.encode(VALUES[kind]).decode()),), structured=VALUES[kind])


@app.tool
def blocks() -> CallResult:
    """Give a content block of every kind."""
    every = (
        TextContent("text", Annotations(audience=("user",), priority=0.5)),
        ImageContent(DOT, "image/png"),
        AudioContent(SILENCE, "audio/wav"),
        ResourceLink("x:///fixed", "fixed", mime_type="text/plain", size=5),
        EmbeddedResource(ResourceContents(uri="x:///fixed", mime_type="text/plain", text="fixed")),
        EmbeddedResource(ResourceContents(uri="x:///dot", mime_type="image/png", blob=DOT)),
    )
    return CallResult(every)


@app.tool
def echo(text: str) -> str:
    """Give a text back."""
    return text


@app.tool
def count(to: int, ctx: Context) -> int:
    """Count, with progress."""
    for number in range(1, to + 1):
        ctx.progress(number, to, f"at {number}")
    return to


@app.tool
def hold(ctx: Context) -> str:
    """Tell that it has begun, then wait until cancelled."""
    with held.lock:
        held.begun += 1
    try:
        ctx.progress(1, message="begun")
        while True:
            ctx.check()
            threading.Event().wait(0.01)
    finally:
        with held.lock:
            held.ended += 1


@app.tool
def holds() -> tuple[int, int]:
    """Tell how many calls of `hold` have begun and how many have ended."""
    with held.lock:
        return held.begun, held.ended


@app.tool
def note(text: str, ctx: Context) -> None:
    """Log a text at three levels."""
    for level in ("debug", "warning", "error"):
        ctx.log(level, {"text": text}, "workshop")


@app.tool
def ask_person(ctx: Context) -> list[str]:
    """Ask a person for a name, then for a number, then to open an address."""
    name = ctx.ask(who=ElicitForm("Who are you?", form(name="string")))["who"]
    number = ctx.ask(how_many=ElicitForm("How many?", form(number="integer")))["how_many"]
    told = [f"{answer.action} {answer.content}" for answer in (name, number)]
    if "url" in ctx.capabilities.get("elicitation", {}):
        told.append(ctx.ask(where=ElicitUrl("Open it?", "https://example.org/"))["where"].action)
    return told


@app.tool
async def ask_machine(ctx: Context) -> list[str]:
    """Ask the client's model and for its roots, at once."""
    answers = await ctx.ask(model=CreateMessage(["Say something."], 50), roots=ListRoots())
    return [answers["model"].text, *(root.uri for root in answers["roots"].roots)]


@app.tool
def touch(uri: str) -> None:
    """Tell that a resource has changed."""
    app.resource_updated(uri)


@app.tool
def fail() -> str:
    """Fail in a way that the model may read."""
    raise ToolError("nothing to be done")


@app.tool
def crash() -> str:
    """Fail in a way that nobody may read."""
    raise RuntimeError("secret")


def form(**fields: str) -> dict[str, Any]:
    """Give the schema of a form with fields of simple types, all of them required."""
    properties = {name: {"type": kind} for name, kind in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields)}


@app.resource("x:///fixed", name="fixed", title="A fixed text", mime_type="text/plain")
def fixed() -> str:
    """A fixed text."""
    return "fixed"


@app.resource("x:///dot", name="dot", mime_type="image/png")
def dot() -> ResourceContents:
    """A picture."""
    return ResourceContents(uri="x:///dot", mime_type="image/png", blob=DOT)


@app.resource("x:///city/{city}", name="city", mime_type="text/plain")
def city(city: str) -> str | None:
    """A city."""
    return f"About {city}" if city in CITIES else None


@app.resource("x:///crash/{city}", name="crash", mime_type="text/plain")
def crashing(city: str) -> str:
    """A resource that cannot be read."""
    raise RuntimeError("secret")


@app.resource_list
def parts(after: str | None, limit: int) -> Page:
    """List the parts: more than fit on a page."""
    start = 0 if after is None else int(after) + 1
    items = [
        Resource(f"x:///part/{number}", f"part {number}")
        for number in range(start, min(start + limit, PARTS))
    ]
    end = start + len(items)
    return Page(tuple(items), str(end - 1) if end < PARTS else None)


@app.prompt(title="Plan a visit")
def visit(city: str, season: str = "summer") -> str:
    """Plan a visit.

    Args:
        city: where to go
        season: when to go
    """
    return f"Plan a visit to {city} in {season}."


@app.prompt
def look() -> tuple[PromptMessage, ...]:
    """Look at what is embedded."""
    return (
        PromptMessage("user", TextContent("Look at these.")),
        PromptMessage("user", ImageContent(DOT, "image/png")),
        PromptMessage(
            "user", EmbeddedResource(ResourceContents(uri="x:///fixed", mime_type="text/plain", text="fixed"))
        ),
        PromptMessage("assistant", TextContent("I see.")),
    )


@app.completion("visit", "city")
def cities(value: str) -> list[str]:
    """Complete the name of a city."""
    return [name for name in CITIES if name.casefold().startswith(value.casefold())]


@app.completion("visit", "season")
def seasons(value: str, arguments: dict[str, str]) -> list[str]:
    """Complete a season: which there are depends on the city."""
    found = ("summer", "spring") if arguments.get("city") == "Paris" else ("summer", "winter")
    return [name for name in found if name.startswith(value)]


@app.completion("x:///city/{city}", "city")
def city_names(value: str) -> list[str]:
    """Complete the city of an address."""
    return cities(value)


def one_of_many() -> str:
    """Be one of many tools."""
    return "one"


for number in range(150):
    app.tool(one_of_many, name=f"many_{number:03}")


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["modern"]):
        app.run(older_era=not sys.argv[1:])
    sys.exit(app.serve_http("127.0.0.1", int(sys.argv[1])))
