"""The person at the terminal: what is asked there, and what is no answer."""

import io
import os
import pty
import termios
import threading
from collections.abc import Iterator

import pytest

from readingroom.apps import person
from readingroom.apps.person import NoPerson, Person, person_at
from readingroom.apps.terminal import Terminal


class Sitting:
    """A pseudo-terminal with a person before it; `keyboard` is the other side."""

    def __init__(self) -> None:
        self.keyboard, self.screen = pty.openpty()
        self.shown = io.StringIO()
        self.person = Person(self.screen, Terminal(self.shown, {}))

    def read(self, until: str) -> str:
        """What is shown, up to a text."""
        seen = ""
        while until not in seen:
            seen += os.read(self.keyboard, 1024).decode()
        return seen

    def typing(self, question: str, keys: bytes) -> threading.Thread:
        """Type when a question is shown."""

        def typed() -> None:
            self.read(question)
            os.write(self.keyboard, keys)

        thread = threading.Thread(target=typed)
        thread.start()
        return thread

    @property
    def flags(self) -> int:
        """How the terminal is set."""
        return int(termios.tcgetattr(self.screen)[3])


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    """Give a person at a terminal."""
    made = Sitting()
    yield made
    os.close(made.keyboard)
    os.close(made.screen)


def test_a_question(sitting: Sitting) -> None:
    """What is typed after it is the answer, without blanks around it."""
    thread = sitting.typing("Well? ", " yes, größer \n".encode())
    assert sitting.person.ask("Well? ") == "yes, größer"
    thread.join()


def test_what_was_typed_before(sitting: Sitting) -> None:
    """It answers nothing."""
    os.write(sitting.keyboard, b"yes\nyes\n")
    sitting.read("yes\r\nyes\r\n")  # the echo: until then the system may not have taken it in
    thread = sitting.typing("Well? ", b"no\n")
    assert sitting.person.ask("Well? ") == "no"
    thread.join()


@pytest.mark.parametrize("keys", [b"\x04", b"half\x04\x04"])
def test_the_end_of_input(sitting: Sitting, keys: bytes) -> None:
    """Ctrl-D is no answer, nor is a line that was begun before it."""
    thread = sitting.typing("Well? ", keys)
    assert sitting.person.ask("Well? ") is None
    thread.join()


def test_a_secret(sitting: Sitting) -> None:
    """It is not shown while it is typed, blanks and all; afterwards the terminal is as it was."""
    before = termios.tcgetattr(sitting.screen)
    during: list[int] = []
    wrote = sitting.person._write

    def noted(text: str) -> None:
        during.append(sitting.flags & (termios.ECHO | termios.ECHONL | termios.ICANON))
        wrote(text)

    sitting.person._write = noted  # type: ignore[method-assign]  # to look at the terminal while it asks
    thread = sitting.typing("Passphrase: ", " größere Wörter\n".encode())
    assert sitting.person.secret("Passphrase: ") == " größere Wörter"
    thread.join()
    assert during[0] == termios.ICANON
    assert termios.tcgetattr(sitting.screen) == before
    os.write(sitting.screen, b"end")
    assert "Wörter" not in sitting.read("end")


def test_a_secret_that_is_no_text(sitting: Sitting) -> None:
    """Bytes that are not UTF-8 are kept apart from every text."""
    thread = sitting.typing("Passphrase: ", b"\xff\xfe\n")
    assert sitting.person.secret("Passphrase: ") == "\udcff\udcfe"
    thread.join()


def test_no_secret(sitting: Sitting) -> None:
    """The end of input is none."""
    thread = sitting.typing("Passphrase: ", b"\x04")
    with pytest.raises(NoPerson, match="no passphrase"):
        sitting.person.secret("Passphrase: ")
    thread.join()


def test_an_interrupted_secret(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves the terminal as it was, echo and all; Ctrl-Z does nothing while it is off."""

    def interrupted() -> bytes:
        flags = termios.tcgetattr(sitting.screen)
        assert not flags[3] & termios.ECHO
        assert flags[6][termios.VSUSP] == b"\x00"
        raise KeyboardInterrupt

    before = termios.tcgetattr(sitting.screen)
    monkeypatch.setattr(sitting.person, "_line", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sitting.person.secret("Passphrase: ")
    assert termios.tcgetattr(sitting.screen) == before


def test_a_terminal_that_is_gone(sitting: Sitting) -> None:
    """Whoever closes the window has not answered."""
    gone = Person(os.open("/dev/null", os.O_RDWR), Terminal(io.StringIO(), {}))
    with gone, pytest.raises(NoPerson, match="the terminal is gone"):
        gone.ask("Well? ")
    thread = threading.Thread(target=lambda: (sitting.read("Well? "), os.close(sitting.keyboard)))
    thread.start()
    with pytest.raises(NoPerson):
        sitting.person.secret("Well? ")
    thread.join()
    sitting.keyboard = os.open("/dev/null", os.O_RDWR)


def test_a_terminal_that_was_left_raw(sitting: Sitting) -> None:
    """A program before us that died in the middle does not keep the person from answering."""
    flags = termios.tcgetattr(sitting.screen)
    flags[0] &= ~termios.ICRNL
    flags[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(sitting.screen, termios.TCSANOW, flags)
    thread = sitting.typing("Well? ", b"yes\r")
    assert sitting.person.ask("Well? ") == "yes"
    thread.join()


def test_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal it is said why one is needed."""
    monkeypatch.setattr(person, "_TERMINAL", "/nowhere/tty")
    with pytest.raises(NoPerson, match="never taken from an argument, a variable, a file or a pipe"):
        person_at(Terminal(io.StringIO(), {}))


def test_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows is named as what is not served."""
    monkeypatch.setattr("readingroom.apps.person.os.name", "nt")
    with pytest.raises(NoPerson, match="Windows"):
        person_at(Terminal(io.StringIO(), {}))


def opened(monkeypatch: pytest.MonkeyPatch, sitting: Sitting, groups: dict[int, int]) -> None:
    """Let the terminal be this one, and the group in front of each stream these."""

    def group(handle: int) -> int:
        if handle not in groups:
            raise OSError(25, "Inappropriate ioctl for device")
        return groups[handle]

    monkeypatch.setattr(person, "_TERMINAL", os.ttyname(sitting.screen))
    monkeypatch.setattr(person.os, "tcgetpgrp", lambda handle: group(handle) if handle < 3 else groups[-1])


class Stream(io.StringIO):
    """A stream with a number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def fileno(self) -> int:
        """Give it."""
        return self._number


@pytest.mark.parametrize(
    ("groups", "refusal"),
    [
        ({0: 1, 1: 1, -1: os.getpgrp()}, ""),
        ({1: 1, -1: os.getpgrp()}, "stdin is not the terminal"),
        ({0: 1, -1: os.getpgrp()}, "stdout is not the terminal"),
        ({0: 1, 1: 1, -1: 1}, "in the background"),
    ],
)
def test_who_sees_what_is_decided(
    monkeypatch: pytest.MonkeyPatch, sitting: Sitting, groups: dict[int, int], refusal: str
) -> None:
    """Both streams are the controlling terminal itself, and the command is in front of it; or nobody is asked."""
    opened(monkeypatch, sitting, groups)
    monkeypatch.setattr(person.memory, "shut", lambda: None)  # for the rest of this process's life
    monkeypatch.setattr("sys.stdin", Stream(0))
    monkeypatch.setattr("sys.stdout", Stream(1))
    if refusal:
        with pytest.raises(NoPerson, match=refusal):
            person_at(Terminal(io.StringIO(), {}))
    else:
        with person_at(Terminal(io.StringIO(), {})):
            pass
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(NoPerson):
        person_at(Terminal(io.StringIO(), {}))
    if not refusal:
        with person_at(Terminal(io.StringIO(), {}), sees=False):
            pass
