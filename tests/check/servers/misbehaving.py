"""Servers that each break one rule: `python misbehaving.py NAME`. `FAULTS` says which rule each breaks.

Each is the good server but for one hook, so that whatever else is found wrong with it is a fault of the finder.
"""
# ruff: noqa: D102  -- a hook does what the good server says it does

import json
import os
import re
import signal
import sys
import time
from typing import ClassVar

from good import PREFIX, VERSION, Good, Refused, main

FAULTS = {}


def breaks(rule):
    """Enter a server under its name with the rule that it breaks."""

    def enter(server):
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", server.__name__).lower()
        FAULTS[name] = (rule, server)
        return server

    return enter


def is_list(message):
    """Whether it asks for the tools: faults that need not touch every answer touch that one."""
    return message.get("method") == "tools/list"


# -- ids and messages


@breaks("RPC-4")
class WrongId(Good):
    def answer(self, message, result):
        super().answer({**message, "id": 999_999} if is_list(message) else message, result)


@breaks("RPC-4")
class IdAsText(Good):
    def answer(self, message, result):
        super().answer({**message, "id": str(message["id"])} if is_list(message) else message, result)


@breaks("RPC-4")
class AnswersTwice(Good):
    def answer(self, message, result):
        super().answer(message, result)
        if is_list(message):
            super().answer(message, result)


@breaks("RPC-4")
class NullIdForWhatCannotBeRead(Good):
    def refuse_line(self, code):
        self.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": "cannot be read"}})


@breaks("RPC-5")
class ResultAndError(Good):
    def answer(self, message, result):
        both = {"jsonrpc": "2.0", "id": message["id"], "result": result, "error": {"code": 1, "message": "x"}}
        self.send(both) if is_list(message) else super().answer(message, result)


@breaks("RPC-5")
class ResultIsAList(Good):
    def answer(self, message, result):
        super().answer(message, [result] if is_list(message) else result)


@breaks("RPC-1")
class NoJsonrpc(Good):
    def answer(self, message, result):
        found = {"id": message["id"], "result": result}
        self.send(found) if is_list(message) else super().answer(message, result)


@breaks("RPC-1")
class NotUtf8(Good):
    def answer(self, message, result):
        if is_list(message):
            data = json.dumps(
                {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": "XX", **result}}
            ).encode()
            self.write(data.replace(b"Count.", b"\xff\xfe") + b"\n")
        else:
            super().answer(message, result)


@breaks("RPC-6")
class AnswersNotifications(Good):
    def notified(self, message):
        super().notified(message)
        if message["method"] == "notifications/unknown":
            self.send({"jsonrpc": "2.0", "error": {"code": -32601, "message": "unknown"}})


@breaks("CAN-4")
class AnswersCancellations(Good):
    def notified(self, message):
        super().notified(message)
        if message["method"] == "notifications/cancelled" and "requestId" not in message.get("params", {}):
            self.send({"jsonrpc": "2.0", "error": {"code": -32602, "message": "requestId is required"}})


@breaks("RPC-7")
class SendsRequests(Good):
    def answer(self, message, result):
        if is_list(message):
            self.send({"jsonrpc": "2.0", "id": "mine", "method": "roots/list", "params": {}})
        super().answer(message, result)


@breaks("RPC-8")
class ServesBatches(Good):
    def take(self, line):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list) and found:
            for message in found:
                self.requested(message)
        else:
            super().take(line)


@breaks("RPC-3")
class TakesTrueForAnId(Good):
    def take(self, line):
        super().take(line.replace(b'"id":true', b'"id":1'))


@breaks("RPC-9")
class RepeatsWhatItDoesNotKnow(Good):
    def answer(self, message, result):
        unknown = {name: value for name, value in self.params(message).items() if name == "x-unknown"}
        super().answer(message, {**result, **unknown})


@breaks("RPC-9")
class RefusesWhatItDoesNotKnow(Good):
    def admit(self, message):
        super().admit(message)
        if "x-unknown" in message:
            raise Refused(-32600, "x-unknown is not known")


@breaks("RPC-10")
class TakesNan(Good):
    def not_json(self, text):
        return 0


@breaks("RPC-10")
class HundredMegabytes(Good):
    def finished(self, message, result):
        result = super().finished(message, result)
        return {**result, "padding": "x" * 100_000_000} if is_list(message) else result


@breaks("RPC-0")
class NeverAnswers(Good):
    def answer(self, message, result):
        if not is_list(message):
            super().answer(message, result)


@breaks("RPC-0")
class DiesOfARequest(Good):
    def answer(self, message, result):
        if is_list(message):
            os._exit(3)
        super().answer(message, result)


# -- errors


@breaks("ERR-1")
class CodeWithoutAMeaning(Good):
    def unknown_tool(self):
        return Refused(-32050, "there is no such tool")


@breaks("ERR-2")
class CodeOfAnOlderRevision(Good):
    def unknown_resource(self, uri):
        return Refused(-32002, "there is no such resource", {"uri": uri})


@breaks("ERR-3")
class CodeOfTheOldRange(Good):
    def unknown_prompt(self):
        return Refused(-32000, "there is no such prompt")


@breaks("ERR-5")
class CodeIsText(Good):
    def unknown_tool(self):
        return Refused("-32602", "there is no such tool")


@breaks("RES-5")
class WrongCodeForAnUnknownMethod(Good):
    def unknown_method(self, message):
        found = super().unknown_method(message)
        return Refused(-32603, found.message) if found.code == -32601 else found


@breaks("VER-1")
class WrongCodeForAnUnknownVersion(Good):
    def unknown_version(self, version):
        return Refused(-32602, "version is not served")


@breaks("VER-1")
class ServesEveryVersion(Good):
    def unknown_version(self, version):
        return Refused(-32022, "version is not served", {"supported": ["2099-01-01"], "requested": version})


@breaks("TOOL-6")
class UnknownToolIsAFailure(Good):
    def on_tools_call(self, message, params):
        try:
            return super().on_tools_call(message, params)
        except Refused as refused:
            if "tool" in refused.message:
                return {"content": [{"type": "text", "text": refused.message}], "isError": True}
            raise


@breaks("RSRC-3")
class WrongCodeForAMissingResource(Good):
    def unknown_resource(self, uri):
        return Refused(-32603, "there is no such resource")


@breaks("RSRC-3")
class MissingResourceIsEmpty(Good):
    def on_resources_read(self, message, params):
        try:
            return super().on_resources_read(message, params)
        except Refused:
            return {"contents": []}


@breaks("PRO-3")
class WrongCodeForAnUnknownPrompt(Good):
    def unknown_prompt(self):
        return Refused(-32603, "there is no such prompt")


@breaks("PAGE-3")
class TakesAnyCursor(Good):
    def unknown_cursor(self):
        return Refused(-32603, "there is no such cursor")


# -- metadata and state


@breaks("META-2")
class WantsToKnowTheClient(Good):
    def admit(self, message):
        super().admit(message)
        if PREFIX + "clientInfo" not in self.meta(message):
            raise Refused(-32602, "clientInfo is required")


@breaks("META-3")
class DoesWithoutCapabilities(Good):
    def admit(self, message):
        meta = {PREFIX + "clientCapabilities": {}, **self.meta(message)}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})


@breaks("META-4")
class TakesCapabilitiesOfAnyType(Good):
    def admit(self, message):
        meta = self.meta(message)
        if PREFIX + "clientCapabilities" in meta:
            meta = {**meta, PREFIX + "clientCapabilities": {}}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})


@breaks("META-5")
class RemembersWhatWasSaid(Good):
    said: ClassVar = {}

    def admit(self, message):
        meta = {**self.said, **self.meta(message)}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})
        self.said = meta


@breaks("META-5")
class ABadLineChangesIt(Good):
    def refuse_line(self, code):
        super().refuse_line(code)
        self.capabilities = {**self.capabilities, "experimental": {}}


@breaks("META-5")
class AnIdIsGoodOnce(Good):
    def admit(self, message):
        super().admit(message)
        used = self.__dict__.setdefault("used", set())
        if message["id"] in used:
            raise Refused(-32600, "the id was used before")
        used.add(message["id"])


@breaks("META-10")
class DoesNotSayWhoItIs(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {name: value for name, value in found.items() if name != "_meta"} if is_list(message) else found
        )


@breaks("META-15")
class RefusesBadTraceContext(Good):
    def admit(self, message):
        super().admit(message)
        if self.meta(message).get("traceparent", "00-").startswith("n"):
            raise Refused(-32602, "traceparent is not valid")


# -- results


@breaks("RES-1")
class NoResultType(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {name: value for name, value in found.items() if name != "resultType"}
            if is_list(message)
            else found
        )


@breaks("RES-3")
class UnknownResultType(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return {**found, "resultType": "deferred"} if message["method"] == "prompts/get" else found


@breaks("MRTR-1")
class AListAsksForInput(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        asks = {"resultType": "input_required", "requestState": "x"}
        return {**found, **asks} if message["method"] == "prompts/list" else found


@breaks("MRTR-4")
class AsksWhatWasNotDeclared(Good):
    def call_count(self, message, arguments):
        asked = {"method": "roots/list"}
        return (
            {"resultType": "input_required", "inputRequests": {"a": asked}}
            if arguments
            else super().call_count(message, arguments)
        )


@breaks("CACHE-1")
class NoCacheHints(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {name: value for name, value in found.items() if name != "ttlMs"} if is_list(message) else found
        )


@breaks("CACHE-7")
class PagesOfTwoScopes(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {**found, "cacheScope": "public"}
            if is_list(message) and "cursor" in self.params(message)
            else found
        )


@breaks("SHAPE-1")
class ToolsAreNoList(Good):
    def on_tools_list(self, message, params):
        super().on_tools_list(message, params)
        return {"tools": {}}


# -- discovery


@breaks("VER-4")
class NoDiscovery(Good):
    on_server_discover = None


@breaks("DISC-1")
class NoVersions(Good):
    def on_server_discover(self, message, params):
        return {"supportedVersions": [], "capabilities": self.capabilities}


@breaks("VER-2")
class OffersAnOlderVersion(Good):
    def on_server_discover(self, message, params):
        return {"supportedVersions": [VERSION, "2025-11-25"], "capabilities": self.capabilities}


@breaks("VER-5")
class DoesNotSayWhichVersions(Good):
    def unknown_method(self, message):
        return Refused(-32601, "there is no such method")


@breaks("DISC-2")
class AdvertisesWhatItDoesNotServe(Good):
    on_prompts_list = None


@breaks("DISC-2")
class ServesWhatItDoesNotAdvertise(Good):
    capabilities: ClassVar = {name: told for name, told in Good.capabilities.items() if name != "prompts"}


# -- lists


@breaks("TOOL-1")
class ACallAddsATool(Good):
    def tools(self):
        more = [{**super().tools()[2], "name": f"more_{self.seen}"}] if self.seen > 20 else []
        return super().tools() + more


@breaks("TOOL-2")
class AnotherOrderEachTime(Good):
    page = 10
    listed = 0

    def tools(self):
        return super().tools()

    def on_tools_list(self, message, params):
        self.listed += 1
        found = super().on_tools_list(message, params)
        return {**found, "tools": found["tools"][:: 1 if self.listed % 2 else -1]}


@breaks("TOOL-2")
class AnotherOrderAfterARestart(Good):
    page = 100

    def tools(self):
        more = [
            {**super(AnotherOrderAfterARestart, self).tools()[2], "name": f"more_{at}"} for at in range(20)
        ]
        return super().tools() + more

    def on_tools_list(self, message, params):
        found = super().on_tools_list(message, params)
        return {**found, "tools": sorted(found["tools"], key=lambda tool: hash((tool["name"], os.getpid())))}


@breaks("TOOL-3")
class TwoToolsOfOneName(Good):
    def tools(self):
        return [*super().tools(), super().tools()[2]]


@breaks("TOOL-3")
class NameWithASpace(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "remove all"}]


@breaks("TOOL-4")
class NoDescription(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "other", "description": ""}]


@breaks("TOOL-5")
class SchemaOfNoObject(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": {"type": "string"}}]


@breaks("SCH-2")
class InvalidSchema(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"type": "text"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("SCH-4")
class SchemaFromTheNetwork(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"$ref": "https://schemas.example/a.json"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("XH-2")
class MirrorsANumber(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("PAGE-1")
class NullForNoCursor(Good):
    def on_prompts_list(self, message, params):
        return {**super().on_prompts_list(message, params), "nextCursor": None}


@breaks("PAGE-4")
class NeverEnds(Good):
    def on_tools_list(self, message, params):
        super().on_tools_list(message, {} if params.get("cursor") == "again" else params)
        return {"tools": self.tools(), "nextCursor": "again"}


# -- calls


@breaks("TOOL-7")
class TakesWhateverItIsGiven(Good):
    def call_count(self, message, arguments):
        return super().call_count(message, {"text": str(arguments.get("text"))})


@breaks("TOOL-8")
class BreaksItsOutputSchema(Good):
    def counted(self, number):
        return {**super().counted(number), "structuredContent": {"count": str(number)}}


@breaks("TOOL-9")
class NoText(Good):
    def counted(self, number):
        return {**super().counted(number), "content": []}


@breaks("TOOL-15")
class TakesNullForArguments(Good):
    def on_tools_call(self, message, params):
        return super().on_tools_call(message, {**params, "arguments": params.get("arguments") or {}})


@breaks("PROG-2")
class ProgressStandsStill(Good):
    def count_progress(self, token):
        for step in (1, 1):
            self.notify("notifications/progress", {"progressToken": token, "progress": step})


@breaks("PROG-2")
class ProgressAfterTheAnswer(Good):
    def answer(self, message, result):
        super().answer(message, result)
        token = self.meta(message).get("progressToken")
        if token is not None:
            self.notify("notifications/progress", {"progressToken": token, "progress": 9})


@breaks("PROG-2")
class ProgressNobodyAskedFor(Good):
    def call_count(self, message, arguments):
        self.notify("notifications/progress", {"progressToken": "mine", "progress": 1})
        return super().call_count(message, arguments)


@breaks("LOG-1")
class LogsUnasked(Good):
    def call_count(self, message, arguments):
        if PREFIX + "logLevel" not in self.meta(message):
            self.notify("notifications/message", {"level": "info", "data": "counted"})
        return super().call_count(message, arguments)


@breaks("LOG-3")
class TakesAnyLevel(Good):
    def admit(self, message):
        meta = {name: value for name, value in self.meta(message).items() if name != PREFIX + "logLevel"}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})


@breaks("CAN-3")
class AnswersWhatWasCancelled(Good):
    def is_cancelled(self, message):
        return False


@breaks("STDIO-10")
class OneAfterTheOther(Good):
    def requested(self, message):
        if self.params(message).get("name") == "slow" and message["method"] == "tools/call":
            time.sleep(0.6)
        self.serve(message)

    def call_slow(self, message, arguments):
        return {"content": [{"type": "text", "text": "done"}]}


# -- resources and completions


@breaks("SHAPE-1")
class ImageIsNoBase64(Good):
    def call_count(self, message, arguments):
        image = {"type": "image", "mimeType": "image/png", "data": "data:image/png;base64,AAAA"}
        found = super().call_count(message, arguments)
        return {**found, "content": [*found["content"], image]}


@breaks("RSRC-2")
class BlobIsNoBase64(Good):
    def on_resources_read(self, message, params):
        found = super().on_resources_read(message, params)
        return {
            "contents": [{**part, "blob": "%%%"} if "blob" in part else part for part in found["contents"]]
        }


@breaks("PRO-2")
class MessageWithoutARole(Good):
    def on_prompts_get(self, message, params):
        found = super().on_prompts_get(message, params)
        return {"messages": [{"content": one["content"]} for one in found["messages"]]}


@breaks("COMP-2")
class ManyCompletions(Good):
    def on_completion_complete(self, message, params):
        super().on_completion_complete(message, params)
        return {"completion": {"values": [str(number) for number in range(101)]}}


@breaks("COMP-3")
class CompletesAnything(Good):
    def on_completion_complete(self, message, params):
        return {"completion": {"values": []}}


# -- subscriptions


@breaks("SUB-2")
class NeverAcknowledges(Good):
    def acknowledge(self, request_id, wanted):
        pass


@breaks("SUB-2")
class TellsBeforeItAcknowledges(Good):
    def acknowledge(self, request_id, wanted):
        self.notify("notifications/tools/list_changed", {"_meta": {PREFIX + "subscriptionId": request_id}})
        super().acknowledge(request_id, wanted)


@breaks("SUB-3")
class SubscriptionAsText(Good):
    def acknowledge(self, request_id, wanted):
        super().acknowledge(str(request_id), wanted)


@breaks("SUB-4")
class TellsWhoDoesNotListen(Good):
    def answer(self, message, result):
        if is_list(message):
            self.notify("notifications/tools/list_changed", {})
        super().answer(message, result)


@breaks("SUB-10")
class AnswersAnEndedListen(Good):
    ended = None
    since = 0

    def notified(self, message):
        found = message.get("params", {}).get("requestId")
        if isinstance(found, int | str) and (type(found), found) in self.listens:
            self.ended, self.since = found, 0
        super().notified(message)

    def requested(self, message):
        self.since += 1
        if self.ended is not None and self.since == 2:  # not at once, when it might have been on its way
            tag = {
                PREFIX + "subscriptionId": self.ended,
                PREFIX + "serverInfo": {"name": "good", "version": "1"},
            }
            self.send(
                {"jsonrpc": "2.0", "id": self.ended, "result": {"resultType": "complete", "_meta": tag}}
            )
        super().requested(message)


# -- lines


@breaks("STDIO-1")
class NoLineEnd(Good):
    def answer(self, message, result):
        if is_list(message):
            self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())
            time.sleep(60)
        super().answer(message, result)


@breaks("STDIO-1")
class DiesWithinAnAnswer(Good):
    def answer(self, message, result):
        if is_list(message):
            self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()[:40])
            os._exit(1)
        super().answer(message, result)


@breaks("STDIO-2")
class Prints(Good):
    def call_count(self, message, arguments):
        self.write(b"counting now\n")
        return super().call_count(message, arguments)


@breaks("STDIO-2")
class Greets(Good):
    def run(self):
        self.write(b"The server is ready.\n")
        super().run()


@breaks("STDIO-3")
class DiesOfABrokenLine(Good):
    def refuse_line(self, code):
        os._exit(1)


@breaks("STDIO-3")
class SticksOverABrokenLine(Good):
    def refuse_line(self, code):
        time.sleep(60)


@breaks("STDIO-3")
class SaysNothingOfABrokenLine(Good):
    def refuse_line(self, code):
        if code != -32700:
            super().refuse_line(code)


# -- the end


@breaks("STDIO-6")
class OutlivesItsInput(Good):
    def at_end(self):
        time.sleep(60)


@breaks("STDIO-11")
class IgnoresSigterm(Good):
    def run(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().run()


@breaks("STDIO-11")
class IgnoresSigint(Good):
    def run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().run()


@breaks("STDIO-12")
class LeavesAChild(Good):
    def at_end(self):
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


@breaks("STDIO-12")
class LeavesAChildApart(Good):
    def at_end(self):
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)


# -- faults that were met in servers of others, and their kin


@breaks("META-5")
class TheFirstMessageDecides(Good):
    first = None

    def admit(self, message):
        if self.first is None:
            self.first = PREFIX + "protocolVersion" in self.meta(message)
        super().admit(message)
        if not self.first:
            raise Refused(-32600, "this connection is of the older era")


@breaks("META-5")
class TheHandshakeChangesIt(Good):
    begun = False

    def serve(self, message):
        if message["method"] == "initialize":
            self.begun = True
            told = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "serverInfo": {"name": "good", "version": "1"},
            }
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": told})
        else:
            super().serve(message)

    def on_server_discover(self, message, params):
        found = super().on_server_discover(message, params)
        return {**found, "instructions": "Begun."} if self.begun else found


@breaks("META-5")
class AnotherVersionIsRemembered(Good):
    refused = False

    def unknown_version(self, version):
        self.refused = True
        return super().unknown_version(version)

    def admit(self, message):
        is_good = self.meta(message).get(PREFIX + "protocolVersion") == VERSION
        if self.refused and is_good and message["method"] == "server/discover":
            self.refused = False
            raise Refused(-32600, "this connection is of another version")
        super().admit(message)


@breaks("RPC-9")
class DropsWhatHasAnotherMember(Good):
    def requested(self, message):
        if "x-unknown" not in message:
            super().requested(message)


@breaks("VER-1")
class DoesNotRepeatTheVersion(Good):
    def unknown_version(self, version):
        return Refused(-32022, "version is not served", {"supported": [VERSION]})


@breaks("TOOL-7")
class WrongArgumentsAreAnError(Good):
    def call_count(self, message, arguments):
        found = super().call_count(message, arguments)
        if found.get("isError"):
            raise Refused(-32602, "text: expected a string")
        return found


@breaks("TOOL-8")
class NoStructuredContent(Good):
    def counted(self, number):
        return {"content": [{"type": "text", "text": str(number)}]}


@breaks("SCH-4")
class ReferenceThatLeadsNowhere(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("SHAPE-1")
class OutputSchemaIsNoObject(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "other", "outputSchema": True}]


@breaks("XH-3")
class MirrorsAnItem(Good):
    def tools(self):
        item = {"type": "string", "x-mcp-header": "A"}
        wrong = {"type": "object", "properties": {"a": {"type": "array", "items": item}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("RSRC-2")
class ListsWhatCannotBeRead(Good):
    def resources(self):
        return [*super().resources(), {"uri": "good:///gone", "name": "gone"}]


@breaks("RSRC-3")
class DoesNotNameTheResource(Good):
    def unknown_resource(self, uri):
        return Refused(-32602, "there is no such resource")


@breaks("RSRC-6")
class TemplateThatIsNone(Good):
    def on_resources_templates_list(self, message, params):
        return self.paged("resourceTemplates", [{"uriTemplate": "good:///{name", "name": "any"}], params)


@breaks("SUB-14")
class RefusesToBeListenedTo(Good):
    def on_subscriptions_listen(self, message, params):
        if "notifications" in params:
            raise Refused(-32601, "nobody may listen")
        raise Refused(-32602, "notifications is required")


@breaks("SUB-1")
class TakesAListenToNothing(Good):
    def on_subscriptions_listen(self, message, params):
        if "notifications" in params:
            return super().on_subscriptions_listen(message, params)
        return {"_meta": {PREFIX + "subscriptionId": message["id"], **self.finished(message, {})["_meta"]}}


@breaks("SUB-5")
class ProgressOnASubscription(Good):
    def acknowledge(self, request_id, wanted):
        super().acknowledge(request_id, wanted)
        tag = {PREFIX + "subscriptionId": request_id}
        self.notify("notifications/progress", {"progressToken": 1, "progress": 1, "_meta": tag})


@breaks("CAN-7")
class CancelsACall(Good):
    def call_count(self, message, arguments):
        self.notify("notifications/cancelled", {"requestId": message["id"]})
        return super().call_count(message, arguments)


if __name__ == "__main__":
    main(FAULTS[sys.argv[1]][1]())
