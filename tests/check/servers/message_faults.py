"""Faults of messages and of their ids: what is no JSON-RPC, what is not answered or answered amiss."""
# ruff: noqa: D102  -- a hook does what the good server says it does

import json
import os

from faults import breaks, is_list
from good import Good, Refused


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


# -- faults that were met in servers of others, and their kin


@breaks("RPC-9")
class DropsWhatHasAnotherMember(Good):
    def requested(self, message):
        if "x-unknown" not in message:
            super().requested(message)
