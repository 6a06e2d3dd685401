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
    assert refused(b"a\n", ("a", "\ufeffa")).code == "not_text"
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
    with pytest.raises(DraftRefused, match="cannot be written so that they are read"):
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


PARAGRAPH = (
    "The committee met on Thursday and discussed at length the opening hours of the library, which had been matter of some "
    "debate among the members since spring. After a long exchange, it was decided that the reading room would remain open "
    "until five on weekdays, and that the question of weekends would be put to the board at its next meeting in October."
)


@pytest.mark.parametrize(
    ("old", "near"),
    [
        ("the reading room would remain open untill five on weekdays", "remain open until five"),
        ("the  reading room would remain open until five", "remain open until five"),
        ("put to the bord at its next meeting in October", "board at its next meeting in October."),
        ("The comittee met on", "The committee met on"),
        ("untill", "until five"),
    ],
)
def test_a_near_miss_in_a_long_line_is_named_where_it_is(old: str, near: str) -> None:
    """With the text around it, wherever in the line."""
    places = refused(f"# Minutes\n\n{PARAGRAPH}\n".encode(), (old, "x")).candidates
    assert (places[0].line, len(places[0].text)) == (3, 200)
    assert near in places[0].text


def test_the_rare_piece_tells() -> None:
    """Words that every line has say nothing, however many there are."""
    data = "".join(f"line {number} lorem ipsum\n" for number in range(5000)).encode()
    assert refused(data, ("line 2999 lorim ipsum", "x")).candidates[0].text == "line 2999 lorem ipsum"


@pytest.mark.parametrize("old", ["Café", "Café au lait is served daily.", "# Z\n\nCafé"])
def test_characters_put_together_otherwise_are_told(old: str) -> None:
    """For the text looks the same, and copying by eye leads nowhere."""
    error = refused("# Z\n\nCafe\u0301 au lait is served daily.\n".encode(), (old, "x"))
    line = 1 if old.startswith("#") else 3
    assert (error.code, [place.line for place in error.candidates]) == ("edit_not_found", [line])
    assert "Unicode NFC and NFD" in str(error)
    assert "a part of the line without such characters" in error.advice
    assert "NFC" not in str(refused("Cafe\u0301\n".encode(), ("Tée", "x")))


def test_places_in_one_long_line_are_told_apart() -> None:
    """By what stands around each."""
    line = " ".join(["foo bar baz"] * 300) + " needle one " + "x " * 500 + "needle two"
    places = refused(f"# Q\n\n{line}\n".encode(), ("needle", "x")).candidates
    assert [place.line for place in places] == [3, 3]
    assert "needle one" in places[0].text
    assert "needle two" in places[1].text


def test_a_long_line_of_letters_that_grow_is_looked_through() -> None:
    """Where lower case has another length than the text has."""
    error = refused(f"{'İ' * 300} the quick brown fox\n".encode(), ("the quick brwn fox", "x"))
    assert "the quick brown fox" in error.candidates[0].text


def test_edits_put_no_mark_of_byte_order_into_the_text() -> None:
    """Neither as a second one nor by taking away what stands ahead of one; one that is there already is left alone."""
    for data, edit in (
        (b"\xef\xbb\xbf# T\n", ("# T", "\ufeff# U")),
        (b"# T\n", ("# T", "\ufeff# U")),
        ("# T\n\ufeffalpha\n".encode(), ("# T\n", "")),
        ("# T\n\ufeffalpha\n".encode("utf-16"), ("# T\n", "")),
    ):
        error = refused(data, edit)
        assert error.code == "not_text"
        assert "replace" not in f"{error} {error.advice}"
    twice = b"\xef\xbb\xbf\xef\xbb\xbf# T\n"
    assert edited(twice, ("# T", "# U")) == twice.replace(b"T", b"U")


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
