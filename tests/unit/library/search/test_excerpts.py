"""The part of a passage that is shown, and the places of the query's words in it."""

from pathlib import Path

import pytest

from readingroom.library.search import Excerpt, excerpt
from support.indexes import ask, entry, index_of


def shown(place: Path, text: str, query: str, width: int = 10_000) -> Excerpt:
    """What is shown of a text that is the only document."""
    answer = ask(index_of(place, entry("a.md", text)), query)
    assert answer.hits
    return excerpt(answer.hits[0], answer.wanted, width)


def marked(part: Excerpt) -> list[str]:
    """The marked places of an excerpt, in order; they lie within it and do not overlap."""
    ends = 0
    for first, last in part.highlights:
        assert ends <= first < last <= len(part.text)
        ends = last
    return [part.text[first:last] for first, last in part.highlights]


@pytest.mark.parametrize(
    ("text", "query", "places"),
    [
        ("An apple, two Apples; pineapple.", "apple", ["apple", "Apples"]),
        ("Постоянного адреса нет.", "постоянный адрес", ["Постоянного", "адреса"]),
        ("The room is in the house.", "the room in the house", ["room", "house"]),
        ("The in.", "the in", ["The", "in"]),
        ("数据库检索系统，数据。", "检索系统", ["检索系统"]),
        ("数据库检索系统，数据。", "数据", ["数据", "数据"]),
        ("使用API接口", "api", ["API"]),
        ("单字一", "字", ["字"]),
        ("ｶﾞﾗｽの本", "ガラス", ["ｶﾞﾗｽ"]),
        ("น้ำตกสวย", "น้ำตก", ["น้ำตก"]),
        ("Set max_connection_count now.", "connection", ["max_connection_count"]),
        ("Set max_connection_count now.", "max_connection_count", ["max_connection_count"]),
        ("Call getUserName() or get it.", "user", ["getUserName"]),
        ("Written in C++, C and c.", "C++", ["C++", "C", "c"]),
        ("Re\u0301sume\u0301 of résumé", "resume", ["Re\u0301sume\u0301", "résumé"]),
        ("Größe und GRÖSSE", "größe", ["Größe", "GRÖSSE"]),
        ("prefix prefer pre apre", "pre*", ["prefix", "prefer", "pre"]),
        ("a pear tree, a tree", '"pear tree"', ["pear", "tree", "tree"]),
        ("中文分词的", '"中文分词"', ["中文分词"]),
        (
            "Mit Datenbankverbindungen und der Zeit ist das nicht schwer.",
            "Datenbank Zeit",
            ["Datenbankverbindungen", "Zeit"],
        ),
        ("Die Datenbank und Datenbankverbindungen sind nicht neu.", "Datenbank", ["Datenbank"]),
        ("والكتب في المكتبة", "كتب", ["والكتب"]),
        ("HTTP/2 and http2", "http2", ["HTTP", "2", "http2"]),
    ],
)
def test_marks(tmp_path: Path, text: str, query: str, places: list[str]) -> None:
    """Words by their stems and parts, runs by their characters; grammar only where it is all that is asked."""
    assert marked(shown(tmp_path, text, query)) == places


def test_a_passage_that_fits_is_whole(tmp_path: Path) -> None:
    """To the last character."""
    text = "An apple.\n\nA pear.\n"
    part = shown(tmp_path, text, "apple", len(text))
    assert (part.text, part.cut) == (text, False)


def test_a_cut_shows_the_most_words(tmp_path: Path) -> None:
    """The stretch with the most different words of the query, not the first with one of them."""
    filler = "Nothing is said here of what was asked for.\n"
    text = (
        filler
        + "An apple stands alone.\n"
        + filler * 10
        + "A pear, an apple and a plum meet.\n"
        + filler * 10
    )
    part = shown(tmp_path, text, "apple pear plum", 200)
    assert part.cut
    assert len(part.text) <= 200
    assert marked(part) == ["pear", "apple", "plum"]
    assert part.text in text


def test_cuts_are_at_borders(tmp_path: Path) -> None:
    """Of lines where one is near, else of words."""
    lines = "First line of many words.\r\n" * 40 + "An apple.\r\n" + "Tail of it.\r\n" * 40
    part = shown(tmp_path / "1", lines, "apple", 120)
    assert part.text.splitlines()[0] in {"First line of many words.", "An apple."}
    assert part.text.endswith("Tail of it.")
    words = "lorem ipsum dolor " * 60 + "apple " + "sit amet consectetur " * 60
    part = shown(tmp_path / "2", words, "apple", 100)
    assert f" {part.text} " in f" {words} "


@pytest.mark.parametrize("width", [0, 1, 2, 5, 10, 30])
@pytest.mark.parametrize(
    "text", ["apple " * 100, "x" * 500 + " apple " + "y" * 500, "苹果" * 200, "ก็ apple น้ำ " * 50]
)
def test_nothing_is_wider_than_asked(tmp_path: Path, text: str, width: int) -> None:
    """However narrow; and what is shown stands in the text."""
    part = shown(tmp_path, text, "apple 苹果", width)
    assert len(part.text) <= width
    assert part.text in text
    assert part.cut
    marked(part)


def test_a_mark_stays_with_its_character(tmp_path: Path) -> None:
    """No cut between a letter and the mark on it."""
    text = "apple " + "e\u0301" * 300
    for width in range(20, 40):
        part = shown(tmp_path / str(width), text, "apple", width)
        assert text[len(part.text)] != "\u0301"


def test_the_answer_of_one_query_is_not_mixed_with_another(tmp_path: Path) -> None:
    """Each has its own words to mark, in every language of its hits."""
    index = index_of(
        tmp_path, entry("a.md", "apple pear apples"), entry("b.md", "яблоки и apple в этом саду для нас")
    )
    for query, counts in (("apple", (2, 1)), ("pear", (1,)), ("яблоко", (1,))):
        answer = ask(index, query)
        assert tuple(len(excerpt(hit, answer.wanted, 100).highlights) for hit in answer.hits) == counts
