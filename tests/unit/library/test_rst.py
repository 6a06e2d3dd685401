"""reStructuredText: titles in every style, and what only looks like one."""

import pytest

from readingroom.library import rst
from readingroom.library.lines import Lines


def headings(text: str, first: int = 1) -> list[tuple[int, str, int, int]]:
    """Level, title, first and last line of every title."""
    found = rst.structure(Lines(text), first)
    return [(block.level, block.title, block.first, block.last) for block in found.blocks if block.level]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n=====\n\ntext\n\nSub\n---\n", [(1, "Title", 1, 2), (2, "Sub", 6, 7)]),
        ("=====\nTitle\n=====\n\nSub\n===\n", [(1, "Title", 1, 3), (2, "Sub", 5, 6)]),
        ("=======\n Title\n=======\n", [(1, "Title", 1, 3)]),
        (
            "A\n=\n\nB\n-\n\nC\n~\n\nD\n-\n\nE\n=\n",
            [(1, "A", 1, 2), (2, "B", 4, 5), (3, "C", 7, 8), (2, "D", 10, 11), (1, "E", 13, 14)],
        ),
        ("A longer title\n====\n", [(1, "A longer title", 1, 2)]),
        ("A longer title\n===\n", []),
        ("====\nA longer title\n====\n", [(1, "A longer title", 1, 3)]),
        ("===\nA longer title\n===\n", []),
        ("Ab\n==\n", [(1, "Ab", 1, 2)]),
        ("日本語\n======\n", [(1, "日本語", 1, 2)]),
        ("日本\n===\n", []),
        ("cafe\u0301\n===\n", []),
        ("ae\u0301\n==\n", [(1, "ae\u0301", 1, 2)]),
        ("====\nTitle\n=====\n", []),
        ("=====\nTitle\n\ntext\n", []),
        ("=====\nTitle", []),
        ("==\nTitle", []),
        ("==\nab\n==\n", [(1, "ab", 1, 3)]),
        ("==\nab\n--\n", []),
        ("=====\n-----\nText\n----\n", [(1, "Text", 3, 4)]),
        ("==\n--\n", [(1, "==", 1, 2)]),
        ("one\ntwo\n===\n", []),
        ("A\n=\n\ntext\n\n----\n\nmore\n", [(1, "A", 1, 2)]),
        ("A\n=\n\nB\n-\n\nC\n=\n\nD\n~\n", [(1, "A", 1, 2), (2, "B", 4, 5), (1, "C", 7, 8)]),
        ("1. Title\n========\n", [(1, "1. Title", 1, 2)]),
        ("1. Item\n2. Title\n========\n", [(1, "2. Title", 2, 3)]),
        ("1. Item\n5. Text\n========\n", []),
        ("a) one\nb) two\n======\n", [(1, "b) two", 2, 3)]),
        ("#. one\n#. two\n======\n", [(1, "#. two", 2, 3)]),
        ("i. one\nii. two\niii. three\n==========\n", [(1, "iii. three", 3, 4)]),
        ("(1) a\n1) b\n====\n", []),
        ("1. a\nx. b\n====\n", []),
        ("- Item\n======\n", []),
        ("- Item\n\n  Title\n  =====\n", []),
        (":field: x\n=========\n", []),
        ("-a  option\n==========\n", []),
        ("--long\n======\n", [(1, "--long", 1, 2)]),
        ("--long\n  described\n", []),
        (">>> x\n=====\n\nA\n=\n", [(1, "A", 4, 5)]),
        ("| line\n======\n", []),
        (".. note::\n\n   Title\n   =====\n\nA\n=\n", [(1, "A", 6, 7)]),
        (".. A\n====\n", []),
        ("__ anonymous\n============\n", []),
        ("+---+\n| A |\n+===+\n| B |\n+---+\n\nA\n=\n", [(1, "A", 7, 8)]),
        ("===  ===\nA    B\n===  ===\nC    D\n---  ---\n===  ===\n\nA\n=\n", [(1, "A", 8, 9)]),
        ("===  ===\nA    B\n--------\n===  ===\n", []),
        ("===  ===\nA    B\n=====\nT\n=\n", [(1, "T", 4, 5)]),
        ("===  ===\nA    B\n\nT\n=\n", []),
        ("===  ===\nA\n===  ===\nB\n", []),
        ("===  ===\nA\nB\n", []),
        ("text::\n\n> quoted\n> ======\n\nA\n=\n", [(1, "A", 6, 7)]),
        ("text::\n\n= quoted\n====\n\nA\n=\n", [(1, "A", 6, 7)]),
        ("text::\n\nA\n=\n", [(1, "A", 3, 4)]),
        ("text::", []),
        (
            "Title :doc:`shown <x>` ``code`` *em* **strong** `ref`_\n" + "=" * 60,
            [(1, "Title shown code em strong ref", 1, 2)],
        ),
        ("A\r\n=\r\n\r\nB\r\n-\r\n", [(1, "A", 1, 2), (2, "B", 4, 5)]),
        ("A  \n=\t\n", [(1, "A", 1, 2)]),
        ("Term\n  definition\n", []),
        ("::\n::\n", [(1, "::", 1, 2)]),
        ("", []),
    ],
)
def test_titles_stand_where_docutils_has_them(text: str, expected: list[tuple[int, str, int, int]]) -> None:
    """Underlines and overlines make titles as in docutils, levels in order of their styles."""
    assert headings(text) == expected


def test_lines_count_from_the_top_of_the_file() -> None:
    """What stands above the first line to be read counts and is not read."""
    assert headings("A\n=\nB\n=\n", 3) == [(1, "B", 3, 4)]


def test_lists_and_what_is_indented_stay_together() -> None:
    """A list goes on over blank lines, what is indented belongs to what stands above it, a table is one block."""
    text = (
        "para::\n\n  literal\n\n  more\n\n- a\n\n  b\n\n- c\n\n.. note:: x\n\n   y\n\n:f: 1\n:g: 2\n\n==  ==\na   b\n\n"
        "c   d\n==  ==\n\nend\n"
    )
    found = rst.structure(Lines(text), 1).blocks
    assert [(block.first, block.last) for block in found] == [
        (1, 5),
        (7, 11),
        (13, 15),
        (17, 18),
        (20, 24),
        (26, 26),
    ]
