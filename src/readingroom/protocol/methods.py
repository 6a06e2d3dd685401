"""The methods of a request that this revision knows: what each takes, and which server capability it needs (§1.1)."""

import msgspec

from .params import (
    CallParams,
    CompleteParams,
    ListenParams,
    ListParams,
    Params,
    PromptParams,
    ReadParams,
    TaskParams,
    TaskUpdateParams,
)


class Method(msgspec.Struct, frozen=True):
    """One row of the table: the record of its parameters, the capability that must be advertised ("" for none).

    `mirrored` is the parameter that the header Mcp-Name says as well, over HTTP ("" for none).
    """

    params: type[Params]
    capability: str
    mirrored: str = ""


METHODS: dict[str, Method] = {
    "server/discover": Method(Params, ""),
    "tools/list": Method(ListParams, "tools"),
    "tools/call": Method(CallParams, "tools", "name"),
    "resources/list": Method(ListParams, "resources"),
    "resources/templates/list": Method(ListParams, "resources"),
    "resources/read": Method(ReadParams, "resources", "uri"),
    "prompts/list": Method(ListParams, "prompts"),
    "prompts/get": Method(PromptParams, "prompts", "name"),
    "completion/complete": Method(CompleteParams, "completions"),
    "subscriptions/listen": Method(ListenParams, "subscriptions"),
    "tasks/get": Method(TaskParams, "tasks", "task_id"),
    "tasks/update": Method(TaskUpdateParams, "tasks", "task_id"),
    "tasks/cancel": Method(TaskParams, "tasks", "task_id"),
}
