"""Answers: what is found, filters, what is said when words are missing, and nothing that fails."""

from pathlib import Path

import pytest

from readingroom.library.search import Index
from support.indexes import ask, entry, index_of, paths, put


@pytest.fixture(scope="module")
def fruit(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A few documents in folders, with tags and languages."""
    return index_of(
        tmp_path_factory.mktemp("fruit"),
        entry("orchard/apples.md", "The apple trees are pruned in winter.", tags=("Trees", "two words")),
        entry("orchard/pears.md", "The pear trees are not pruned, and no apple is near.", tags=("trees",)),
        entry("orchard/old/plums.md", "The plum tree was cut down, says the old gardener."),
        entry("orchards.md", "An overview of apple and pear orchards."),
        entry("ru/сад.md", "Яблони в этом саду обрезают зимой, а груши не обрезают."),
        entry("de/garten.md", "Die Bäume werden im Winter geschnitten, und der Apfel ist reif."),
        entry("café/été.md", "Le jardin est ouvert en été et les pommes sont mûres."),
    )


def test_all_words_are_not_required(fruit: Index) -> None:
    """The best come first; the answer says when no passage has all the words."""
    both = ask(fruit, "apple pruned")
    assert both.hits[0].path == "orchard/apples.md"
    assert not both.relaxed
    apart = ask(fruit, "apple gardener")
    assert {"orchard/apples.md", "orchard/old/plums.md"} <= {hit.path for hit in apart.hits}
    assert apart.relaxed
    assert apart.hint == ""


def test_words_of_grammar_are_never_missed(fruit: Index) -> None:
    """A question is not relaxed for want of its question words."""
    assert not ask(fruit, "which of these apple trees are pruned during winter?", language="en").relaxed


def test_a_phrase_alone_must_be_there(fruit: Index) -> None:
    """Only passages that have it; if none has, its words are looked for and the answer says so."""
    assert paths(fruit, '"pear trees"') == ["orchard/pears.md"]
    loose = ask(fruit, '"trees pear"')
    assert loose.hits[0].path == "orchard/pears.md"
    assert loose.relaxed
    assert loose.hint == "No passage has “trees pear” as written; these have its words."


def test_a_phrase_among_words_comes_first(fruit: Index) -> None:
    """It does not shut out the other passages."""
    found = paths(fruit, 'apple "old gardener"')
    assert found[0] == "orchard/old/plums.md"
    assert "orchard/apples.md" in found


def test_a_phrase_of_one_word_is_that_word_as_it_stands(fruit: Index) -> None:
    """Other forms of it are not meant."""
    assert paths(fruit, '"orchards"') == ["orchards.md"]
    assert paths(fruit, '"pruned"') == ["orchard/apples.md", "orchard/pears.md"]


def test_shut_out(fruit: Index) -> None:
    """Words, phrases and prefixes after a minus."""
    assert "orchard/pears.md" not in paths(fruit, "apple -pear")
    assert paths(fruit, 'trees -"pear trees"') == ["orchard/apples.md", "orchard/old/plums.md"]
    assert paths(fruit, "tree -pru*") == ["orchard/old/plums.md"]


def test_shutting_out_a_name_leaves_its_parts(tmp_path: Path) -> None:
    """Only passages with the name as a whole are shut out."""
    index = index_of(tmp_path, entry("name.md", "apple max_count"), entry("parts.md", "apple max of a count"))
    assert paths(index, "apple -max_count") == ["parts.md"]
    assert paths(index, "apple -max-count") == ["parts.md"]


def test_only_so_many_prefixes(fruit: Index) -> None:
    """The others are words, for each costs a walk through the words of the library."""
    answer = ask(fruit, " ".join(f"{letter}q*" for letter in "abcdefghijklmnopqrstuvwxyz"))
    assert (len(answer.wanted.prefixes), len(answer.wanted.words)) == (8, 18)


def test_prefixes(fruit: Index) -> None:
    """Any word with that beginning, and none with another."""
    assert paths(fruit, "orch*") == ["orchards.md"]
    assert sorted(paths(fruit, "p*")) == sorted(paths(fruit, "pear pruned plum pommes"))
    assert ask(fruit, "zzz*").hint == "No document has “zzz*”."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("apple path:orchard", ["orchard/apples.md", "orchard/pears.md"]),
        ("apple path:orchard/apples.md", ["orchard/apples.md"]),
        ("apple path:./orchard/", ["orchard/apples.md", "orchard/pears.md"]),
        ("tree path:orchard/old path:orchard/apples.md", ["orchard/apples.md", "orchard/old/plums.md"]),
        ("apple -path:orchard", ["orchards.md"]),
        ("apple path:orch", []),
        ("apple tag:trees -path:orchard/pears.md", ["orchard/apples.md"]),
        ("apple tag:TREES tag:'two", []),
        ('apple tag:trees tag:"Two Words"', ["orchard/apples.md"]),
        ("apple -tag:trees", ["orchards.md"]),
        ("lang:de", ["de/garten.md"]),
        ("lang:de-AT lang:ru", ["de/garten.md", "ru/сад.md"]),
        ("-lang:en path:/ -lang:fr", ["de/garten.md", "ru/сад.md"]),
        ("lang:zz", []),
        ("path:café", ["café/été.md"]),
        ('path:"cafe\u0301/e\u0301te\u0301.md"', ["café/été.md"]),
        ("-path:.", []),
    ],
)
def test_filters(fruit: Index, query: str, found: list[str]) -> None:
    """Folders, documents, tags (all of them) and languages, each also shut out."""
    assert sorted(paths(fruit, query)) == found


def test_arguments_filter_like_the_query(fruit: Index) -> None:
    """Both together narrow; a path may be a folder or a document."""
    assert paths(fruit, "apple", path="orchard") == paths(fruit, "apple path:orchard")
    assert paths(fruit, "apple", path="orchard/apples.md") == ["orchard/apples.md"]
    assert paths(fruit, "apple", tags=("Trees", "two words")) == ["orchard/apples.md"]
    assert paths(fruit, "apple path:orchard", path="orchards.md") == []
    assert paths(fruit, "apple", path="/") == paths(fruit, "apple")


def test_a_filter_never_loses_a_hit(tmp_path: Path) -> None:
    """What passes it is found however many better passages do not."""
    crowd = [entry(f"crowd/{number}.md", "apple " * 20) for number in range(300)]
    index = index_of(tmp_path, *crowd, entry("far.md", "an apple " + "and other words " * 50, tags=("x",)))
    assert paths(index, "apple tag:x") == paths(index, "apple", path="far.md") == ["far.md"]


def test_the_language_of_a_query_filters_nothing(fruit: Index) -> None:
    """It only tells how its words are stemmed."""
    assert "ru/сад.md" in paths(fruit, "яблоня", language="en")
    assert paths(fruit, "Apfel Bäumen", language="de-AT")[0] == "de/garten.md"


def test_words_of_two_languages_in_one_query(fruit: Index) -> None:
    """Each is looked for in the language that has it."""
    found = paths(fruit, "pruning Bäumen яблоням")
    assert {"orchard/apples.md", "de/garten.md", "ru/сад.md"} <= set(found)


def test_only_filters_list_what_passes_them(fruit: Index) -> None:
    """In order of path and line."""
    assert paths(fruit, "path:orchard") == ["orchard/apples.md", "orchard/old/plums.md", "orchard/pears.md"]
    assert paths(fruit, "-apple tag:trees") == []
    assert ask(fruit, "", path="nowhere").hint == "No document passes these filters."


@pytest.mark.parametrize("query", ["", "…", "---", '"', "\0", "*"])
def test_a_query_without_words(fruit: Index, query: str) -> None:
    """Finds nothing and says so."""
    answer = ask(fruit, query)
    assert (answer.hits, answer.more, answer.hint) == ((), False, "The query has no word to search for.")


def test_only_words_of_grammar_are_words(fruit: Index) -> None:
    """Where there is nothing else, they are what is asked for."""
    assert "orchard/apples.md" in paths(fruit, "the in")
    assert not ask(fruit, "the in").relaxed


@pytest.mark.parametrize(
    "query",
    [
        "C++ --error-on-warnings POL-358 'IT-644 cacheability' HTTP/2 snake_case a/b.md \"open",
        "~!@#$%^&*()_+`-={}|[]\\:\";'<>?,./",
        "AND OR NOT ( ) [a TO b] apple^2 apple~ +apple title:apple",
        "a" * 2000,
        "ab " * 660,
        "字" * 2000,
        "\u0301\u200d\ufe0f 🚀 👩‍👩‍👧 \ud7ff \uffff \U0010ffff",
        "x*" * 900,
        " ".join(f"{letter}*" for letter in "abcdefghijklmnopqrstuvwxyz"),
        "-a -b -c \t\r\n\v\f\x85\u2028",
        "-" + "ab" * 900,
        '"' + "apple " * 300 + '"',
        "path:" + "a/" * 900,
        '"apple \u00ad" -"\u00ad" \u00ad*',
    ],
)
def test_nothing_fails(fruit: Index, query: str) -> None:
    """Whatever is asked is answered."""
    ask(fruit, query)
    ask(fruit, query, path=query, tags=(query,), language=query[:40])


def test_a_name_written_as_one_comes_first(tmp_path: Path) -> None:
    """Its parts apart, however often, are worth less than the name."""
    index = index_of(
        tmp_path,
        entry("apart.md", "it it it has 644 and 644 cacheability cacheability"),
        entry(
            "name.md", "Ticket IT-644 is about cacheability, and a long text follows that has other words."
        ),
    )
    assert paths(index, "IT-644 cacheability")[0] == "name.md"


def test_the_same_question_has_the_same_answer(tmp_path: Path) -> None:
    """Whatever was asked before."""
    index = index_of(tmp_path, *(entry(f"{n}.md", f"apple {'pear ' * (n % 3)}") for n in range(40)))
    first = ask(index, "apple pear", limit=20)
    ask(index, "other")
    assert ask(index, "apple pear", limit=20) == first


def test_an_index_knows_only_its_own_words(tmp_path: Path) -> None:
    """Hints, prefixes and languages of one index tell nothing of another in the same process."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = index_of(tmp_path / "a", entry("a.md", "secretword and other words of the reading room"))
    other = index_of(tmp_path / "b", entry("a.md", "words of the reading room"))
    assert "secretword" in ask(one, "secretwrod").hint
    assert "secretword" not in ask(other, "secretwrod").hint
    put(one, [entry("a.md", "words of the reading room")])
    for query in ("secretwrod", "secr*", "secretword", "the secretword"):
        assert ask(one, query) == ask(other, query)


@pytest.mark.parametrize("query", ["interlibrary records", "缓存 records"])
def test_what_only_moves_passages_up_finds_none(tmp_path: Path, query: str) -> None:
    """A passage that has none of the words, but begins like one or shares a character with it, is no answer."""
    index = index_of(
        tmp_path,
        entry("asked.md", "The records of the interlibrary office. 缓存"),
        entry("alike.md", "The interface of internal programs. 保存"),
    )
    assert [hit.path for hit in ask(index, query).hits] == ["asked.md"]
