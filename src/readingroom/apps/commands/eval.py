"""`readingroom eval`: how well the search of a folder answers questions whose answers are known."""

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import compose, exit_codes, options
from ..characters import one_line
from ..console import Console
from ..counting import counted
from ..faults import UsageFault
from ..json_text import json_text
from ..judging import DEPTH, Answered, Measured, Question, measured, questions
from ..refreshing import refreshed
from ..settings import settings_from

if TYPE_CHECKING:
    from ...library import View

USAGE = "[options] FOLDER QUERIES"
DESCRIPTION = f"""\
Judge the search of a folder by questions whose answers you know.

QUERIES is a table of tab-separated columns, or - for stdin. Its first line names them: `query` and `path`, the document
that answers, relative to FOLDER; also, if you like, `language` (figures are then given for each) and `grade`, a whole
number, higher for documents that answer better. A query that several documents answer has a line for each.

What is printed: nDCG@{DEPTH}, from 0 to 1: how near to the top the right documents are; MRR: one over the place of the
first right one; recall@{DEPTH}: the part of the right ones among the first {DEPTH} documents; how many queries had a right
one first, and how many found nothing. With --at-least the exit code tells whether nDCG@{DEPTH} over all reaches a figure: a
test of your own library."""
EXAMPLES = (
    ("readingroom eval ~/articles questions.tsv", "the figures, by language and over all"),
    (
        "readingroom eval ~/articles questions.tsv --misses",
        "with each question whose answer does not come first",
    ),
    (
        "readingroom eval ~/articles questions.tsv --at-least 0.9",
        "exit code 1 when the search has become worse",
    ),
)
_HEAD = ("", "queries", f"nDCG@{DEPTH}", "MRR", f"recall@{DEPTH}", "right first", "no hit")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("queries", metavar="QUERIES", help="the table of questions, or - for stdin")
    parser.add_argument(
        "--misses", action="store_true", help="also print each question whose first hit is not a right one"
    )
    parser.add_argument(
        "--tell-language",
        action="store_true",
        help="give the search the `language` of each query; without it, it has to tell by itself",
    )
    parser.add_argument(
        "--at-least",
        metavar="FIGURE",
        type=float,
        help=f"exit with 1 when nDCG@{DEPTH} over all is below this",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add(parser, options.WHICH)


def run(values: Namespace, console: Console) -> int:
    """Ask all questions and print the figures. Raises: UsageFault for the table, and what opening a library raises."""
    asked = _table(values.queries)
    if values.at_least is not None and not 0 <= values.at_least <= 1:
        raise UsageFault("--at-least is a figure from 0 to 1")
    settings = settings_from(vars(values), console.environment)
    with refreshed(settings, console) as library:
        view = compose.view_of(library, settings)
        unknown = _unknown(view, asked)
        answered = [_ask(view, question, tell_language=values.tell_language) for question in asked]
    over_all = measured(answered)
    if values.json:
        console.out.line(json_text(_as_json(answered, unknown)))
    else:
        for line in _report(answered, misses=values.misses):
            console.out.line(line)
        for path in unknown:
            console.err.line(f"no such document for the {settings.role}: {one_line(path)}")
    enough = values.at_least is None or over_all.ndcg >= values.at_least
    return exit_codes.OK if enough else exit_codes.NOTHING


def _table(name: str) -> tuple[Question, ...]:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        text = data.decode("utf-8")
    except OSError as error:
        raise UsageFault(f"the table {one_line(name)} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageFault(f"the table {one_line(name)} is not UTF-8") from error
    return questions(text.split("\n"))


def _unknown(view: "View", asked: Sequence[Question]) -> list[str]:
    """Give the right answers that this role has no document for: a slip of the table, more often than of the search."""
    from ...library import LibraryError

    missing = []
    for path in sorted({path for question in asked for path in question.right}):
        try:
            known = view.find(path).path
        except LibraryError:
            known = ""
        if known != path:
            missing.append(path)
    return missing


def _ask(view: "View", question: Question, *, tell_language: bool) -> Answered:
    began = time.perf_counter()
    language = question.language if tell_language and question.language else None
    answer = view.search(question.query, limit=DEPTH, per_document=1, language=language)
    took = time.perf_counter() - began
    return Answered(question, tuple(hit.path for hit in answer.items), took)


def _groups(answered: Sequence[Answered]) -> list[tuple[str, Measured]]:
    languages = sorted({one.question.language for one in answered})
    by_language = [
        (language or "none", measured([one for one in answered if one.question.language == language]))
        for language in (languages if len(languages) > 1 else [])
    ]
    return [*by_language, ("all", measured(answered))]


def _report(answered: Sequence[Answered], *, misses: bool) -> list[str]:
    rows = [
        (
            name,
            str(group.questions),
            f"{group.ndcg:.3f}",
            f"{group.reciprocal_rank:.3f}",
            f"{group.recall:.3f}",
            str(group.first),
            str(group.empty),
        )
        for name, group in _groups(answered)
    ]
    widths = [max(len(cell) for cell in column) for column in zip(_HEAD, *rows, strict=True)]
    lines = [_row(row, widths) for row in (_HEAD, *rows)]
    middle, slow = _times(answered)
    lines += ["", f"A query took {middle:.1f} ms in the middle, and 95 of 100 at most {slow:.1f} ms."]
    if misses:
        lines += ["", *_misses(answered)]
    return lines


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()


def _times(answered: Sequence[Answered]) -> tuple[float, float]:
    times = sorted(one.seconds * 1000 for one in answered)
    return times[len(times) // 2], times[min(len(times) - 1, len(times) * 95 // 100)]


def _misses(answered: Sequence[Answered]) -> list[str]:
    missed = [one for one in answered if one.rank != 1]
    if not missed:
        return ["Every question has a right document first."]
    lines = [f"{counted(len(missed), 'question has', 'questions have')} no right document first:"]
    for one in missed:
        place = f"at {one.rank}" if one.rank else "not found"
        first = one_line(one.found[0]) if one.found else "nothing"
        right = ", ".join(one_line(path) for path in one.question.right)
        lines.append(f"  {one_line(one.question.query)}")
        lines.append(f"      {right}: {place}; first came {first}")
    return lines


def _as_json(answered: Sequence[Answered], unknown: Sequence[str]) -> dict[str, Any]:
    middle, slow = _times(answered)
    return {
        "groups": {
            name: {
                "queries": group.questions,
                "ndcg": round(group.ndcg, 4),
                "mrr": round(group.reciprocal_rank, 4),
                "recall": round(group.recall, 4),
                "first": group.first,
                "empty": group.empty,
            }
            for name, group in _groups(answered)
        },
        "milliseconds": {"p50": round(middle, 2), "p95": round(slow, 2)},
        "misses": [
            {
                "query": one.question.query,
                "right": list(one.question.right),
                "rank": one.rank or None,
                "found": list(one.found),
            }
            for one in answered
            if one.rank != 1
        ],
        "unknown": list(unknown),
    }
