"""EPUB books: chapters in the order of the spine, the names the contents give them, and what is refused."""

import pytest

from readingroom.library.model import Parsed
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules
from support.written import archive, chapter, epub


def told(data: bytes) -> Parsed:
    """What is said of a book."""
    return parse("a/b.epub", "epub", data, Rules())


def test_chapters_come_in_the_order_of_the_spine() -> None:
    """Each with its headings; lists and tables are whole, scripts are nothing."""
    one = chapter(
        "<h1>Moon</h1><p>It pulls.</p><script>no()</script><h2>Near</h2><ul><li>a</li><li>b</li></ul>"
    )
    made = told(
        epub(
            {
                "2.xhtml": chapter("<h1>Sun &amp; sea</h1><p>far&nbsp;away</p>"),
                "1.xhtml": one,
                "3.xhtml": one,
            },
            spine='<itemref idref="1.xhtml"/><itemref idref="3.xhtml" linear="no"/><itemref idref="2.xhtml"/>',
        )
    )
    assert made.text == "# Moon\n\nIt pulls.\n\n## Near\n\n- a\n- b\n\n# Sun & sea\n\nfar away\n"
    assert (made.title, made.language) == ("Tides", "de")
    assert [(passage.section, passage.first, passage.last) for passage in made.passages] == [
        (("Moon",), 1, 3),
        (("Moon", "Near"), 5, 8),
        (("Sun & sea",), 10, 12),
    ]


NAV = '<nav epub:type="toc"><ol><li><a href="1%20a.xhtml#x">Moon</a></li><li><a href="../in/2.xhtml">Sun</a></li></ol></nav>'
NCX = (
    "<ncx><docTitle><text>no</text></docTitle><navMap><navPoint><navLabel><text>Moon</text></navLabel>"
    '<content src="1%20a.xhtml#x"/></navPoint><navPoint><navLabel><text>Sun</text></navLabel>'
    '<content src="2.xhtml"/></navPoint></navMap></ncx>'
)


@pytest.mark.parametrize(
    ("manifest", "parts"),
    [
        (
            '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="x nav"/>',
            {"in/nav.xhtml": chapter(NAV)},
        ),
        ('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>', {"in/toc.ncx": NCX}),
    ],
)
def test_a_chapter_without_heading_is_named_by_the_contents(
    manifest: str, parts: dict[str, str | bytes]
) -> None:
    """By those of either kind; one that begins with a heading keeps its own, and the contents are no chapter."""
    chapters: dict[str, str | bytes] = {
        "1 a.xhtml": chapter("<p>pull</p>"),
        "2.xhtml": chapter("<h2>Own</h2><p>far</p>"),
        "3.xhtml": chapter("<p>end</p>"),
    }
    order = "".join(f'<itemref idref="{name}"/>' for name in ("nav", *chapters))
    made = told(epub(chapters, parts=parts, manifest=manifest, spine=order))
    assert made.text == "# Moon\n\npull\n\n## Own\n\nfar\n\nend\n"


def test_links_out_of_the_book_are_told() -> None:
    """Those within it are not, for there is nothing to resolve them by."""
    body = '<p>one <a href="2.xhtml">in</a></p>\n<p>two <a href="https://a.example/">out</a></p>'
    assert [(link.target, link.text, link.line) for link in told(epub({"1": chapter(body)})).links] == [
        ("https://a.example/", "out", 3)
    ]


def test_what_is_missing_is_a_warning() -> None:
    """The rest of the book is read; so is one without a title, by its first heading."""
    chapters: dict[str, str | bytes] = {"1": chapter("<h1>Moon</h1><p>a</p>")}
    manifest = '<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>'
    manifest += '<item id="picture" href="1" media-type="image/png"/>'
    order = '<itemref idref="gone"/><itemref idref="what"/><itemref idref="1"/><itemref idref="picture"/>'
    made = told(epub(chapters, manifest=manifest, spine=order, title=""))
    assert made.warnings == ("2 of its chapters are not in the book",)
    assert made.title == "Moon"


def test_of_several_titles_the_first_counts() -> None:
    """White space in it is none of it."""
    assert told(epub({"1": chapter("a")}, title="<title> A\n b</title><title>C</title>")).title == "A b"


def test_scrambled_fonts_lock_nothing() -> None:
    """A book whose text is encrypted is refused with what that means."""
    lock = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/></EncryptedData></encryption>'
    fonts = {"META-INF/encryption.xml": lock.format("http://www.idpf.org/2008/embedding")}
    assert told(epub({"1": chapter("a")}, parts=dict(fonts))).text == "a\n"
    locked = {"META-INF/encryption.xml": lock.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")}
    with pytest.raises(NotText, match="locked EPUB book"):
        told(epub({"1": chapter("a")}, parts=dict(locked)))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no EPUB book"),
        (archive({"a": "b"}), "no EPUB book"),
        (archive({"META-INF/container.xml": "<a/>"}), "names no package"),
        (archive({"META-INF/container.xml": '<rootfile full-path="../../x.opf"/>'}), "is not in it"),
        (archive({"META-INF/container.xml": '<!DOCTYPE a [<!ENTITY a "b">]><a/>'}), "defines entities"),
        (epub({}), "without text"),
        (epub({"1": chapter("<img src='a.png'/>")}), "without text"),
        (epub({"1": chapter("a")})[:-9], "no EPUB book"),
        (epub({"1": b"a\0b"}), "NUL"),
    ],
)
def test_what_is_no_book_is_refused(data: bytes, reason: str) -> None:
    """Broken, cut off, without text or package: one refusal that says so."""
    with pytest.raises(NotText, match=reason):
        told(data)
