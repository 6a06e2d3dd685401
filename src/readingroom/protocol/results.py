"""The results of requests, and the one wrapper that every result passes (RES-1, META-10, CACHE-1).

A handler gives a result without `resultType`, identity and cache hints; the wrapper adds them, so that none can be
forgotten. Results are encoded here, before they are queued: what cannot be encoded never reaches a writer.
"""

from typing import Any

import msgspec

from ..wire import encode, encode_id, encode_value
from .content import (
    CacheHint,
    Content,
    Implementation,
    Prompt,
    PromptMessage,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Tool,
    Value,
)
from .versions import SERVER_INFO, SUPPORTED


class Result(Value, frozen=True, omit_defaults=True):
    """Root of the results; `meta` is merged under the server's identity."""


class Discovered(Result, frozen=True, omit_defaults=False):
    """What a server says of itself (DISC-1)."""

    capabilities: dict[str, Any]
    supported_versions: tuple[str, ...] = SUPPORTED
    instructions: str | msgspec.UnsetType = msgspec.UNSET


class ToolList(Result, frozen=True):
    """A page of tools."""

    tools: tuple[Tool, ...]
    next_cursor: str | None = None


class CallResult(Result, frozen=True):
    """What a tool gave. `structured` is UNSET when there is none, for null is a value (TOOL-10)."""

    content: tuple[Content, ...]
    structured: Any = msgspec.field(name="structuredContent", default=msgspec.UNSET)
    is_error: bool = False
    meta: dict[str, Any] | None = msgspec.field(name="_meta", default=None)


class ResourceList(Result, frozen=True):
    """A page of resources."""

    resources: tuple[Resource, ...]
    next_cursor: str | None = None


class TemplateList(Result, frozen=True):
    """A page of templates."""

    resource_templates: tuple[ResourceTemplate, ...]
    next_cursor: str | None = None


class ReadResult(Result, frozen=True):
    """What a resource holds."""

    contents: tuple[ResourceContents, ...]


class PromptList(Result, frozen=True):
    """A page of prompts."""

    prompts: tuple[Prompt, ...]
    next_cursor: str | None = None


class PromptResult(Result, frozen=True):
    """A prompt with its arguments filled in."""

    messages: tuple[PromptMessage, ...]
    description: str | None = None


class Completion(Value, frozen=True, omit_defaults=True):
    """Values that an argument may take, best first, at most 100 (COMP-2)."""

    values: tuple[str, ...]
    total: int | None = None
    has_more: bool | None = None


class CompletionResult(Result, frozen=True):
    """The answer to `completion/complete`."""

    completion: Completion


_COMPLETE = b'{"resultType":"complete"'
_INPUT_REQUIRED = b'{"resultType":"input_required",'
_TASK = b'{"resultType":"task"'
_STRUCTURED = _COMPLETE + b',"content":[{"type":"text","text":'


class Wrapper:
    """Turns results into whole answers for one server."""

    __slots__ = ("_identity", "_plain")

    def __init__(self, identity: Implementation) -> None:
        self._identity = {SERVER_INFO: identity}
        self._plain = b',"_meta":' + encode(self._identity) + b"}}"

    def answer(self, request_id: int | str, result: Result, hint: CacheHint | None = None) -> bytes:
        """Encode the answer to a request, without a line end.

        Raises: TypeError, ValueError and their kind when `result` holds what JSON cannot say.
        """
        return self.answer_encoded(request_id, self.body(result, hint))

    def body(self, result: Result, hint: CacheHint | None = None) -> bytes:
        """Encode the result member without its closing, so that one body can answer many requests."""
        meta = getattr(result, "meta", None)
        text = encode_value(result)
        if meta is not None:
            members = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
            del members["_meta"]
            text = encode(members)
        inner = text[1:-1]
        hints = b',"ttlMs":%d,"cacheScope":"%s"' % (hint.ttl_ms, hint.scope.encode()) if hint else b""
        closing = (
            self._plain if meta is None else b',"_meta":' + encode_value({**meta, **self._identity}) + b"}}"
        )
        return _COMPLETE + (b"," + inner if inner else b"") + hints + closing

    def structured(self, text: bytes, structured: bytes) -> bytes:
        """Make the body of a tool's success from encoded parts: the text to show, and the structured content."""
        return b"".join((_STRUCTURED, text, b'}],"structuredContent":', structured, self._plain))

    def asking(self, requests: dict[str, Any], state: str) -> bytes:
        """Make the body of an answer that asks for input; "" is no state (MRTR-2)."""
        members = encode(
            {"inputRequests": requests, "requestState": state} if state else {"inputRequests": requests}
        )
        return b"".join((_INPUT_REQUIRED, members[1:-1], self._plain))

    def created(self, state: Result) -> bytes:
        """Make the body of the answer that a request has become a task; no other result is of this type (TASK-4)."""
        return _TASK + self.body(state)[len(_COMPLETE) :]

    @staticmethod
    def answer_encoded(request_id: int | str, body: bytes) -> bytes:
        """Put a body under an id."""
        return b"".join((b'{"jsonrpc":"2.0","id":', encode_id(request_id), b',"result":', body))
