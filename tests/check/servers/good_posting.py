"""The good server over HTTP, open to everybody or behind a token. Run in a thread, by the tests."""
# ruff: noqa: D102, N815  -- hooks and methods are named after what calls them

import base64
import binascii
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from good import Good, Refused

STATUS = {-32601: 404, -32020: 400, -32021: 400, -32022: 400, -32700: 400, -32600: 400}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


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


def start(handler):
    """Serve on a free port, in a thread; gives the server, to be shut down, and its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.app = handler.server_class()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/mcp"
