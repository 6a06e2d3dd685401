"""Writes the parts of the documentation that are made from the code, so that they cannot say anything else.

    python scripts/generate_docs.py           write the pages of the reference, and the outputs of commands in all pages
    python scripts/generate_docs.py --check   write nothing, and fail if a page of the reference would change

Each generator is a function that gives pages: the path of each, relative to the project, and its text. (Outputs of
commands are checked by tests/docs, for they take a run each.)
"""

import argparse
import difflib
import sys
from collections.abc import Callable
from pathlib import Path

import docs_command_line
import docs_outputs
import docs_protocol

ROOT = Path(__file__).resolve().parent.parent
SHOWN = 40

GENERATORS: list[Callable[[], dict[str, str]]] = [docs_protocol.pages, docs_command_line.pages]
"""What makes whole pages."""


def outputs() -> dict[str, str]:
    """Give the pages that show outputs of commands, with the outputs of today."""
    return {page.relative_to(ROOT).as_posix(): docs_outputs.refreshed(page) for page in docs_outputs.pages()}


def differing(generators: list[Callable[[], dict[str, str]]]) -> dict[str, tuple[str, str]]:
    """Give what is to change: the path of each page, what it says now and what it should say."""
    made = {path: text for generator in generators for path, text in generator().items()}
    found = {path: ROOT.joinpath(path) for path in made}
    now = {path: file.read_text("utf-8") if file.exists() else "" for path, file in found.items()}
    return {path: (now[path], text) for path, text in made.items() if now[path] != text}


def check() -> int:
    """Say which pages of the reference are not what the code says; give the exit code."""
    pages = differing(GENERATORS)
    for path, (old, new) in pages.items():
        print(f"{path} is not what the code says; run: make docs")
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "is", "should be", lineterm="")
        print("\n".join(list(lines)[:SHOWN]))
    return int(bool(pages))


def write() -> int:
    """Write the pages that have changed; give the exit code."""
    for generators in (GENERATORS, [outputs]):
        for path, (_, new) in differing(generators).items():
            file = ROOT / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(new, "utf-8")
            print(f"{path}: written")
    return 0


def main() -> int:
    """Write or check; returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Make the parts of the documentation that come from the code."
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page would change")
    return check() if parser.parse_args().check else write()


if __name__ == "__main__":
    sys.exit(main())
