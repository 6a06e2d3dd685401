"""What a server may ask of a client before it answers: each request as a value, checked when it is made (requirements §11).

A request says how it is embedded in an answer, and which client capabilities it needs. Knows nothing of answers, of state
or of who asks.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from ..errors import UsageError
from ..wire import encode_value
from .content import PromptMessage, Value

Object: TypeAlias = dict[str, Any]


class ElicitForm(msgspec.Struct, frozen=True):
    """Ask a person to fill in a form: `message` says what for, `schema` says what its fields are (ELIC-2, ELIC-3).

    The schema is `{"type": "object", "properties": {...}, "required": [...]}`; each property is a string, a number, an
    integer, a boolean, a choice of strings or several of them, and nothing nests. Passwords, keys, tokens and payment data
    are never asked for in a form, for it passes through the client (ELIC-6): ask with ElicitUrl.

    Raises: UsageError for an empty message, for a schema that is no form, and for a field that is named like a secret.
    """

    message: str
    schema: Object

    def __post_init__(self) -> None:
        from .forms import check_form

        _check_message(self.message)
        check_form(self.schema)


class ElicitUrl(msgspec.Struct, frozen=True):
    """Ask a person to open `url` in a browser; `message` says what for (ELIC-2).

    An answer of `accept` means that they agreed to open it, not that they have finished there (ELIC-4); what they do there
    does not pass through the client. Make the address one that is worth nothing to others: no credentials, nothing
    personal, and let the site make sure that who opens it is who was asked (ELIC-6).

    Raises: UsageError for an empty message, for what is no http or https address, and for one that holds credentials.
    """

    message: str
    url: str

    def __post_init__(self) -> None:
        _check_message(self.message)
        _check_url(self.url)


class CreateMessage(msgspec.Struct, frozen=True):
    """Ask the client's model for a message (SAMP-2; deprecated by the protocol).

    `messages` are texts (of the user), `PromptMessage`s, or objects with `role` and `content` as the protocol spells them,
    which may hold `tool_use` and `tool_result`. `tools` and `tool_choice` need the client's capability `sampling.tools`, and
    an `include_context` other than `none` needs `sampling.context`.

    Raises: UsageError for no messages, for one that is not well formed, for a use of a tool that the next message
    does not answer (SAMP-3), and for numbers out of range.
    """

    messages: Sequence[str | PromptMessage | Object]
    max_tokens: int
    system_prompt: str | None = None
    include_context: Literal["none", "thisServer", "allServers"] | None = None
    temperature: float | None = None
    stop_sequences: Sequence[str] | None = None
    model_preferences: Object | None = None
    metadata: Object | None = None
    tools: Sequence[Object] | None = None
    tool_choice: Object | None = None

    def __post_init__(self) -> None:
        from .sampling import check_sampling

        check_sampling(embedded(self)["params"])


class ListRoots(msgspec.Struct, frozen=True):
    """Ask for the client's roots (ROOT-1; deprecated by the protocol). They are advice, and no access control."""


Ask: TypeAlias = ElicitForm | ElicitUrl | CreateMessage | ListRoots
"""What `Context.ask` takes."""


def embedded(ask: Ask) -> Object:
    """Give the request as an answer holds it: a method and its parameters, without an id (MRTR-3)."""
    if isinstance(ask, ElicitForm):
        params = {"mode": "form", "message": ask.message, "requestedSchema": ask.schema}
        return {"method": "elicitation/create", "params": params}
    if isinstance(ask, ElicitUrl):
        return {
            "method": "elicitation/create",
            "params": {"mode": "url", "message": ask.message, "url": ask.url},
        }
    if isinstance(ask, ListRoots):
        return {"method": "roots/list"}
    return {"method": "sampling/createMessage", "params": _sampling_params(ask)}


def needed(ask: Ask) -> Object:
    """Give the client capabilities without which a request may not be asked (ELIC-1, SAMP-1, ROOT-1)."""
    if isinstance(ask, ElicitForm):
        return {"elicitation": {"form": {}}}
    if isinstance(ask, ElicitUrl):
        return {"elicitation": {"url": {}}}
    if isinstance(ask, ListRoots):
        return {"roots": {}}
    wanted: Object = {}
    if ask.tools is not None or ask.tool_choice is not None:
        wanted["tools"] = {}
    if ask.include_context not in (None, "none"):
        wanted["context"] = {}
    return {"sampling": wanted}


def undeclared(needs: Object, declared: Object) -> Object:
    """Give what of `needs` a client that declared `declared` lacks, as an error tells it (META-11); {} for nothing.

    An empty `elicitation` declares forms alone (ELIC-1).
    """
    missing: Object = {}
    for name, wanted in needs.items():
        have = declared.get(name)
        if not isinstance(have, dict):
            missing[name] = wanted
            continue
        if name == "elicitation" and not have:
            have = {"form": {}}
        inner = undeclared(wanted, have) if isinstance(wanted, dict) else {}
        if inner:
            missing[name] = inner
    return missing


def _sampling_params(ask: CreateMessage) -> Object:
    if isinstance(ask.messages, str) or not isinstance(ask.messages, Sequence):
        raise UsageError("messages are several: give a list of them")
    params: Object = {
        "messages": [_message(one) for one in ask.messages],
        "maxTokens": ask.max_tokens,
        "systemPrompt": ask.system_prompt,
        "includeContext": ask.include_context,
        "temperature": ask.temperature,
        "stopSequences": ask.stop_sequences,
        "modelPreferences": ask.model_preferences,
        "metadata": ask.metadata,
        "tools": ask.tools,
        "toolChoice": ask.tool_choice,
    }
    return {name: value for name, value in params.items() if value is not None}


def _message(one: object) -> object:
    if isinstance(one, str):
        return {"role": "user", "content": {"type": "text", "text": one}}
    return msgspec.json.decode(encode_value(one)) if isinstance(one, Value) else one


def _check_message(message: object) -> None:
    if not isinstance(message, str) or not message.strip():
        raise UsageError("the message says what is asked for: give a text that is not empty")


def _check_url(url: object) -> None:
    from urllib.parse import urlsplit

    if not isinstance(url, str) or not url.isprintable() or any(character.isspace() for character in url):
        raise UsageError("url is a text without spaces")
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise UsageError(f"url cannot be read: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError("url is an http or https address with a host")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "url holds credentials; what passes through the client must be worth nothing to others"
        )
