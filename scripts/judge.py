"""Judges ranking: nDCG@10 over folders that hold `docs/` and `queries.tsv` (id, question, the one document that answers).

    python scripts/judge.py FOLDER... [--together] [--misses]

With one right document, nDCG@10 is 1 / log2(1 + rank), or 0 beyond rank 10. `--together` puts the documents of all
folders into one library, so that questions of one language meet the texts of all. The language of a question is not given.
"""

import argparse
import sys
import tempfile
from math import log2
from pathlib import Path

from readingroom.library.model import Passage
from readingroom.library.search.answer import Request, search
from readingroom.library.search.engine import Entry, Index

DEPTH = 10


def entries(folder: Path, prefix: str) -> list[Entry]:
    """The documents of a folder, each one passage, titled by its name."""
    found = []
    for file in sorted((folder / "docs").iterdir()):
        text = file.read_text("utf-8-sig")
        passage = Passage((), 1, text.count("\n") + 1, text)
        found.append(Entry(f"{prefix}{file.name}", file.stem, "", (), "sha256:" + "0" * 64, (passage,)))
    return found


def build(directory: Path, documents: list[Entry]) -> Index:
    """An index of the documents."""
    index = Index.create(directory)
    with index.writer(bulk=True) as writer:
        for document in documents:
            writer.replace(document)
        writer.commit()
    index.reload()
    return index


def judge(index: Index, folder: Path, prefix: str, *, misses: bool) -> tuple[float, int, int, int]:
    """The mean nDCG@10, the number of questions, of those without any hit, and of those missed altogether."""
    total, count, empty, missed = 0.0, 0, 0, 0
    for line in (folder / "queries.tsv").read_text("utf-8").splitlines():
        _, question, right = line.split("\t")
        hits = search(index, Request(question, limit=DEPTH, per_document=1)).hits
        paths = [hit.path for hit in hits]
        rank = paths.index(prefix + right) + 1 if prefix + right in paths else 0
        total += 1 / log2(1 + rank) if rank else 0.0
        count += 1
        empty += not hits
        missed += not rank
        if misses and rank != 1:
            print(f"{rank or '-':>4} {right}  {question}")
    return total / count, count, empty, missed


def main() -> int:
    """Prints a line for each folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--together", action="store_true", help="one library of all the folders")
    parser.add_argument("--misses", action="store_true", help="print the questions whose answer is not first")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        shared = None
        if chosen.together:
            everything = [entry for folder in chosen.folders for entry in entries(folder, f"{folder.name}/")]
            shared = build(Path(place) / "together", everything)
        for folder in chosen.folders:
            prefix = f"{folder.name}/" if shared else ""
            index = shared or build(Path(place) / folder.name, entries(folder, ""))
            score, count, empty, missed = judge(index, folder, prefix, misses=chosen.misses)
            print(
                f"{folder.name:>10}  nDCG@{DEPTH} {score:.4f}  questions {count}  without a hit {empty}  missed {missed}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
