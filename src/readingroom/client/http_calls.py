"""One request over HTTP and what comes in answer to it: the rules of `Calls`, where a connection carries one request.

Pure: bodies and events in, effects out.
"""

from ..errors import PeerProtocolError, ReadingRoomError, RemoteError
from ..wire import is_request_id
from .calls import Calls
from .effects import Effect, Settled
from .frames import EXCERPT, Answered, Broken, read_frame
from .values import Object
from .violations import Violations

_NO_MESSAGE = "an answer must be a message of JSON-RPC"


class OneCall(Calls):
    """A request in flight alone, under an id that is given, for ids are those of the whole client (RPC-2)."""

    __slots__ = ("_recorded", "request_id")

    def __init__(
        self,
        capabilities: Object,
        nesting: int,
        *,
        strict: bool,
        violations: Violations,
        request_id: int,
    ) -> None:
        super().__init__(capabilities, nesting, strict=strict, violations=violations)
        self._issued = request_id - 1
        # Whatever comes, comes in answer to it.
        self._heard = request_id
        self.request_id = request_id
        self._recorded: PeerProtocolError | None = None

    def _take_broken(self, broken: Broken, *, lost: bool = False) -> list[Effect]:
        """Take what breaks a rule; over HTTP, whatever it carries as an id, it came in answer to this request."""
        rule, detail = broken.rule, broken.detail
        if rule == "STDIO-2":
            rule, detail = "RPC-1", _NO_MESSAGE
        elif rule == "RPC-4" and is_request_id(broken.id) and broken.id != self.request_id:
            rule = "HTTP-23"
            detail = "what comes in answer to a request must have the id of that request"
        effects = super()._take_broken(Broken(rule, detail, None, broken.excerpt), lost=lost)
        self._recorded = self._violations.last[-1]
        return effects

    def refused(self, body: bytes, *, is_probe: bool = False) -> RemoteError | None:
        """Read a body that came with a status that says no: the error in it, whatever its id, or None (HTTP-22).

        An older server may give it an id that is none of ours, for it had not read the request: that breaks no rule in
        its era, and on a probe the era is not known.
        """
        frame = read_frame(body.strip(), self._nesting)
        if not isinstance(frame, Answered) or frame.error is None:
            return None
        if frame.id is not None and frame.id != self.request_id and not (self._is_older or is_probe):
            self._violations.record("RPC-4", "an error must carry the id of its request", body[:EXCERPT])
        return RemoteError(frame.error["code"], frame.error["message"], frame.error.get("data"))

    def unanswered(self, body: bytes = b"") -> list[Effect]:
        """Say what it means that all has come, if there was no answer in it."""
        if not len(self):
            return []
        if self._recorded is None:
            detail = "a request must be answered with a response"
            self._recorded = self._violations.record("HTTP-13", detail, body[:EXCERPT])
        found = self._recorded
        error = PeerProtocolError(found.rule, found.detail, found.excerpt)
        return [Settled(call.owner, error=error) for _, call in self._pick_all(self._issued)]

    def unanswered_after_fault(self) -> list[Effect]:
        """Do as `unanswered` if something broke a rule before; else there is nothing to be said."""
        return [] if self._recorded is None else self.unanswered()

    def record(self, rule: str, detail: str, excerpt: bytes = b"") -> ReadingRoomError:
        """Record a violation and give it as an error."""
        return self._violations.record(rule, detail, excerpt)
