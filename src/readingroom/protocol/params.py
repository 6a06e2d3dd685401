"""What the parameters of each request must look like, as the compiled decoders read them (requirements §1.1, §3, §10).

A request whose parameters decode into these records is well formed; why one does not is found by `admit`.
Unknown members are tolerated (RPC-9); null stands for no member of these, so it is refused.
"""

from typing import Any, Literal, TypeAlias

import msgspec

from .versions import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PREFIX, PROTOCOL_VERSION

LogLevel: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LOG_LEVELS: tuple[str, ...] = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)


class Identity(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An implementation as it names itself; never trusted for a decision (META-9)."""

    name: str
    version: str
    title: str | msgspec.UnsetType = msgspec.UNSET


class Meta(msgspec.Struct, frozen=True):
    """The metadata of one request (META-1, META-2, PROG-1, LOG-3)."""

    version: str = msgspec.field(name=PROTOCOL_VERSION)
    capabilities: dict[str, Any] = msgspec.field(name=CLIENT_CAPABILITIES)
    client: Identity | msgspec.UnsetType = msgspec.field(name=CLIENT_INFO, default=msgspec.UNSET)
    progress_token: str | int | msgspec.UnsetType = msgspec.field(name="progressToken", default=msgspec.UNSET)
    log_level: LogLevel | msgspec.UnsetType = msgspec.field(name=LOG_LEVEL, default=msgspec.UNSET)


class Params(msgspec.Struct, frozen=True):
    """Parameters that hold nothing besides the metadata."""

    meta: Meta = msgspec.field(name="_meta")


class ListParams(Params, frozen=True):
    """Parameters of a list (PAGE-1)."""

    cursor: str | msgspec.UnsetType = msgspec.UNSET


class Filter(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Which changes a listener wants to be told of; also what a server says that it will tell of (SUB-1, SUB-2)."""

    tools_list_changed: bool = False
    prompts_list_changed: bool = False
    resources_list_changed: bool = False
    resource_subscriptions: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    task_ids: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


class ListenParams(Params, frozen=True):
    """Parameters of `subscriptions/listen` (SUB-1)."""

    notifications: Filter


class RoundParams(Params, frozen=True, kw_only=True):
    """Parameters of the methods that may be answered by asking for input, which a later round answers (MRTR-1, MRTR-14)."""

    input_responses: dict[str, dict[str, Any]] | msgspec.UnsetType = msgspec.field(
        name="inputResponses", default=msgspec.UNSET
    )
    request_state: str | msgspec.UnsetType = msgspec.field(name="requestState", default=msgspec.UNSET)


class CallParams(RoundParams, frozen=True):
    """Parameters of `tools/call`; the arguments stay JSON text until the tool's own decoder reads them."""

    name: str
    arguments: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class ReadParams(RoundParams, frozen=True):
    """Parameters of `resources/read` (RSRC-2)."""

    uri: str


class PromptParams(RoundParams, frozen=True):
    """Parameters of `prompts/get`; arguments are text (PRO-2)."""

    name: str
    arguments: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class PromptReference(msgspec.Struct, frozen=True, tag_field="type", tag="ref/prompt"):
    """Names the prompt whose argument is to be completed."""

    name: str


class ResourceReference(msgspec.Struct, frozen=True, tag_field="type", tag="ref/resource"):
    """Names the template whose variable is to be completed."""

    uri: str


class CompletionArgument(msgspec.Struct, frozen=True):
    """The argument to complete, and what has been typed of it."""

    name: str
    value: str


class CompletionContext(msgspec.Struct, frozen=True):
    """Arguments that have been chosen already."""

    arguments: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


TASKS = PREFIX + "tasks"
"""The tasks extension; an object under this name in `extensions` declares it, and has no settings (TASK-1)."""


def declares_tasks(capabilities: dict[str, Any]) -> bool:
    """Say whether a request's capabilities declare that its client takes tasks."""
    extensions = capabilities.get("extensions")
    return isinstance(extensions, dict) and isinstance(extensions.get(TASKS), dict)


class TaskParams(Params, frozen=True):
    """Parameters of `tasks/get` and `tasks/cancel`; only a request that declares the extension has them (TASK-11)."""

    task_id: str = msgspec.field(name="taskId")

    def __post_init__(self) -> None:
        if not declares_tasks(self.meta.capabilities):
            raise ValueError(f"the extension {TASKS} is not declared")


class TaskUpdateParams(TaskParams, frozen=True):
    """Parameters of `tasks/update`: answers by the keys of what was asked (TASK-8)."""

    input_responses: dict[str, dict[str, Any]] = msgspec.field(name="inputResponses")


class CompleteParams(Params, frozen=True):
    """Parameters of `completion/complete` (COMP-2)."""

    ref: PromptReference | ResourceReference
    argument: CompletionArgument
    context: CompletionContext | msgspec.UnsetType = msgspec.UNSET
