"""What a request for a message of the client's model must look like (SAMP-2, SAMP-3). Pure; names nothing of state."""

from typing import Any

import msgspec

from ..errors import UsageError

_ROLES = ("user", "assistant")
_CONTEXTS = ("none", "thisServer", "allServers")
_CHOICES = ("auto", "required", "none")
_PRIORITIES = ("costPriority", "speedPriority", "intelligencePriority")


class _ToolUse(msgspec.Struct, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: dict[str, Any]


class _ToolResult(msgspec.Struct, tag_field="type", tag="tool_result", rename="camel"):
    tool_use_id: str
    content: list[dict[str, Any]]


def check_sampling(params: dict[str, Any]) -> None:
    """Raise UsageError unless these parameters of `sampling/createMessage` may be sent."""
    if not params["messages"]:
        raise UsageError("there is nothing to sample from: give at least one message")
    fault = messages_fault(params["messages"]) or _numbers_fault(params) or _rest_fault(params)
    if fault:
        raise UsageError(fault)


def messages_fault(messages: list[Any]) -> str | None:
    """Say what is wrong with a conversation: its messages, and uses of tools that are not answered; or None."""
    pending: set[str] = set()
    for number, message in enumerate(messages):
        fault = _message_fault(message)
        if fault:
            return f"messages[{number}]: {fault}"
        blocks = blocks_of(message["content"])
        answered = {block["toolUseId"] for block in blocks if block["type"] == "tool_result"}
        if answered != pending:
            return f"messages[{number}]: every use of a tool is answered in the very next message, and nothing else is"
        pending = {block["id"] for block in blocks if block["type"] == "tool_use"}
    return "the last message uses a tool, and no message answers it" if pending else None


def blocks_of(content: Any) -> list[Any]:
    """Give the content blocks of a message, which may hold one without an array."""
    return content if isinstance(content, list) else [content]


def _message_fault(message: Any) -> str | None:
    if not isinstance(message, dict) or message.get("role") not in _ROLES:
        return "a message is a text, a PromptMessage, or an object with the role user or assistant"
    return content_fault(message.get("content"), message["role"])


def content_fault(content: Any, role: str) -> str | None:
    """Say what is wrong with the content of a message of `role`, or None."""
    blocks = blocks_of(content)
    for block in blocks:
        fault = _block_fault(block, role)
        if fault:
            return fault
    results = sum(block["type"] == "tool_result" for block in blocks)
    if results and results != len(blocks):
        return "a message with a tool_result holds nothing else"
    return None


def _block_fault(block: Any, role: str) -> str | None:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "text":
        return None if isinstance(block.get("text"), str) else "a text block has text"
    if kind in ("image", "audio"):
        is_whole = isinstance(block.get("data"), str) and isinstance(block.get("mimeType"), str)
        return None if is_whole else f"a block of {kind} has data and mimeType"
    expected = {"tool_use": "assistant", "tool_result": "user"}.get(kind) if isinstance(kind, str) else None
    if expected is None:
        return "content is a block of text, image, audio, tool_use or tool_result, or an array of them"
    if role != expected:
        return f"{kind} belongs to a message of the {expected}"
    try:
        msgspec.convert(block, _ToolUse if kind == "tool_use" else _ToolResult)
    except msgspec.ValidationError as error:
        return f"{kind}: {error}"
    return None


def _numbers_fault(params: dict[str, Any]) -> str | None:
    tokens = params.get("maxTokens")
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
        return "max_tokens is a whole number above 0"
    temperature = params.get("temperature", 0)
    if not _is_number(temperature) or temperature < 0:
        return "temperature is a number of at least 0"
    preferences = params.get("modelPreferences", {})
    if not isinstance(preferences, dict):
        return "model_preferences are an object"
    for name in _PRIORITIES:
        if not (_is_number(preferences.get(name, 0)) and 0 <= preferences.get(name, 0) <= 1):
            return f"model_preferences: {name} is a number from 0 to 1"
    return None


def _rest_fault(params: dict[str, Any]) -> str | None:
    if not isinstance(params.get("systemPrompt", ""), str):
        return "system_prompt is a text"
    if params.get("includeContext", "none") not in _CONTEXTS:
        return f"include_context is one of {', '.join(_CONTEXTS)}"
    if not _is_list_of(str, params.get("stopSequences", [])):
        return "stop_sequences are texts"
    if not isinstance(params.get("metadata", {}), dict):
        return "metadata is an object"
    tools = params.get("tools", [])
    if not _is_list_of(dict, tools) or not all(isinstance(tool.get("name"), str) for tool in tools):
        return "tools are objects, each with a name and an inputSchema"
    if not all(isinstance(tool.get("inputSchema"), dict) for tool in tools):
        return "tools are objects, each with a name and an inputSchema"
    choice = params.get("toolChoice", {})
    if not isinstance(choice, dict) or choice.get("mode", "auto") not in _CHOICES:
        return f"tool_choice is an object whose mode is one of {', '.join(_CHOICES)}"
    return None


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, kind) for item in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0
