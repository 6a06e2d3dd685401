"""The pages of tldr at a pinned commit, 38,430 small files in 40 languages, and questions to them.

Fetched with git from their public address and never kept in this repository; READINGROOM_BENCH_PAGES names a folder that
has them already. Where there is no network, documents of the same number and size are made. Knows no server.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from corpus import Asked, Corpus

ADDRESS = "https://github.com/tldr-pages/tldr.git"
COMMIT = "08e345f42639f67d99282813247ac670dc6e87cb"
COUNT = 38_430
LANGUAGES = ("pages", "pages.ru", "pages.de", "pages.es", "pages.zh")
VARIABLE = "READINGROOM_BENCH_PAGES"


def laid_out(folder: Path) -> str:
    """Put the documents into a folder; a sentence on what they are."""
    given = os.environ.get(VARIABLE)
    if given:
        shutil.copytree(
            given, folder, ignore=lambda _, names: [name for name in names if name.startswith(".")]
        )
        return f"The pages of tldr at {COMMIT[:10]}."
    try:
        fetch(folder)
    except (OSError, subprocess.SubprocessError):
        shutil.rmtree(folder, ignore_errors=True)
        Corpus(COUNT, 1).write(folder)
        return "The pages of tldr could not be fetched: as many generated documents of one passage stand for them."
    return f"The pages of tldr at {COMMIT[:10]}."


def fetch(folder: Path) -> None:
    """Fetch the one commit, and leave its Markdown alone. Raises SubprocessError or OSError."""
    git = shutil.which("git")
    if git is None:
        raise FileNotFoundError("git")
    folder.mkdir()
    for command in (
        ["init", "--quiet"],
        ["fetch", "--quiet", "--depth", "1", ADDRESS, COMMIT],
        ["checkout", "--quiet", "FETCH_HEAD"],
    ):
        subprocess.run([git, "-C", str(folder), *command], check=True, timeout=600, capture_output=True)
    shutil.rmtree(folder / ".git")
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix != ".md":
            file.unlink()


def asked(folder: Path, count: int) -> list[Asked]:
    """So many things to look for, in the languages in turn: what a page says of its command, and its longest words."""
    if not (folder / "pages").is_dir():
        return list(Corpus(COUNT, 1).asked(count))
    sources = [said(folder / name, count // len(LANGUAGES)) for name in LANGUAGES]
    return [one for source in sources for one in source]


def said(folder: Path, count: int) -> Iterator[Asked]:
    """What pages from all over a folder say of their commands."""
    files = sorted(folder.rglob("*.md"))
    for file in files[:: len(files) // count][:count]:
        lines = [line[1:].strip() for line in file.read_text("utf-8").splitlines() if line.startswith(">")]
        words = sorted(set("".join(one if one.isalnum() else " " for one in lines[0]).split()), key=len)
        yield Asked(lines[0], " ".join(words[-3:]))
