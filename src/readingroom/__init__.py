"""Reading Room: a protocol kit for MCP 2026-07-28, and a library server built on it.

The names in `__all__` are the kit's public surface. They are loaded when they are first used, so that importing the
package costs next to nothing, and a server never loads the client.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import (
        Closed,
        ConnectFailed,
        InvalidParams,
        MissingCapability,
        PeerProtocolError,
        ReadingRoomError,
        Refused,
        RemoteError,
        ResourceNotFound,
        TimedOut,
        ToolError,
        TransportError,
        UsageError,
    )
    from .kit.client import Client
    from .kit.server import Server
    from .limits import Limits
    from .protocol import (
        Annotations,
        AudioContent,
        CallResult,
        Completion,
        EmbeddedResource,
        Icon,
        ImageContent,
        PromptMessage,
        Resource,
        ResourceContents,
        ResourceLink,
        TextContent,
    )
    from .server import Cancelled, Context, Page

__version__ = "0.1.0"

_HOMES = {
    **dict.fromkeys(
        (
            "Closed",
            "ConnectFailed",
            "InvalidParams",
            "MissingCapability",
            "PeerProtocolError",
            "ReadingRoomError",
            "Refused",
            "RemoteError",
            "ResourceNotFound",
            "TimedOut",
            "ToolError",
            "TransportError",
            "UsageError",
        ),
        "errors",
    ),
    **dict.fromkeys(
        (
            "Annotations",
            "AudioContent",
            "CallResult",
            "Completion",
            "EmbeddedResource",
            "Icon",
            "ImageContent",
            "PromptMessage",
            "Resource",
            "ResourceContents",
            "ResourceLink",
            "TextContent",
        ),
        "protocol",
    ),
    **dict.fromkeys(("Cancelled", "Context", "Page"), "server"),
    "Client": "kit.client",
    "Limits": "limits",
    "Server": "kit.server",
}

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
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value
