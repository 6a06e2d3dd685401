"""The one admission ladder: a request is admitted, or refused with a code, a status and the requirement it breaks.

The order is that of requirements §16.1, without the steps that only HTTP has. Nothing is remembered from one request to
the next (META-5).
"""

from typing import Any, TypeAlias

import msgspec

from ..wire import (
    HTTP_STATUS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    Request,
    RequestId,
    encode_error,
)
from .methods import METHODS
from .params import LOG_LEVELS, Params
from .versions import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SUPPORTED


class Admitted(msgspec.Struct, gc=False):
    """A request that may be handled: its decoded parameters stand for it alone."""

    id: RequestId
    method: str
    params: Params


class Refusal(msgspec.Struct, frozen=True):
    """A request that is not handled: what is answered, with which HTTP status, and the id of the rule it broke."""

    id: RequestId | None
    code: int
    message: str
    rule: str
    status: int
    data: Any = None

    def encode(self) -> bytes:
        """Encode the error answer."""
        return encode_error(self.id, self.code, self.message, self.data)


Verdict: TypeAlias = Admitted | Refusal

_LADDER = {name: (msgspec.json.Decoder(row.params).decode, row.capability) for name, row in METHODS.items()}


def admit(request: Request, capabilities: frozenset[str]) -> Verdict:
    """Admit `request` on a server that advertises `capabilities`, or say why not."""
    row = _LADDER.get(request.method)
    if row is None or request.params is msgspec.UNSET or not (row[1] in capabilities or not row[1]):
        return _refuse(request, capabilities)
    try:
        params = row[0](request.params)
    except (msgspec.DecodeError, RecursionError) as error:
        return _refuse(request, capabilities, str(error))
    if params.meta.version not in SUPPORTED:
        return _refuse(request, capabilities)
    return Admitted(request.id, request.method, params)


def _is_served(method: str, capabilities: frozenset[str]) -> bool:
    row = METHODS.get(method)
    return row is not None and (not row.capability or row.capability in capabilities)


def _refuse(request: Request, capabilities: frozenset[str], shape_fault: str = "") -> Refusal:
    """Find the first step of the ladder that `request` does not pass; the last is what the decoder says of its shape."""
    try:
        params = None if request.params is msgspec.UNSET else msgspec.json.decode(request.params)
    except (msgspec.DecodeError, RecursionError) as error:
        # The envelope was read, so what cannot be read lies inside the parameters: a number beyond every range.
        return _invalid(request.id, f"params: {error}", "RPC-10")
    fault = _meta_fault(params)
    if fault is not None:
        return _missing(request, fault)
    assert isinstance(params, dict)  # noqa: S101  -- _meta_fault has seen it; for the type checker
    version = params["_meta"][PROTOCOL_VERSION]
    if version not in SUPPORTED:
        data = {"supported": list(SUPPORTED), "requested": version}
        return _refusal(request.id, UNSUPPORTED_VERSION, "Unsupported protocol version", "VER-1", data)
    if not _is_served(request.method, capabilities):
        return _refusal(request.id, METHOD_NOT_FOUND, f"Method not found: {request.method}", "RES-5")
    return _invalid(request.id, f"params: {shape_fault}", "TOOL-6")


def _missing(request: Request, fault: str) -> Refusal:
    """Refuse for the metadata; an `initialize` is told which versions are served, for it comes from an older client."""
    data = {"supported": list(SUPPORTED)} if request.method == "initialize" else None
    message = f"{fault} (served versions: {', '.join(SUPPORTED)})" if data else fault
    return Refusal(request.id, INVALID_PARAMS, message, "META-3", 400, data)


def _refusal(request_id: RequestId, code: int, message: str, rule: str, data: Any = None) -> Refusal:
    return Refusal(request_id, code, message, rule, HTTP_STATUS[code], data)


def _invalid(request_id: RequestId, message: str, rule: str) -> Refusal:
    return _refusal(request_id, INVALID_PARAMS, message, rule)


def _meta_fault(params: Any) -> str | None:
    """Say what is wrong with the metadata (META-1 to META-4, PROG-1, LOG-3), or None."""
    if not isinstance(params, dict):
        return "params must be an object with _meta"
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        return "params._meta is required and must be an object"
    if not isinstance(meta.get(PROTOCOL_VERSION), str):
        return f"_meta: {PROTOCOL_VERSION} is required and must be a string"
    if not isinstance(meta.get(CLIENT_CAPABILITIES), dict):
        return f"_meta: {CLIENT_CAPABILITIES} is required and must be an object"
    return _optional_meta_fault(meta)


def _optional_meta_fault(meta: dict[str, Any]) -> str | None:
    info = meta.get(CLIENT_INFO)
    if CLIENT_INFO in meta and not _is_identity(info):
        return f"_meta: {CLIENT_INFO} must be an object with the strings name and version"
    token = meta.get("progressToken", "")
    if isinstance(token, bool) or not isinstance(token, str | int):
        return "_meta: progressToken must be a string or an integer"
    if LOG_LEVEL in meta and meta[LOG_LEVEL] not in LOG_LEVELS:
        return f"_meta: {LOG_LEVEL} must be one of {', '.join(LOG_LEVELS)}"
    return None


def _is_identity(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("name"), str)
        and isinstance(value.get("version"), str)
        and isinstance(value.get("title", ""), str)
    )
