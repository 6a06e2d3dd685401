"""Content blocks and what describes a feature: the values that results carry (requirements §10).

Members that are absent are left out when a value is encoded; names are those of the protocol.
"""

from typing import Any, Literal, TypeAlias

import msgspec


class Value(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """Root of the protocol's values: spelled in snake case here and in camel case on the wire."""


class Icon(Value, frozen=True):
    """A picture for a feature: an https or data URI (ICON-1)."""

    src: str
    mime_type: str | None = None
    sizes: tuple[str, ...] | None = None
    theme: Literal["light", "dark"] | None = None


class Annotations(Value, frozen=True):
    """Who content is for, how much it matters (0 to 1), and when it last changed, in ISO 8601 (RSRC-7)."""

    audience: tuple[Literal["user", "assistant"], ...] | None = None
    priority: float | None = None
    last_modified: str | None = None


class TextContent(Value, frozen=True, tag_field="type", tag="text"):
    """Text for the model."""

    text: str
    annotations: Annotations | None = None


class ImageContent(Value, frozen=True, tag_field="type", tag="image"):
    """A picture; `data` is base64."""

    data: str
    mime_type: str
    annotations: Annotations | None = None


class AudioContent(Value, frozen=True, tag_field="type", tag="audio"):
    """Sound; `data` is base64."""

    data: str
    mime_type: str
    annotations: Annotations | None = None


class ResourceLink(Value, frozen=True, tag_field="type", tag="resource_link"):
    """A resource to read; it need not be listed."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    annotations: Annotations | None = None
    icons: tuple[Icon, ...] | None = None


class ResourceContents(Value, frozen=True):
    """What a resource holds: text, or a blob in base64."""

    uri: str
    mime_type: str | None = None
    text: str | None = None
    blob: str | None = None
    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


class EmbeddedResource(Value, frozen=True, tag_field="type", tag="resource"):
    """A resource's contents inside an answer."""

    resource: ResourceContents
    annotations: Annotations | None = None


Content: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource


class ToolAnnotations(Value, frozen=True):
    """The four hints of a tool (TOOL-11). All are given, since the defaults of a missing one surprise people."""

    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    idempotent_hint: bool | None = None
    open_world_hint: bool | None = None


class Tool(Value, frozen=True):
    """A tool as it is listed."""

    name: str
    description: str
    input_schema: dict[str, Any]
    title: str | None = None
    output_schema: dict[str, Any] | None = None
    annotations: ToolAnnotations | None = None
    icons: tuple[Icon, ...] | None = None
    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


class Resource(Value, frozen=True):
    """A resource as it is listed."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    annotations: Annotations | None = None
    icons: tuple[Icon, ...] | None = None
    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


class ResourceTemplate(Value, frozen=True):
    """A family of resources as it is listed."""

    uri_template: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    annotations: Annotations | None = None
    icons: tuple[Icon, ...] | None = None
    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


class PromptArgument(Value, frozen=True):
    """An argument of a prompt; its value is text."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool | None = None


class Prompt(Value, frozen=True):
    """A prompt as it is listed."""

    name: str
    title: str | None = None
    description: str | None = None
    arguments: tuple[PromptArgument, ...] | None = None
    icons: tuple[Icon, ...] | None = None
    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


class PromptMessage(Value, frozen=True):
    """One message of a prompt."""

    role: Literal["user", "assistant"]
    content: Content


class Implementation(Value, frozen=True):
    """How a server names itself (ICON-1)."""

    name: str
    version: str
    title: str | None = None
    description: str | None = None
    website_url: str | None = None
    icons: tuple[Icon, ...] | None = None


class CacheHint(msgspec.Struct, frozen=True):
    """How long a result stays fresh, in milliseconds, and whether it may be shared between users (CACHE-1)."""

    ttl_ms: int = 0
    scope: Literal["public", "private"] = "private"
