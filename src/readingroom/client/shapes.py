"""What the result of each method must look like: a table from a method to the function that reads its result.

A reader gives the value for the caller or raises Violation, which names the requirement. Methods that are not in the
table are those of extensions: their results are any object.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import msgspec

from .values import (
    Answer,
    CallToolAnswer,
    CompleteAnswer,
    Discovery,
    Greeting,
    Object,
    Page,
    PromptAnswer,
    PromptInfo,
    ReadAnswer,
    ResourceInfo,
    TemplateInfo,
    ToolInfo,
)

V = TypeVar("V", bound=Answer)


class Note(Protocol):
    """Takes a rule that is broken and how, and raises Violation, or lets the reading go on without the part concerned.

    What is harmless costs nobody an answer: there is one way to understand it.
    """

    def __call__(self, rule: str, detail: str, *, is_harmless: bool = False) -> None:
        """Raises: Violation."""


Reader = Callable[[Object, Note], Answer]

CACHED = frozenset(
    (
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    )
)
"""Methods whose complete results carry cache hints (CACHE-1)."""

ROUNDS = frozenset(("tools/call", "prompts/get", "resources/read"))
"""Methods that a server may answer by asking for input (MRTR-1)."""

SHAPE = "SHAPE-1"

_BLOCK_MEMBERS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}


_OF_BYTES = ("image", "audio")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Violation(Exception):
    """A result that breaks a rule: the requirement's id and what is wrong. Stays inside the room."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(rule, detail)
        self.rule = rule
        self.detail = detail


def refuse(rule: str, detail: str, *, is_harmless: bool = False) -> None:
    """Take no fault. Raises: Violation."""
    raise Violation(rule, detail)


def read_result(method: str, result: Object, note: Note = refuse) -> Answer | None:
    """Read a complete result of `method`; None when the method is not one of the core's.

    With a `note` that raises nothing, parts that break a rule are left out, where something is left without them.

    Raises: Violation.
    """
    reader = _READERS.get(method)
    return None if reader is None else reader(result, note)


def check_hints(method: str, result: Object) -> None:
    """Check the cache hints of a complete result of `method` (CACHE-1).

    Raises: Violation.
    """
    if method not in CACHED:
        return
    ttl = result.get("ttlMs")
    if ttl.__class__ is not int or ttl < 0:
        raise Violation("CACHE-1", "ttlMs must be an integer of at least 0")
    if result.get("cacheScope") not in ("public", "private"):
        raise Violation("CACHE-1", 'cacheScope must be "public" or "private"')


def _convert(kind: type[V], value: Any, rule: str) -> V:
    """Read one object as `kind`, keeping the object itself in `raw`."""
    if not isinstance(value, dict):
        raise Violation(rule, f"expected an object, got {_name(value)}")
    try:
        return msgspec.convert({**value, "raw": value}, kind)
    except msgspec.ValidationError as error:
        raise Violation(rule, str(error)) from None


def _name(value: Any) -> str:
    if isinstance(value, list | dict):
        return "an array" if isinstance(value, list) else "an object"
    return "null" if value is None else repr(value)[:40]


def _discovery(result: Object, _note: Note) -> Answer:
    return _convert(Discovery, result, "DISC-1")


def _greeting(result: Object, _note: Note) -> Answer:
    version, info = result.get("protocolVersion"), result.get("serverInfo")
    if not isinstance(version, str) or not isinstance(info, dict):
        raise Violation("LEG-1", "a handshake is answered with a protocolVersion and a serverInfo")
    return _convert(Greeting, {**result, "supportedVersions": [version]}, "LEG-1")


def _call(result: Object, note: Note) -> Answer:
    """Read the answer of a tool; by hand, because calls are what a client does all day."""
    content = result.get("content")
    is_error = result.get("isError", False)
    if not isinstance(content, list):
        note(SHAPE, "content must be an array")
        content = []
    if not isinstance(is_error, bool):
        raise Violation(SHAPE, "isError must be true or false")
    structured = result.get("structuredContent", msgspec.UNSET)
    good = _without_faults(content, _block_fault, SHAPE, note)
    return CallToolAnswer(content=good, structured=structured, is_error=is_error, raw=result)


def _without_faults(
    parts: list[Any], fault_of: Callable[[Any], str | None], rule: str, note: Note
) -> list[Any]:
    """Give the parts that are by the rules, and note the others."""
    good = []
    for part in parts:
        fault = fault_of(part)
        if fault is None:
            good.append(part)
        else:
            note(rule, fault)
    return good


def _block_fault(block: Any) -> str | None:
    """Say what is wrong with a content block (requirements §10.3)."""
    if not isinstance(block, dict):
        return f"a content block must be an object, not {_name(block)}"
    kind = block.get("type")
    members = _BLOCK_MEMBERS.get(kind) if isinstance(kind, str) else None
    if members is None:
        return f"a content block has the unknown type {_name(kind)}"
    for member in members:
        if not isinstance(block.get(member), str):
            return f"a content block of type {kind} needs the text member {member}"
    if kind in _OF_BYTES and not _is_base64(block["data"]):
        return f"the data of a content block of type {kind} must be base64"
    return _contents_fault(block.get("resource")) if kind == "resource" else None


def _is_base64(text: str) -> bool:
    """Say whether a text is base64, by the letter: its alphabet, and its padding at the end alone."""
    if len(text) % 4 or not text.isascii():
        return False
    data = text.encode("ascii")
    rest = data.translate(None, _BASE64)
    return rest in (b"", b"=", b"==") and data.endswith(rest)


def _contents_fault(part: Any) -> str | None:
    """Say what is wrong with the contents of a resource: a URI, and either text or a blob (RSRC-2)."""
    if not isinstance(part, dict) or not isinstance(part.get("uri"), str):
        return "the contents of a resource must be an object with a uri"
    found = [name for name in ("text", "blob") if name in part]
    if len(found) != 1 or not isinstance(part[found[0]], str):
        return "the contents of a resource must have either text or blob, as a string"
    if found == ["blob"] and not _is_base64(part["blob"]):
        return "the blob of a resource must be base64"
    return None


def _message_fault(message: Any) -> str | None:
    """Say what is wrong with a message of a prompt (PRO-2)."""
    if message.get("role") not in ("user", "assistant"):
        return 'the role of a message must be "user" or "assistant"'
    return _block_fault(message.get("content"))


def _read(result: Object, note: Note) -> Answer:
    answer = _convert(ReadAnswer, result, "RSRC-2")
    if not answer.contents:
        note("RSRC-3", "contents must not be empty: a missing resource is an error")
    good = _without_faults(answer.contents, _contents_fault, "RSRC-2", note)
    return msgspec.structs.replace(answer, contents=good)


def _prompt(result: Object, note: Note) -> Answer:
    answer = _convert(PromptAnswer, result, "PRO-2")
    good = _without_faults(answer.messages, _message_fault, "PRO-2", note)
    return msgspec.structs.replace(answer, messages=good)


def _complete(result: Object, note: Note) -> Answer:
    inner = result.get("completion")
    answer = _convert(CompleteAnswer, inner, "COMP-2")
    if len(answer.values) > 100:
        note("COMP-2", f"a completion has at most 100 values, not {len(answer.values)}")
    return msgspec.structs.replace(answer, raw=result)


def _page(member: str, kind: type[Answer]) -> Reader:
    """Make the reader of a list whose items are in `member`."""

    def read(result: Object, note: Note) -> Answer:
        values = result.get(member)
        if not isinstance(values, list):
            raise Violation(SHAPE, f"{member} must be an array")
        items = []
        for value in values:
            try:
                items.append(_item(kind, value))
            except Violation as fault:
                note(fault.rule, fault.detail)
        cursor = result.get("nextCursor")
        if cursor is None and "nextCursor" in result:
            # Which a client takes for none all the same (PAGE-2).
            note("PAGE-1", "nextCursor must be a string, or left out, and not null", is_harmless=True)
        elif cursor is not None and not isinstance(cursor, str):
            raise Violation("PAGE-1", "nextCursor must be a string")
        return Page(items=items, next_cursor=cursor, raw=result)

    return read


def _item(kind: type[Answer], value: Any) -> Answer:
    if kind is ToolInfo and isinstance(value, dict):
        schema = value.get("inputSchema")
        if not isinstance(schema, dict) or schema.get("type") != "object":
            raise Violation("TOOL-5", 'inputSchema must be an object whose type is "object"')
    return _convert(kind, value, SHAPE)


_READERS: dict[str, Reader] = {
    "server/discover": _discovery,
    "initialize": _greeting,
    "tools/list": _page("tools", ToolInfo),
    "tools/call": _call,
    "resources/list": _page("resources", ResourceInfo),
    "resources/templates/list": _page("resourceTemplates", TemplateInfo),
    "resources/read": _read,
    "prompts/list": _page("prompts", PromptInfo),
    "prompts/get": _prompt,
    "completion/complete": _complete,
}
