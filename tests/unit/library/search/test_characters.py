"""Tokens, runs of scripts without spaces, normal form and folding."""

import pytest

from readingroom.library.search import characters


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("HTTP/2, (C++) & C#!", ["HTTP", "2", "C++", "C#"]),
        ("page.html#anchor", ["page", "html", "anchor"]),
        ("हिन्दी की", ["हिन्दी", "की"]),
        ("Daten\u00adbank", ["Daten\u00adbank"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("数据库API 接口", ["数据库API", "接口"]),
        ("snake_case — dash", ["snake_case", "dash"]),
        ("\0\n…", []),
        ("so👍🏽, 👩‍👩‍👧 ❤️→✓", ["so", "👍", "👩", "\u200d", "👩", "\u200d", "👧", "❤", "\ufe0f", "✓"]),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    """A token is word characters with their marks, and the signs of C++ and C# at its end; or one picture."""
    assert characters.tokens_of(text) == tokens


@pytest.mark.parametrize(
    ("token", "pieces"),
    [
        ("plain", ["plain"]),
        ("使用API接口", ["使用", "API", "接口"]),
        ("v2版", ["v2", "版"]),
        ("ếch", ["ếch"]),
    ],
)
def test_pieces(token: str, pieces: list[str]) -> None:
    """A token is cut where a script without spaces begins or ends, and nowhere else."""
    assert characters.pieces(token) == pieces


@pytest.mark.parametrize(
    ("piece", "run"),
    [
        ("数", True),
        ("ก", True),
        ("한", True),
        ("カ", True),
        ("a", False),
        ("ế", False),
        ("ქ", False),
        ("", False),
    ],
)
def test_is_run(piece: str, run: bool) -> None:
    """Han, Kana, Hangul and Thai are runs; Latin beyond Thai's code points and Georgian are not."""
    assert characters.is_run(piece) is run


def test_has_run() -> None:
    """One character is enough, wherever it stands."""
    assert characters.has_run("abc 字")
    assert not characters.has_run("abc де")


def test_clusters_keep_marks() -> None:
    """A mark stays with the character it stands on."""
    assert characters.clusters("น้ำ") == ["น้", "ำ"]
    assert characters.clusters("数据") == ["数", "据"]


def test_normal_drops_what_only_joins() -> None:
    """Joiners, soft hyphens and variation selectors say nothing; widths and ligatures are one."""
    assert characters.normal("Da\u00adten") == "Daten"
    assert characters.normal("می‌خواهم") == "میخواهم"
    assert characters.normal("ＡＢﬃ①") == "ABffi1"
    assert characters.normal("❤\ufe0f") == "❤"


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("Ёж", "еж"),
        ("йод", "йод"),
        ("їжак", "їжак"),
        ("Crème", "creme"),
        ("Größe", "grosse"),
        ("Łódź", "lodz"),
        ("øre", "ore"),
        ("İstanbul", "istanbul"),
        ("ışık", "isik"),
        ("Έγγραφα", "εγγραφα"),
        ("الكُتُب", "الكتب"),
        ("إلى", "الي"),
        ("हिन्दी", "हिन्दी"),
        ("plain", "plain"),
    ],
)
def test_folding(word: str, folded: str) -> None:
    """Accents of Latin and Greek, ё, and Arabic vowel signs do not matter; letters that differ do."""
    assert characters.folded(characters.lowered(characters.normal(word))) == folded


@pytest.mark.parametrize(
    "text", ["ｶﾞﾗｽの本", "น้ำ ตก", "カ\u3099ラス", "\u1112\u1161\u11ab글 말", "plain 字", "豈"]
)
def test_normal_runs_lead_back(text: str) -> None:
    """Every character of the normal form comes from a place in the text, in order, and the ends meet."""
    plain, back = characters.normal_runs(text)
    if not back:
        assert plain == text
        return
    assert len(back) == len(plain)
    assert back == sorted(back)
    assert back[0] == 0
    assert back[-1] == len(text) - 1
    assert characters.normal(plain) == characters.normal(text)
