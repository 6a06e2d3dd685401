"""Rounds (MRTR): results that ask for input, checked by their rules, and the request that is made anew with the answers.

Pure: whoever has callbacks fetches the answers, between `asks` and `retry`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import InputRequired
from .operations import Operation
from .shapes import CACHED, ROUNDS, Note, Violation, refuse
from .values import Object

if TYPE_CHECKING:
    from ..protocol.asking import Ask

_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE = 2.0


def input_required(method: str, result: Object, capabilities: Object, note: Note = refuse) -> InputRequired:
    """Give the error for a result that asks for input of a client that declared `capabilities`.

    Raises: Violation.
    """
    if method not in ROUNDS:
        raise Violation("MRTR-1", "this method may not be answered with input_required")
    if method in CACHED and ("ttlMs" in result or "cacheScope" in result):
        note("CACHE-2", "input_required must have no cache hints")
    if "inputRequests" not in result and "requestState" not in result:
        raise Violation("MRTR-2", "input_required needs inputRequests or requestState")
    requests = result.get("inputRequests", {})
    state = result.get("requestState")
    if not isinstance(requests, dict) or not all(isinstance(item, dict) for item in requests.values()):
        raise Violation("MRTR-3", "inputRequests must be an object of objects")
    if state is not None and not isinstance(state, str):
        raise Violation("MRTR-2", "requestState must be a string")
    from .asked import ask_of

    for request in requests.values():
        ask_of(request, capabilities)
    return InputRequired(method, requests, state)


class Rounds:
    """The rounds of one call. Each is a request of its own, with the answers and the state of the last one alone."""

    __slots__ = ("_asked", "_capabilities", "_count", "_most", "_operation")

    def __init__(self, operation: Operation, capabilities: Object, most: int) -> None:
        self._operation = operation
        self._capabilities = capabilities
        self._most = most
        self._count = 0
        self._asked: InputRequired | None = None

    def asks(self, asked: InputRequired) -> "dict[str, Ask]":
        """Give what is asked, by key; empty when the server wants to be asked again and nothing else (MRTR-5).

        Raises: InputRequired when that was asked for too many times (MRTR-9).
        """
        from .asked import ask_of

        if self._count >= self._most:
            raise InputRequired(asked.method, asked.requests, asked.state, rounds=self._count)
        self._asked = asked
        self._count += 1
        return {key: ask_of(request, self._capabilities) for key, request in asked.requests.items()}

    def pause(self) -> float:
        """Give the seconds to wait before the retry: none but where the server only wants to be asked again (MRTR-5)."""
        if self._asked is None or self._asked.requests:
            return 0.0
        return float(min(_PAUSE_SECONDS * 2 ** (self._count - 1), _LONGEST_PAUSE))

    def retry(self, answers: Mapping[str, Object]) -> Operation:
        """Give the request of the next round (MRTR-6 to MRTR-8)."""
        params = {**(self._operation.params or {})}
        if answers:
            params["inputResponses"] = dict(answers)
        if self._asked is not None and self._asked.state is not None:
            params["requestState"] = self._asked.state
        return Operation(self._operation.method, params)
