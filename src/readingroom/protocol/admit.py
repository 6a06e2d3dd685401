"""The one admission ladder: a request is admitted, or refused with a code, a status and the requirement it breaks.

The order is that of requirements §16.1; what only HTTP has, the headers that mirror the body, is looked at where they are
given. Nothing is remembered from one request to the next (META-5).
"""

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from ..wire import (
    HEADER_MISMATCH,
    HTTP_STATUS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
    Request,
    RequestId,
    encode_error,
)
from .methods import METHODS
from .params import LOG_LEVELS, TASKS, Params, declares_tasks
from .versions import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SUPPORTED

if TYPE_CHECKING:
    from .headers import Mirrored


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


_LAST = "TOOL-6"
_LADDER = {name: (msgspec.json.Decoder(row.params).decode, row.capability) for name, row in METHODS.items()}


def admit(request: Request, capabilities: frozenset[str]) -> Verdict:
    """Admit `request` on a server that advertises `capabilities`, or say why not."""
    row = _LADDER.get(request.method)
    if row is None or request.params is msgspec.UNSET or not (row[1] in capabilities or not row[1]):
        return _refuse(request, capabilities, "")
    try:
        params = row[0](request.params)
    except (msgspec.DecodeError, RecursionError) as error:
        return _refuse(request, capabilities, f"params: {error}")
    if params.meta.version not in SUPPORTED:
        return _refuse(request, capabilities, "")
    return Admitted(request.id, request.method, params)


def admit_mirrored(request: Request, capabilities: frozenset[str], mirrored: "Mirrored") -> Verdict:
    """Admit `request`, as `admit` does, if its headers say the same as its body (HDR-1 to HDR-7, XH-6)."""
    verdict = admit(request, capabilities)
    if isinstance(verdict, Admitted):
        name = METHODS[request.method].mirrored
        value = getattr(verdict.params, name) if name else None
        if mirrored.is_plain(verdict.params.meta.version, request.method, value):
            return verdict
    refusal = _refuse(
        request, capabilities, "" if isinstance(verdict, Admitted) else verdict.message, mirrored
    )
    # The last step speaks of the shape; where the body had no fault, that step was reached by headers that are right.
    return verdict if refusal.rule == _LAST and isinstance(verdict, Admitted) else refusal


def _is_served(method: str, capabilities: frozenset[str]) -> bool:
    row = METHODS.get(method)
    return row is not None and (not row.capability or row.capability in capabilities)


def _refuse(
    request: Request, capabilities: frozenset[str], shape_fault: str, mirrored: "Mirrored | None" = None
) -> Refusal:
    """Find the first step of the ladder that `request` does not pass; the last is what the decoder says of its shape."""
    fault = mirrored and mirrored.presence_fault()
    if fault:
        return _mismatch(request, fault)
    try:
        params = None if request.params is msgspec.UNSET else msgspec.json.decode(request.params)
    except (msgspec.DecodeError, RecursionError) as error:
        # The envelope was read, so what cannot be read lies inside the parameters: a number beyond every range.
        return _invalid(request.id, f"params: {error}", "RPC-10")
    fault = _meta_fault(params)
    if fault:
        return _missing(request, fault)
    assert isinstance(params, dict)  # noqa: S101  -- _meta_fault has seen it; for the type checker
    return (
        _refuse_by_version(request, capabilities, params, mirrored)
        or _refuse_undeclared(request, params)
        or _invalid(request.id, shape_fault, _LAST)
    )


def _refuse_by_version(
    request: Request, capabilities: frozenset[str], params: dict[str, Any], mirrored: "Mirrored | None"
) -> Refusal | None:
    """Climb the steps that come once the metadata is there: the version, the method, and what mirrors them."""
    version, method = params["_meta"][PROTOCOL_VERSION], request.method
    fault = mirrored and mirrored.version_fault(version)
    if fault:
        return _mismatch(request, fault)
    if version not in SUPPORTED:
        data = {"supported": list(SUPPORTED), "requested": version}
        return _refusal(request.id, UNSUPPORTED_VERSION, "Unsupported protocol version", "VER-1", data)
    fault = mirrored and mirrored.method_fault(method)
    if fault:
        return _mismatch(request, fault)
    if not _is_served(method, capabilities):
        return _refusal(request.id, METHOD_NOT_FOUND, f"Method not found: {method}", "RES-5")
    fault = mirrored and mirrored.parameters_fault(method, METHODS[method].mirrored, params)
    return _mismatch(request, fault) if fault else None


def _refuse_undeclared(request: Request, params: dict[str, Any]) -> Refusal | None:
    """Refuse what belongs to an extension that the request does not declare, whatever else it holds (TASK-11, EXT-2)."""
    is_of_tasks = METHODS[request.method].capability == "tasks"
    if not is_of_tasks or declares_tasks(params["_meta"][CLIENT_CAPABILITIES]):
        return None
    data: dict[str, Any] = {"requiredCapabilities": {"extensions": {TASKS: {}}}}
    return _refusal(request.id, MISSING_CAPABILITY, "Client capability required", "TASK-11", data)


def _mismatch(request: Request, fault: str) -> Refusal:
    """Refuse for a header; an `initialize` is told which versions are served (VER-5)."""
    told, data = _told_versions(request, fault)
    return _refusal(request.id, HEADER_MISMATCH, told, "HDR-3", data)


def _missing(request: Request, fault: str) -> Refusal:
    """Refuse for the metadata; an `initialize` is told which versions are served, for it comes from an older client."""
    told, data = _told_versions(request, fault)
    return Refusal(request.id, INVALID_PARAMS, told, "META-3", 400, data)


def _told_versions(request: Request, fault: str) -> tuple[str, Any]:
    """Give what is said of a fault, with the versions served for whom it may help."""
    if request.method != "initialize":
        return fault, None
    return f"{fault} (served versions: {', '.join(SUPPORTED)})", {"supported": list(SUPPORTED)}


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
