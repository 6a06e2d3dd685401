"""Judged questions and what a ranking is worth by them: the table that holds them, and nDCG, reciprocal rank and recall.

Pure: knows no library. The measures are those of TREC, with the grade as the gain.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log2

import msgspec

from .faults import UsageFault

DEPTH = 10
_LARGEST_GRADE = 100
_NEEDED = ("query", "path")


class Question(msgspec.Struct, frozen=True):
    """A query, the language it is said to be in ("" when it is not said), and the grade of each document that answers it."""

    query: str
    language: str
    right: Mapping[str, int]


class Answered(msgspec.Struct, frozen=True):
    """A question and the documents that were found for it, best first, each once; at most DEPTH of them."""

    question: Question
    found: tuple[str, ...]
    seconds: float

    @property
    def rank(self) -> int:
        """The place of the first right document, counted from 1; 0 when none is among those found."""
        return next((at for at, path in enumerate(self.found, 1) if path in self.question.right), 0)

    @property
    def ndcg(self) -> float:
        """Discounted gain of what was found, as a part of the best that could have been, 0 to 1."""
        grades = [self.question.right.get(path, 0) for path in self.found]
        best = sorted(self.question.right.values(), reverse=True)[:DEPTH]
        return _discounted(grades) / _discounted(best)

    @property
    def recall(self) -> float:
        """The part of the right documents that was found."""
        return sum(path in self.question.right for path in self.found) / len(self.question.right)


class Measured(msgspec.Struct, frozen=True):
    """Means over a group of questions; `empty` counts those that found nothing, `first` those whose best hit is right."""

    questions: int
    ndcg: float
    reciprocal_rank: float
    recall: float
    first: int
    empty: int


def measured(answered: Sequence[Answered]) -> Measured:
    """Give the means over at least one question."""
    count = len(answered)
    return Measured(
        questions=count,
        ndcg=sum(one.ndcg for one in answered) / count,
        reciprocal_rank=sum(1 / one.rank if one.rank else 0.0 for one in answered) / count,
        recall=sum(one.recall for one in answered) / count,
        first=sum(one.rank == 1 for one in answered),
        empty=sum(not one.found for one in answered),
    )


def questions(lines: Iterable[str]) -> tuple[Question, ...]:
    """Read a table of tab-separated columns under a line that names them, in the order of the queries' first lines.

    `query` and `path` are needed, `language` and `grade` (a whole number from 1, by default 1) are understood, other
    columns left alone. A query with several right documents has a line for each. Raises: UsageFault, which names the line.
    """
    rows = enumerate((line.rstrip("\r\n").split("\t") for line in lines), 1)
    _, head = next(rows, (1, [""]))
    head[0] = head[0].removeprefix("\ufeff")
    missing = [name for name in _NEEDED if name not in head]
    if missing:
        raise UsageFault(
            f"the first line of the table names its columns, parted by tabs; there is no column {missing[0]!r}"
        )
    right: dict[tuple[str, str], dict[str, int]] = {}
    for number, cells in rows:
        if cells == [""]:
            continue
        if len(cells) != len(head):
            raise UsageFault(f"line {number} has {len(cells)} columns, and the first line {len(head)}")
        row = dict(zip(head, cells, strict=True))
        asked = (row["query"], row.get("language", ""))
        right.setdefault(asked, {})[_path(row, number)] = _grade(row, number)
    if not right:
        raise UsageFault("the table holds no question")
    return tuple(Question(query, language, paths) for (query, language), paths in right.items())


def _path(row: Mapping[str, str], number: int) -> str:
    if not row["query"].strip() or not row["path"]:
        raise UsageFault(f"line {number} has no {'path' if row['query'].strip() else 'query'}")
    return row["path"]


def _grade(row: Mapping[str, str], number: int) -> int:
    given = row.get("grade") or "1"
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= _LARGEST_GRADE:
        raise UsageFault(
            f"line {number}: a grade is a whole number from 1 to {_LARGEST_GRADE}, not {given!r}"
        )
    return int(given)


def _discounted(grades: Iterable[int]) -> float:
    return sum(grade / log2(1 + at) for at, grade in enumerate(grades, 1))
