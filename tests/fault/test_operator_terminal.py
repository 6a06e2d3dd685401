"""The operator's commands at a real terminal: what is asked, what is not shown, and what wrong passphrases cost."""

import signal
import time
from pathlib import Path

import pytest

from readingroom.apps import exit_codes
from support.proposals import Proposals
from support.pseudo_terminals import PseudoTerminal

PASSPHRASE = "größere Wörter"
ASKED = "UTC): "
ACTION = "[q]uit > "


@pytest.fixture
def folder(tmp_path: Path) -> Proposals:
    """Give a folder whose passphrase is set, at a terminal."""
    made = Proposals(tmp_path)
    with PseudoTerminal(["operator", "set", *made.options]) as terminal:
        terminal.expect("New passphrase: ")
        assert not terminal.echoes
        terminal.type(PASSPHRASE)
        terminal.answer("The same again: ", PASSPHRASE)
        code, shown = terminal.end()
    assert code == exit_codes.OK, shown
    assert PASSPHRASE not in shown
    return made


def kinds(folder: Proposals) -> list[str]:
    """Give the kinds of all decisions."""
    return [decision.kind for decision in folder.decisions()]


def test_a_review(folder: Proposals) -> None:
    """One draft is published and one rejected; the passphrase is asked for once, and never shown."""
    first = folder.edit("a.md", "hello", "hallo")
    second = folder.edit("b.md", "see you", "goodbye")
    with PseudoTerminal(["review", *folder.options]) as terminal:
        shown = terminal.answer(ACTION, "p")
        assert "- hello world" in shown
        assert "+ hallo world" in shown
        assert folder.text("a.md") == "# Greetings\n\nhello world\n"
        terminal.expect(ASKED)
        assert not terminal.echoes
        terminal.type(PASSPHRASE)
        assert "Published: a.md" in terminal.answer(ACTION, "r")
        terminal.answer("go back) > ", "not that one")
        code, shown = terminal.end()
    assert code == exit_codes.OK
    assert shown.count(ASKED) == 1
    assert PASSPHRASE not in shown
    assert folder.text("a.md") == "# Greetings\n\nhallo world\n"
    assert (folder.draft(first).state, folder.draft(second).state) == ("published", "rejected")
    assert folder.draft(second).comment == "not that one"


def test_several_with_one_answer(folder: Proposals) -> None:
    """Both are shown, one answer and one passphrase publish both."""
    drafts = [folder.edit("a.md", "hello", "hallo"), folder.edit("b.md", "see you", "goodbye")]
    with PseudoTerminal(["publish", *folder.options, *drafts]) as terminal:
        shown = terminal.answer("Publish these 2 drafts? Type: yes > ", "yes")
        assert "+ hallo world" in shown
        assert "+ goodbye" in shown
        terminal.answer(ASKED, PASSPHRASE)
        assert terminal.end()[0] == exit_codes.OK
    assert kinds(folder) == ["set", "publish", "publish"]


def test_colours(folder: Proposals) -> None:
    """A terminal that can show them gets them."""
    folder.edit("a.md", "hello", "hallo")
    with PseudoTerminal(["review", *folder.options], {"TERM": "xterm", "NO_COLOR": ""}) as terminal:
        assert "\x1b[1;4;32mhallo" in terminal.answer(ACTION, "q")
        assert terminal.end()[0] == exit_codes.OK


def test_what_is_typed_ahead(folder: Proposals) -> None:
    """It answers no question: nobody can have seen what it would approve."""
    draft = folder.edit("a.md", "hello", "hallo")
    with PseudoTerminal(["publish", *folder.options, draft]) as terminal:
        terminal.type("yes")
        terminal.type(PASSPHRASE)
        terminal.expect("Type: yes > ")
        terminal.press(b"\x04")
        assert terminal.end()[0] == exit_codes.UNDECIDED
    assert kinds(folder) == ["set"]


def failed_before(folder: Proposals, times: int) -> None:
    """Let so many wrong passphrases have been typed, at a time that makes the next one wait in full."""
    with folder.ledger() as ledger, ledger.writing() as writing:
        writing.set_attempts(times, time.time() + 1000)


def test_wrong_passphrases(folder: Proposals) -> None:
    """Three end the command; the next one has to wait, in a process of its own, too."""
    draft = folder.edit("a.md", "hello", "hallo")
    failed_before(folder, 1)
    with PseudoTerminal(["publish", *folder.options, draft]) as terminal:
        terminal.answer("Type: yes > ", "yes")
        terminal.answer(ASKED, "a wrong one")
        terminal.expect("1 s later; waiting.")
        terminal.answer(ASKED, "another")
        terminal.answer(ASKED, PASSPHRASE.upper())
        assert terminal.end()[0] == exit_codes.UNDECIDED
    with folder.ledger() as ledger, ledger.reading() as reading:
        assert reading.attempts()[0] == 4
    failed_before(folder, 3)
    with PseudoTerminal(["publish", *folder.options, draft]) as terminal:
        terminal.answer("Type: yes > ", "yes")
        terminal.answer(ASKED, PASSPHRASE)
        terminal.expect("4 s later; waiting.")
        terminal.expect("Published: a.md")
        assert terminal.end()[0] == exit_codes.OK


def test_ctrl_c(folder: Proposals) -> None:
    """It decides nothing, and leaves the terminal as it was."""
    folder.edit("a.md", "hello", "hallo")
    with PseudoTerminal(["review", *folder.options]) as terminal:
        assert terminal.echoes
        terminal.answer(ACTION, "p")
        terminal.expect(ASKED)
        assert not terminal.echoes
        terminal.press(b"\x03")
        code, shown = terminal.end()
        assert terminal.echoes
    assert code == exit_codes.INTERRUPTED
    assert "Traceback" not in shown
    assert kinds(folder) == ["set"]


def test_a_terminal_that_is_closed(folder: Proposals) -> None:
    """Whoever is asked for the passphrase and goes away decides nothing."""
    folder.edit("a.md", "hello", "hallo")
    with PseudoTerminal(["review", *folder.options]) as terminal:
        terminal.answer(ACTION, "p")
        terminal.expect(ASKED)
        terminal.hang_up()
        assert terminal.wait() in (128 + signal.SIGHUP, exit_codes.UNDECIDED, exit_codes.FAILED)
    assert kinds(folder) == ["set"]


def test_the_log_is_verified(folder: Proposals, tmp_path: Path) -> None:
    """What it says may go into a file: nothing is decided by it."""
    (folder.root / "b.md").write_text("past us")
    report = tmp_path / "report"
    with (
        report.open("wb") as stream,
        PseudoTerminal(["log", "--verify", *folder.options], streams={1: stream}) as terminal,
    ):
        terminal.answer(ASKED, PASSPHRASE)
        assert terminal.end()[0] == exit_codes.NOTHING
    assert "! b.md was changed past Reading Room" in report.read_text()


def test_undo(folder: Proposals) -> None:
    """The change back is shown, asked about, and made."""
    draft = folder.edit("a.md", "hello", "hallo")
    with PseudoTerminal(["publish", *folder.options, draft]) as terminal:
        terminal.answer("Type: yes > ", "yes")
        terminal.answer(ASKED, PASSPHRASE)
        assert terminal.end()[0] == exit_codes.OK
    with PseudoTerminal(["undo", *folder.options, "2"]) as terminal:
        assert "+ hello world" in terminal.answer("Type: yes > ", "yes")
        terminal.answer(ASKED, PASSPHRASE)
        assert terminal.end()[0] == exit_codes.OK
    assert folder.text("a.md") == "# Greetings\n\nhello world\n"
