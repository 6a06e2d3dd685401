"""What the words of an index tell."""

from pathlib import Path

import pytest

from readingroom.library.search import Index
from readingroom.library.search.words import query_language, with_prefix, word_language
from support.indexes import ask, entry, index_of, put

ENGLISH = "The reading room is open on every day of the week, and visitors may use the tables by the window."
GERMAN = "Der Lesesaal ist jeden Tag geöffnet, und die Besucher arbeiten an den Tischen bei den Häusern."
SPANISH = (
    "La sala de lectura está abierta todos los días y los visitantes pueden trabajar junto a la ventana."
)
RUSSIAN = "Читальный зал открыт каждый день, и посетители могут работать за столами у окна."
UKRAINIAN = "Читальна зала відкрита щодня, і відвідувачі можуть працювати за столами, що стоять біля вікна."


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A library in several languages."""
    texts = {
        "en": ENGLISH,
        "de": GERMAN,
        "es": SPANISH,
        "ru": RUSSIAN,
        "uk": UKRAINIAN,
        "zh": "阅览室每天开放。",
    }
    documents = [entry(f"{language}{n}.md", text) for language, text in texts.items() for n in range(3)]
    return index_of(tmp_path_factory.mktemp("words"), *documents)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("when is the reading room open", "en"),
        ("wann ist der lesesaal geöffnet", "de"),
        ("häuser besuchern", "de"),
        ("ventanas", "es"),
        ("когда открыт читальный зал", "ru"),
        ("вікно відвідувача", "uk"),
        ("阅览室 api", "zh"),
        ("kubernetes", "en"),
        ("привет", "ru"),
        ("αναγνωστήριο", "el"),
        ("ქართული", "ka"),
        ("2026", ""),
    ],
)
def test_query_language(index: Index, words: str, language: str) -> None:
    """The script, then the library's own words and those of grammar; English and Russian where nothing tells."""
    assert query_language(index.snapshot, words.split(), "") == language


def test_a_given_language_decides(index: Index) -> None:
    """Whoever asks knows best."""
    assert query_language(index.snapshot, ["reading"], "es") == "es"


def test_the_only_language_of_a_script_is_the_query_s(tmp_path: Path) -> None:
    """In a library in German alone, words in Latin letters are looked for as German."""
    index = index_of(tmp_path, entry("a.md", GERMAN))
    assert query_language(index.snapshot, ["reading"], "") == "de"
    assert index.snapshot.languages == {"de": 1}


def test_a_word_that_only_another_language_has(index: Index) -> None:
    """It is looked for in that one; a known or an unknown word stays in the query's."""
    assert word_language(index.snapshot, "häusern", "en") == "de"
    assert word_language(index.snapshot, "rooms", "en") == "en"
    assert word_language(index.snapshot, "zzz", "en") == "en"


def test_prefixes_are_of_live_documents(tmp_path: Path) -> None:
    """The commonest first; words of removed documents are gone at once, though the engine still knows them."""
    index = index_of(
        tmp_path, entry("a.md", "apple apricot"), entry("b.md", "apple"), entry("c.md", "apparent apex")
    )
    assert with_prefix(index.snapshot, "ap", 10) == ["apple", "apex", "apparent", "apricot"]
    assert with_prefix(index.snapshot, "ap", 1) == ["apple"]
    with index.writer(bulk=False) as writer:
        writer.remove("c.md")
        writer.commit()
    index.reload()
    assert with_prefix(index.snapshot, "ap", 10) == ["apple", "apricot"]


def test_dead_words_do_not_crowd_out_live_ones(tmp_path: Path) -> None:
    """However many words with a prefix are of removed documents, the live ones are found."""
    index = index_of(tmp_path, entry("keep.md", " ".join(f"other{n}" for n in range(500)) + " apzzz"))
    with index.writer(bulk=False) as writer:
        for number in range(40):
            writer.replace(entry(f"{number}.md", f"ap{number}x ap{number}y"))
        writer.commit()
    with index.writer(bulk=False) as writer:
        for number in range(40):
            writer.remove(f"{number}.md")
        writer.commit()
    index.reload()
    assert with_prefix(index.snapshot, "ap", 5) == ["apzzz"]


def test_more_words_than_are_spelt_out(tmp_path: Path) -> None:
    """A prefix of very many words finds the passages of all of them."""
    index = index_of(tmp_path, *(entry(f"{n:03}.md", f"ap{n:03}x") for n in range(120)))
    assert len(ask(index, "ap*", limit=200).hits) == 120
    put(index, [entry("000.md", "gone")])
    assert len(ask(index, "ap*", limit=200).hits) == 119
