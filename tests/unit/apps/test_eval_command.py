"""`readingroom eval` over a real folder."""

import io
import json
from pathlib import Path

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.running import run
from support.shelves import Shelves

from .streams import console, written

TABLE = "query\tpath\tlanguage\nfour weeks\trules.md\ten\ngiraffe\trules.md\ten\nкнига\tru.md\tru\nweeks\tru.md\tru\n"


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """Two documents in two languages, and a table of four questions."""
    shelves = Shelves(tmp_path)
    shelves.document("rules.md", "# Rules\n\nA book is lent for four weeks.\n")
    shelves.document("ru.md", "# Правила\n\nКниги выдаются на четыре недели.\n")
    (tmp_path / "queries.tsv").write_text(TABLE, "utf-8")
    return shelves


def ran(shelves: Shelves, *arguments: str, table: str = "", code: int = 0) -> tuple[str, str]:
    """Run the command over the folder, and give what it wrote to stdout and stderr."""
    at = console()
    name = table or str(shelves.docs.parent / "queries.tsv")
    assert run(["eval", str(shelves.docs), name, *arguments, "--cache", str(shelves.cache)], at) == code
    return written(at.out), written(at.err)


def test_figures_by_language_and_over_all(shelves: Shelves) -> None:
    """One of two English questions finds its document, and one of the Russian ones."""
    lines = ran(shelves)[0].splitlines()
    assert lines[0].split() == ["queries", "nDCG@10", "MRR", "recall@10", "right", "first", "no", "hit"]
    assert [line.split()[:3] for line in lines[1:4]] == [
        ["en", "2", "0.500"],
        ["ru", "2", "0.500"],
        ["all", "4", "0.500"],
    ]
    assert lines[3].split()[-2:] == ["2", "1"]
    assert "A query took" in lines[5]


def test_misses_name_the_question_and_what_came_first(shelves: Shelves) -> None:
    """Also that nothing came."""
    told = ran(shelves, "--misses")[0]
    assert "2 questions have no right document first:" in told
    assert "  giraffe\n      rules.md: not found; first came nothing" in told
    assert "  weeks\n      ru.md: not found; first came rules.md" in told


def test_no_misses(shelves: Shelves, tmp_path: Path) -> None:
    """Are told, too; a single language has no line of its own."""
    (tmp_path / "one.tsv").write_text("query\tpath\nfour weeks\trules.md\n", "utf-8")
    told = ran(shelves, "--misses", table=str(tmp_path / "one.tsv"))[0]
    assert "Every question has a right document first." in told
    assert told.count("\nall ") == 1
    assert "none" not in told


def test_as_json(shelves: Shelves) -> None:
    """The same figures for a program, with what was found for each miss."""
    found = json.loads(ran(shelves, "--json", "--tell-language")[0])
    assert set(found["groups"]) == {"en", "ru", "all"}
    assert found["groups"]["all"]["ndcg"] == 0.5
    assert found["misses"][0] == {"query": "giraffe", "right": ["rules.md"], "rank": None, "found": []}
    assert found["unknown"] == []


def test_a_bar_decides_the_exit_code(shelves: Shelves) -> None:
    """Reached or not."""
    ran(shelves, "--at-least", "0.5")
    ran(shelves, "--at-least", "0.51", code=1)
    with pytest.raises(UsageFault, match="from 0 to 1"):
        ran(shelves, "--at-least", "90")


def test_an_answer_that_is_no_document_is_named(shelves: Shelves, tmp_path: Path) -> None:
    """Or one that the role does not see: on stderr, and it counts as missed."""
    shelves.document("staff.md", "# Staff\n", visibility="internal")
    (tmp_path / "one.tsv").write_text("query\tpath\nstaff\tstaff.md\nweeks\tnone.md\n", "utf-8")
    told = ran(shelves, table=str(tmp_path / "one.tsv"))[1]
    assert told.splitlines() == [
        "no such document for the reader: none.md",
        "no such document for the reader: staff.md",
    ]


def test_a_table_on_stdin(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """With - in place of a name."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    assert "all" in ran(shelves, table="-")[0]


def test_a_table_that_cannot_be_read(shelves: Shelves, tmp_path: Path) -> None:
    """Is not there, or is no UTF-8."""
    with pytest.raises(UsageFault, match="cannot be read"):
        ran(shelves, table=str(tmp_path / "none.tsv"))
    (tmp_path / "old.tsv").write_bytes("query\tpath\né\ta".encode("latin-1"))
    with pytest.raises(UsageFault, match="not UTF-8"):
        ran(shelves, table=str(tmp_path / "old.tsv"))
