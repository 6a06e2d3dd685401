"""Every exception of the kit. Text is made from the fields, so that what is caught can be read by a program.

ReadingRoomError
├─ ToolError               raised by a handler: a failure that the model may read and act on
├─ Refused                 raised by a handler or the ladder: becomes a JSON-RPC error
│  ├─ InvalidParams        -32602
│  │  └─ ResourceNotFound  -32602, with the URI
│  └─ MissingCapability    -32021, with what the client did not declare
├─ PeerProtocolError       the other side broke a rule of the protocol
├─ RemoteError             the other side answered with a JSON-RPC error, by the rules
├─ InputRequired           the other side asks for input before it answers, and the client has none to give
├─ TransportError          no answer, for a reason that lies outside the protocol
│  ├─ ConnectFailed        the server could not be started or does not speak the protocol
│  ├─ Closed               the stream ended before the answer
│  │  └─ SubscriptionCancelled  the server ended a subscription without a result
│  ├─ TimedOut             the answer did not come in time
│  ├─ HttpRefused          the server, or something before it, answered with a status of HTTP in place of a message
│  ├─ Unauthorized         the server wants authorization, or more of it, and the client has none to give
│  │  └─ LoginFailed       it could not be had from the authorization server
│  └─ Withdrawn            the caller no longer waits for the answer
└─ UsageError              the kit was asked for something that cannot be: a fault of the calling program
"""

from typing import Any

# Longer ones are no ids. What a peer says stays in `data`, whatever it is.
_INCIDENT_LENGTH = 64


class ReadingRoomError(Exception):
    """Root of the kit's exceptions."""


class ToolError(ReadingRoomError):
    """A failure that the model may read: of a tool, it becomes a result with `isError` and this text (TOOL-7).

    Resources, prompts and completions have no such result: there it becomes the error -32603 with this text.
    """


class Refused(ReadingRoomError):
    """A request that is refused with a JSON-RPC error; `code`, `message` and `data` are what the peer reads."""

    code: int = -32603

    def __init__(self, message: str, *, code: int | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.data = data
        if code is not None:
            self.code = code


class InvalidParams(Refused):
    """The parameters of a request cannot be served (-32602)."""

    code = -32602


class ResourceNotFound(InvalidParams):
    """No resource answers to the URI (RSRC-3)."""

    def __init__(self, uri: str) -> None:
        super().__init__("Resource not found", data={"uri": uri})
        self.uri = uri


class MissingCapability(Refused):
    """Handling needs a capability that this request did not declare (META-11)."""

    code = -32021

    def __init__(self, required: dict[str, Any]) -> None:
        super().__init__("Client capability required", data={"requiredCapabilities": required})
        self.required = required


class PeerProtocolError(ReadingRoomError):
    """The peer broke the protocol: `rule` is the requirement's id, `excerpt` at most 200 bytes of what it sent."""

    def __init__(self, rule: str, detail: str, excerpt: bytes | str = b"") -> None:
        if isinstance(excerpt, bytes):
            excerpt = excerpt[:200].decode("utf-8", "backslashreplace")
        self.rule = rule
        self.detail = detail
        self.excerpt = excerpt[:200]
        super().__init__(rule, detail, self.excerpt)

    def __str__(self) -> str:
        shown = f": {self.excerpt}" if self.excerpt else ""
        return f"the peer broke {self.rule}: {self.detail}{shown}"


class RemoteError(ReadingRoomError):
    """The peer's own error answer: `code`, `message` and `data` as it sent them.

    The text has the incident id as well, when `data` has one: by it the server's log says more.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(code, message, data)

    def __str__(self) -> str:
        incident = self.data.get("incident") if isinstance(self.data, dict) else None
        known = isinstance(incident, str) and 0 < len(incident) <= _INCIDENT_LENGTH and incident.isprintable()
        return f"{self.message} ({self.code}{f', incident {incident}' if known else ''})"


class InputRequired(ReadingRoomError):
    """The server asks for input before it answers (MRTR-1), and the client has no callback for it, or it asks too often.

    `requests` are what it asks, by key, as it sent them, `state` is what it wants to see again, or None, and `rounds`
    is how often it was answered before.
    """

    def __init__(
        self, method: str, requests: dict[str, Any], state: str | None = None, *, rounds: int = 0
    ) -> None:
        self.method = method
        self.requests = requests
        self.state = state
        self.rounds = rounds
        super().__init__(method, requests, state)

    def __str__(self) -> str:
        methods = {str(request.get("method")) for request in self.requests.values()}
        asked = ", ".join(sorted(methods)) or "another try"
        if self.rounds:
            return f"{self.method} still needs input from the client ({asked}) after {self.rounds} rounds"
        return f"{self.method} needs input from the client ({asked}), which has no callback for it"


class TransportError(ReadingRoomError):
    """The answer did not come, for a reason outside the protocol; never carries a JSON-RPC code."""


class ConnectFailed(TransportError):
    """The server could not be started, or what was started does not speak a version that the client speaks."""


class Closed(TransportError):
    """The stream ended while an answer was owed; the text names the exit code and the last lines of stderr."""


class SubscriptionCancelled(Closed):
    """The server cancelled a subscription, and did not end it with a result; it is not asked for again (SUB-16)."""


class TimedOut(TransportError):
    """The answer did not come in the time allowed; the request has been cancelled."""


class HttpRefused(TransportError):
    """The answer was no message but a status of HTTP, such as 404, 502 or a redirection to elsewhere.

    `status` is its number, and `excerpt` the beginning of what came with it, as text; the text says what may be wrong.
    """

    def __init__(self, message: str, *, status: int, excerpt: str = "") -> None:
        self.status = status
        self.excerpt = excerpt
        super().__init__(f"{message}: {excerpt}" if excerpt else message)


class Unauthorized(TransportError):
    """The server refused the request for want of authorization; `status` is 401 (who are you?) or 403 (you may not)."""

    def __init__(self, message: str, *, status: int = 401) -> None:
        self.status = status
        super().__init__(message)


class LoginFailed(Unauthorized):
    """The token that the server wants could not be had; `rule` is the requirement that was broken on the way, or empty."""

    def __init__(self, message: str, *, rule: str = "", status: int = 401) -> None:
        self.rule = rule
        super().__init__(f"{message} ({rule})" if rule else message, status=status)


class Withdrawn(TransportError):
    """The caller withdrew the request before it was answered."""


class UsageError(ReadingRoomError):
    """The calling program asked for something that cannot be; the text says what to do instead."""
