"""Asks a server over stdio, and judges all that comes meanwhile.

That nothing comes is known by a fence: a request that is answered after what was sent before it. So silence costs a
moment, not the whole time that an answer may take.
"""

import time
from collections.abc import Mapping
from typing import Any

from ...wire import OverLong, encode
from .asking import Reply, request
from .frames import Frame
from .hearing import Hearing
from .line import Ended, Line
from .owed import Owed
from .verdicts import Notebook

QUIET = 0.3
"""How long in seconds it must be quiet after the fence until what was sent before it counts as unanswered."""

START_SECONDS = 30.0
"""How long in seconds the first answer may take: an interpreter starts before it, on a machine that may be busy."""

_LESS = 4
_LOOK_SECONDS = 0.25
# How many times as long an answer may take whose bytes are on their way.
_PATIENCE = 10
_MOST_FRAMES = 2000


class StdioPeer:
    """One process of the server and what it owes."""

    def __init__(self, line: Line, note: Notebook, timeout: float, quiet: float = QUIET) -> None:
        self.line = line
        self.hearing = Hearing(note, "STDIO-2")
        self._note = note
        self._timeout = timeout
        self._quiet = quiet
        self._is_gone = False
        self.first_answer_seconds = 0.0

    def ask(self, message: dict[str, Any], headers: Mapping[str, str | None] | None = None) -> Reply:
        """Send a request and wait for its answer; that none comes is held against the server (RPC-0)."""
        seconds = self._patience()
        reply = self.wait(*self.send(message), seconds)
        self._blame(reply, message, seconds)
        return reply

    def attempt(self, message: dict[str, Any]) -> Reply:
        """Ask what need not be answered."""
        return self.wait(*self.send(message), self._patience())

    def _patience(self) -> float:
        """Give how long an answer may take: the first one has to wait for the start."""
        return self._timeout if self.first_answer_seconds else max(self._timeout, START_SECONDS)

    def send(self, message: dict[str, Any]) -> tuple[Owed, bytes]:
        """Send a request and wait for nothing."""
        data = encode(message)
        owed = self.hearing.sent(message)
        self.line.write(data + b"\n")
        return owed, data

    def wait(self, owed: Owed, sent: bytes, seconds: float) -> Reply:
        """Wait for the answer to a request, up to `seconds`."""
        begun = time.monotonic()
        until, notices, last, size = begun + seconds, list[Frame](), b"", 0
        while len(notices) < _MOST_FRAMES and (left := until - time.monotonic()) > 0:
            line = self.line.take(min(left, _LOOK_SECONDS))
            if line is None:
                # Bytes that are still coming are no silence; a line that does not end ends by its length.
                size, before = self.line.unfinished(), size
                until = min(until + _LOOK_SECONDS, begun + _PATIENCE * seconds) if size > before else until
                continue
            if isinstance(line, OverLong):
                return self._over_long(line, sent)
            frame, of = self.hearing.hear(line)
            if frame.kind == "answer" and (of is owed or (of is None and self._may_be_its(frame))):
                state = "answered" if frame.fault is None and of is owed else "mangled"
                return _reply(state, sent, frame, notices, time.monotonic() - begun)
            if frame.kind == "notice":
                notices.append(frame)
            elif frame.kind == "broken" and b'"result"' in line:
                until, last = min(until, time.monotonic() + self._quiet), line
        return Reply(state="mangled" if last else "silent", sent=sent, got=last, notices=tuple(notices))

    def provoke(self, data: bytes, headers: Mapping[str, str | None] | None = None) -> Reply:
        """Send one line of whatever bytes, then a fence; give the first answer that is not the fence's."""
        self.hearing.excused = True
        self.line.write(data + b"\n")
        return self._until_fence(data)

    def tell(self, message: dict[str, Any]) -> Reply:
        """Send a notification, then a fence; give the first answer that is not the fence's."""
        data = encode(message)
        self.hearing.quiet_rule = "CAN-4" if message["method"] == "notifications/cancelled" else "RPC-6"
        self.line.write(data + b"\n")
        reply = self._until_fence(data)
        self.hearing.quiet_rule = ""
        return reply

    def drain(self, sent: bytes = b"") -> Reply:
        """Wait until the server has answered a request that comes after everything else."""
        return self._until_fence(sent)

    def is_alive(self) -> bool:
        """Whether the process runs and its stdout is open."""
        return not self._is_gone

    def close(self) -> None:
        """End the process and whatever it has started."""
        self._is_gone = True
        self.line.end()

    def _may_be_its(self, frame: Frame) -> bool:
        """Whether an answer that belongs to no request is the one that is waited for, and not a late word on bad bytes."""
        return frame.has_id or frame.fault is not None or not self.hearing.excused

    def _until_fence(self, sent: bytes) -> Reply:
        """Send a fence and gather what comes until it is answered and it is quiet."""
        fence, _ = self.send(request("server/discover"))
        until, notices, found = time.monotonic() + self._timeout, list[Frame](), None
        while (left := until - time.monotonic()) > 0 and len(notices) < _MOST_FRAMES:
            line = self.line.take(left)
            if line is None:
                break
            if isinstance(line, OverLong):
                return self._over_long(line, sent)
            frame, of = self.hearing.hear(line)
            if of is fence:
                until = time.monotonic() + (self._quiet / _LESS if found or notices else self._quiet)
            elif frame.kind == "notice":
                notices.append(frame)
            elif found is None and (of is None or of.answers == 1):
                found = frame
                until = min(until, time.monotonic() + self._quiet / _LESS) if fence.is_answered else until
        if found is not None:
            state = "answered" if found.kind == "answer" and found.fault is None else "mangled"
            return _reply(state, sent, found, notices, 0.0)
        return Reply(state="silent" if fence.is_answered else "mangled", sent=sent, notices=tuple(notices))

    def _over_long(self, line: OverLong, sent: bytes) -> Reply:
        """Take what stands in the place of a line: the end of stdout, or a line that was too long to hold."""
        if not isinstance(line, Ended):
            self._note.broke("RPC-10", f"a line of {line.length:,} bytes came", sent, line.head, counts=True)
            return Reply(state="mangled", sent=sent, got=line.head)
        self._is_gone = True
        if line.length:
            self._note.broke(
                "STDIO-1", "stdout ended within a line", sent, f"{line.length} bytes without a line end"
            )
            return Reply(state="mangled", sent=sent)
        return Reply(state="gone", sent=sent)

    def _blame(self, reply: Reply, message: dict[str, Any], seconds: float) -> None:
        """Hold it against the server that a request has no answer."""
        if reply.state == "silent" and (held := self.line.unfinished()):
            self._note.broke(
                "STDIO-1", "a message has no line end", reply.sent, f"{held} bytes and no line end"
            )
            self.close()  # whatever comes next would stand on the same line
        elif reply.state == "silent":
            told = f"{message['method']} was not answered within {seconds:g} s"
            self._note.broke("RPC-0", told, reply.sent)
        elif reply.state == "gone":
            told = f"the server ended when it was asked {message['method']}; its stderr ends: "
            self._note.broke("RPC-0", told + (" / ".join(self.line.said()[-2:]) or "(nothing)"), reply.sent)
        elif reply.state == "answered":
            self._note.kept("RPC-0", "STDIO-1")
            self.first_answer_seconds = self.first_answer_seconds or time.monotonic() - self.line.started


def _reply(state: Any, sent: bytes, frame: Frame, notices: list[Frame], seconds: float) -> Reply:
    return Reply(
        state=state, sent=sent, got=frame.line, message=frame.message, notices=tuple(notices), seconds=seconds
    )
