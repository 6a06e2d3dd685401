"""Word documents: headings, lists, tables and notes as text, what is not shown, and what is refused."""

import zipfile

import pytest

from readingroom.library.formats import archive as archives
from readingroom.library.model import Parsed
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules
from support.written import archive, docx, notes, paragraph


def told(data: bytes) -> Parsed:
    """What is said of a Word document."""
    return parse("a/b.docx", "docx", data, Rules())


def text(*body: str) -> str:
    """The text of a document with this body."""
    return told(docx(*body)).text


def test_headings_make_sections() -> None:
    """The title stands above the headings, whose level is told by their styles, whatever these are based on."""
    made = told(
        docx(
            paragraph("The  sea", "Title"),
            paragraph("intro"),
            paragraph("Moon", "Heading1"),
            paragraph("pull"),
            paragraph("Near", "Own"),
            paragraph("Nearer", "Outlined"),
            paragraph("here", "Loop"),
            paragraph("Sun", more='<w:outlineLvl w:val="0"/>'),
        )
    )
    assert made.title == "The sea"
    assert [(heading.level, heading.title) for heading in made.headings] == [
        (1, "The sea"),
        (2, "Moon"),
        (3, "Near"),
        (4, "Nearer"),
        (2, "Sun"),
    ]
    assert made.text.startswith("# The sea\n\nintro\n\n## Moon\n\npull\n\n### Near\n")
    lines = made.text.split("\n")
    for passage in made.passages:
        assert passage.text == "\n".join(lines[passage.first - 1 : passage.last])


def test_without_a_title_the_first_heading_names_it() -> None:
    """Else the file's name does."""
    assert told(docx(paragraph("Moon", "Heading1"))).title == "Moon"
    assert told(docx(paragraph("text"))).title == "b"


def test_lists_are_whole() -> None:
    """Items are told by their numbering or their style, and indented by their level."""
    deeper = '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>'
    assert (
        text(
            paragraph("before"),
            paragraph("one", "Bullet"),
            paragraph("two", more=deeper),
            paragraph("three", more='<w:numPr><w:ilvl w:val="x"/><w:numId w:val="3"/></w:numPr>'),
            paragraph("none", "Bullet", '<w:numPr><w:numId w:val="0"/></w:numPr>'),
        )
        == "before\n\n- one\n  - two\n- three\n\nnone\n"
    )


def test_tables_are_rows_of_cells() -> None:
    """A table within a cell is part of that cell."""
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('x')}</w:tc><w:tc>{paragraph('y')}</w:tc></w:tr></w:tbl>"
    table = (
        f"<w:tbl><w:tr><w:tc>{paragraph('a|b')}{paragraph('c')}</w:tc><w:tc>{inner}</w:tc></w:tr>"
        f"<w:tr><w:tc>{paragraph('d')}</w:tc><w:tc/></w:tr></w:tbl>"
    )
    assert text(paragraph("one", "Bullet"), table, paragraph("after")) == (
        "- one\n\n| a\\|b c | x \\| y |\n| d |  |\n\nafter\n"
    )


def test_notes_are_sections_of_their_own() -> None:
    """Each is marked where it is referred to; the line above Word's notes is none."""
    refers = (
        '<w:p><w:r><w:t>said</w:t><w:footnoteReference w:id="1"/><w:endnoteReference w:id="1"/></w:r></w:p>'
    )
    parts: dict[str, str | bytes] = {
        "word/footnotes.xml": notes("footnotes", paragraph("below")),
        "word/endnotes.xml": notes("endnotes", paragraph("behind")),
    }
    made = told(docx(paragraph("Moon", "Heading1"), refers, parts=parts))
    assert made.text == "# Moon\n\nsaid[^1][^e1]\n\n# Footnotes\n\n[^1] below\n\n# Endnotes\n\n[^e1] behind\n"
    assert told(docx(refers, parts=parts)).title == "b"


def test_what_is_deleted_or_hidden_is_not_told() -> None:
    """Inserted text is, as if all changes were accepted; so is text in boxes, once."""
    body = (
        "<w:p><w:pPr><w:tabs><w:tab/></w:tabs><w:pPrChange><w:pPr><w:pStyle w:val='Heading1'/></w:pPr></w:pPrChange></w:pPr>"
        "<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:r><w:tab/><w:t>a</w:t><w:br/><w:noBreakHyphen/></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t><w:tab/></w:r>"
        "<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>yes</w:t></w:r>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"
        "<w:p><w:r><w:t>outer</w:t><w:pict>" + paragraph("box") + "</w:pict><w:Fallback>" + paragraph("box")
        + "</w:Fallback></w:r></w:p>"
    )  # fmt: skip
    assert text(body) == "new\ta\n\u2011yes\n\nouter\n\nbox\n"


def test_links_are_told_where_they_stand() -> None:
    """Those to addresses outside; a link to a place in the document leads nowhere else."""
    linked = '<w:p><w:hyperlink r:id="x"><w:r><w:t>the {}</w:t></w:r></w:hyperlink></w:p>'
    inner = '<w:p><w:hyperlink w:anchor="x"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>'
    relations = (
        '<Relationships><Relationship Id="x" TargetMode="External" Target="https://a.example/b"/>'
        '<Relationship Id="y" Target="styles.xml"/></Relationships>'
    )
    table = f"<w:tbl><w:tr><w:tc>{linked.format('cell')}</w:tc></w:tr></w:tbl>"
    data = docx(
        linked.format("A"),
        inner,
        table,
        linked.format("B"),
        parts={"word/_rels/document.xml.rels": relations},
    )
    assert [(link.target, link.text, link.line) for link in told(data).links] == [
        ("https://a.example/b", "the A", 1),
        ("https://a.example/b", "the cell", 5),
        ("https://a.example/b", "the B", 7),
    ]


def test_without_styles_there_are_no_headings() -> None:
    """A document may leave out every part but its body."""
    only = {
        "word/document.xml": f"<document><body>{paragraph('a', 'Heading1')}</body></document>".replace(
            "w:", ""
        )
    }
    assert told(archive(dict(only))).text == "a\n"


BOMB = '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><document>&b;</document>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><document>&a;</document>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no Word document"),
        (b"PK\3\4", "no Word document"),
        (docx(paragraph("a"))[:-30], "no Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted or of Word's old format"),
        (archive({"a.txt": "x"}), "no Word document"),
        (archive({"word/document.xml": "<a>"}), "no XML"),
        (archive({"word/document.xml": b"\xff\xfe\0"}), "no XML"),
        (archive({"word/document.xml": '<?xml version="1.0" encoding="nonsense"?><a/>'}), "no XML"),
        (archive({"word/document.xml": BOMB}), "defines entities"),
        (archive({"word/document.xml": OUTSIDE}), "defines entities"),
        (archive({"word/document.xml": "<a/>"}, zipfile.ZIP_BZIP2), "unusual way"),
        (archive({"word/document.xml": "<a>" * 3_000}), "more elements"),
        (b"PK\1\2" * 10_001, "more than 10,000 files"),
    ],
)
def test_what_is_no_document_is_refused(data: bytes, reason: str) -> None:
    """Broken, cut off, encrypted, with entities or packed strangely: one refusal that says so."""
    with pytest.raises(NotText, match=reason):
        told(data)


def test_an_encrypted_member_is_refused() -> None:
    """The flag alone says so."""
    data = bytearray(archive({"word/document.xml": "<a/>"}))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + offset] |= 1
    with pytest.raises(NotText, match="encrypted"):
        told(bytes(data))


def test_a_damaged_member_is_refused() -> None:
    """Its check sum does not fit."""
    data = bytearray(archive({"word/document.xml": "<a>text</a>"}, zipfile.ZIP_STORED))
    data[data.index(b"text")] ^= 1
    with pytest.raises(NotText, match="cannot be expanded"):
        told(bytes(data))


def test_what_expands_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes out is counted, not what the archive says."""
    data = docx(paragraph("a" * 500_000))
    assert len(data) < 5_000
    monkeypatch.setattr(archives, "MOST_BYTES", 100_000)
    with pytest.raises(NotText, match="expands to more"):
        told(data)


def test_more_text_than_a_book_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is a text that would fill memory, and XML of too many elements."""
    monkeypatch.setattr("readingroom.library.formats.writing.MOST_CHARACTERS", 1_000)
    with pytest.raises(NotText, match="more than 1,000 characters"):
        told(docx(*[paragraph("a" * 100)] * 20))
    monkeypatch.setattr(archives, "MOST_ELEMENTS", 50)
    with pytest.raises(NotText, match="more elements"):
        told(docx(*[paragraph("a")] * 20))
