"""The tutorial about drafts, typed at a terminal as it says: every output on the page is what comes."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the passphrase is typed at a terminal of Linux or macOS", allow_module_level=True)

from support.pseudo_terminals import PseudoTerminal

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial" / "first-draft.md"
PASSPHRASE = "four words of mine"
BLOCK = re.compile(r"^```(?P<language>sh|text)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED: dict[str, tuple[tuple[str, str], ...]] = {
    "operator": (("New passphrase: ", PASSPHRASE), ("The same again: ", PASSPHRASE)),
    "review": (("[q]uit > ", "p"), ("UTC): ", PASSPHRASE)),
    "undo": (("yes > ", "yes"), ("UTC): ", PASSPHRASE)),
    "log": (("UTC): ", PASSPHRASE),),
}
"""What the page has one type, by command: each after a question."""
PASSING = (
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"), "TIME"),
    (re.compile(r"just now|\d+ (?:second|minute)s? ago"), "AGO"),
    (re.compile(r"d-[a-z2-7]{26}"), "DRAFT"),
    (re.compile(r"  by \w+$", re.MULTILINE), "  by SOMEBODY"),
)


def steps() -> Iterator[tuple[list[list[str]], str]]:
    """The commands of each block, with the output that the page shows for the last of them."""
    commands: list[list[str]] = []
    for found in BLOCK.finditer(PAGE.read_text("utf-8")):
        if found["language"] == "sh":
            lines = found["text"].replace("\\\n", " ").splitlines()
            commands += [shlex.split(line) for line in lines]
        else:
            yield commands, found["text"]
            commands = []


def comparable(output: str) -> str:
    """An output without what differs from run to run."""
    for pattern, name in PASSING:
        output = pattern.sub(name, output)
    return output.strip("\n")


def output_of(command: list[str], home: Path) -> str:
    """Run a command of the page; ours at a terminal if it asks for something."""
    words = [str(home) + word.removeprefix("~") if word.startswith("~/") else word for word in command]
    environment = {**os.environ, "HOME": str(home), "NO_COLOR": "1", "COLUMNS": "100"}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    if words[0] == "readingroom" and words[1] in TYPED:
        with PseudoTerminal(words[1:], environment) as terminal:
            for question, answer in TYPED[words[1]]:
                terminal.answer(question, answer)
            _, shown = terminal.end()
    else:
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        shown = done.stdout
    return shown.replace(str(home), "~")


@pytest.mark.skipif(shutil.which("cp") is None, reason="the page copies with cp")
def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the page does what the page shows."""
    for name in [name for name in os.environ if name.startswith(("READINGROOM_", "XDG_"))]:
        monkeypatch.delenv(name)
    shown = ""
    for commands, expected in steps():
        for command in commands:
            shown = output_of(command, tmp_path.resolve())
        assert comparable(shown) == comparable(expected), commands[-1]
