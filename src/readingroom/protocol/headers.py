"""The headers that mirror a request's body: what they must say, how values are encoded, where tools ask for them.

Pure: header fields in, faults out. Names are compared without case, values with it (HDR-4); the body is the source of
truth, and a header is never believed, only compared (HDR-9).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

VERSION_HEADER = b"mcp-protocol-version"
METHOD_HEADER = b"mcp-method"
NAME_HEADER = b"mcp-name"
PARAM_PREFIX = "mcp-param-"
ANNOTATION = "x-mcp-header"

_WIRE_NAMES = {"task_id": "taskId"}
_OWS = b" \t"
_MARK, _CLOSE = "=?base64?", "?="
_VISIBLE = frozenset(range(0x20, 0x7F)) | {0x09}
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_TYPES = ("string", "integer", "boolean")
# Keywords whose values are data: what looks like an annotation in them is none (XH-3).
_DATA = frozenset(("default", "const", "enum", "examples"))


class BadHeader(ValueError):
    """A header's value cannot be read: characters that may not be there, or a broken encoding (ENC-3, ENC-5)."""


class BadAnnotation(ValueError):
    """An `x-mcp-header` that no client would accept; `rule` is the one it breaks (XH-2, XH-3)."""

    def __init__(self, message: str, rule: str = "XH-2") -> None:
        self.rule = rule
        super().__init__(message)


class Fields(msgspec.Struct, frozen=True):
    """The header fields of one request, by lower-case name; `doubled` are the names that came more than once."""

    values: dict[bytes, bytes]
    doubled: frozenset[bytes] = frozenset()


class Mirror(msgspec.Struct, frozen=True):
    """An argument of a tool that is mirrored: the header's name in lower case, and where the value stands."""

    header: bytes
    path: tuple[str, ...]


def read_fields(pairs: Sequence[tuple[bytes, bytes]]) -> Fields:
    """Gather header fields whose names are in lower case already; several of one name are one list (RFC 9110 §5.3)."""
    values = dict(pairs)
    if len(values) == len(pairs):
        return Fields(values)
    gathered: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        gathered.setdefault(name, []).append(value)
    doubled = frozenset(name for name, found in gathered.items() if len(found) > 1)
    return Fields({name: b", ".join(found) for name, found in gathered.items()}, doubled)


def plain(value: bytes) -> str:
    """Give the text of a value that is never encoded, without the white space around it.

    Raises: BadHeader for characters that a value may not have (ENC-5).
    """
    value = value.strip(_OWS)
    if not _VISIBLE.issuperset(value):
        raise BadHeader("it holds characters other than visible ASCII")
    return value.decode("ascii")


def decoded(value: bytes) -> str:
    """Give the text of a value that may be encoded (HDR-6, ENC-2).

    Raises: BadHeader (ENC-3, ENC-5).
    """
    text = plain(value)
    if not (text.startswith(_MARK) and text.endswith(_CLOSE) and len(text) >= len(_MARK) + len(_CLOSE)):
        return text
    import base64
    import binascii

    inner = text[len(_MARK) : -len(_CLOSE)]
    try:
        data = base64.b64decode(inner, validate=True)
        # One text has one encoding: padding that is missing or bits that are left over are refused.
        if base64.b64encode(data).decode("ascii") != inner:
            raise BadHeader("its Base64 is not canonical")
        return data.decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise BadHeader("its Base64 cannot be decoded") from error


def encoded(text: str) -> bytes:
    """Give the value for `text`: plain where it can be, else as Base64 of its UTF-8 (ENC-1)."""
    looks_encoded = text.startswith(_MARK) and text.endswith(_CLOSE)
    if not looks_encoded and text == text.strip(" \t") and all(" " <= c <= "~" for c in text):
        return text.encode("ascii")
    import base64

    return f"{_MARK}{base64.b64encode(text.encode()).decode('ascii')}{_CLOSE}".encode("ascii")


class Mirrored(msgspec.Struct, frozen=True, gc=False):
    """What a request over HTTP says beside its body, and which arguments each tool wants to see said there (§8.3, §8.4).

    Each `…_fault` says what is wrong at one step of the ladder, or None.
    """

    fields: Fields
    mirrors: Mapping[str, tuple[Mirror, ...]] = {}

    def is_plain(self, version: str, method: str, name: str | None) -> bool:
        """Say whether the headers are the usual ones, letter by letter; others are read with care."""
        values = self.fields.values
        return (
            values.get(VERSION_HEADER) == version.encode()
            and values.get(METHOD_HEADER) == method.encode()
            and not self.fields.doubled
            and (
                name is None
                or (values.get(NAME_HEADER) == name.encode() and self._is_plain_name(method, name))
            )
        )

    def _is_plain_name(self, method: str, name: str) -> bool:
        is_plain = (
            name.isascii() and name.isprintable() and name.strip() == name and not name.startswith("=?")
        )
        return is_plain and not (method == "tools/call" and self.mirrors.get(name))

    def presence_fault(self) -> str | None:
        """Before the body is looked at: a version that is missing, or a header that came twice (HDR-1, HDR-5)."""
        for name in self.fields.doubled:
            if name.startswith(b"mcp-"):
                return f"header {_shown(name)} came more than once"
        return (
            None if VERSION_HEADER in self.fields.values else f"header {_shown(VERSION_HEADER)} is required"
        )

    def version_fault(self, version: str) -> str | None:
        """A version other than the body's (HDR-1)."""
        return self._routing_fault(VERSION_HEADER, version)

    def method_fault(self, method: str) -> str | None:
        """A method other than the body's, or none (HDR-2)."""
        return self._routing_fault(METHOD_HEADER, method)

    def _routing_fault(self, header: bytes, expected: str) -> str | None:
        value = self.fields.values.get(header)
        if value is None:
            return f"header {_shown(header)} is required"
        try:
            same = plain(value) == expected
        except BadHeader as error:
            return f"header {_shown(header)} cannot be read: {error}"
        return None if same else f"header {_shown(header)} does not match the body"

    def parameters_fault(self, method: str, mirrored: str, params: dict[str, Any]) -> str | None:
        """A name other than that of the body's parameter `mirrored`, or an argument's (HDR-2, XH-6)."""
        if not mirrored:
            return None
        expected = params.get(_WIRE_NAMES.get(mirrored, mirrored))
        if not isinstance(expected, str):
            return None  # the next step says what is wrong with the body
        fault = self._name_fault(expected)
        if fault or method != "tools/call":
            return fault
        # The header of an unknown tool's argument is for nobody to judge (XH-9).
        return argument_fault(self.fields, self.mirrors.get(expected, ()), params.get("arguments"))

    def _name_fault(self, expected: str) -> str | None:
        value = self.fields.values.get(NAME_HEADER)
        if value is None:
            return f"header {_shown(NAME_HEADER)} is required"
        try:
            same = decoded(value) == expected
        except BadHeader as error:
            return f"header {_shown(NAME_HEADER)} cannot be read: {error}"
        return None if same else f"header {_shown(NAME_HEADER)} does not match the body"


def argument_fault(fields: Fields, mirrors: Iterable[Mirror], arguments: Any) -> str | None:
    """Say which mirrored argument has no header that says the same, or a header without an argument (XH-6)."""
    for mirror in mirrors:
        raw, value = fields.values.get(mirror.header), _at(arguments, mirror.path)
        shown = _shown(mirror.header)
        if value is None:
            if raw is not None:
                return f"header {shown} has no argument in the body"
            continue
        if raw is None:
            return f"header {shown} is required"
        try:
            text = decoded(raw)
        except BadHeader as error:
            return f"header {shown} cannot be read: {error}"
        if not _says(text, value):
            return f"header {shown} does not match the body"
    return None


def _at(arguments: Any, path: tuple[str, ...]) -> Any:
    found = arguments
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _says(text: str, value: Any) -> bool:
    """Say whether a header's text is that of an argument: texts exactly, numbers by value (XH-6, ENC-4)."""
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int | float):
        try:
            number = msgspec.json.decode(text)
        except msgspec.DecodeError:
            return False
        return isinstance(number, int | float) and not isinstance(number, bool) and number == value
    # What is no scalar breaks the schema, and the tool says so; there is nothing to compare.
    return text == value if isinstance(value, str) else True


def mirrors_of(schema: Mapping[str, Any]) -> tuple[Mirror, ...]:
    """Give the mirrored arguments of a tool's input schema.

    Raises: BadAnnotation, for a client leaves out a tool whose annotations break the rules (XH-2 to XH-4).
    """
    found: dict[bytes, tuple[str, ...]] = {}
    _gather(schema, (), found)
    _refuse_elsewhere(schema, is_argument=False, leads=True)
    return tuple(Mirror(header, path) for header, path in found.items())


def _gather(schema: Mapping[str, Any], path: tuple[str, ...], found: dict[bytes, tuple[str, ...]]) -> None:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return
    for name, described in properties.items():
        if not isinstance(described, dict):
            continue
        here = (*path, name)
        if ANNOTATION in described:
            header = _header_of(described, ".".join(here))
            if header in found:
                raise BadAnnotation(f"{'.'.join(here)}: {ANNOTATION} is used twice")
            found[header] = here
        _gather(described, here, found)


def _header_of(described: Mapping[str, Any], where: str) -> bytes:
    name = described[ANNOTATION]
    if not isinstance(name, str) or not name or not _TOKEN.issuperset(name):
        raise BadAnnotation(
            f"{where}: {ANNOTATION} is a text of the characters that a header's name may have"
        )
    if described.get("type") not in _TYPES:
        raise BadAnnotation(f"{where}: {ANNOTATION} is for a property of type {', '.join(_TYPES)}")
    return (PARAM_PREFIX + name.lower()).encode("ascii")


def _refuse_elsewhere(value: Any, *, is_argument: bool, leads: bool) -> None:
    """Refuse an annotation that is reached by anything but `properties`; `leads` while nothing else was met (XH-3)."""
    if isinstance(value, list):
        for item in value:
            _refuse_elsewhere(item, is_argument=False, leads=False)
    elif isinstance(value, dict):
        if ANNOTATION in value and not is_argument:
            raise BadAnnotation(f"{ANNOTATION} stands where no argument of its own is described", "XH-3")
        for keyword, inner in value.items():
            if keyword == "properties" and isinstance(inner, dict):
                for described in inner.values():
                    _refuse_elsewhere(described, is_argument=leads, leads=leads)
            elif keyword not in _DATA:
                _refuse_elsewhere(inner, is_argument=False, leads=False)


def _shown(name: bytes) -> str:
    """A header's name as people write it."""
    text = name.decode("latin-1")
    return {"mcp-protocol-version": "MCP-Protocol-Version"}.get(text) or "-".join(
        part.capitalize() for part in text.split("-")
    )
