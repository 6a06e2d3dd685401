"""What the Python servers of the pantry hold: values, content of every kind, records. Nothing of Reading Room."""

from typing import Any

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    Completion,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel

CITIES = ("Berlin", "Bern", "Bremen", "Paris")
VALUES = {"null": None, "false": False, "zero": 0, "text": "", "list": [], "object": {"a": [1, None]}}
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
BLOCKS = [
    TextContent(type="text", text="text"),
    ImageContent(type="image", data=DOT, mime_type="image/png"),
    AudioContent(type="audio", data=SILENCE, mime_type="audio/wav"),
    ResourceLink(type="resource_link", uri="x:///fixed", name="fixed"),
    EmbeddedResource(
        type="resource", resource=TextResourceContents(uri="x:///fixed", mime_type="text/plain", text="fixed")
    ),
    EmbeddedResource(
        type="resource", resource=BlobResourceContents(uri="x:///dot", mime_type="image/png", blob=DOT)
    ),
]


class Part(BaseModel):
    """A part."""

    number: int
    name: str
    note: str | None = None


class Amount(BaseModel):
    """What a user is asked for."""

    amount: int


class Held:
    """How many calls of `hold` have begun and how many have ended."""

    begun = ended = 0


def completion(argument: Any) -> Completion:
    """Complete the name of a city; without a beginning there are more than a server may send."""
    everything = [*CITIES, *(f"Z{number}" for number in range(150))]
    found = [name for name in everything if name.startswith(argument.value)]
    return Completion(values=found, total=len(found), has_more=False)
