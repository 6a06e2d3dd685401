"""The methods of a request that this revision knows: what each takes, and which server capability it needs (§1.1)."""

import msgspec

from .params import CallParams, CompleteParams, ListParams, Params, PromptParams, ReadParams


class Method(msgspec.Struct, frozen=True):
    """One row of the table: the record of its parameters, the capability that must be advertised ("" for none)."""

    params: type[Params]
    capability: str


METHODS: dict[str, Method] = {
    "server/discover": Method(Params, ""),
    "tools/list": Method(ListParams, "tools"),
    "tools/call": Method(CallParams, "tools"),
    "resources/list": Method(ListParams, "resources"),
    "resources/templates/list": Method(ListParams, "resources"),
    "resources/read": Method(ReadParams, "resources"),
    "prompts/list": Method(ListParams, "prompts"),
    "prompts/get": Method(PromptParams, "prompts"),
    "completion/complete": Method(CompleteParams, "completions"),
}
