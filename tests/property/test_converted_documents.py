"""Whatever bytes a converted document has: it is refused with the one error, or its passages are lines of its one text."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from readingroom.library import formats
from readingroom.library.formats import pdf_reading
from readingroom.library.model import Format, Parsed
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules
from support.written import archive, cell, chapter, docx, epub, notebook, notes, paragraph, pdf, printed

TABLE = f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b', 'Bullet')}</w:tc></w:tr></w:tbl>"
CONTENTS = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
WHOLE: dict[Format, bytes] = {
    "notebook": notebook(
        cell("markdown", "# A\n\n```\nopen [l](m.md)"), cell("code", "1\r\n2", printed("x\n" * 9)), cell("raw", "r")
    ),
    "docx": docx(
        paragraph("T", "Title"), paragraph("H", "Heading1"), paragraph("i", "Bullet"), TABLE, paragraph("end"),
        parts={"word/footnotes.xml": notes("footnotes", paragraph("below"))},
    ),
    "epub": epub(
        {"1": chapter("<h1>A</h1><p>b <a href='https://c.example'>c</a></p>"), "2": chapter("<p>d</p>")},
        parts={"in/nav.xhtml": chapter("<a href='2'>D</a>")}, manifest=CONTENTS,
    ),
}  # fmt: skip
NAMES = (
    "p",
    "r",
    "t",
    "tbl",
    "tr",
    "tc",
    "hyperlink",
    "del",
    "txbxContent",
    "footnote",
    "tab",
    "vanish",
    "br",
)
WORDS = st.sampled_from(
    [*(f"<w:{name}>" for name in NAMES), *(f"</w:{name}>" for name in NAMES), "text", "Ж日本", "|", "\n", "&#13;",
     "<w:pStyle w:val='Heading1'/>", "<w:pStyle w:val='Bullet'/>", "<w:outlineLvl w:val='9'/>", "<w:ilvl w:val='99'/>",
     "<w:numId w:val=''/>", "<w:footnoteReference/>"]
)  # fmt: skip


def holds(kind: Format, data: bytes) -> Parsed | None:
    """What is said of the bytes, None where they are refused; passages are held against the text."""
    try:
        made = parse("a/b.x", kind, data, Rules(passage_characters=40))
    except NotText:
        return None
    assert made.text == formats.text(kind, data)
    made.text.encode()
    lines = made.text.split("\n")
    assert "\r" not in made.text
    assert "\0" not in made.text
    for passage in made.passages:
        assert passage.text == "\n".join(lines[passage.first - 1 : passage.last])
    for heading in made.headings:
        assert 1 <= heading.first <= heading.last <= len(lines)
    assert all(1 <= link.line <= len(lines) for link in made.links)
    return made


@given(kind=st.sampled_from(list(WHOLE)), data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(kind: Format, data: bytes) -> None:
    """Nothing but NotText is raised."""
    holds(kind, data)
    holds(kind, b"PK\3\4" + data)


@settings(max_examples=300)
@given(
    kind=st.sampled_from(list(WHOLE)),
    at=st.integers(0, 5_000),
    put=st.binary(max_size=4),
    cut=st.integers(0, 40),
)
@example(kind="notebook", at=0, put=b"", cut=0)
@example(kind="docx", at=0, put=b"", cut=0)
@example(kind="epub", at=0, put=b"", cut=0)
def test_damaged_documents_are_read_or_refused(kind: Format, at: int, put: bytes, cut: int) -> None:
    """Bytes that are changed, added or missing anywhere; a whole document is read."""
    data = WHOLE[kind]
    at %= len(data)
    made = holds(kind, data[:at] + put + data[at + cut :])
    assert made is not None or put or cut


@given(pieces=st.lists(WORDS, max_size=25))
def test_any_order_of_elements_is_read_or_refused(pieces: list[str]) -> None:
    """Word's elements within one another as no program writes them."""
    holds("docx", docx("".join(pieces)))
    closed = [
        f"{piece}</{piece[1:]}" if piece[:2] == "<w" and piece[-2] != "/" else piece for piece in pieces
    ]
    holds(
        "docx",
        docx("".join(f"<w:p><w:r>{piece}</w:r></w:p>" if "/" not in piece[:2] else "" for piece in closed)),
    )


@given(
    sources=st.lists(st.text(max_size=40), max_size=4),
    kind=st.sampled_from(["markdown", "code", "raw"]),
)
def test_any_cells_are_read(sources: list[str], kind: str) -> None:
    """Whatever their text is."""
    assert holds("notebook", notebook(*[cell(kind, source) for source in sources])) is not None


@given(at=st.integers(0, 2_000), put=st.binary(max_size=4), cut=st.integers(0, 20))
def test_a_damaged_pdf_is_told_or_has_a_problem(at: int, put: bytes, cut: int) -> None:
    """Its reader raises nothing."""
    data = pdf("one\ntwo", "three")
    at %= len(data)
    told = pdf_reading.told(data[:at] + put + data[at + cut :])
    assert bool(told.pages) != bool(told.problem)


def test_a_bomb_is_refused_before_it_goes_off() -> None:
    """A small archive of a file larger than any document: what it expands to is counted, piece by piece."""
    bomb = archive({"word/document.xml": b"<a>" + b" " * (65 << 20) + b"</a>"})
    assert len(bomb) < 100_000
    assert holds("docx", bomb) is None
