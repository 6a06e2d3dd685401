"""What the older era says, as pure functions: the handshake, its versions, and its requests as those of today.

A request of the older era becomes an `Admitted` like any other: the metadata that it lacks is made of what was agreed in
the handshake. Loaded with the first message of that era. Knows no session and no carrier.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..errors import InvalidParams, Refused
from ..wire import METHOD_NOT_FOUND, Request
from .admit import Admitted
from .eras import OLDER
from .methods import METHODS
from .params import LOG_LEVELS, Identity, Meta
from .versions import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION

NEWEST = OLDER[0]
HAS_BATCHES = frozenset({"2025-03-26"})
"""The versions in which an array of messages is a message."""

FEATURES = frozenset(
    {
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
        "completion/complete",
    }
)
"""The requests that both eras have. Those that only the older one has are its session's own."""

# What only today's requests have, or what the older era meant something else by (LEG-10).
_NOT_OF_THE_ERA = ("inputResponses", "requestState", "task")
_DEFAULT_LEVEL = "info"

_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Handshake(msgspec.Struct, frozen=True):
    """What was agreed: the version, and what the client said of itself and is capable of in that version."""

    version: str
    capabilities: dict[str, Any]
    client: Identity


class _Initialize(msgspec.Struct, frozen=True):
    version: str = msgspec.field(name="protocolVersion")
    capabilities: dict[str, dict[str, Any]]
    client: Identity = msgspec.field(name="clientInfo")


class _Level(msgspec.Struct, frozen=True):
    level: str


class _Address(msgspec.Struct, frozen=True):
    uri: str


def negotiate(asked: str) -> str:
    """Give the version to answer `initialize` with: the one asked for, or the newest of the era (LEG-1, ERA-16)."""
    return asked if asked in OLDER else NEWEST


def read_handshake(params: Any) -> Handshake:
    """Read the parameters of `initialize`. Raises: InvalidParams."""
    given = _read(params, _Initialize)
    version = negotiate(given.version)
    return Handshake(version, _known_capabilities(given.capabilities, version), given.client)


def read_level(params: Any) -> str:
    """Read the parameters of `logging/setLevel`. Raises: InvalidParams."""
    level: str = _read(params, _Level).level
    if level not in LOG_LEVELS:
        raise InvalidParams(f"level must be one of {', '.join(LOG_LEVELS)}")
    return level


def read_address(params: Any) -> str:
    """Read the parameters of `resources/subscribe` and `resources/unsubscribe`. Raises: InvalidParams."""
    uri: str = _read(params, _Address).uri
    return uri


def _read(params: Any, record: type[Any]) -> Any:
    try:
        return msgspec.json.decode(b"{}" if params is msgspec.UNSET else params, type=record)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidParams(f"params: {error}") from error


def _known_capabilities(declared: Mapping[str, dict[str, Any]], version: str) -> dict[str, Any]:
    """Keep what the version has, in today's form: a client that takes forms says so."""
    found: dict[str, Any] = {name: declared[name] for name in ("roots", "experimental") if name in declared}
    if "sampling" in declared:
        found["sampling"] = declared["sampling"] if version >= "2025-11-25" else {}
    if "elicitation" in declared and version >= "2025-06-18":
        modes = declared["elicitation"] if version >= "2025-11-25" else {}
        found["elicitation"] = modes or {"form": {}}
    return found


def admit_older(
    request: Request, agreed: Handshake, level: str | None, capabilities: frozenset[str]
) -> Admitted:
    """Admit a request of the older era on a server that offers `capabilities`.

    `level` is what `logging/setLevel` said last, or None. Raises: Refused when the method is unknown or not offered,
    InvalidParams when the parameters cannot be read.
    """
    row = METHODS.get(request.method) if request.method in FEATURES else None
    if row is None or row.capability not in capabilities:
        raise not_found(request.method)
    try:
        members = {} if request.params is msgspec.UNSET else _members(request.params)
        meta = msgspec.json.decode(members.get("_meta", b"{}"))
        for name in _NOT_OF_THE_ERA:
            members.pop(name, None)
        members["_meta"] = msgspec.Raw(msgspec.json.encode(_meta(meta, agreed, level)))
        params = msgspec.json.decode(msgspec.json.encode(members), type=row.params)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidParams(f"params: {error}") from error
    return Admitted(request.id, request.method, params)


def not_found(method: str) -> Refused:
    """Give the refusal of a method that is unknown, or not offered."""
    return Refused(f"Method not found: {method}", code=METHOD_NOT_FOUND)


def meta_of(agreed: Handshake) -> Meta:
    """Give the metadata of a request that the session makes on its own."""
    return Meta(agreed.version, agreed.capabilities)


def _meta(given: Any, agreed: Handshake, level: str | None) -> dict[str, Any]:
    """Make today's metadata of what was agreed and what the request says. Raises: InvalidParams."""
    if not isinstance(given, dict):
        raise InvalidParams("params: _meta must be an object")
    token = given.get("progressToken", msgspec.UNSET)
    made = {
        PROTOCOL_VERSION: agreed.version,
        CLIENT_CAPABILITIES: agreed.capabilities,
        CLIENT_INFO: agreed.client,
        LOG_LEVEL: level or _DEFAULT_LEVEL,
    }
    return made if token is msgspec.UNSET else {**made, "progressToken": token}
