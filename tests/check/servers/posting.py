"""Servers over HTTP that each break one rule of that carrier. Run in a thread, by the tests."""
# ruff: noqa: D102, N802  -- hooks and methods are named after what calls them

import json
import re

from good_posting import Guarded, Posting, start  # noqa: F401  -- tests find all of the carrier here

FAULTS = {}


def breaks(rule):
    """Enter a server under its name with the rule that it breaks."""

    def enter(server):
        FAULTS[re.sub(r"(?<!^)(?=[A-Z])", "-", server.__name__).lower()] = (rule, server)
        return server

    return enter


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
