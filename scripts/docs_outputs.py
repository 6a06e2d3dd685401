"""Terminal outputs in README.md and docs/: each stands under a comment that names its command, and comes from a run.

    <!-- run: readingroom search examples/library 缓存 -->
    ```text
    …
    ```

The commands of a page are run in order, without a shell, in the project's folder, with a home of their own. What differs
from run to run (times, versions, places) is not compared. A block of output that no command could give, as of another
program, stands under `<!-- not run: why -->`.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(
    r"(?:^<!-- (?P<kind>run|not run): (?P<said>.+?) -->\n+)?^```(?P<language>text|console|output)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_ALLOWED_S = 200
# Told of a scan that takes more than five seconds, which these do on a busy machine alone.
_SLOW = re.compile(
    r"^(?:Looking through the folder: [\d,]+ files|Reading documents: [\d,]+ of [\d,]+|Finishing the index)\n",
    re.MULTILINE,
)
_PASSING = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ?"), "TIME"),
    (re.compile(r"just now|\d+ (?:second|minute|hour|day)s ago"), "AGO"),
    (re.compile(r"\d+\.\d+ s\b"), "SPAN"),
    (re.compile(r"\b\d+(?:\.\d+)? [KM]B\b|\b\d+ bytes\b"), "SIZE"),
    (re.compile(r"\b\d+\.\d+\.\d+\b"), "VERSION"),
    (re.compile(r"\b[0-9a-f]{20}-[0-9a-f]{20}\b"), "INDEX"),
)


class Block(msgspec.Struct, frozen=True):
    """A block of output in a page: its command ("" when it is not run, None when nothing is said of it) and its text."""

    page: Path
    line: int
    command: str | None
    text: str
    start: int
    end: int


def pages() -> list[Path]:
    """Give the pages that may show output."""
    return [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "examples").glob("*.md")),
    ]


def blocks(page: Path) -> Iterator[Block]:
    """Give the blocks of output of a page."""
    text = page.read_text("utf-8")
    for found in _BLOCK.finditer(text):
        command = found["said"] if found["kind"] == "run" else "" if found["kind"] else None
        line = text.count("\n", 0, found.start("text"))
        yield Block(page, line, command, found["text"], found.start("text"), found.end("text"))


def outputs_of(page: Path) -> list[tuple[Block, str]]:
    """Run the commands of a page in order, and give each block with what its command writes.

    Raises: ValueError for a program that is not ours to run; TimeoutExpired.
    """
    with tempfile.TemporaryDirectory(prefix="readingroom-docs-") as home:
        return [(block, _output_of(block.command, home)) for block in blocks(page) if block.command]


def _output_of(command: str, home: str) -> str:
    words, _, source = command.partition(" < ")
    argv = shlex.split(words)
    if argv == ["make", "demo"]:
        argv = ["python", "examples/demo.py"]
    if argv[0] not in ("readingroom", "python"):
        raise ValueError(f"only readingroom, python and make demo are run, not {argv[0]}")
    given = (ROOT / source.strip()).read_bytes() if source else b""
    done = subprocess.run(
        argv, cwd=ROOT, env=_environment(home), input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=_ALLOWED_S, check=False,
    )  # fmt: skip
    told = _SLOW.sub("", done.stdout.decode())
    return told.replace(str(ROOT), "~/readingroom").replace(os.path.realpath(home), "~")


def _environment(home: str) -> dict[str, str]:
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in ("LANG", "SYSTEMROOT", "COVERAGE_PROCESS_CONFIG")
    }
    return {
        **kept,
        "PATH": programs,
        "HOME": home,
        "USERPROFILE": home,
        "LOCALAPPDATA": home,
        "NO_COLOR": "1",
        "TZ": "UTC",
    }


def comparable(output: str) -> str:
    """Give an output without what differs from run to run."""
    for pattern, name in _PASSING:
        output = pattern.sub(name, output)
    return output.rstrip("\n")


def refreshed(page: Path) -> str:
    """Give the text of a page with every output as it is today; one that differs only in passing things stays."""
    text = page.read_text("utf-8")
    for block, output in reversed(outputs_of(page)):
        if comparable(output) != comparable(block.text):
            text = text[: block.start] + output.rstrip("\n") + "\n" + text[block.end :]
    return text
