"""What is said of words that occur nowhere."""

from pathlib import Path

import pytest

from readingroom.library.search import Index
from readingroom.library.search.hints import distance, near_words
from support.indexes import ask, entry, index_of


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A few words."""
    return index_of(
        tmp_path_factory.mktemp("hints"),
        entry("a.md", "The Kubernetes deployment needs a certificate and a network."),
        entry("b.md", "A network of networks, and another deployment."),
        entry("ru.md", "Регистрация читателей открыта в университете."),
    )


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("kuberntes", "No document has “kuberntes” (near: kubernetes)."),
        ("Kubernetse", "No document has “kubernetse” (near: kubernetes)."),
        ("xubernetes", "No document has “xubernetes” (near: kubernetes)."),
        ("ukbernetes", "No document has “ukbernetes” (near: kubernetes)."),
        ("регистрацыя", "No document has “регистрацыя” (near: регистрация)."),
        (
            "certifikate netwrok",
            "No document has “certifikate” (near: certificate), “netwrok” (near: network, networks).",
        ),
        ("zzzqqq", "No document has “zzzqqq”."),
        ("zz", "No document has “zz”."),
        ("检索", "No document has “检索”."),
        ("q1 q2 q3 q4 q5 q6 q7", "No document has “q1”, “q2”, “q3”, “q4”, “q5”, and 2 more."),
        (
            "deployment path:nowhere",
            "The words occur, but in no document that passes the filters; try without them.",
        ),
        ('"zz qq"', "No document has “zz”, “qq”."),
        ("z" * 60, f"No document has “{'z' * 40}…”."),
    ],
)
def test_empty_answers(index: Index, query: str, hint: str) -> None:
    """The words that occur nowhere are named, with the nearest that do."""
    answer = ask(index, query)
    assert (answer.hits, answer.relaxed, answer.hint) == ((), False, hint)


def test_answers_without_some_of_the_words(index: Index) -> None:
    """Those are named too."""
    answer = ask(index, "deployment of kuberntes zzz*")
    assert answer.relaxed
    assert answer.hint == "No document has “kuberntes” (near: kubernetes), “zzz*”."


def test_words_of_removed_documents_are_never_named(tmp_path: Path) -> None:
    """Though the engine still knows them."""
    index = index_of(tmp_path, entry("a.md", "secretword"), entry("b.md", "something"))
    assert "secretword" in ask(index, "secretwrod").hint
    assert "secretword" in ask(index, "sceretword").hint
    with index.writer(bulk=False) as writer:
        writer.remove("a.md")
        writer.commit()
    index.reload()
    assert ask(index, "secretwrod").hint == "No document has “secretwrod”."
    assert ask(index, "sceretword").hint == "No document has “sceretword”."
    assert ask(index, "secretword").hint == "No document has “secretword”."


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("same", "same", 0),
        ("word", "wrod", 1),
        ("word", "words", 1),
        ("word", "ward", 1),
        ("word", "wo", 2),
        ("word", "other", 3),
        ("abcd", "badc", 2),
        ("ab", "abcdef", 3),
        ("aaaa", "bbbb", 3),
    ],
)
def test_distance(one: str, other: str, slips: int) -> None:
    """Letters more, less, other or swapped; beyond the limit it is one more than that."""
    assert distance(one, other, 2) == distance(other, one, 2) == slips


def test_near_words_of_short_ones(index: Index) -> None:
    """Two letters are near to anything, so to nothing."""
    assert near_words(index.snapshot, "ne", thorough=True) == []
    assert near_words(index.snapshot, "nedes", thorough=True) == ["needs"]


def test_near_words_of_a_compound(tmp_path: Path) -> None:
    """Words that begin with it, where nothing is nearer."""
    index = index_of(tmp_path, entry("a.md", "Die Datenbankverbindungen und der Datenbankname"))
    assert near_words(index.snapshot, "datenbank", thorough=False) == [
        "datenbankname",
        "datenbankverbindungen",
    ]
