"""Edits on original bytes: what is matched, what is written, what is refused with which places."""

import pytest

from readingroom.library.decode import NotText
from readingroom.library.drafts import splices
from readingroom.library.drafts.splices import spliced
from readingroom.library.errors import DraftRefused
from readingroom.library.ledger import Edit

RUSSIAN = "Привет, мир, это письмо с вложением и ответом на вопрос\n"


def edited(data: bytes, *edits: tuple[str, str]) -> bytes:
    """The bytes after the edits."""
    return spliced(data, [Edit(old, new) for old, new in edits])


def refused(data: bytes, *edits: tuple[str, str]) -> DraftRefused:
    """The refusal of the edits."""
    with pytest.raises(DraftRefused) as caught:
        edited(data, *edits)
    return caught.value


def test_every_edit_is_made_against_the_text_before() -> None:
    """In any order, also where they touch."""
    assert edited(b"one two three", ("three", "one"), ("one ", "two "), ("two", "three")) == b"two three one"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("written", ["\n", "\r\n", "\r"])
def test_line_ends_are_the_documents(end: str, written: str) -> None:
    """Whichever an app writes, they meet those of the document, and are written as those."""
    data = f"a{end}b{end}c{end}".encode()
    expected = f"x{end}y{end}z{end}c{end}d{end}".encode()
    assert (
        edited(data, (f"a{written}b", f"x{written}y{written}z"), (f"c{written}", f"c{written}d{written}"))
        == expected
    )


def test_mixed_line_ends_stay_where_they_were() -> None:
    """One after the other; what is added has the one beside it."""
    assert edited(b"a\nb\r\nc\rd", ("a\nb\n", "x\ny\nz\n")) == b"x\ny\r\nz\r\nc\rd"
    assert edited(b"a\r\nb\rc", ("c", "c\nd\n")) == b"a\r\nb\rc\rd\r"
    assert edited(b"a\rb\r\nc", ("c", "c\nd")) == b"a\rb\r\nc\r\nd"
    assert edited(b"a\rb\nc\r", ("b", "b\nx")) == b"a\rb\nx\nc\r"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
def test_the_encoding_and_its_mark_stay(encoding: str) -> None:
    """Every character is written in them."""
    assert edited("äö\n".encode(encoding), ("ö", "€😀")) == "ä€😀\n".encode(encoding)


@pytest.mark.parametrize("order", ["be", "le"])
@pytest.mark.parametrize("bits", ["16", "32"])
def test_the_order_of_bytes_stays(order: str, bits: str) -> None:
    """Whichever the mark tells."""
    codec = f"utf-{bits}-{order}"
    assert edited("\ufeffäö\n".encode(codec), ("ö", "€")) == "\ufeffä€\n".encode(codec)


def test_an_encoding_of_before_unicode_stays() -> None:
    """As long as it has the characters; what it has not is named."""
    assert edited(RUSSIAN.encode("cp1251"), ("мир", "дом")) == RUSSIAN.replace("мир", "дом").encode("cp1251")
    error = refused(RUSSIAN.encode("cp1251"), ("мир", "日"))
    assert error.code == "encoding"
    assert "cp1251, which has no '日' (U+65E5)" in str(error)


def test_what_would_be_read_otherwise_is_refused() -> None:
    """Two line ends that become one, a mark that an edit makes, an encoding that is then guessed to be another one."""
    assert refused(b"a\rb\nc", ("b", "")).code == "encoding"
    assert refused(b"a\n", ("a", "\ufeffa")).code == "encoding"
    assert refused(RUSSIAN.encode("cp1251"), (RUSSIAN, "é")).code == "encoding"


def test_bytes_that_could_be_spelt_otherwise_stay() -> None:
    """No edit names them."""
    text = (
        "これは日本語の文書です。長い文章でなければなりません。そのために、もう少し書いておくことにします。\n"
    )
    data = text.encode("cp932") + b"\x87\x90\n"  # another spelling of what is encoded as 81 E0
    assert edited(data, ("長い", "短い")) == text.replace("長い", "短い").encode("cp932") + b"\x87\x90\n"


def test_where_the_text_does_not_tell_the_bytes_nothing_is_written() -> None:
    """Better none than the wrong ones."""
    base = splices._Base(b"a\n")
    base.data = b"longer than its text\n"
    with pytest.raises(DraftRefused, match="Propose the whole document"):
        splices._joined(base, [])


def test_what_would_be_no_text_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should nobody be able to read it afterwards."""

    def unreadable(_: bytes) -> None:
        raise NotText("no text")

    base = splices._Base(b"a\n")
    monkeypatch.setattr(splices, "decode", unreadable)
    with pytest.raises(DraftRefused, match="cannot be written so that they are read"):
        splices._joined(base, [])


def test_bytes_that_are_no_text_are_not_edited() -> None:
    """Nobody was shown them either."""
    with pytest.raises(NotText):
        edited(b"a\x00b", ("a", "b"))


def test_an_ambiguous_edit_names_the_places() -> None:
    """With line, text and number of the edit; overlapping ones count."""
    error = refused(b"x\none\r\ntwo\r\none more\r\n", ("x", "y"), ("one", "1"))
    assert error.code == "edit_ambiguous"
    assert [(place.line, place.text, place.edit) for place in error.candidates] == [
        (2, "one", 2),
        (4, "one more", 2),
    ]
    assert refused(b"aaa", ("aa", "b")).code == "edit_ambiguous"


def test_places_are_named_up_to_a_bound() -> None:
    """And counted up to another one."""
    error = refused(b"one\n" * 30, ("one", "1"))
    assert len(error.candidates) == splices.CANDIDATES
    assert "occurs 30 times in the document; the places are named, the first 20" in str(error)
    assert "more than 1,000 times" in str(refused(b"one\n" * 3000, ("one", "1")))
    assert len(refused(b"x" * 999, ("x", "y")).candidates[0].text) == 200


def test_an_edit_that_is_not_found_names_the_nearest_lines() -> None:
    """The likest first; of nothing like it, none."""
    data = b"# Title\n\nThe quick brown fox\nThe quick red fox jumps\nnothing\n"
    error = refused(data, ("# Title\n\nThe quick brwn fox jumps", "x"))
    assert error.code == "edit_not_found"
    assert [place.line for place in error.candidates][:2] == [4, 3]
    assert {place.edit for place in error.candidates} == {1}
    assert refused(data, ("unheard of", "x")).candidates == ()
    assert refused(data, ("\n\n\n", "x")).candidates == ()


def test_nearest_lines_of_scripts_without_blanks_and_of_signs() -> None:
    """By pairs of characters, and by signs where there is nothing else."""
    data = "第一章\n永久地址的文件\n|---|---|\n".encode()
    assert refused(data, ("永久地址之文件", "x")).candidates[0].line == 2
    assert refused(data, ("|---|---|---|", "x")).candidates[0].line == 3


def test_edits_that_touch_the_same_place_are_refused() -> None:
    """Both are named; side by side is no overlap."""
    error = refused(b"alpha beta gamma", ("beta gamma", "y"), ("alpha beta", "x"))
    assert error.code == "edit_overlaps"
    assert sorted(place.edit for place in error.candidates) == [1, 2]
    assert refused(b"one two", ("one", "1"), ("one", "1")).code == "edit_overlaps"


@pytest.mark.parametrize("edit", [("", "x"), ("a\0", "x"), ("a", "\0"), ("\ud800", "x"), ("a", "\udfff")])
def test_what_no_document_holds_is_refused(edit: tuple[str, str]) -> None:
    """An empty `old` is nowhere and everywhere."""
    assert refused(b"a\n", edit).code == ("not_text" if edit[0] else "bad_argument")
