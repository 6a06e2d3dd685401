"""The person at the terminal, who alone decides: questions, and the passphrase, which is read there and nowhere else.

Both are read from the controlling terminal of the process, never from stdin, an argument, a variable or a file, and only
where what is shown is seen at that same terminal. What was typed before a question was shown does not answer it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TextIO, cast

from . import exit_codes, memory
from .faults import CommandFault

if TYPE_CHECKING:
    from .terminal import Terminal

_TERMINAL = "/dev/tty"
_MOST_BYTES = 64 * 1024


class NoPerson(CommandFault):
    """Nobody can be asked, or would not see what is asked; the text says what is missing."""

    code = exit_codes.UNDECIDED


class Person:
    """Somebody at a terminal that is open as `handle`; `shown` is where everything else is written, at the same place."""

    def __init__(self, handle: int, shown: "Terminal") -> None:
        self._handle = handle
        self._shown = shown

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def ask(self, question: str) -> str | None:
        """Ask, and give the line that is typed then, without blanks around it; None at the end of input.

        The question is ours: its parts from outside have been made harmless. Raises: NoPerson when the terminal is gone.
        """
        line = self._asked(question, echo=True)
        return None if line is None else line.decode("utf-8", "replace").strip()

    def agrees(self, question: str) -> bool:
        """Ask something that only a typed yes agrees to. Raises: as `ask`."""
        answer = self.ask(f"{question} Type: yes > ")
        return answer is not None and answer.lower() in ("yes", "y")

    def secret(self, question: str) -> str:
        """Ask for a passphrase, which is not shown while it is typed. Raises: NoPerson at the end of input, or as `ask`."""
        line = self._asked(question, echo=False)
        if line is None:
            raise NoPerson("no passphrase was typed; nothing was decided")
        return line.decode("utf-8", "surrogateescape")

    def _asked(self, question: str, *, echo: bool) -> bytes | None:
        import termios

        self._shown.flush()
        try:
            with _typing(self._handle, echo=echo):
                self._write(question)
                line = self._line()
            if not echo:
                self._write("\n")
        except (OSError, termios.error):
            raise NoPerson("the terminal is gone; nothing more was decided") from None
        return line

    def _write(self, text: str) -> None:
        left = memoryview(text.encode("utf-8", "replace"))
        while left:
            left = left[os.write(self._handle, left) :]

    def _line(self) -> bytes | None:
        """One line, without its end; None when there is no more."""
        line = bytearray()
        while not line.endswith(b"\n"):
            read = os.read(self._handle, 4096)
            if not read or len(line) > _MOST_BYTES:
                return None
            line += read
        return bytes(line.rstrip(b"\r\n"))


@contextmanager
def _typing(handle: int, *, echo: bool) -> Iterator[None]:
    """Line by line, whatever the program before left; what was typed earlier is dropped.

    Without echo nobody can stop the program either, for it would go on with the echo that the shell had set.
    """
    import termios

    before = termios.tcgetattr(handle)
    during = [*before[:6], list(before[6])]
    during[0] |= termios.ICRNL
    during[3] |= termios.ICANON | termios.ISIG | termios.ECHO
    if not echo:
        during[3] &= ~(termios.ECHO | termios.ECHONL)
        during[6][termios.VSUSP] = os.fpathconf(handle, "PC_VDISABLE").to_bytes(1, "big")
    termios.tcsetattr(handle, termios.TCSAFLUSH, during)
    try:
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSAFLUSH, before)


def person_at(shown: "Terminal", *, sees: bool = True) -> Person:
    """The person at the terminal of this process.

    With `sees`, stdin and stdout must be that terminal, for the person approves what is written there. Raises: NoPerson.
    """
    if os.name == "nt":
        raise NoPerson(
            "the passphrase is asked for at the terminals of Linux and macOS; Windows is not served here yet"
        )
    try:
        handle = os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise NoPerson(
            "there is no terminal to ask at: a person decides, and types the passphrase at a terminal; it is never "
            "taken from an argument, a variable, a file or a pipe"
        ) from None
    try:
        _check(handle, sees)
    except BaseException:
        os.close(handle)
        raise
    memory.shut()
    return Person(handle, shown)


def _check(handle: int, sees: bool) -> None:
    for name in ("stdin", "stdout"):
        if sees and not _is_ours(cast("TextIO | None", getattr(sys, name))):
            raise NoPerson(
                f"{name} is not the terminal: a person must see what is decided, and answer there; run it without pipes "
                "and redirections"
            )
    if os.tcgetpgrp(handle) != os.getpgrp():
        raise NoPerson("the command runs in the background, where nobody can be asked")


def _is_ours(stream: "TextIO | None") -> bool:
    """Whether a stream is the controlling terminal itself: the system tells the group in front of no other."""
    if stream is None:
        return False
    try:
        os.tcgetpgrp(stream.fileno())
    except (OSError, ValueError):
        return False
    return True
