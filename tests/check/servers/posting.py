"""The good server over HTTP, and some that each break one rule of that carrier. Run in a thread, by the tests."""
# ruff: noqa: D102, N815  -- hooks and methods are named after what calls them

import base64
import binascii
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from good import Good, Refused

FAULTS = {}
STATUS = {-32601: 404, -32020: 400, -32021: 400, -32022: 400, -32700: 400, -32600: 400}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def breaks(rule):
    """Enter a server under its name with the rule that it breaks."""

    def enter(server):
        FAULTS[re.sub(r"(?<!^)(?=[A-Z])", "-", server.__name__).lower()] = (rule, server)
        return server

    return enter


class Answers(Good):
    """The good server, with what it sends gathered for each thread."""

    def __init__(self):
        super().__init__()
        self.own = threading.local()

    def write(self, data):
        self.own.sent.append(json.loads(data))

    def requested(self, message):
        self.serve(message)

    def tools(self):
        mirrored = {
            "type": "object",
            "properties": {"city": {"type": "string", "x-mcp-header": "City"}},
            "required": ["city"],
        }
        named = {
            "name": "where",
            "description": "Say where.",
            "inputSchema": mirrored,
            "annotations": {"readOnlyHint": True},
        }
        return [*super().tools(), named]

    def call_where(self, message, arguments):
        return {"content": [{"type": "text", "text": "here"}]}

    def admit(self, message):
        try:
            super().admit(message)
        except Refused as refused:
            self.own.status = 400 if refused.code == -32602 else None
            raise


class Posting(BaseHTTPRequestHandler):
    """One POST. Each step may be another's."""

    protocol_version = "HTTP/1.1"
    server_class = Answers
    stream_headers = (("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no"))

    def log_message(self, *args):
        pass

    def refuse(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if body:
            self.send_header("Content-Type", "application/json")
        for name, value in self.more_headers():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def more_headers(self):
        return ()

    def do_GET(self):
        self.refuse(405)

    do_DELETE = do_GET
    do_PUT = do_GET

    def front(self):
        """Give the status that who asks, for whom and for what bring, or None."""
        if self.headers.get("Origin") or not self.headers["Host"].startswith("127.0.0.1"):
            return 403
        accept = self.headers.get("Accept", "*/*")
        if "application/json" not in accept and "*/*" not in accept:
            return 406
        return None if self.headers.get("Content-Type", "").startswith("application/json") else 415

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.front()
        if status:
            return self.refuse(status)
        app = self.server.app
        app.own.sent, app.own.status = [], None
        try:
            message = json.loads(body)
        except ValueError:
            message = None
        if isinstance(message, dict) and "id" not in message:
            return self.notified()
        fault = self.header_fault(message) if isinstance(message, dict) else None
        if fault:
            error = {"code": -32020, "message": fault}
            return self.refuse(
                400, json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}).encode()
            )
        app.take(body)
        return self.reply(app.own.sent, app.own.status)

    def notified(self):
        self.refuse(202)

    def reply(self, sent, status):
        if len(sent) == 1 and "method" not in sent[0]:
            code = sent[0].get("error", {}).get("code")
            return self.refuse(status or self.status_of(code), json.dumps(sent[0]).encode())
        self.send_response(200)
        for name, value in self.stream_headers:
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"".join(self.event(message) for message in sent))
        if "acknowledged" in str(sent[-1].get("method")):
            time.sleep(0.3)
        self.close_connection = True
        return None

    def status_of(self, code):
        return STATUS.get(code, 200)

    def event(self, message):
        return b"data: " + json.dumps(message).encode() + b"\n\n"

    def header_fault(self, message):
        """Say what the headers say otherwise than the body."""
        method, params = message.get("method"), message.get("params") or {}
        if method == "initialize":
            return None
        told = {name.lower() for name in self.headers}
        doubled = [name for name in told if name.startswith("mcp-") and len(self.headers.get_all(name)) > 1]
        if doubled:
            return "a header came twice"
        version = (params.get("_meta") or {}).get("io.modelcontextprotocol/protocolVersion")
        if "mcp-protocol-version" not in told:
            return "MCP-Protocol-Version is missing"
        if isinstance(version, str) and self.headers["MCP-Protocol-Version"].strip() != version:
            return "MCP-Protocol-Version differs"
        if self.headers.get("Mcp-Method", "").strip() != method:
            return "Mcp-Method differs"
        return self.name_fault(method, params) or self.argument_fault(params)

    def name_fault(self, method, params):
        name = params.get(NAMED.get(method, ""))
        if not isinstance(name, str):
            return None
        try:
            return None if self.decoded(self.headers.get("Mcp-Name", "")) == name else "Mcp-Name differs"
        except ValueError:
            return "Mcp-Name cannot be read"

    def decoded(self, value):
        if not value.isascii():
            raise ValueError(value)
        if value.startswith("=?base64?") and value.endswith("?="):
            try:
                return base64.b64decode(value[9:-2], validate=True).decode()
            except binascii.Error as error:
                raise ValueError(value) from error
        return value

    def argument_fault(self, params):
        arguments = params.get("arguments")
        city = arguments.get("city") if isinstance(arguments, dict) else None
        if params.get("name") != "where" or city is None:
            return None
        return None if self.headers.get("Mcp-Param-City") == city else "Mcp-Param-City differs"


@breaks("HTTP-2")
class AnyOrigin(Posting):
    def front(self):
        del self.headers["Origin"]
        return super().front()


@breaks("HTTP-3")
class AnyHost(Posting):
    def front(self):
        self.headers.replace_header("Host", "127.0.0.1")
        return super().front()


@breaks("HTTP-5")
class GetIsFine(Posting):
    def do_GET(self):
        self.refuse(200, b"{}")


@breaks("HTTP-6")
class HasSessions(Posting):
    def more_headers(self):
        return (("Mcp-Session-Id", "abc"),)


@breaks("HTTP-6")
class KnowsNoSuchSession(Posting):
    def front(self):
        return 404 if self.headers.get("Mcp-Session-Id") else super().front()


@breaks("HTTP-11")
class WantsBothTypes(Posting):
    def front(self):
        return super().front() or (406 if self.headers.get("Accept") == "*/*" else None)


@breaks("HTTP-12")
class AnyContentType(Posting):
    def front(self):
        self.headers.replace_header("Content-Type", "application/json")
        return super().front()


@breaks("HTTP-13")
class AnswersNothing(Posting):
    def reply(self, sent, status):
        if "tools" in sent[-1].get("result", {}):
            return self.refuse(200)
        return super().reply(sent, status)


@breaks("HTTP-13")
class AnswersInProse(Posting):
    def reply(self, sent, status):
        return (
            self.refuse(200, b"All is well.")
            if "tools" in sent[-1].get("result", {})
            else super().reply(sent, status)
        )


@breaks("HTTP-14")
class NotificationsGetTwoHundred(Posting):
    def notified(self):
        self.refuse(200)


@breaks("HTTP-16")
class GoesOnAfterTheAnswer(Posting):
    def reply(self, sent, status):
        more = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
        return super().reply([*sent, more] if len(sent) > 1 else sent, status)


@breaks("HTTP-17")
class NumbersItsEvents(Posting):
    def event(self, message):
        return b"id: 7\n" + super().event(message)


@breaks("HTTP-18")
class SaysNothingToProxies(Posting):
    stream_headers = (("Content-Type", "text/event-stream"),)


@breaks("HTTP-19")
class UnknownMethodsGetTwoHundred(Posting):
    def status_of(self, code):
        return 200 if code == -32601 else super().status_of(code)


@breaks("HTTP-19")
class MissingMetadataGetsTwoHundred(Posting):
    def reply(self, sent, status):
        return super().reply(sent, None)


@breaks("VER-4")
class WantsAHandshake(Posting):
    """It speaks the older era alone, in which a session comes first, and a stream may begin with an empty event."""

    def header_fault(self, message):
        return None if message.get("method") == "initialize" else "no session"

    def refuse(self, status, body=b""):
        super().refuse(status, b"" if b"no session" in body else body)

    def reply(self, sent, status):
        info = {"name": "old", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        greeting = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result})
        self.wfile.write(f"id: 1\ndata:\n\nid: 2\ndata: {greeting}\n\n".encode())
        self.close_connection = True


@breaks("RPC-1")
class FailsOverBrokenBodies(Posting):
    def status_of(self, code):
        return 500 if code == -32700 else super().status_of(code)


@breaks("HDR-3")
class DoesNotLookAtNames(Posting):
    def name_fault(self, method, params):
        try:
            self.decoded(self.headers.get("Mcp-Name", ""))
        except ValueError:
            return "Mcp-Name cannot be read"
        return None


@breaks("HDR-4")
class MethodsInAnyCase(Posting):
    def header_fault(self, message):
        if self.headers.get("Mcp-Method") == "SERVER/DISCOVER":
            self.headers.replace_header("Mcp-Method", "server/discover")
        return super().header_fault(message)


@breaks("HDR-5")
class TakesHeadersTwice(Posting):
    def header_fault(self, message):
        first = self.headers.get("Mcp-Method")
        del self.headers["Mcp-Method"]
        if first is not None:
            self.headers["Mcp-Method"] = first
        return super().header_fault(message)


@breaks("HDR-6")
class DecodesNothing(Posting):
    def decoded(self, value):
        found = super().decoded(value)
        return value if found.startswith("readingroom") else found


@breaks("ENC-2")
class MarksInAnyCase(Posting):
    def decoded(self, value):
        return super().decoded(value.replace("BASE64", "base64"))


@breaks("ENC-3")
class PaddingMayBeMissing(Posting):
    def decoded(self, value):
        return "Hello" if value == "=?base64?SGVsbG8?=" else super().decoded(value)


@breaks("ENC-5")
class AnyBytes(Posting):
    def decoded(self, value):
        return value if "\xe9" in value else super().decoded(value)


@breaks("XH-6")
class ArgumentsWithoutHeaders(Posting):
    def argument_fault(self, params):
        return None


@breaks("SUB-2")
class NeverAcknowledges(Posting):
    def reply(self, sent, status):
        is_listen = "acknowledged" in str(sent[-1].get("method"))
        told = {"jsonrpc": "2.0", "method": "notifications/unknown"}
        return super().reply([told] if is_listen else sent, status)


@breaks("HTTP-20")
class NeverNoticesLeaving(Posting):
    most = 8

    def reply(self, sent, status):
        if "acknowledged" in str(sent[-1].get("method")):
            self.server.listens = getattr(self.server, "listens", 0) + 1
            if self.server.listens > self.most:
                return self.refuse(503)
        return super().reply(sent, status)


class Guarded(Posting):
    """The good server, to whoever shows its token."""

    token = "let-me-in"
    unauthorized = 401
    resource = "http://{host}/mcp"
    metadata = "/.well-known/oauth-protected-resource/mcp"

    def is_let_in(self, shown):
        return shown == f"Bearer {self.token}"

    def challenge(self):
        return f'Bearer resource_metadata="http://{self.headers["Host"]}{self.metadata}", scope="read"'

    def do_POST(self):
        if self.is_let_in(self.headers.get("Authorization")):
            return super().do_POST()
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.unauthorized)
        if self.challenge():
            self.send_header("WWW-Authenticate", self.challenge())
        self.send_header("Content-Length", "0")
        self.end_headers()
        return None

    def do_GET(self):
        if not self.path.startswith("/.well-known/oauth-protected-resource/mcp"):
            return super().do_GET()
        resource = self.resource.format(host=self.headers["Host"])
        told = {"resource": resource, "authorization_servers": ["https://issuer.example"]}
        return self.refuse(200, json.dumps(told).encode())


@breaks("RS-3")
class SendsNoChallenge(Guarded):
    def challenge(self):
        return ""


@breaks("RS-3")
class ForbidsInstead(Guarded):
    unauthorized = 403


@breaks("RS-5")
class TakesAnyToken(Guarded):
    def is_let_in(self, shown):
        return shown is not None


@breaks("RS-2")
class MetadataIsNowhere(Guarded):
    metadata = "/.well-known/nothing"


@breaks("RS-2")
class MetadataIsProse(Guarded):
    def refuse(self, status, body=b""):
        super().refuse(status, b"Ask us." if b"authorization_servers" in body else body)


class GuardedElsewhere(Guarded):
    """A good one, whose metadata is on another origin."""

    def challenge(self):
        return 'Bearer resource_metadata="https://elsewhere.example/metadata"'


@breaks("RS-1")
class MetadataOfAnother(Guarded):
    resource = "https://elsewhere.example/mcp"


def start(handler):
    """Serve on a free port, in a thread; gives the server, to be shut down, and its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.app = handler.server_class()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/mcp"
