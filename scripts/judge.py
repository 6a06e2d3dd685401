"""Judges ranking: nDCG@10 over folders that hold `docs/` and `queries.tsv` (id, question, the one document that answers).

    python scripts/judge.py FOLDER... [--together] [--misses]

With one right document, nDCG@10 is 1 / log2(1 + rank), or 0 beyond rank 10. Each `docs/` is served as a library of its
own, through the same door as to an app; `--together` serves the folder that holds all of them as one library, so that
questions in one language meet the texts of all. The language of a question is not given.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import log2
from os.path import commonpath
from pathlib import Path

from readingroom.library import Library, Principal, View

DEPTH = 10


@contextmanager
def served(folder: Path) -> Iterator[View]:
    """A folder as its reader sees it, indexed in a place that goes away."""
    with tempfile.TemporaryDirectory() as cache, Library.open(folder, cache=Path(cache)) as library:
        library.reconcile()
        yield library.view(Principal())


def judge(view: View, folder: Path, prefix: str, *, misses: bool) -> str:
    """The mean nDCG@10 of a folder's questions, how many find nothing, and how many not the right document."""
    gains, empty, missed = [], 0, 0
    for line in (folder / "queries.tsv").read_text("utf-8").splitlines():
        _, question, right = line.split("\t")
        paths = [hit.path for hit in view.search(question, limit=DEPTH, per_document=1).items]
        rank = paths.index(prefix + right) + 1 if prefix + right in paths else 0
        gains.append(1 / log2(1 + rank) if rank else 0.0)
        empty += not paths
        missed += not rank
        if misses and rank != 1:
            print(f"{rank or '-':>4} {right}  {question}")
    mean = sum(gains) / len(gains)
    return f"nDCG@{DEPTH} {mean:.4f}  questions {len(gains)}  without a hit {empty}  missed {missed}"


def main() -> int:
    """Prints a line for each folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--together", action="store_true", help="one library of all the folders")
    parser.add_argument("--misses", action="store_true", help="print the questions whose answer is not first")
    chosen = parser.parse_args()
    if chosen.together:
        root = Path(commonpath([folder.resolve() for folder in chosen.folders]))
        with served(root) as view:
            for folder in chosen.folders:
                prefix = f"{folder.resolve().relative_to(root).as_posix()}/docs/"
                print(f"{folder.name:>10}  {judge(view, folder, prefix, misses=chosen.misses)}")
        return 0
    for folder in chosen.folders:
        with served(folder / "docs") as view:
            print(f"{folder.name:>10}  {judge(view, folder, '', misses=chosen.misses)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
