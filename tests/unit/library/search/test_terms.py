"""What a token is found by, as it stands."""

import pytest

from readingroom.library.search.terms import compound, exact_terms, forms, pairs, parts, plain_word


@pytest.mark.parametrize(
    ("token", "terms"),
    [
        ("Word", ["word"]),
        ("POL", ["pol"]),
        ("max_connection_count", ["max_connection_count", "max", "connection", "count"]),
        ("getUserNameById", ["getusernamebyid", "get", "user", "name", "by", "id"]),
        ("XMLHttpRequest", ["xmlhttprequest", "xml", "http", "request"]),
        ("http2", ["http2", "http", "2"]),
        ("v31", ["v31", "31"]),
        ("C++", ["c++", "c"]),
        ("C#", ["c#", "c"]),
        ("__init__", ["init"]),
        ("___", []),
        ("\u00ad", []),
        ("п\u02bcять", ["п'ять", "п", "ять"]),
        ("Größe_neu", ["grosse_neu", "grosse", "neu"]),
        ("数据库", ["数据", "据库", "库"]),
        ("字", ["字"]),
        ("使用API", ["使用", "用", "api"]),
        ("deadbeef12345", ["deadbeef12345"]),
        ("iPhone", ["iphone", "i", "phone"]),
    ],
)
def test_exact_terms(token: str, terms: list[str]) -> None:
    """The whole first, then its parts; runs by pairs of characters and the last one alone."""
    assert exact_terms(token) == terms


def test_forms_keep_accents() -> None:
    """Stemmers are given a word in lower case, but with its accents."""
    assert forms("Größe") == ["grösse"]


def test_parts() -> None:
    """Runs by their characters with their marks, words by their forms; bare marks are no part."""
    assert parts("使用API") == ((True, ("使", "用")), (False, ("api",)))
    assert parts("น้ำตก") == ((True, ("น้ํ", "า", "ต", "ก")),)
    assert parts("\u00ad") == ()


def test_pairs_of_characters() -> None:
    """Each with the next, then the last alone."""
    assert pairs(("น้", "ำ", "ต")) == ["น้ำ", "ำต", "ต"]


def test_long_words_are_cut_alike() -> None:
    """What is longer than any word is cut, so that a text and a query of it still meet."""
    assert exact_terms("x" * 500) == exact_terms("x" * 300) == ["x" * 120]


@pytest.mark.parametrize("token", ["a_b", "fooBar", "http2", "XMLHttp", "C3", "п\u02bcять", "v1"])
def test_compound_tells_what_may_have_parts(token: str) -> None:
    """Whatever is split is told before it is split."""
    assert compound().search(token)
    assert not compound().search("Plain")


def test_plain_words_are_what_their_parts_say() -> None:
    """The short way for words of plain letters gives what the long one gives, and leaves all others to that."""
    plain = ["word", "Word", "WORD", "a", "A", "x" * 120]
    others = [
        "getName",
        "HTTPServer",
        "x" * 121,
        "v31",
        "c++",
        "_",
        "snake_case",
        "é",
        "слово",
        "数据",
        "42",
        "",
    ]
    for token in plain:
        assert parts(token) == ((False, (plain_word(token),)),)
    assert [token for token in others if plain_word(token)] == []
