"""Asks a server over Streamable HTTP, and judges all that comes: each request is a POST of its own."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import ConnectFailed
from ...protocol import LATEST, METHODS, PROTOCOL_VERSION
from ...protocol.headers import BadAnnotation, Mirror, encoded, mirrors_of
from ...wire import Malformed, TooDeep, decode, encode
from .asking import Reply, State
from .frames import Frame, as_list, as_object
from .hearing import Hearing
from .http_judging import judge
from .post import Came, Place, exchange
from .verdicts import Notebook

Headers = Mapping[str, str | bytes | tuple[str, ...] | None]
_AFTER_SECONDS = 1.0
_UNAUTHORIZED = 401


class HttpPeer:
    """An endpoint. `mirrors` are the arguments that tools want mirrored in headers; learnt from lists, shared by all."""

    def __init__(
        self, place: Place, note: Notebook, timeout: float, mirrors: dict[str, tuple[Mirror, ...]]
    ) -> None:
        self.place = place
        self.first_answer_seconds = 0.0
        self._note = note
        self._timeout = timeout
        self._mirrors = mirrors

    def ask(self, message: dict[str, Any], headers: Headers | None = None) -> Reply:
        """Send a request and wait for its answer; that none comes is held against the server (RPC-0).

        Raises: ConnectFailed when nothing listens there, or authorization is asked for.
        """
        reply = self.attempt(message, headers)
        if reply.status == _UNAUTHORIZED:
            raise ConnectFailed(
                "the server asks for authorization (401); give a token with --token-file, or look at how it asks alone, "
                "with --only RS-1 --only RS-2 --only RS-3 --only RS-5"
            )
        if reply.state == "answered":
            self._note.kept("RPC-0", "HTTP-1")
            self.first_answer_seconds = self.first_answer_seconds or reply.seconds
        elif reply.state in ("silent", "gone"):
            told = f"{message['method']} was not answered within {self._timeout:g} s ({_told(reply)})"
            self._note.broke("RPC-0", told, reply.sent)
        return reply

    def attempt(self, message: dict[str, Any], headers: Headers | None = None) -> Reply:
        """Ask what need not be answered."""
        begun = time.monotonic()
        is_todays = message.get("method") != "initialize"
        # The older era has rules of its own: an event may be empty there, for one.
        note = self._note if is_todays else Notebook()
        hearing = Hearing(note, "HTTP-13")
        owed = hearing.sent(message)
        heard: list[Frame] = []

        def on_event(data: bytes) -> bool:
            if owed.is_answered:
                note.broke("HTTP-16", "something came after the answer", b"", data)
                return False
            heard.append(hearing.hear(data)[0])
            return True

        data = encode(message)
        came = self._send("POST", {**self._headers_for(message), **(headers or {})}, data, on_event)
        if came.body.strip() and not came.is_stream and _is_json(came):
            on_event(came.body)
        if is_todays:
            is_modern = (headers or {}).get("MCP-Protocol-Version", "") is not None
            judge(self._note, came, heard, data, is_modern=is_modern)
        self._learn(heard, message)
        took = time.monotonic() - begun
        return _reply(came, heard, data, is_answered=owed.is_answered, seconds=took)

    def listen(self, message: dict[str, Any], go_on: Callable[[Frame], bool], seconds: float) -> Reply:
        """Open a stream and read it for `seconds`, or until `go_on` says no; then leave it."""
        hearing = Hearing(self._note, "HTTP-13")
        owed = hearing.sent(message)
        heard: list[Frame] = []

        def on_event(data: bytes) -> bool:
            heard.append(hearing.hear(data)[0])
            return go_on(heard[-1])

        data = encode(message)
        came = self._send("POST", self._headers_for(message), data, on_event, seconds)
        if came.body.strip() and not came.is_stream and _is_json(came):
            on_event(came.body)
        judge(self._note, came, heard, data, is_modern=True)
        return _reply(came, heard, data, is_answered=owed.is_answered, seconds=seconds)

    def provoke(self, data: bytes, headers: Headers | None = None, verb: str = "POST") -> Reply:
        """Send whatever bytes and headers, by whatever method, and give what comes."""
        hearing = Hearing(self._note, "HTTP-13")
        hearing.excused = True
        for message in _requests_in(data):
            hearing.sent(message)
        heard: list[Frame] = []

        def on_event(event: bytes) -> bool:
            if verb == "POST":  # what else a server offers under its address is not the protocol's
                heard.append(hearing.hear(event)[0])
            return False

        ordinary = self._headers_for({"method": "server/discover"})
        came = self._send(verb, {**ordinary, **(headers or {})}, data, on_event)
        if came.body.strip() and not came.is_stream and _is_json(came):
            on_event(came.body)
        return _reply(came, heard, data, is_answered=bool(heard), seconds=0.0)

    def tell(self, message: dict[str, Any]) -> Reply:
        """Post a notification; give what comes, which should be 202 and nothing."""
        data = encode(message)
        heard: list[Frame] = []
        came = self._send("POST", self._headers_for(message), data, lambda _: True)
        return _reply(came, heard, data, is_answered=False, seconds=0.0, body=came.body)

    def drain(self, sent: bytes = b"") -> Reply:
        """Do nothing: what belongs to a request comes in the answer to it."""
        return Reply(state="silent", sent=sent)

    def is_alive(self) -> bool:
        """Always: there is no connection to lose."""
        return True

    def close(self) -> None:
        """Do nothing: each exchange closes its own connection."""

    def _send(
        self,
        verb: str,
        headers: Headers,
        data: bytes,
        on_event: Callable[[bytes], bool],
        seconds: float = 0.0,
    ) -> Came:
        told: list[tuple[str, str | bytes]] = []
        for name, value in {"Host": self.place.authority, **headers}.items():
            values = value if isinstance(value, tuple) else (value,)
            told += [(name, one) for one in values if one is not None]
        told += [*self.place.headers, ("Content-Length", str(len(data)))]
        return exchange(self.place, verb, told, data, seconds or self._timeout, on_event)

    def _headers_for(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Give the headers that a client of the protocol would send."""
        method, params = str(message.get("method")), as_object(message.get("params"))
        plain = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if method == "initialize":
            return plain
        version = as_object(params.get("_meta")).get(PROTOCOL_VERSION)
        found: dict[str, Any] = {"MCP-Protocol-Version": version if isinstance(version, str) else LATEST}
        if "id" in message or "method" in message:
            found["Mcp-Method"] = method
        name = (
            params.get(METHODS[method].mirrored) if method in METHODS and METHODS[method].mirrored else None
        )
        if isinstance(name, str):
            found["Mcp-Name"] = encoded(name)
        for mirror in self._mirrors.get(str(name), ()) if method == "tools/call" else ():
            value = _at(params.get("arguments"), mirror.path)
            if value is not None:
                found[mirror.header.decode()] = encoded(_text(value))
        return {**plain, **found}

    def _learn(self, heard: list[Frame], message: Mapping[str, Any]) -> None:
        """Take from a list of tools which arguments are to be mirrored."""
        if message.get("method") != "tools/list":
            return
        for frame in heard:
            for tool in as_list(as_object(frame.message.get("result")).get("tools")):
                name, schema = as_object(tool).get("name"), as_object(as_object(tool).get("inputSchema"))
                try:
                    self._mirrors[str(name)] = mirrors_of(schema)
                except BadAnnotation:
                    continue  # which is judged where the schemas are


def _requests_in(data: bytes) -> list[dict[str, Any]]:
    """Give the requests that stand in bytes of ours, so that their answers are known."""
    try:
        value = decode(data, 64)
    except (Malformed, TooDeep):
        return []
    return [
        one for one in (value if isinstance(value, list) else [value]) if as_object(one).get("id") is not None
    ]


def _is_json(came: Came) -> bool:
    """Whether a body is a message: by its type, or by what it begins with where the type is not said."""
    kind = came.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (not kind and came.body.lstrip()[:1] == b"{")


def _reply(
    came: Came, heard: list[Frame], sent: bytes, *, is_answered: bool, seconds: float, body: bytes = b""
) -> Reply:
    answers = [frame for frame in heard if frame.kind != "notice"]
    last = answers[-1] if answers else None
    state: State
    if last is not None and last.fault is None and is_answered:
        state = "answered"
    elif came.status and not came.is_late:
        state = "mangled"
    else:
        state = "gone" if any(word in came.fault for word in ("refused", "reset", "gaierror")) else "silent"
    return Reply(
        state=state,
        sent=sent,
        got=last.line if last is not None else body or came.body or came.fault.encode(),
        message=last.message if last is not None else {},
        notices=tuple(frame for frame in heard if frame.kind == "notice"),
        status=came.status,
        headers=came.headers,
        seconds=seconds,
    )


def _told(reply: Reply) -> str:
    return f"status {reply.status}" if reply.status else reply.got.decode("utf-8", "replace")[:80]


def _at(arguments: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        arguments = as_object(arguments).get(name)
    return arguments


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
