"""A program that publishes where the disk is full, or the folder may not be written: in a mount of its own.

    unshare -Urm python -m support.cramped PLACE full|read-only WAY

PLACE becomes a small file system in memory that nobody else sees. It prints one line of JSON.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from readingroom.library.errors import LibraryError
from support.publisher import child, decide, judged, look, prepare, tree
from support.publishing import Desk

_SIZE = 8 * 1024 * 1024
_PAGE = 4096
_FREE = (*range(40), 48, 64, 96, 128, 256)


def attempted(work: Path, way: str) -> str:
    """What came of the decision: "decided", or the code of the refusal."""
    try:
        desk = Desk(work)
        outcome = decide(desk, way, desk.key())
    except LibraryError as error:
        return type(error).__name__
    return "decided" if outcome.decision is not None else outcome.code


def full(place: Path, way: str) -> dict[str, Any]:
    """Decide with room for so many pages, and again when there is room."""
    _mount("-t", "tmpfs", "-o", f"size={_SIZE}", "none", str(place))
    template, work, filler = place / "template", place / "work", place / "filler"
    assert child(lambda say: prepare(work, way))[0] == 0
    shutil.copytree(work, template)
    before = tree(work / "docs")
    assert child(lambda say: say(attempted(work, way)))[1] == ["decided"]
    after = tree(work / "docs")
    told: dict[str, Any] = {"codes": {}, "problems": []}
    for pages in _FREE:
        shutil.rmtree(work)
        shutil.copytree(template, work)
        _fill(filler, pages)
        code, said = child(lambda say: say(attempted(work, way)))
        filler.unlink()
        outcome = said[0] if code == 0 else "failed"
        told["codes"][outcome] = told["codes"].get(outcome, 0) + 1
        code, found = child(lambda say: look(work, way, say))
        problem = judged(found, code, before, after, acknowledged=outcome == "decided")
        told["problems"] += [f"{pages} pages: {problem}"] if problem else []
    return told


def _fill(filler: Path, pages: int) -> None:
    """Leave room for so many pages."""
    opened = os.open(filler, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(opened, bytes(_PAGE)):
            pass
    except OSError:
        os.ftruncate(opened, os.fstat(opened).st_size // _PAGE * _PAGE - pages * _PAGE)
    finally:
        os.close(opened)


def read_only(place: Path, way: str) -> dict[str, Any]:
    """Decide while the folder cannot be written, and again when it can."""
    work = place / "work"
    assert child(lambda say: prepare(work, way))[0] == 0
    before = tree(work / "docs")
    docs = str(work / "docs")
    _mount("--bind", docs, docs)
    _mount("-o", "remount,ro,bind", docs)
    code, said = child(lambda say: say(attempted(work, way)))
    assert code == 0
    unchanged = tree(work / "docs") == before
    subprocess.run(["umount", docs], check=True)  # noqa: S607  -- the system's own
    code, found = child(lambda say: look(work, way, say))
    assert code == 0
    return {"code": said[0], "unchanged": unchanged, "found": found[0], "afterwards": found[1]["text"]}


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)  # noqa: S607  -- the system's own


def main(place: str, mode: str, way: str) -> None:
    """Run one of the two."""
    print(json.dumps((full if mode == "full" else read_only)(Path(place), way)))


if __name__ == "__main__":
    main(*sys.argv[1:])
