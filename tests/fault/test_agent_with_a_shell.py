"""An agent that has a shell makes nothing published: not with the passphrase in the wrong place, not with guesses.

What it does past Reading Room, with the ledger and the folder open to it, `log --verify` names.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from readingroom.apps import exit_codes
from readingroom.library import Rules
from readingroom.library.ledger import Ledger
from readingroom.library.operator import (
    DecisionKey,
    Operator,
    derivation,
    reset_passphrase,
    set_passphrase,
    unlock,
)
from support.proposals import Proposals
from support.pseudo_terminals import PseudoTerminal

PASSPHRASE = "correct horse battery"
ASKED = "UTC): "
YES = "Type: yes > "
_SCRIPT = shutil.which("script") or ""


class Den(Proposals):
    """A folder with a passphrase and one open draft, which nobody has looked at."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        with self.ledger() as ledger:
            set_passphrase(ledger, "anna", PASSPHRASE, manifest=self.operator(ledger).manifest()).forget()
        self.wanted = self.edit("a.md", "hello", "OWNED")
        self.before = self.documents()

    def operator(self, ledger: Ledger) -> Operator:
        """The operator's door."""
        return Operator(self.root, Rules(), ledger, operator="anna")

    def key(self, ledger: Ledger) -> DecisionKey:
        """The key, as the person would have it."""
        return unlock(ledger, PASSPHRASE)

    def untouched(self) -> bool:
        """Whether nothing was published or decided."""
        return (
            self.documents() == self.before
            and self.draft(self.wanted).state == "open"
            and [decision.kind for decision in self.decisions()] == ["set"]
        )


@pytest.fixture
def den(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Den:
    """Give one, whose chain asks for the least of scrypt: these tests are about the ways past it."""
    monkeypatch.setattr(derivation, "_N", 2**14)
    return Den(tmp_path)


def command(den: Den, *more: str, which: str = "publish") -> list[str]:
    """The command line that would publish the draft."""
    return [which, *den.options, *([den.wanted] if which == "publish" else []), *more]


def alone(den: Den, *arguments: str, environment: dict[str, str] | None = None, given: bytes = b"") -> int:
    """Run a command without any terminal, with these bytes on stdin, and give the exit code."""
    ended = subprocess.run(
        [sys.executable, "-m", "readingroom", *arguments],
        input=given,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert den.untouched(), ended.stdout
    return ended.returncode


@pytest.mark.parametrize("name", ["--passphrase", "--password", "--yes", "--force", "--no-input"])
def test_no_argument(den: Den, name: str) -> None:
    """There is none that takes the passphrase, or that does without; not even the right one."""
    word = PASSPHRASE.replace(" ", "-")
    assert alone(den, *command(den, name, word)) == exit_codes.USAGE
    assert alone(den, *command(den, f"{name}={word}", which="review")) == exit_codes.USAGE


@pytest.mark.parametrize("which", ["publish", "review"])
def test_no_pipe_and_no_file(den: Den, which: str, tmp_path: Path) -> None:
    """Whatever stands on stdin, the right passphrase too, is not read."""
    said = f"p\nyes\n{PASSPHRASE}\n{PASSPHRASE}\n".encode()
    assert alone(den, *command(den, which=which), given=said) == exit_codes.UNDECIDED
    file = tmp_path / "said"
    file.write_bytes(said)
    with file.open("rb") as stream:
        ended = subprocess.run(
            [sys.executable, "-m", "readingroom", *command(den, which=which)],
            stdin=stream,
            start_new_session=True,
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == exit_codes.UNDECIDED
    assert b"a person decides" in ended.stderr
    assert den.untouched()


def test_no_variable(den: Den) -> None:
    """None of any name that one would try; nor those that other programs ask passphrases by."""
    names = [
        f"READINGROOM_{name}" for name in ("PASSPHRASE", "PASSWORD", "OPERATOR", "KEY", "YES", "ROLE", "TTY")
    ]
    environment = dict.fromkeys(
        [*names, "SSH_ASKPASS", "SUDO_ASKPASS", "GIT_ASKPASS", "PASSPHRASE"], PASSPHRASE
    )
    environment["READINGROOM_ROLE"] = "editor"
    assert alone(den, *command(den), environment=environment) == exit_codes.UNDECIDED


def test_streams_that_are_a_terminal_and_not_ours(den: Den) -> None:
    """A pseudo-terminal on all streams is no person: it has to be the terminal that the process answers to."""
    master, slave = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "readingroom", *command(den)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.write(master, f"yes\n{PASSPHRASE}\n".encode())
    assert process.wait(60) == exit_codes.UNDECIDED
    os.close(slave)
    os.close(master)
    assert den.untouched()


@pytest.mark.parametrize("stream", [0, 1])
def test_a_terminal_where_nobody_sees(den: Den, stream: int, tmp_path: Path) -> None:
    """With stdin from a file or stdout into one, nothing is asked, though there is a terminal."""
    file = tmp_path / "stream"
    file.write_text(f"yes\n{PASSPHRASE}\n")
    with file.open("r+b") as opened, PseudoTerminal(command(den), streams={stream: opened}) as terminal:
        terminal.type("yes")
        terminal.type(PASSPHRASE)
        code, shown = terminal.end()
    assert code == exit_codes.UNDECIDED
    assert "is not the terminal" in shown
    assert den.untouched()


def test_guesses_at_a_terminal(den: Den) -> None:
    """At a pseudo-terminal of its own it may guess: three times a command, each more slowly."""
    with PseudoTerminal(command(den)) as terminal:
        terminal.answer(YES, "yes")
        for guess in ("password", "", "correct horse"):
            terminal.answer(ASKED, guess)
        assert terminal.end()[0] == exit_codes.UNDECIDED
    assert den.untouched()


@pytest.mark.skipif(not _SCRIPT, reason="there is no `script` on this machine")
def test_a_program_that_makes_terminals(den: Den) -> None:
    """`script` fed by a pipe, as agents use it, gets no further."""
    line = " ".join([sys.executable, "-m", "readingroom", *command(den)])
    ended = subprocess.run(
        [_SCRIPT, "-qec", line, "/dev/null"],
        input=b"yes\npassword\npassword\npassword\n",
        start_new_session=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode != exit_codes.OK
    assert den.untouched()


def test_no_role_and_no_server(den: Den) -> None:
    """The server knows no such tool, whatever its role is."""
    asked = b"".join(
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":{"draft":"%s"},'
        b'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
        b'"io.modelcontextprotocol/clientCapabilities":{}}}}\n' % (number, name, den.wanted.encode())
        for number, name in enumerate((b"publish", b"draft_publish", b"operator_publish", b"review"))
    )
    ended = subprocess.run(
        [sys.executable, "-m", "readingroom", "serve", *den.options, "--role", "editor"],
        input=asked,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.stdout.count(b'"error"') == 4, ended.stdout
    assert den.untouched()


class Past:
    """What an agent does with the ledger's file itself."""

    def __init__(self, den: Den) -> None:
        with den.ledger() as ledger:
            self._path = ledger.path

    def __call__(self, *statements: str) -> None:
        """Take away what guards the journal, and run statements of SQL."""
        connection = sqlite3.connect(self._path)
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()


@pytest.fixture
def used(den: Den) -> Den:
    """Give one in which the person has published three drafts."""
    with den.ledger() as ledger:
        operator, key = den.operator(ledger), den.key(ledger)
        for text in ("one", "two", "three"):
            draft = den.edit("b.md", "see you", f"see you {text}")
            (outcome,) = operator.publish([operator.show(draft).approval], key)
            assert outcome.decision is not None
        assert operator.verify(key).is_sound
    return den


def _columns(den: Den) -> list[str]:
    with den.ledger() as ledger:
        path = ledger.path
    connection = sqlite3.connect(path)
    found = [row[1] for row in connection.execute("PRAGMA table_info(decisions)")]
    connection.close()
    return found


def _copied(den: Den, **changed: str) -> str:
    """The statement that adds a decision like decision 4, but for some columns."""
    columns = _columns(den)
    values = [changed.get(column, column) for column in columns]
    into, what = ", ".join(columns), ", ".join(values)
    return f"INSERT INTO decisions({into}) SELECT {what} FROM decisions WHERE number = 4"  # noqa: S608  -- what an attack is


def _publish_past(den: Den) -> tuple[str, ...]:
    """A decision that nobody made, on a draft that is told to be published, with the file as it says."""
    (den.root / "a.md").write_text("# Greetings\n\nOWNED world\n")
    draft = den.draft(den.wanted)
    return (
        _copied(
            den,
            number="5",
            mac="zeroblob(32)",
            draft=f"'{draft.id}'",
            draft_revision="1",
            path="'a.md'",
            before=f"'{draft.base}'",
            after=f"'{draft.digest}'",
        ),
        f"UPDATE drafts SET state = 'published' WHERE id = '{draft.id}'",  # noqa: S608  -- as above
    )


ATTACKS: dict[str, tuple[Callable[[Den], tuple[str, ...]], tuple[str, ...]]] = {
    "a forged decision": (
        _publish_past,
        ("decision 5 was not made with the passphrase", "a.md was changed past Reading Room"),
    ),
    "a true decision, repeated": (
        lambda den: (_copied(den, number="5"),),
        ("decision 5 was not made with the passphrase",),
    ),
    "an altered decision": (
        lambda _: ("UPDATE decisions SET comment = 'I agree' WHERE number = 3",),
        ("decision 3 was not made with the passphrase, or was altered afterwards",),
    ),
    "a decision taken out": (
        lambda _: ("DELETE FROM decisions WHERE number = 3",),
        (
            "decision 3 is missing",
            "decision 4 cannot be checked",
            "no decision says so",
            "b.md was changed past Reading Room",
        ),
    ),
    "a journal cut off": (
        lambda _: ("DELETE FROM decisions WHERE number >= 3",),
        ("no decision says so", "no decision says so", "b.md was changed past Reading Room"),
    ),
    "a file changed past Reading Room": (
        lambda den: ((den.root / "sub" / "c.md").write_text("OWNED"), ())[1],
        ("sub/c.md was changed past Reading Room",),
    ),
    "a file removed": (
        lambda den: ((den.root / "sub" / "c.md").unlink(), ())[1],
        ("sub/c.md should be there",),
    ),
    "a file added": (
        lambda den: ((den.root / "new.md").write_text("OWNED"), ())[1],
        ("new.md is there without a decision",),
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_done_past_us_is_named(used: Den, attack: str) -> None:
    """The person, who knows the passphrase, sees it; and nothing else is named."""
    done, sentences = ATTACKS[attack]
    Past(used)(*done(used))
    with PseudoTerminal(["log", "--verify", *used.options]) as terminal:
        terminal.answer(ASKED, PASSPHRASE)
        code, shown = terminal.end()
    assert code == exit_codes.NOTHING
    found = [line for line in shown.splitlines() if line.startswith("! ")]
    assert len(found) == len(sentences), shown
    assert all(sentence in line for sentence, line in zip(sentences, found, strict=True)), shown


def test_a_passphrase_of_the_agent(used: Den) -> None:
    """It may reset the passphrase: the person's own then no longer fits, and every question says so."""
    with used.ledger() as ledger:
        reset_passphrase(ledger, "anna", "a phrase of the agent", manifest={}).forget()
    with PseudoTerminal(["log", "--verify", *used.options]) as terminal:
        assert "RESET on" in terminal.answer(ASKED, PASSPHRASE)
        terminal.expect("That is not the passphrase")


def test_a_ledger_of_the_agent(used: Den, tmp_path: Path) -> None:
    """With a ledger and a passphrase of its own it may write the folder, as any program may; the person's own names it."""
    theirs = Den.__new__(Den)
    theirs.__dict__.update(used.__dict__, ledgers=tmp_path / "theirs")
    with theirs.ledger() as ledger:
        set_passphrase(ledger, "agent", "a phrase of the agent", manifest={}).forget()
        draft = theirs.edit("a.md", "hello", "OWNED")
        operator, key = theirs.operator(ledger), unlock(ledger, "a phrase of the agent")
        (outcome,) = operator.publish([operator.show(draft).approval], key)
    assert outcome.decision is not None
    with PseudoTerminal(["log", "--verify", *used.options]) as terminal:
        terminal.answer(ASKED, PASSPHRASE)
        terminal.expect("! a.md was changed past Reading Room")
        assert terminal.end()[0] == exit_codes.NOTHING
