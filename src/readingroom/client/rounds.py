"""Results that ask for input (MRTR): checked by their rules, and handed to the caller as an error.

This version of the client takes no part in rounds; what a server may ask is checked all the same.
"""

from typing import Any

from ..errors import InputRequired
from .shapes import CACHED, ROUNDS, Violation
from .values import Object

_ASKED = ("elicitation/create", "sampling/createMessage", "roots/list")


def input_required(method: str, result: Object, capabilities: Object) -> InputRequired:
    """Give the error for a result that asks for input of a client that declared `capabilities`.

    Raises: Violation.
    """
    if method not in ROUNDS:
        raise Violation("MRTR-1", "this method may not be answered with input_required")
    if method in CACHED and ("ttlMs" in result or "cacheScope" in result):
        raise Violation("CACHE-2", "input_required must have no cache hints")
    if "inputRequests" not in result and "requestState" not in result:
        raise Violation("MRTR-2", "input_required needs inputRequests or requestState")
    requests = result.get("inputRequests", {})
    state = result.get("requestState")
    if not isinstance(requests, dict) or not all(isinstance(item, dict) for item in requests.values()):
        raise Violation("MRTR-3", "inputRequests must be an object of objects")
    if state is not None and not isinstance(state, str):
        raise Violation("MRTR-2", "requestState must be a string")
    for request in requests.values():
        _check_request(request, capabilities)
    return InputRequired(method, requests, state)


def _check_request(request: Object, capabilities: Object) -> None:
    """Check that one embedded request is known and was declared (MRTR-3, MRTR-4, ELIC-1)."""
    asked = request.get("method")
    if asked not in _ASKED:
        raise Violation("MRTR-3", f"inputRequests hold the unknown method {asked!r:.40}")
    declared = capabilities.get(asked.split("/")[0])
    if not isinstance(declared, dict):
        raise Violation("MRTR-4", f"the server asks for {asked}, which was not declared")
    params = request.get("params", {})
    if asked == "elicitation/create" and not _is_declared_mode(params, declared):
        raise Violation("ELIC-1", "the server asks for a mode of elicitation that was not declared")


def _is_declared_mode(params: Any, declared: Object) -> bool:
    """Say whether the mode is one of those declared; an empty declaration means forms alone."""
    mode = params.get("mode", "form") if isinstance(params, dict) else None
    return mode in (declared or {"form": {}})
