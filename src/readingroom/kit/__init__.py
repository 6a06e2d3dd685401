"""The public kit: `Server` and `Client`, each a registry or a set of calls joined to a carrier, and the values they use.

The names are loaded when they are first used, so that a server never loads the client, nor a client the server.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..client import (
        CallToolAnswer,
        CompleteAnswer,
        Discovery,
        Progress,
        PromptAnswer,
        PromptInfo,
        PromptsChanged,
        ReadAnswer,
        ResourceInfo,
        ResourcesChanged,
        ResourceUpdated,
        Resumed,
        TemplateInfo,
        ToolInfo,
        ToolsChanged,
    )
    from ..client.authorization import (
        Authorization,
        BearerToken,
        Refusal,
    )
    from ..errors import (
        Closed,
        ConnectFailed,
        HttpRefused,
        InputRequired,
        InvalidParams,
        LoginFailed,
        MissingCapability,
        PeerProtocolError,
        ReadingRoomError,
        Refused,
        RemoteError,
        ResourceNotFound,
        SubscriptionCancelled,
        TimedOut,
        ToolError,
        TransportError,
        Unauthorized,
        UsageError,
        Withdrawn,
    )
    from ..limits import (
        Limits,
    )
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
    from ..protocol.asking import (
        CreateMessage,
        ElicitForm,
        ElicitUrl,
        ListRoots,
    )
    from ..protocol.asking_answers import (
        Answers,
        Elicited,
        Root,
        RootList,
        Sampled,
    )
    from ..protocol.authorization import (
        Authenticator,
        Denied,
        Grant,
    )
    from ..server import (
        Cancelled,
        Context,
        MemoryTasks,
        Page,
        SqliteTasks,
        Task,
        TaskBounds,
        TaskStore,
    )
    from ..transport.auth_oauth import (
        OAuth,
    )
    from ..transport.auth_tokens import (
        StaticTokens,
    )
    from ..transport.oauth_login import (
        OAuthLogin,
    )
    from ..transport.oauth_store import (
        FileLogins,
        MemoryLogins,
    )
    from ..transport.pending import (
        Pending,
    )
    from ..transport.processes import (
        default_environment,
    )
    from .async_client import (
        AsyncClient,
    )
    from .async_subscription import (
        AsyncSubscription,
    )
    from .client import (
        Client,
    )
    from .server import (
        Server,
    )
    from .subscription import (
        Subscription,
    )

_HOMES = {
    "client": (
        "CallToolAnswer",
        "CompleteAnswer",
        "Discovery",
        "Progress",
        "PromptAnswer",
        "PromptInfo",
        "PromptsChanged",
        "ReadAnswer",
        "ResourceInfo",
        "ResourceUpdated",
        "ResourcesChanged",
        "Resumed",
        "TemplateInfo",
        "ToolInfo",
        "ToolsChanged",
    ),
    "errors": (
        "Closed",
        "ConnectFailed",
        "HttpRefused",
        "InputRequired",
        "InvalidParams",
        "LoginFailed",
        "MissingCapability",
        "PeerProtocolError",
        "ReadingRoomError",
        "Refused",
        "RemoteError",
        "ResourceNotFound",
        "SubscriptionCancelled",
        "TimedOut",
        "ToolError",
        "TransportError",
        "Unauthorized",
        "UsageError",
        "Withdrawn",
    ),
    "limits": ("Limits",),
    "protocol": (
        "Annotations",
        "AudioContent",
        "BadSeal",
        "CallResult",
        "Completion",
        "EmbeddedResource",
        "HttpRefused",
        "Icon",
        "ImageContent",
        "PromptMessage",
        "Resource",
        "ResourceContents",
        "ResourceLink",
        "Sealer",
        "TextContent",
    ),
    "protocol.asking": (
        "CreateMessage",
        "ElicitForm",
        "ElicitUrl",
        "ListRoots",
    ),
    "protocol.asking_answers": (
        "Answers",
        "Elicited",
        "Root",
        "RootList",
        "Sampled",
    ),
    "server": (
        "Cancelled",
        "Context",
        "MemoryTasks",
        "Page",
        "SqliteTasks",
        "Task",
        "TaskBounds",
        "TaskStore",
    ),
    "protocol.authorization": ("Authenticator", "Denied", "Grant"),
    "transport.auth_oauth": ("OAuth",),
    "transport.auth_tokens": ("StaticTokens",),
    "client.authorization": ("Authorization", "BearerToken", "Refusal"),
    "transport.oauth_login": ("OAuthLogin",),
    "transport.oauth_store": ("FileLogins", "MemoryLogins"),
    "transport.pending": ("Pending",),
    "transport.processes": ("default_environment",),
    "kit.async_subscription": ("AsyncSubscription",),
    "kit.subscription": ("Subscription",),
    "kit.async_client": ("AsyncClient",),
    "kit.client": ("Client",),
    "kit.server": ("Server",),
}

__all__ = [
    "Annotations",
    "Answers",
    "AsyncClient",
    "AsyncSubscription",
    "AudioContent",
    "Authenticator",
    "Authorization",
    "BadSeal",
    "BearerToken",
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
    "Denied",
    "Discovery",
    "ElicitForm",
    "ElicitUrl",
    "Elicited",
    "EmbeddedResource",
    "FileLogins",
    "Grant",
    "HttpRefused",
    "Icon",
    "ImageContent",
    "InputRequired",
    "InvalidParams",
    "Limits",
    "ListRoots",
    "LoginFailed",
    "MemoryLogins",
    "MemoryTasks",
    "MissingCapability",
    "OAuth",
    "OAuthLogin",
    "Page",
    "PeerProtocolError",
    "Pending",
    "Progress",
    "PromptAnswer",
    "PromptInfo",
    "PromptMessage",
    "PromptsChanged",
    "ReadAnswer",
    "ReadingRoomError",
    "Refusal",
    "Refused",
    "RemoteError",
    "Resource",
    "ResourceContents",
    "ResourceInfo",
    "ResourceLink",
    "ResourceNotFound",
    "ResourceUpdated",
    "ResourcesChanged",
    "Resumed",
    "Root",
    "RootList",
    "Sampled",
    "Sealer",
    "Server",
    "SqliteTasks",
    "StaticTokens",
    "Subscription",
    "SubscriptionCancelled",
    "Task",
    "TaskBounds",
    "TaskStore",
    "TemplateInfo",
    "TextContent",
    "TimedOut",
    "ToolError",
    "ToolInfo",
    "ToolsChanged",
    "TransportError",
    "Unauthorized",
    "UsageError",
    "Withdrawn",
    "default_environment",
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
