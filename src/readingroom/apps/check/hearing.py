"""Judges whatever a server sends, message by message, by the rules that need no probe of their own. Pure.

One for each connection; over HTTP, one for each POST.
"""

from typing import Any

from ...protocol import SUBSCRIPTION_ID
from ...wire import encode
from . import notices, results
from .frames import Frame, as_object, read
from .owed import LISTEN, Ledger, Owed
from .verdicts import Notebook

_NESTING = 512
PASSIVE = (
    "RPC-1", "RPC-4", "RPC-5", "RPC-6", "RPC-7", "ERR-1", "ERR-2", "ERR-3", "ERR-5",
    *results.RULES, *notices.RULES,
)  # fmt: skip
"""The rules that are judged on whatever comes."""


class Hearing:
    """Takes lines, notes what they break, and says which request each belongs to."""

    def __init__(self, note: Notebook, stray: str) -> None:
        """`stray` is the rule that bytes break which are no message."""
        self._note = note
        self._stray = stray
        self.ledger = Ledger()
        self.excused = False
        """Whether something was sent whose id cannot be read: errors without an id are in order then."""
        self.quiet_rule = ""
        """The rule that an answer breaks which comes now, while none is owed but the fence's."""
        self.id_rule = "RPC-4"
        """The rule that an answer with a wrong id breaks now."""

    def sent(self, message: dict[str, Any]) -> Owed:
        """Take note of a request that is about to be sent."""
        return self.ledger.enter(message)

    def hear(self, line: bytes) -> tuple[Frame, Owed | None]:
        """Judge a line; gives it with the request that it answers, if it does."""
        frame = read(line, _NESTING, self._stray)
        if frame.kind == "notice" and frame.fault is None:
            notices.judge(frame, self.ledger, self._note)
            return frame, None
        if self.quiet_rule and frame.kind == "answer" and not self._is_awaited(frame):
            self._fault(frame, self.quiet_rule, "what is not to be answered was answered")
            return frame, None
        if frame.fault is not None:
            rule, detail = frame.fault
            has_other = rule == "RPC-4" and frame.message.get("id") is not None
            self._fault(frame, self.id_rule if has_other else rule, detail)
        owed = self._owed(frame) if frame.kind == "answer" else None
        if owed is not None:
            owed.answers += 1
            if owed.answers == 1 and frame.fault is None:
                self._judge(frame, owed)
        return frame, owed

    def _is_awaited(self, frame: Frame) -> bool:
        return frame.has_id and self.ledger.of_id(frame.message["id"]) is not None

    def _owed(self, frame: Frame) -> Owed | None:
        """Find the request that an answer belongs to, and hold against it what is wrong with its id."""
        if not frame.has_id:
            self._without_id(frame)
            return None
        found = frame.message["id"]
        owed = self.ledger.of_id(found)
        if owed is None:
            like = self.ledger.like(found)
            told = (
                f"the id {encode(like.id).decode()} came back with another type"
                if like
                else "nobody asked with this id"
            )
            self._fault(frame, "RPC-4", told)
        elif owed.is_answered:
            self._fault(frame, "RPC-4", "a request was answered twice")
        return owed

    def _without_id(self, frame: Frame) -> None:
        if frame.fault is not None:
            return
        if self.excused:
            self._note.kept("RPC-4")
        else:
            self._fault(frame, "RPC-4", "an error came without the id of its request, which could be read")

    def _judge(self, frame: Frame, owed: Owed) -> None:
        """Judge an answer whose form is right."""
        note = self._note
        note.kept("RPC-1", "RPC-4", "RPC-5")
        if owed.is_over:
            rule = "SUB-10" if owed.method == LISTEN else "CAN-3"
            self._fault(frame, rule, "a request was answered after it had been cancelled")
            return
        if owed.method == "initialize":
            return  # the older era has rules of its own
        if "error" in frame.message:
            results.judge_error(frame, note)
            return
        result = frame.message["result"]
        results.judge_result(owed, frame, note)
        if owed.method == LISTEN and as_object(result.get("_meta")).get(SUBSCRIPTION_ID, owed) != owed.id:
            self._fault(frame, "SUB-3", "the result of a listen has not the id of its subscription")

    def _fault(self, frame: Frame, rule: str, detail: str) -> None:
        self._note.broke(rule, detail, b"", frame.line)
