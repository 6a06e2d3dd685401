"""Decoding: marks, UTF-8, the detector, and what is no text."""

import pytest

from readingroom.library import decode as decoding
from readingroom.library.decode import NotText, decode

RUSSIAN = "Постоянный адрес записи каталога не меняется, когда книгу переставляют.\nЧитателям выдают две книги на дом.\n"
GERMAN = "Die Lesesaalordnung gilt für alle. Bücher dürfen nicht über die Theke gereicht werden; große Bände schon.\n"
JAPANESE = "図書室の利用規則。本は一人三冊まで借りられます。返却日を守ってください。\n"


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
    ],
)
def test_unicode_is_told_by_its_mark_or_by_being_valid(encoding: str, named: str) -> None:
    """With a mark the mark decides, without one valid UTF-8 is UTF-8; the mark is no part of the text."""
    data = RUSSIAN.encode(encoding)
    result = decode(data)
    assert (result.text, result.encoding) == (RUSSIAN, named)
    assert data.decode(result.encoding) == result.text


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-32-be"])
def test_big_endian_marks_are_known(encoding: str) -> None:
    """The mark tells the order of bytes as well."""
    data = ("\ufeff" + RUSSIAN).encode(encoding)
    assert decode(data).text == RUSSIAN
    assert data.decode(decode(data).encoding) == RUSSIAN


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"), (GERMAN, "cp1252"), (JAPANESE, "shift_jis")],
)
def test_other_encodings_are_detected(text: str, encoding: str) -> None:
    """The encodings of old files are found out, and the name that is kept decodes the same bytes again."""
    data = text.encode(encoding)
    result = decode(data)
    assert result.text == text
    assert data.decode(result.encoding) == text


def test_a_declaration_in_the_text_is_heeded() -> None:
    """Where letters alone would not tell, the encoding that HTML declares is taken."""
    data = '<html><head><meta charset="iso-8859-5"></head><body>Лес</body></html>'.encode("iso-8859-5")
    assert decode(data).text.endswith("<body>Лес</body></html>")


def test_long_texts_are_judged_by_their_beginning() -> None:
    """Of a long file the first lines are shown to the detector, cut between lines; the whole must fit all the same."""
    assert decode((JAPANESE * 3_000).encode("shift_jis")).text == JAPANESE * 3_000
    assert (
        decode((GERMAN.replace("\n", " ") * 1_000).encode("cp1252")).text == GERMAN.replace("\n", " ") * 1_000
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\0b", "holds NUL"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "holds NUL"),
        ("a\0b".encode("utf-16"), "holds NUL"),
        ("text".encode("utf-16-le"), "holds NUL"),
        (b"\xef\xbb\xbfcaf\xe9", "mark of UTF-8, which it is not"),
        (b"\xff\xfea\0b", "mark of UTF-16, which it is not"),
        (bytes(range(128, 256)) * 300, "no encoding that is known"),
    ],
)
def test_binary_data_is_no_text(data: bytes, reason: str) -> None:
    """NUL, a broken promise of a mark and bytes that fit nothing are NotText, with the reason."""
    with pytest.raises(NotText, match=reason):
        decode(data)


def test_an_empty_file_is_an_empty_text() -> None:
    """No bytes are no characters, in UTF-8."""
    assert decode(b"") == decoding.Decoded("", "utf-8")


class Guess:
    """A guess as the detector gives them."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding


def test_guesses_are_tried_until_one_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guess that does not decode all of the data is passed over; when none does, it is no text."""
    guesses = [Guess("ascii"), Guess("shift_jis"), Guess("cp1252")]
    monkeypatch.setattr("charset_normalizer.from_bytes", lambda _: guesses)
    monkeypatch.setattr("readingroom.library.guess.guesses", lambda _: [])
    assert decode(b"caf\xe9") == decoding.Decoded("café", "cp1252", guessed=True)
    monkeypatch.setattr("charset_normalizer.from_bytes", lambda _: guesses[:2])
    with pytest.raises(NotText):
        decode(b"caf\xe9")
