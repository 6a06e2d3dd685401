"""Reading Room: a protocol kit for MCP 2026-07-28, and a library server built on it.

The names in `__all__` are the kit's public surface. They are loaded when they are first used, so that importing the
package costs next to nothing, and a server never loads the client.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .kit import (
        Annotations,
        AudioContent,
        CallResult,
        Cancelled,
        Client,
        Closed,
        Completion,
        ConnectFailed,
        Context,
        EmbeddedResource,
        Icon,
        ImageContent,
        InvalidParams,
        Limits,
        MissingCapability,
        Page,
        PeerProtocolError,
        PromptMessage,
        ReadingRoomError,
        Refused,
        RemoteError,
        Resource,
        ResourceContents,
        ResourceLink,
        ResourceNotFound,
        Server,
        TextContent,
        TimedOut,
        ToolError,
        TransportError,
        UsageError,
    )

__version__ = "0.1.0"

__all__ = [
    "Annotations",
    "AudioContent",
    "CallResult",
    "Cancelled",
    "Client",
    "Closed",
    "Completion",
    "ConnectFailed",
    "Context",
    "EmbeddedResource",
    "Icon",
    "ImageContent",
    "InvalidParams",
    "Limits",
    "MissingCapability",
    "Page",
    "PeerProtocolError",
    "PromptMessage",
    "ReadingRoomError",
    "Refused",
    "RemoteError",
    "Resource",
    "ResourceContents",
    "ResourceLink",
    "ResourceNotFound",
    "Server",
    "TextContent",
    "TimedOut",
    "ToolError",
    "TransportError",
    "UsageError",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import kit

    value = getattr(kit, name)
    globals()[name] = value
    return value
