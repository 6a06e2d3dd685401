"""Today's answers and messages as the versions of the older era have them (LEG-7). Pure; bytes in, bytes out.

What a version does not have is left out, or said in words where leaving it out would lose something. Only what must change
is read: the rest of a frame stays as it was encoded.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from ..wire import INVALID_PARAMS, MISSING_CAPABILITY, RequestId, encode, encode_value
from .versions import SERVER_INFO, SUBSCRIPTION_ID

RESOURCE_NOT_FOUND = -32002
"""What the older era answers where today's answer is -32602 (LEG-7)."""

Members: TypeAlias = dict[str, msgspec.Raw]

_members = msgspec.json.Decoder(Members).decode
_items = msgspec.json.Decoder(list[Members]).decode
_ONLY_TODAY = ("resultType", "ttlMs", "cacheScope")
_ASKS = b'"resultType":"input_required"'
# Members of described things by the version that brought them; before it they are left out.
_SINCE = {
    "title": "2025-06-18",
    "_meta": "2025-06-18",
    "outputSchema": "2025-06-18",
    "lastModified": "2025-06-18",
    "annotations": "2025-03-26",
    "icons": "2025-11-25",
    "websiteUrl": "2025-11-25",
    "description": "2025-11-25",
}
_LISTED = ("title", "_meta", "icons")
_IDENTITY = ("title", "icons", "websiteUrl", "description")


def asked(frame: bytes) -> dict[str, Any] | None:
    """Give what an answer asks for, by name, or None when it is the last one."""
    if _ASKS not in frame:
        return None
    result = msgspec.json.decode(frame).get("result", {})
    requests: dict[str, Any] = result.get("inputRequests", {})
    return requests if result.get("resultType") == "input_required" else None


def older_answer(frame: bytes, method: str, version: str) -> bytes:
    """Give today's answer to a request of `method` as `version` has it."""
    members = _members(frame)
    if "error" in members:
        return _error(frame, method)
    result = _members(members["result"])
    for name in _ONLY_TODAY:
        result.pop(name, None)
    _drop_meta(result, SERVER_INFO)
    change = _CHANGES.get(method)
    if change is not None:
        change(result, version)
    members["result"] = _raw(result)
    return encode(members)


def result_frame(request_id: RequestId, result: Any) -> bytes:
    """Encode an answer of the older era's own."""
    return encode_value({"jsonrpc": "2.0", "id": request_id, "result": result})


def failed_frame(request_id: RequestId, method: str, text: str) -> bytes:
    """Encode the answer to a request whose handler could not be given what it asked the client for."""
    if method == "tools/call":
        return result_frame(request_id, {"content": [{"type": "text", "text": text}], "isError": True})
    error = {"code": INVALID_PARAMS, "message": text}
    return encode_value({"jsonrpc": "2.0", "id": request_id, "error": error})


def older_notice(frame: bytes, version: str) -> bytes:
    """Give a notification as `version` has it: without the subscription's id, and without words where it has none."""
    members = _members(frame)
    params = _members(members.get("params", b"{}"))
    _drop_meta(params, SUBSCRIPTION_ID)
    if version < "2025-03-26" and bytes(members["method"]) == b'"notifications/progress"':
        params.pop("message", None)
    members.pop("params", None)
    if params:
        members["params"] = _raw(params)
    return encode(members)


def older_request(request_id: RequestId, asked: dict[str, Any], version: str, elicitation: str) -> bytes:
    """Encode what a handler asks for as a request of the server to the client (LEG-5).

    `elicitation` is an id of its own, for a version in which a request to open an address has one.
    """
    method, params = asked["method"], dict(asked.get("params") or {})
    if method == "elicitation/create":
        if version < "2025-11-25":
            params.pop("mode", None)
        elif params.get("mode") == "url":
            params["elicitationId"] = elicitation
    elif method == "sampling/createMessage" and version < "2025-11-25":
        params.pop("tools", None)
        params.pop("toolChoice", None)
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return encode_value({**message, "params": params} if params else message)


def older_discovery(frame: bytes, version: str) -> dict[str, Any]:
    """Make the result of `initialize` of today's answer to `server/discover` (LEG-1)."""
    result = msgspec.json.decode(frame)["result"]
    identity = result["_meta"][SERVER_INFO]
    for name in _IDENTITY:
        if version < _SINCE[name]:
            identity.pop(name, None)
    capabilities = dict(result["capabilities"])
    # Extensions are agreed on with each request, and today's tasks are one (LEG-10).
    capabilities.pop("extensions", None)
    if version < "2025-03-26":
        capabilities.pop("completions", None)
    made = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": identity}
    return {**made, "instructions": result["instructions"]} if "instructions" in result else made


def _error(frame: bytes, method: str) -> bytes:
    """Give an error with the codes of the older era."""
    answer = msgspec.json.decode(frame)
    error, data = answer["error"], answer["error"].get("data")
    if not isinstance(data, dict):
        return frame
    required = data.get("requiredCapabilities")
    if error["code"] == MISSING_CAPABILITY and isinstance(required, dict):
        needed = ", ".join(_named(required))
        return failed_frame(answer["id"], method, f"This needs what the client did not declare: {needed}")
    if error["code"] == INVALID_PARAMS and method == "resources/read" and "uri" in data:
        members = _members(frame)
        members["error"] = msgspec.Raw(encode({**error, "code": RESOURCE_NOT_FOUND}))
        return encode(members)
    return frame


def _named(required: dict[str, Any]) -> list[str]:
    return [f"{name} ({', '.join(parts)})" if parts else name for name, parts in required.items()]


def _change_call(result: Members, version: str) -> None:
    structured = result.get("structuredContent")
    # Before it was any value it was an object; the text says it as well (LEG-7).
    if structured is not None and (version < "2025-06-18" or bytes(structured)[:1] != b"{"):
        del result["structuredContent"]
    if version < "2025-11-25":
        result["content"] = _raw([_block(block, version) for block in _items(result["content"])])


def _change_prompt(result: Members, version: str) -> None:
    if version < "2025-11-25":
        messages = _items(result["messages"])
        for message in messages:
            message["content"] = _raw(_block(_members(message["content"]), version))
        result["messages"] = _raw(messages)


def _block(block: Members, version: str) -> Members:
    """Give a content block as a version has it: one that it does not have becomes a text that says what there was."""
    kind = msgspec.json.decode(block["type"])
    if kind == "audio" and version < "2025-03-26":
        return _text(
            f"[audio, {msgspec.json.decode(block['mimeType'])}: this version of the protocol has none]"
        )
    if kind == "resource_link" and version < "2025-06-18":
        return _text(f"{msgspec.json.decode(block['name'])}: {msgspec.json.decode(block['uri'])}")
    _leave_out(block, ("_meta", "icons"), version)
    _change_annotations(block, version)
    if kind == "resource":
        contents = _members(block["resource"])
        _leave_out(contents, ("_meta",), version)
        block["resource"] = _raw(contents)
    return block


def _text(text: str) -> Members:
    return {"type": msgspec.Raw(b'"text"'), "text": msgspec.Raw(encode(text))}


def _change_tools(result: Members, version: str) -> None:
    tools = _items(result["tools"])
    for tool in tools:
        schema = tool.get("outputSchema")
        if schema is not None and bytes(_members(schema).get("type", b"")) != b'"object"':
            del tool["outputSchema"]
        _leave_out(tool, (*_LISTED, "outputSchema", "annotations"), version)
    result["tools"] = _raw(tools)


def _change_list(name: str) -> Callable[[Members, str], None]:
    def change(result: Members, version: str) -> None:
        if version >= "2025-11-25":
            return
        items = _items(result[name])
        for item in items:
            _leave_out(item, _LISTED, version)
            _change_annotations(item, version)
            if "arguments" in item:
                arguments = _items(item["arguments"])
                for argument in arguments:
                    _leave_out(argument, ("title",), version)
                item["arguments"] = _raw(arguments)
        result[name] = _raw(items)

    return change


def _change_contents(result: Members, version: str) -> None:
    contents = _items(result["contents"])
    for item in contents:
        _leave_out(item, ("_meta",), version)
    result["contents"] = _raw(contents)


def _change_annotations(item: Members, version: str) -> None:
    if "annotations" in item:
        annotations = _members(item["annotations"])
        _leave_out(annotations, ("lastModified",), version)
        item["annotations"] = _raw(annotations)


def _leave_out(item: Members, names: tuple[str, ...], version: str) -> None:
    for name in names:
        if version < _SINCE[name]:
            item.pop(name, None)


def _drop_meta(members: Members, name: str) -> None:
    """Take one name out of the metadata, and the metadata when nothing else is in it."""
    if "_meta" not in members:
        return
    meta = _members(members["_meta"])
    meta.pop(name, None)
    if meta:
        members["_meta"] = _raw(meta)
    else:
        del members["_meta"]


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(encode(value))


_CHANGES: dict[str, Callable[[Members, str], None]] = {
    "tools/list": _change_tools,
    "tools/call": _change_call,
    "resources/list": _change_list("resources"),
    "resources/templates/list": _change_list("resourceTemplates"),
    "resources/read": _change_contents,
    "prompts/list": _change_list("prompts"),
    "prompts/get": _change_prompt,
}
