"""Faults of calls of tools: arguments, results, progress, logs and cancellation."""
# ruff: noqa: D102  -- a hook does what the good server says it does

import time

from faults import breaks
from good import PREFIX, Good, Refused


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


# -- faults that were met in servers of others, and their kin


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


@breaks("CAN-7")
class CancelsACall(Good):
    def call_count(self, message, arguments):
        self.notify("notifications/cancelled", {"requestId": message["id"]})
        return super().call_count(message, arguments)
