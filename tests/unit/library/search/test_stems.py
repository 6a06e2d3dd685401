"""Stems by language and script."""

import pytest

from readingroom.library.search.stems import (
    default_language,
    keeps_beginnings,
    script,
    script_of,
    stem,
    stemming,
)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ru", ("постоянный", "постоянного", "постоянным")),
        ("en", ("connection", "connections", "connected")),
        ("de", ("haus", "häuser", "haeuser", "hause")),
        ("uk", ("документ", "документів", "документами", "документу")),
        ("be", ("кніга", "кнігі", "кнігамі")),
        ("bg", ("книга", "книгата", "книги", "книгите")),
        ("ar", ("الكتب", "كتب", "والكتب")),
        ("zz", ("word", "wörd")),
    ],
)
def test_forms_share_a_stem(language: str, words: tuple[str, ...]) -> None:
    """The forms of a word meet in its language."""
    assert len({stem(word, language) for word in words}) == 1


def test_words_of_another_script_take_its_default() -> None:
    """English in a Russian text is stemmed as English, Russian in an English one as Russian."""
    assert stem("deployments", "ru") == stem("deployment", "en")
    assert stem("адресами", "en") == stem("адрес", "ru")
    assert stem("deployments", "zh") == stem("deployment", "en")


def test_vietnamese_tones_tell_words_apart() -> None:
    """A stem in Vietnamese is the word with its tone."""
    assert len({stem(word, "vi") for word in ("ma", "má", "mà", "mã", "mạ")}) == 5
    assert stem("mã", "en") == "ma"


def test_short_words_numbers_and_identifiers_stand_for_themselves() -> None:
    """Nothing is taken off them."""
    assert [stem(word, "en") for word in ("is", "2026s", "read_files")] == ["is", "2026s", "read_files"]


def test_no_stem_is_a_single_letter() -> None:
    """A stemmer that leaves one letter has taken too much."""
    assert stem("του", "el") == "του"


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("a", "latin"),
        ("ế", "latin"),
        ("д", "cyrillic"),
        ("λ", "greek"),
        ("ש", "he"),
        ("ك", "ar"),
        ("ह", "hi"),
        ("ქ", "ka"),
    ],
)
def test_script(word: str, name: str) -> None:
    """A script with one language has its tag; the shared ones have a name."""
    assert script(word) == name


def test_unknown_letters_have_no_script() -> None:
    """Beyond the table nothing is guessed."""
    assert script("ꙮ") == ""


def test_script_of_languages() -> None:
    """Languages and scripts fit together; those written without spaces have no words of their own."""
    asked = ("ru", "de", "el", "zh", "fa", "mr", "ka", "xx", "")
    assert [script_of(name) for name in asked] == [
        "cyrillic",
        "latin",
        "greek",
        "",
        "ar",
        "hi",
        "ka",
        "latin",
        "latin",
    ]
    assert [default_language(name) for name in ("latin", "cyrillic", "ka", "")] == ["en", "ru", "ka", ""]


def test_unknown_languages_share_one_stemming() -> None:
    """Whatever tags a folder makes up, no memory grows with them, and texts and queries in them meet."""
    assert {stem(word, "qq") for word in ("readers", "читатели")} == {
        stem(w, "") for w in ("readers", "читатели")
    }
    assert [stemming(name) for name in ("ru", "uk", "vi", "zh", "ka", "qq", "")] == [
        "ru",
        "uk",
        "vi",
        "zh",
        "ka",
        "",
        "",
    ]


@pytest.mark.parametrize("language", ["en", "de", "ru", "es", "tr", "fi", "hu", "pl", "el", "fr"])
def test_stems_begin_like_their_words(language: str) -> None:
    """Where `keeps_beginnings` says so, the first two letters stay."""
    words = {"ru": "перезагрузками подключениями", "el": "βιβλιοθηκες εγγραφα"}
    assert keeps_beginnings(language)
    for word in words.get(language, "connections unhappily gebrauchten bibliotheken aéreos").split():
        assert stem(word, language)[:2] == word[:2].replace("é", "e")


@pytest.mark.parametrize(
    ("language", "word"), [("ar", "الكتب"), ("id", "membaca"), ("nl", "gewerkt"), ("ga", "bhfuil")]
)
def test_stems_that_lose_their_beginnings(language: str, word: str) -> None:
    """Where a stemmer takes something from the front, that is said."""
    assert stem(word, language)[:2] != word[:2]
    assert not keeps_beginnings(language)
