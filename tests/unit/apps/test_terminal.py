"""What a stream is able to show decides what is written to it."""

import io
import os
import pty
import sys
import termios

import pytest

from readingroom.apps import windows
from readingroom.apps.terminal import Terminal, as_utf8

from .streams import TerminalStream, written


@pytest.mark.parametrize(
    ("is_terminal", "environment", "colours"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (False, {"FORCE_COLOR": ""}, False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "dumb", "FORCE_COLOR": "3"}, True),
    ],
)
def test_colours(is_terminal: bool, environment: dict[str, str], colours: bool) -> None:
    """Colours are for terminals; NO_COLOR forbids them, FORCE_COLOR asks for them."""
    terminal = Terminal(TerminalStream() if is_terminal else io.StringIO(), environment)
    assert terminal.colours is colours
    assert terminal.paint("bold", "x") == ("\x1b[1mx\x1b[0m" if colours else "x")


def test_text_is_harmless_where_somebody_looks() -> None:
    """A document's text is made harmless on a terminal and left as it is for a file or a pipe."""
    looked_at, piped = Terminal(TerminalStream(), {}), Terminal(io.StringIO(), {})
    for terminal in (looked_at, piped):
        terminal.text("a\x1b[2Jb\r\n")
    assert written(looked_at) == "a⟨U+001B⟩[2Jb\n"
    assert written(piped) == "a\x1b[2Jb\r\n"


def test_rewriting_leaves_nothing_behind() -> None:
    """A shorter line covers the longer one before it, and an empty one leaves a clear line, without any escape."""
    terminal = Terminal(TerminalStream(), {"NO_COLOR": "1"})
    terminal.rewrite("缓存")
    terminal.rewrite("ab")
    terminal.rewrite("")
    assert written(terminal) == "\r缓存\rab  \r  \r"


def test_a_line_that_is_written_over_does_not_wrap() -> None:
    """It is cut to the terminal's width."""
    terminal = Terminal(TerminalStream(), {"NO_COLOR": "1"})
    terminal.rewrite("x" * 200)
    assert written(terminal) == "\r" + "x" * 78 + "…"


def test_columns_elsewhere() -> None:
    """Where nobody looks, a line has 80 columns."""
    assert Terminal(io.StringIO(), {}).columns == 80


def test_columns_without_a_size() -> None:
    """A terminal that does not tell its size has 80 columns."""
    assert Terminal(TerminalStream(), {}).columns == 80


def test_the_size_of_what_is_seen_at_once() -> None:
    """As the terminal tells it; nothing where nobody looks, and no number of lines where it does not tell."""
    keyboard, screen = pty.openpty()
    with os.fdopen(screen, "w", encoding="utf-8") as stream:
        termios.tcsetwinsize(screen, (33, 44))
        seen = Terminal(stream, {})
        assert (seen.whole_width, seen.rows) == (44, 33)
        termios.tcsetwinsize(screen, (0, 0))
        assert (seen.whole_width, seen.rows) == (80, None)
    os.close(keyboard)
    unknown = Terminal(TerminalStream(), {})
    assert (unknown.whole_width, unknown.rows) == (80, None)
    elsewhere = Terminal(io.StringIO(), {})
    assert (elsewhere.whole_width, elsewhere.rows) == (None, None)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "koi8-r"])
def test_utf8_whatever_the_locale(encoding: str) -> None:
    """Streams write UTF-8 and LF, and half pairs, which file names may hold, as escapes."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\r\n")
    as_utf8(stream)
    stream.write("缓存\n\udcff")
    stream.flush()
    assert raw.getvalue() == "缓存\n".encode() + b"\\udcff"


def test_flush_passes_on() -> None:
    """Flushing flushes the stream."""
    Terminal(io.StringIO(), {}).flush()


@pytest.mark.skipif(sys.platform == "win32", reason="the answer of a system that is not Windows")
def test_no_windows_console_elsewhere() -> None:
    """Where there is no Windows console, none is asked."""
    assert windows.enable_escapes(io.StringIO()) is False


def test_a_windows_console_that_cannot_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, colours are sent only when the console has agreed to obey escapes."""
    monkeypatch.setattr("readingroom.apps.terminal._is_windows", lambda: True)
    monkeypatch.setattr(windows, "enable_escapes", lambda _: False)
    assert Terminal(TerminalStream(), {}).colours is False
    monkeypatch.setattr(windows, "enable_escapes", lambda _: True)
    assert Terminal(TerminalStream(), {}).colours is True
