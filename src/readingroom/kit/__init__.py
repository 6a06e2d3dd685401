"""The public kit: `Server` and `Client`, each a registry or a set of calls joined to a carrier, and the values they use.

The names are loaded when they are first used, so that a server never loads the client, nor a client the server.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..errors import (
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
    from ..limits import Limits
    from ..protocol import (
        Annotations,
        AudioContent,
        BadSeal,
        CallResult,
        Completion,
        EmbeddedResource,
        Icon,
        ImageContent,
        PromptMessage,
        Resource,
        ResourceContents,
        ResourceLink,
        Sealer,
        TextContent,
    )
    from ..server import Cancelled, Context, Page
    from .client import Client
    from .server import Server

_HOMES = {
    "errors": (
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
    "limits": ("Limits",),
    "protocol": (
        "Annotations",
        "AudioContent",
        "BadSeal",
        "CallResult",
        "Completion",
        "EmbeddedResource",
        "Icon",
        "ImageContent",
        "PromptMessage",
        "Resource",
        "ResourceContents",
        "ResourceLink",
        "Sealer",
        "TextContent",
    ),
    "server": ("Cancelled", "Context", "Page"),
    "kit.client": ("Client",),
    "kit.server": ("Server",),
}

__all__ = [
    "Annotations",
    "AudioContent",
    "BadSeal",
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
    "Sealer",
    "Server",
    "TextContent",
    "TimedOut",
    "ToolError",
    "TransportError",
    "UsageError",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"readingroom.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
