"""Streams of terms, and the memories behind them."""

import pytest

from readingroom.library.search import analysis


def streams(text: str, language: str) -> tuple[str, str]:
    """Both streams of a text."""
    return analysis.streams(analysis.tokens(text), language)


def test_streams_of_words() -> None:
    """Exact words in one stream; stems and the beginnings of long ones in the other."""
    assert streams("Постоянного адреса", "ru") == ("постоянного адреса", "постоя ^посто адрес")


def test_streams_of_runs() -> None:
    """Pairs in the exact stream, single characters in the other."""
    assert streams("数据库", "zh") == ("数据 据库 库", "数 据 库")


def test_beginnings_are_of_letters_only() -> None:
    """Numbers and identifiers have none, nor have stems that are no longer than one."""
    assert [analysis.beginning(word) for word in ("adres", "address", "2026001", "max_count")] == [
        "",
        "^addre",
        "",
        "",
    ]


def test_streams_do_not_depend_on_what_was_seen() -> None:
    """Emptied or full, the memories change nothing."""
    text = "Mixed слова 数据库 and getUserName"
    before = streams(text, "en")
    for number in range(200):
        streams(f"word{number} {number}", "de")
    assert streams(text, "en") == before
    analysis.forget()
    assert streams(text, "en") == before


def test_memories_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many words pass, only so many are kept."""
    monkeypatch.setattr(analysis, "_REMEMBERED", 10)
    kept = analysis._Exact()
    for number in range(100):
        assert kept[f"w{number}q"] == f"w{number}q"
    assert len(kept) <= 10
    assert kept["x" * 30] == "x" * 30
    assert "x" * 30 not in kept


def test_unknown_languages_share_a_memory() -> None:
    """A folder that makes up tags of languages does not make the memories grow."""
    analysis.forget()
    for letter in "abcdefghijk":
        streams("some words", f"q{letter}")
    assert len(analysis._stems) == 1


def test_memories_may_be_emptied_under_a_reader() -> None:
    """A stream that is being made goes on with the memory it began with."""
    begun = analysis._known("de")
    analysis.forget()
    assert begun["Häuser"] == "haus"


def test_stems_are_bounded_over_all_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many words pass in however many languages, only so many are kept, and none is answered otherwise."""
    monkeypatch.setattr(analysis, "_REMEMBERED_STEMS", 20)
    monkeypatch.setattr(analysis, "_COUNTED_EVERY", 1)
    analysis.forget()
    for number in range(100):
        for language in ("de", "ru", "fr"):
            assert streams(f"w{number}q", language)[1] == f"w{number}q"
    assert sum(map(len, analysis._stems.values())) <= 20
    analysis.forget()


@pytest.mark.parametrize("language", ["ru", "el", "he", "hi", "zh", "ka", "ar"])
def test_latin_words_have_one_memory_in_libraries_of_other_scripts(language: str) -> None:
    """What is kept for all of them with English is what each of these languages gives."""
    tokens = ["Deployments", "getUserName", "snake_case", "v31", "CONNECTING", "x" * 130, "c++", "42", "a"]
    analysis.forget()
    for token in tokens:
        assert analysis.terms_of(token, language)[1] == " ".join(analysis.stem_terms(token, language))
    assert not analysis._stems[language]
