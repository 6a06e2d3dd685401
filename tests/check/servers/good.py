"""A small server that keeps every rule, on the standard library alone, with a hook wherever one of its kin breaks one.

Run it with `python good.py`; it has a tool that is quick, one that takes its time and one that is not to be called.
"""
# ruff: noqa: D102  -- methods are named after what the protocol calls what they serve

import base64
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import ClassVar

VERSION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
NEEDED = {"protocolVersion": str, "clientCapabilities": dict}
SLOW_SECONDS = 0.6
URI = "good:///words"
CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Good:
    """The server. What begins with `on_` is called for a method; the rest are the steps of reading and answering."""

    capabilities: ClassVar = {
        "tools": {"listChanged": True},
        "resources": {"subscribe": True, "listChanged": True},
        "prompts": {"listChanged": True},
        "completions": {},
        "logging": {},
    }
    page = 2

    def __init__(self):
        self.lock = threading.Lock()
        self.cancelled = set()
        self.listens = {}
        self.seen = 0

    # -- bytes

    def run(self):
        for line in sys.stdin.buffer:
            self.seen += 1
            self.take(line)
        self.at_end()
        os._exit(0)

    def at_end(self):
        pass

    def write(self, data):
        with self.lock:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    # -- messages

    def take(self, line):
        try:
            message = json.loads(line.decode(), parse_constant=self.not_json)
        except RecursionError:
            return self.refuse_line(-32600)
        except ValueError:
            return self.refuse_line(-32700)
        if not isinstance(message, dict):
            return self.refuse_line(-32600)
        request_id = message.get("id")
        if "id" in message and (not isinstance(request_id, int | str) or isinstance(request_id, bool)):
            return self.refuse_line(-32600)
        if message.get("jsonrpc") != "2.0":
            return self.fail(message, Refused(-32600, "jsonrpc must be 2.0"))
        if "id" not in message:
            return self.notified(message)
        return self.requested(message)

    def not_json(self, text):
        raise ValueError(text)

    def refuse_line(self, code):
        self.send({"jsonrpc": "2.0", "error": {"code": code, "message": "cannot be read"}})

    def notified(self, message):
        if message.get("method") == "notifications/cancelled":
            found = message.get("params", {}).get("requestId")
            if isinstance(found, int | str):
                self.cancelled.add((type(found), found))
                self.listens.pop((type(found), found), None)

    def requested(self, message):
        if message["method"] == "tools/call" and self.params(message).get("name") == "slow":
            threading.Thread(target=self.serve, args=(message,), daemon=True).start()
        else:
            self.serve(message)

    def serve(self, message):
        try:
            self.admit(message)
            method = message["method"]
            handler = getattr(self, "on_" + method.replace("/", "_"), None)
            if handler is None or method == "initialize":
                raise self.unknown_method(message)
            result = handler(message, self.params(message))
        except Refused as refused:
            self.fail(message, refused)
            return
        if result is not None and not self.is_cancelled(message):
            self.answer(message, self.finished(message, result))

    def is_cancelled(self, message):
        return (type(message["id"]), message["id"]) in self.cancelled

    def unknown_method(self, message):
        if message["method"] == "initialize":
            return Refused(-32602, "served versions: " + VERSION)
        return Refused(-32601, "there is no such method")

    def params(self, message):
        found = message.get("params")
        return found if isinstance(found, dict) else {}

    def meta(self, message):
        found = self.params(message).get("_meta")
        return found if isinstance(found, dict) else {}

    def admit(self, message):
        meta = self.meta(message)
        if message["method"] == "initialize":
            raise self.unknown_method(message)
        for name, kind in NEEDED.items():
            if not isinstance(meta.get(PREFIX + name), kind):
                raise Refused(-32602, f"_meta: {name} is required")
        if meta[PREFIX + "protocolVersion"] != VERSION:
            raise self.unknown_version(meta[PREFIX + "protocolVersion"])
        if meta.get(PREFIX + "logLevel", "info") == "loud":
            raise Refused(-32602, "there is no such level")

    def unknown_version(self, version):
        return Refused(-32022, "version is not served", {"supported": [VERSION], "requested": version})

    def finished(self, message, result):
        result = {
            "resultType": "complete",
            "_meta": {PREFIX + "serverInfo": {"name": "good", "version": "1"}},
            **result,
        }
        if message["method"] in CACHED:
            result |= {"ttlMs": 0, "cacheScope": "private"}
        return result

    def answer(self, message, result):
        self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def fail(self, message, refused):
        error = {"code": refused.code, "message": refused.message}
        if refused.data is not None:
            error["data"] = refused.data
        told = {"jsonrpc": "2.0", "error": error}
        self.send(told | ({"id": message["id"]} if "id" in message else {}))

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    # -- features

    def on_server_discover(self, message, params):
        return {"supportedVersions": [VERSION], "capabilities": self.capabilities}

    def tools(self):
        text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        nothing = {"type": "object", "additionalProperties": False}
        count = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
        reads = {"readOnlyHint": True}
        return [
            {
                "name": "count",
                "description": "Count.",
                "inputSchema": text,
                "outputSchema": count,
                "annotations": reads,
            },
            {"name": "slow", "description": "Take a while.", "inputSchema": nothing, "annotations": reads},
            {"name": "remove", "description": "Remove all.", "inputSchema": nothing},
        ]

    def paged(self, member, items, params):
        cursor = params.get("cursor", "0")
        if cursor not in [str(at) for at in range(0, max(len(items), 1), self.page)] or (
            "cursor" in params and cursor == "0"
        ):
            raise self.unknown_cursor()
        at = int(cursor)
        rest = {"nextCursor": str(at + self.page)} if at + self.page < len(items) else {}
        return {member: items[at : at + self.page], **rest}

    def unknown_cursor(self):
        return Refused(-32602, "there is no such cursor")

    def on_tools_list(self, message, params):
        return self.paged("tools", self.tools(), params)

    def on_tools_call(self, message, params):
        name, arguments = params.get("name"), params.get("arguments", {})
        if name not in [tool["name"] for tool in self.tools()]:
            raise self.unknown_tool()
        if not isinstance(arguments, dict):
            raise Refused(-32602, "arguments must be an object")
        return getattr(self, "call_" + name)(message, arguments)

    def unknown_tool(self):
        return Refused(-32602, "there is no such tool")

    def call_count(self, message, arguments):
        text = arguments.get("text")
        if not isinstance(text, str):
            return {"content": [{"type": "text", "text": "text: expected a string"}], "isError": True}
        token = self.meta(message).get("progressToken")
        if token is not None:
            self.count_progress(token)
        if PREFIX + "logLevel" in self.meta(message):
            self.notify("notifications/message", {"level": "info", "data": "counted"})
        return self.counted(len(text))

    def count_progress(self, token):
        for step in (1, 2):
            self.notify("notifications/progress", {"progressToken": token, "progress": step})

    def counted(self, number):
        return {
            "content": [{"type": "text", "text": json.dumps({"count": number})}],
            "structuredContent": {"count": number},
        }

    def call_slow(self, message, arguments):
        until = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < until and not self.is_cancelled(message):
            time.sleep(0.01)
        return {"content": [{"type": "text", "text": "done"}]}

    def call_remove(self, message, arguments):
        Path(os.environ["REMOVED"]).write_text("called")  # whoever calls it leaves a trace
        return {"content": []}

    def resources(self):
        return [{"uri": URI, "name": "words"}, {"uri": "good:///bytes", "name": "bytes"}]

    def on_resources_list(self, message, params):
        return self.paged("resources", self.resources(), params)

    def on_resources_templates_list(self, message, params):
        return self.paged("resourceTemplates", [{"uriTemplate": "good:///{name}", "name": "any"}], params)

    def on_resources_read(self, message, params):
        uri = params.get("uri")
        if uri == URI:
            return {"contents": [{"uri": uri, "text": "words"}]}
        if uri == "good:///bytes":
            return {"contents": [{"uri": uri, "blob": base64.b64encode(b"\x00\xff").decode()}]}
        raise self.unknown_resource(uri)

    def unknown_resource(self, uri):
        return Refused(-32602, "there is no such resource", {"uri": uri})

    def on_prompts_list(self, message, params):
        return self.paged(
            "prompts", [{"name": "greet", "arguments": [{"name": "whom", "required": True}]}], params
        )

    def on_prompts_get(self, message, params):
        if params.get("name") != "greet":
            raise self.unknown_prompt()
        if "whom" not in params.get("arguments", {}):
            raise Refused(-32602, "whom is required")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}]}

    def unknown_prompt(self):
        return Refused(-32602, "there is no such prompt")

    def on_completion_complete(self, message, params):
        ref = params.get("ref")
        if not isinstance(ref, dict) or ref.get("name") != "greet":
            raise Refused(-32602, "there is no such prompt")
        return {"completion": {"values": ["Ada", "Grace"]}}

    def on_subscriptions_listen(self, message, params):
        wanted = params.get("notifications")
        if not isinstance(wanted, dict):
            raise Refused(-32602, "notifications is required")
        self.listens[type(message["id"]), message["id"]] = wanted
        self.acknowledge(message["id"], wanted)

    def acknowledge(self, request_id, wanted):
        tag = {PREFIX + "subscriptionId": request_id}
        self.notify("notifications/subscriptions/acknowledged", {"_meta": tag, "notifications": wanted})


def main(server):
    """Run a server until its input ends or it is asked to end."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server.run()


if __name__ == "__main__":
    main(Good())
