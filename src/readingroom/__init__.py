"""Reading Room: a protocol kit for MCP 2026-07-28, and a library server built on it.

The names in `__all__` are the kit's public surface. They are loaded when they are first used, so that importing the
package costs next to nothing, and a server never loads the client.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .kit import (
        Annotations,
        Answers,
        AsyncClient,
        AudioContent,
        CallResult,
        CallToolAnswer,
        Cancelled,
        Client,
        Closed,
        CompleteAnswer,
        Completion,
        ConnectFailed,
        Context,
        CreateMessage,
        Discovery,
        Elicited,
        ElicitForm,
        ElicitUrl,
        EmbeddedResource,
        Icon,
        ImageContent,
        InputRequired,
        InvalidParams,
        Limits,
        ListRoots,
        MissingCapability,
        Page,
        PeerProtocolError,
        Pending,
        Progress,
        PromptAnswer,
        PromptInfo,
        PromptMessage,
        ReadAnswer,
        ReadingRoomError,
        Refused,
        RemoteError,
        Resource,
        ResourceContents,
        ResourceInfo,
        ResourceLink,
        ResourceNotFound,
        Root,
        RootList,
        Sampled,
        Server,
        TemplateInfo,
        TextContent,
        TimedOut,
        ToolError,
        ToolInfo,
        TransportError,
        UsageError,
        Withdrawn,
        default_environment,
    )

__version__ = "0.1.0"

__all__ = [
    "Annotations",
    "Answers",
    "AsyncClient",
    "AudioContent",
    "CallResult",
    "CallToolAnswer",
    "Cancelled",
    "Client",
    "Closed",
    "CompleteAnswer",
    "Completion",
    "ConnectFailed",
    "Context",
    "CreateMessage",
    "Discovery",
    "ElicitForm",
    "ElicitUrl",
    "Elicited",
    "EmbeddedResource",
    "Icon",
    "ImageContent",
    "InputRequired",
    "InvalidParams",
    "Limits",
    "ListRoots",
    "MissingCapability",
    "Page",
    "PeerProtocolError",
    "Pending",
    "Progress",
    "PromptAnswer",
    "PromptInfo",
    "PromptMessage",
    "ReadAnswer",
    "ReadingRoomError",
    "Refused",
    "RemoteError",
    "Resource",
    "ResourceContents",
    "ResourceInfo",
    "ResourceLink",
    "ResourceNotFound",
    "Root",
    "RootList",
    "Sampled",
    "Server",
    "TemplateInfo",
    "TextContent",
    "TimedOut",
    "ToolError",
    "ToolInfo",
    "TransportError",
    "UsageError",
    "Withdrawn",
    "default_environment",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import kit

    value = getattr(kit, name)
    globals()[name] = value
    return value
