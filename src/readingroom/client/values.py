"""What a client gives its caller: frozen values read from verified results, each with the whole decoded JSON in `raw`.

Members that a peer may leave out have a default, and unknown ones stay in `raw` (RES-4). Text from a server is data:
nothing here is trusted for a decision (META-9, TOOL-11).
"""

from typing import Any, Literal

import msgspec

from ..protocol import LATEST, SERVER_INFO, Value

Object = dict[str, Any]


class Answer(Value, frozen=True, kw_only=True):
    """Root of the values; `raw` is the JSON object that the value was read from."""

    raw: Object

    @property
    def meta(self) -> Object:
        """The `_meta` member, or an empty object."""
        meta = self.raw.get("_meta")
        return meta if isinstance(meta, dict) else {}


class Discovery(Answer, frozen=True):
    """What a server says of itself (DISC-1)."""

    supported_versions: list[str]
    capabilities: Object
    instructions: str | None = None

    @property
    def server(self) -> Object:
        """How the server names itself (`name`, `version`, …); empty when it does not (META-10)."""
        info = self.meta.get(SERVER_INFO)
        return info if isinstance(info, dict) else {}

    @property
    def era(self) -> Literal["modern", "older"]:
        """Whether it is spoken to with metadata in each request, or after a handshake."""
        return "modern"

    @property
    def version(self) -> str:
        """The version that is spoken."""
        return LATEST


class Greeting(Discovery, frozen=True):
    """The same of a server of the older era, as it said it in the handshake (LEG-1)."""

    @property
    def server(self) -> Object:
        """How the server names itself."""
        info: Object = self.raw["serverInfo"]
        return info

    @property
    def era(self) -> Literal["modern", "older"]:
        """It is of the older era."""
        return "older"

    @property
    def version(self) -> str:
        """The version that was agreed on."""
        return self.supported_versions[0]


class CallToolAnswer(Answer, frozen=True):
    """What a tool gave. `structured` is `msgspec.UNSET` when there is none, for null is a value (TOOL-10)."""

    content: list[Object]
    structured: Any = msgspec.field(name="structuredContent", default=msgspec.UNSET)
    is_error: bool = False

    @property
    def has_structured(self) -> bool:
        """Whether there is structured content; it may be None."""
        return self.structured is not msgspec.UNSET

    @property
    def text(self) -> str:
        """The text blocks, joined by line ends."""
        return "\n".join(block["text"] for block in self.content if block["type"] == "text")


class ToolInfo(Answer, frozen=True):
    """A tool as it is listed; its schemas are as the server sent them (SCH-6)."""

    name: str
    input_schema: Object
    title: str | None = None
    description: str | None = None
    output_schema: Object | None = None
    annotations: Object | None = None


class ResourceInfo(Answer, frozen=True):
    """A resource as it is listed."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None


class TemplateInfo(Answer, frozen=True):
    """A family of resources as it is listed."""

    uri_template: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None


class PromptInfo(Answer, frozen=True):
    """A prompt as it is listed; `arguments` are objects with `name`, and with `required` where it is true."""

    name: str
    title: str | None = None
    description: str | None = None
    arguments: list[Object] = msgspec.field(default_factory=list)


class Page(Answer, frozen=True):
    """One page of a list; `next_cursor` is None on the last one, and an empty text is a cursor (PAGE-2)."""

    items: list[Any]
    next_cursor: str | None = None


class ReadAnswer(Answer, frozen=True):
    """What a resource holds: parts with `uri` and either `text` or `blob` in base64 (RSRC-2)."""

    contents: list[Object]

    @property
    def text(self) -> str:
        """The parts that are text, joined by line ends."""
        return "\n".join(part["text"] for part in self.contents if "text" in part)


class PromptAnswer(Answer, frozen=True):
    """A prompt with its arguments filled in: messages with `role` and `content` (PRO-2)."""

    messages: list[Object]
    description: str | None = None


class CompleteAnswer(Answer, frozen=True):
    """Values that an argument may take, best first (COMP-2)."""

    values: list[str]
    total: int | None = None
    has_more: bool | None = None


class Progress(msgspec.Struct, frozen=True):
    """How far a request has come (PROG-3)."""

    progress: float
    total: float | None = None
    message: str | None = None
