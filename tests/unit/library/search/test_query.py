"""The query language: every text is a query."""

import pytest

from readingroom.library.search.query import Clause, Filters, parse


def wanted(text: str) -> list[tuple[str, str]]:
    """What a query asks for."""
    return [(clause.kind, clause.text) for clause in parse(text).wanted]


def unwanted(text: str) -> list[tuple[str, str]]:
    """What a query shuts out."""
    return [(clause.kind, clause.text) for clause in parse(text).unwanted]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("two words", [("word", "two"), ("word", "words")]),
        ('"a phrase" word', [("phrase", "a phrase"), ("word", "word")]),
        ("“typographic quotes”", [("phrase", "typographic quotes")]),
        ('"left open', [("word", '"left'), ("word", "open")]),
        ('5" wide', [("word", '5"'), ("word", "wide")]),
        ('""', []),
        ('" "', []),
        ('"…"', []),
        ("pre* x", [("prefix", "pre"), ("word", "x")]),
        ("C++*", [("prefix", "C++")]),
        ("*", []),
        ("_*", []),
        ("a*b", [("word", "a*b")]),
        ("two.words*", [("word", "two.words*")]),
        ("数据*", [("word", "数据*")]),
        ("--error-on-warnings", [("word", "--error-on-warnings")]),
        ("kubectl get -n", [("word", "kubectl"), ("word", "get"), ("word", "-n")]),
        ("POL-358", [("word", "POL-358")]),
        ("- -- — ...", []),
        ("note:x http://a/b", [("word", "note:x"), ("word", "http://a/b")]),
        ("path: tag:", [("word", "path:"), ("word", "tag:")]),
        ("lang:c++ lang:123", [("word", "lang:c++"), ("word", "lang:123")]),
        ("\0", []),
        ("a\0b", [("word", "a\0b")]),
        ("«постоянный адрес»", [("word", "«постоянный"), ("word", "адрес»")]),
    ],
)
def test_what_is_asked_for(text: str, clauses: list[tuple[str, str]]) -> None:
    """Words, phrases and prefixes; whatever does not fit is words."""
    assert wanted(text) == clauses


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("-word", [("word", "word")]),
        ("-猫", [("phrase", "猫")]),
        ('-"a phrase"', [("phrase", "a phrase")]),
        ("-pre*", [("prefix", "pre")]),
        ("-POL-358", [("phrase", "POL-358")]),
        ("-数据库", [("phrase", "数据库")]),
        ("-(word)", [("word", "(word)")]),
        ("well-known --flag - word -n", []),
        ("-", []),
        ("-…", []),
    ],
)
def test_what_is_shut_out(text: str, clauses: list[tuple[str, str]]) -> None:
    """A minus before a word; not within a word, doubled, alone or before a single letter."""
    assert unwanted(text) == clauses


def test_filters() -> None:
    """Fields with a value, quoted or not, in any case, and their exclusion."""
    query = parse('word path:guides/a tag:"two words" LANG:pt-BR -path:old -tag:x -lang:de tag:y')
    assert query.wanted == (Clause("word", "word"),)
    assert query.filters == Filters(("guides/a",), ("two words", "y"), ("pt-BR",))
    assert query.excluded == Filters(("old",), ("x",), ("de",))
    assert query.filters
    assert not parse("word").filters


def test_a_quote_after_a_field_may_stay_open() -> None:
    """Then the value ends with the word."""
    assert parse('path:"a b').filters.paths == ('"a',)
    assert wanted('path:"a b') == [("word", "b")]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "-" * 2000, '"' * 2000, "a:" * 1000, "*" * 50, "path:" * 400]
)
def test_odd_texts_are_queries(text: str) -> None:
    """Nothing is raised, whatever it is."""
    parse(text)
