"""What users of other servers over notes and documents report of searching, asked here: each question finds its document.

A library of short documents in many scripts; every question goes through the tool, as an app asks it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.desks import Desk, desk_over
from support.shelves import Shelves

TEXTS = {
    "zh.md": "# 报告\n\n招商银行股份有限公司发布了年度报告。\n",
    "zh-2.md": "# 公司\n\n这家公司招商引资。\n",
    "ja.md": "# 日記\n\n東京都庁の展望台に行きました。\n",
    "ko.md": "# 기록\n\n도서관에서 책을 빌렸습니다.\n",
    "ru.md": "# Заметка\n\nПри миграциях данных сервис kubernetes останавливается на ночь.\n",
    "el.md": "# Σημείωση\n\nΗ βιβλιοθήκη ανοίγει το πρωί.\n",
    "he.md": "# פתק\n\nהספרייה נפתחת בבוקר.\n",
    "ar.md": "# ملاحظة\n\nتفتح المكتبة أبوابها صباحا.\n",
    "fa.md": "# یادداشت\n\nکتابخانه صبح باز می‌شود.\n",
    "hi.md": "# टिप्पणी\n\nपुस्तकालय सुबह खुलता है।\n",
    "th.md": "# บันทึก\n\nห้องสมุดเปิดตอนเช้า\n",
    "ka.md": "# ჩანაწერი\n\nბიბლიოთეკა დილით იხსნება.\n",
    "hy.md": "# Նշում\n\nԳրադարանը բացվում է առավոտյան։\n",
    "vi.md": "# Ghi chú\n\nThư viện mở cửa vào buổi sáng.\n",
    "pictures.md": "# Zoo\n\nThe 🐘 sleeps👍🏽, says the 👩‍👩‍👧. ❤️ it.\n",
    "flags.md": "# Options\n\nThe build ends early with --error-on-warnings and C++ alone.\n",
    "tickets.md": "# Tickets\n\nPOL-358 is about fines.\n",
    "note.md": "# Notes of IT\n\nSee IT-644: the cacheability of answers was agreed on.\n",
    "protocols.md": "# Protocols\n\nHTTP/2 is spoken; v1.2.3-beta reads snake_case names of src/app/main.py.\n",
    "hours.md": "# Opening hours\n\nOn Sundays the reading room is closed, but the return slot can be used.\n",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A reader's desk over them."""
    shelves = Shelves(tmp_path_factory.mktemp("reported"))
    for path, text in TEXTS.items():
        shelves.document(path, text)
    shelves.document("tagged.md", "# Tagged\n\nSee [[日記]].\n", tags="[日記, Ünïcode]")
    with shelves.scanned() as library:
        yield desk_over(library, "reader")


def asked(desk: Desk, query: str, **arguments: Any) -> dict[str, Any]:
    """The structure of an answer, which is never an error."""
    result = desk.tool("library_search", query=query, **arguments)
    assert not result.get("isError"), result
    answer: dict[str, Any] = result["structuredContent"]
    return answer


def paths(answer: dict[str, Any]) -> list[str]:
    """Where its hits stand."""
    return [hit["path"] for hit in answer["items"]]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("商银", "zh.md"),
        ("年度报", "zh.md"),
        ("京都庁", "ja.md"),
        ("도서관", "ko.md"),
        ("миграция", "ru.md"),
        ("kubernetes", "ru.md"),
        ("βιβλιοθηκη", "el.md"),
        ("הספרייה", "he.md"),
        ("المكتبة", "ar.md"),
        ("کتابخانه", "fa.md"),
        ("पुस्तकालय", "hi.md"),
        ("สมุด", "th.md"),
        ("ბიბლიოთეკა", "ka.md"),
        ("Գրադարանը", "hy.md"),
        ("thư viện", "vi.md"),
        ("🐘", "pictures.md"),
        ("👍", "pictures.md"),
        ("👧", "pictures.md"),
    ],
)
def test_one_word_of_any_script_is_found(desk: Desk, query: str, path: str) -> None:
    """Part of a text without spaces, another form of a word, a word of another script in the line, without its accents."""
    assert paths(asked(desk, query))[:1] == [path]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("--error-on-warnings", "flags.md"),
        ('"--error-on-warnings"', "flags.md"),
        ("C++", "flags.md"),
        ("POL-358", "tickets.md"),
        ("IT-644 cacheability", "note.md"),
        ("HTTP/2", "protocols.md"),
        ("v1.2.3-beta", "protocols.md"),
        ("snake_case", "protocols.md"),
        ("src/app/main.py", "protocols.md"),
        ('"reading room', "hours.md"),
        ("what's the return slot?", "hours.md"),
        ("hours AND (closed OR open) NEAR/3 NOT *", "hours.md"),
    ],
)
def test_punctuation_is_no_syntax_and_no_error(desk: Desk, query: str, path: str) -> None:
    """Options, tickets, versions, names, paths, and what looks like another engine's language."""
    assert paths(asked(desk, query))[:1] == [path]


def test_a_sentence_finds_what_its_words_find(desk: Desk) -> None:
    """A question as people and models ask; that not all words are there is said."""
    answer = asked(
        desk, "Could you please tell me whether the reading room is closed on weekends such as Sundays?"
    )
    assert paths(answer)[0] == "hours.md"
    assert answer["relaxed"] is True


def test_an_empty_answer_says_what_to_try(desk: Desk) -> None:
    """Which words are nowhere, and what is near to them."""
    answer = asked(desk, "cachability zzyzx")
    assert paths(answer) == []
    assert "cacheability" in answer["hint"]
    assert "zzyzx" in answer["hint"]


def test_words_phrases_and_exclusions_of_chinese(desk: Desk) -> None:
    """Two words find both documents, a phrase and an exclusion the right one."""
    assert set(paths(asked(desk, "招商 公司"))) == {"zh.md", "zh-2.md"}
    assert paths(asked(desk, '"招商银行"')) == ["zh.md"]
    assert paths(asked(desk, "公司 -年度")) == ["zh-2.md"]


def test_tags_and_names_of_any_script(desk: Desk) -> None:
    """A tag filters, and a wiki link leads to its document."""
    assert paths(asked(desk, "tag:日記")) == ["tagged.md"]
    assert paths(asked(desk, "tag:ünïcode")) == ["tagged.md"]
    links = desk.tool("library_links", path="tagged.md")["structuredContent"]
    assert [(link["uri"], link["state"]) for link in links["outgoing"]] == [("library:///ja.md", "found")]


def test_a_filter_takes_nothing_away_that_belongs_there(desk: Desk) -> None:
    """Whoever names a place finds there what was found without it, however many better hits are elsewhere."""
    for hit in asked(desk, "the library opens in the morning notes", limit=50)["items"]:
        assert hit["path"] in paths(asked(desk, "the library opens in the morning notes", path=hit["path"]))


def test_a_hit_has_no_score(desk: Desk) -> None:
    """Nor a percentage: neither means anything to who reads it."""
    hit = asked(desk, "POL-358")["items"][0]
    assert set(hit) <= {"uri", "title", "path", "section", "lines", "text", "highlights", "revision", "also"}


def test_every_answer_says_how_fresh_it_is(desk: Desk) -> None:
    """Also one without hits, and a list."""
    for answer in (
        asked(desk, "POL-358"),
        asked(desk, "zzyzx"),
        desk.tool("library_list")["structuredContent"],
    ):
        assert answer["reconciled"].startswith("20")


def test_a_small_answer_says_that_it_was_cut(tmp_path: Path) -> None:
    """Many long passages share one budget; there is more behind the cursor."""
    shelves = Shelves(tmp_path)
    for number in range(60):
        shelves.document(f"{number:02}.md", f"# Apple {number}\n\n" + f"apple word{number} pear\n" * 150)
    with shelves.scanned() as library:
        result = desk_over(library, "reader").tool("library_search", query="apple")
    assert len(result["content"][0]["text"]) < 12_000
    assert result["structuredContent"]["cursor"]


@pytest.mark.parametrize(
    "tool", ["library_search", "library_read", "library_list", "library_links", "library_outline"]
)
def test_an_argument_that_is_not_known_is_refused(desk: Desk, tool: str) -> None:
    """By its name: what is left unread would be answered with something else than was asked for."""
    given = {"library_search": {"query": "x"}, "library_list": {}}.get(tool, {"path": "zh.md"})
    answer = desk.ask("tools/call", name=tool, arguments={**given, "vault": "work"})
    told = str(answer.get("error") or answer["result"])
    assert "vault" in told
    assert "error" in answer or answer["result"]["isError"]
