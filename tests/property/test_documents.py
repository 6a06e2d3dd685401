"""Whatever a document holds: its passages are its very lines, its headings are where the formats' makers see them,
what names itself internal is internal, and nothing but binary data is refused."""

import re
import unicodedata
from typing import Any

import yaml
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from readingroom.library import address, hypertext, markdown, rst
from readingroom.library.errors import BadQuery
from readingroom.library.lines import Lines
from readingroom.library.model import Format, Parsed
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules

FORMATS: list[Format] = ["markdown", "text", "rst", "html", "asciidoc", "org"]
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])

MARKDOWN = [
    "# A", "## B", "### C #", "#no", "#", "Text", "more *text*", "===", "---", "--- ", "***", "```", "~~~", "```python",
    "    code", "\tcode", "- item", "  - sub", "1. one", "10) ten", "> quote", "> # q", "  # in", "   # three", "<div>",
    "</div>", "<!-- x", "-->", "<script>", "<b>x</b>", "| a | b |", "|---|---|", "| 1 | 2 |", "[a](b)", "[[w|x]]",
    "* * *", "-", "=", "\\# esc", "&amp;", "text  ", "a\\", "", "", "", "", "<?php", "?>", "+ x", "> ```", "<pre>",
    "==", "  ===", "é Ж 日本", "# Ж é", "a\x0b\u2028b", "![p](q)",
]  # fmt: skip
RST = [
    "Title", "Longer title here", "==", "====", "=====", "-----", "----------", "--", "~~~~~~~~~~~", "", "", "", "",
    "- item", "  indented", "1. one", "2. two", "#. x", ":field: x", "para text", "para::", ".. note::", "   body",
    ".. comment", ">>> x", "| line", "+---+---+", "| a | b |", "====  ====", "a     b", "> quoted", "=" * 17, "::",
    "* x", "-a  opt", "--long", "(a) p", "日本語", "日本語の題", "========", "__ anon", "term", "    def", "\ttab", "- ",
    "1) x", "i. rom", "`a <b>`_", ":doc:`x`",
]  # fmt: skip
HTML = [
    "<h1>A</h1>", "<h2 class=x>B", "</h2>", "<p>", "</p>", "words here", "<b>bold</b>", "<ul>", "<li>item", "</ul>",
    "<table><tr><td>cell", "</table>", "<pre>", "  code", "</pre>", "<br>", "<a href='x'>link</a>", "&amp; &lt;", "< 3",
    "<!-- comment -->", "<script>no()</script>", "<title>T</title>", "", "", "<img alt=pic>", "Ж 日本",
]  # fmt: skip
ASCIIDOC = [
    "= A", "== B", "=== C ===", "# D", "Title", "-----", "=====", "text", "more *text*", "----", "====", "--", "....",
    "****", "|===", "|cell", "```", "[source]", "[[x]]", ".Name", ":lang: de", "// no", "////", "", "", "", "", "* item",
    "link:a.adoc[A]", "<<b,c>>", "include::d.adoc[]", "+", "[discrete]", "é Ж 日本",
]  # fmt: skip
ORG = [
    "* A", "** B :t:", "* TODO [#A] C", "*bold*", "text", "#+begin_src", "#+end_src", "#+TITLE: T", "#+begin_quote",
    "#+end_quote", ":PROPERTIES:", ":END:", "| a |", "", "", "", "", "- item", "[[a.org][A]]", "#+TODO: X", "* X d",
    "  indented", "é Ж 日本",
]  # fmt: skip
FRONT = ["---", "title: A", "tags: [a, b]", "visibility: public", "a: b: c", "...", "- x", "lang: ru"]
PIECES: dict[Format, list[str]] = {
    "markdown": MARKDOWN,
    "text": MARKDOWN,
    "rst": RST,
    "html": HTML,
    "asciidoc": ASCIIDOC,
    "org": ORG,
}


def of_lines(pieces: list[str], size: int = 14) -> st.SearchStrategy[str]:
    """Texts of such lines, with line ends of every kind."""
    return st.builds(
        lambda lines, end, last: end.join(lines) + last * bool(lines) * end,
        st.lists(st.sampled_from(pieces), max_size=size),
        ENDS,
        st.booleans(),
    )


texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300),
    *(of_lines(pieces + FRONT) for pieces in (MARKDOWN, RST, HTML, ASCIIDOC, ORG)),
    st.builds(lambda body: "---\ntitle: A\n---\n" + body, of_lines(MARKDOWN)),
)
any_rules = st.builds(Rules, passage_characters=st.sampled_from([20, 60, 200, 2_000]))


def split(text: str) -> list[str]:
    """The lines as an editor shows them, by other means than the library's."""
    lines = re.split("\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def is_of_names(told: Parsed) -> bool:
    """Whether the one passage is that of a document without text: its title, and its aliases."""
    (passage, *others) = told.passages
    return not others and not passage.section and passage.shown.partition("\n")[0] == told.title


def check(told: Parsed) -> None:
    """What holds for every document: exact lines, nothing blank, sound headings and links."""
    lines = split(told.text)
    for passage in told.passages:
        if is_of_names(told):
            assert passage.first == passage.last
            assert split(passage.text) in (lines[max(passage.first - 1, 0) : passage.last], [])
            continue
        assert 1 <= passage.first <= passage.last <= len(lines)
        assert split(passage.text) == lines[passage.first - 1 : passage.last]
        assert passage.text in told.text
        assert not passage.text.endswith(("\r", "\n"))
        assert passage.text.strip()
        assert bool(passage.shown) == (told.format == "html")
    for heading in told.headings:
        assert 1 <= heading.first <= heading.last <= len(lines)
        assert heading.level >= 1
    assert all(1 <= link.line <= len(lines) and link.target for link in told.links)
    assert told.title.strip()


@settings(max_examples=300, deadline=None)
@given(kind=st.sampled_from(FORMATS), text=texts, rules=any_rules)
def test_passages_are_the_very_lines_of_the_file(kind: Format, text: str, rules: Rules) -> None:
    """The file's lines from the first to the last of a passage are its text, in every format."""
    check(parse("a.md", kind, text.encode(), rules))


@settings(max_examples=200, deadline=None)
@given(
    kind=st.sampled_from(FORMATS),
    data=st.binary(max_size=200),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe"]),
)
@example(kind="html", data=b"&#" + b"9" * 5_000, mark=b"")
def test_only_binary_data_is_refused(kind: Format, data: bytes, mark: bytes) -> None:
    """Any bytes are either no text, or a document whose encoding gives its text again."""
    try:
        told = parse("a.md", kind, mark + data, Rules())
    except NotText:
        return
    assert (mark + data).decode(told.encoding) == told.text
    check(told)


@settings(max_examples=200, deadline=None)
@given(
    kind=st.sampled_from(["markdown", "text", "rst"]),
    pieces=st.data(),
    size=st.sampled_from([20, 100, 2_000]),
)
def test_no_line_is_lost_and_none_told_twice(kind: Format, pieces: st.DataObject, size: int) -> None:
    """Every line that is not blank stands in exactly one passage, in order, but for bare headings above smaller ones."""
    text = pieces.draw(of_lines(PIECES[kind]))
    told = parse("a.md", kind, text.encode(), Rules(passage_characters=size))
    if told.warnings:
        return
    covered = [line for passage in told.passages for line in range(passage.first, passage.last + 1)]
    assert covered == sorted(set(covered))
    bare = {line for heading in told.headings for line in range(heading.first, heading.last + 1)}
    titles = {name for passage in told.passages for name in passage.section}
    front = 0 if not text.startswith("---") else len(split(text))
    for number, line in enumerate(split(text), 1):
        if line.strip() and number not in covered and number > front:
            assert number in bare
    assert {heading.title for heading in told.headings if heading.title} <= titles


def seen_by_markdown_it(text: str) -> list[tuple[int, int, int]]:
    """Level, first and last line of the headings at the top level."""
    found = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    return [
        (int(token.tag[1]), token.map[0] + 1, token.map[1])
        for token in found
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


@settings(max_examples=400, deadline=None)
@given(text=of_lines(MARKDOWN))
def test_headings_are_where_markdown_it_sees_them(text: str) -> None:
    """Another parser of CommonMark finds the same headings on the same lines."""
    found = markdown.structure(Lines(text), 1).blocks
    mine = [(block.level, block.first, block.last) for block in found if block.level]
    assert mine == seen_by_markdown_it("\n".join(split(text)) + "\n")


@settings(max_examples=200, deadline=None)
@given(text=of_lines(MARKDOWN), size=st.sampled_from([20, 60]))
def test_no_block_is_cut(text: str, size: int) -> None:
    """A block that another parser sees at the top level lies within one passage, unless it is four times as large."""
    told = parse("a.txt", "markdown", text.encode(), Rules(passage_characters=size))
    if text.startswith("---"):
        return
    lines = split(text)
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse("\n".join(lines) + "\n"):
        if token.level or token.nesting < 0 or not token.map or token.type == "heading_open":
            continue
        first, last = token.map[0] + 1, token.map[1]
        while last > first and not lines[last - 1].strip():
            last -= 1
        if len("\r\n".join(lines[first - 1 : last])) <= 4 * size:
            assert any(passage.first <= first and last <= passage.last for passage in told.passages)


def seen_by_docutils(text: str) -> list[tuple[int, str]]:
    """Level and title of the sections."""
    options = get_default_settings(Parser)
    options.report_level = options.halt_level = 5
    options.file_insertion_enabled = options.raw_enabled = False
    document = new_document("document", options)
    Parser().parse(text, document)
    found = []
    for section in document.findall(nodes.section):
        level, above = 1, section.parent
        while isinstance(above, nodes.section):
            level, above = level + 1, above.parent
        found.append((level, " ".join(section[0].astext().split())))
    return found


@settings(max_examples=300, deadline=None)
@given(text=of_lines([piece for piece in RST if "`" not in piece]))
def test_titles_are_where_docutils_sees_them(text: str) -> None:
    """docutils finds the same titles with the same levels."""
    found = rst.structure(Lines(text), 1).blocks
    assert [(block.level, block.title) for block in found if block.level] == seen_by_docutils(
        "\n".join(split(text))
    )


@settings(max_examples=200, deadline=None)
@given(text=of_lines([piece for piece in HTML if "alt" not in piece and "title" not in piece]))
def test_html_shows_the_words_a_browser_shows(text: str) -> None:
    """The words of all blocks, in order, are those of the tree that an HTML5 parser builds."""
    tree = LexborHTMLParser(text)
    for unread in tree.css("script"):
        unread.decompose()
    expected = tree.body.text(separator=" ").split() if tree.body else []
    blocks = hypertext.structure(Lines(text), 1)[0].blocks
    shown = [
        word for block in blocks for row in block.rows for word in row.text.split() if word not in ("-", "|")
    ]
    assert "".join(shown) == "".join(expected)


scalars = st.one_of(
    st.sampled_from(["public", "internal", "Public", "", "no"]), st.text("abЖ :-'\"#[]{}", max_size=8)
)
keys = st.sampled_from(["title", "tags", "visibility", "Visibility", "VISIBILITY", "lang", "other"])
values = st.one_of(
    scalars, st.lists(scalars, max_size=3), st.dictionaries(st.sampled_from("ab"), scalars, max_size=2)
)


@settings(max_examples=200, deadline=None)
@given(
    fields=st.dictionaries(keys, values, max_size=5),
    style=st.sampled_from([None, '"', "'"]),
    flow=st.booleans(),
)
def test_only_a_clear_public_is_public(fields: dict[str, Any], style: str | None, flow: bool) -> None:
    """Of front matter that another YAML writer wrote: public if it says so once, or nothing; internal in all other cases."""
    block = yaml.safe_dump(fields, default_style=style, default_flow_style=flow, allow_unicode=True)
    told = parse("a.md", "markdown", f"---\n{block}---\n".encode(), Rules())
    said = [value for key, value in fields.items() if key.casefold() == "visibility"]
    assert told.visibility == ("public" if said in ([], ["public"]) else "internal")


@settings(max_examples=300, deadline=None)
@given(
    before=st.lists(
        st.sampled_from(["title: A", "a: b: c", "x: [", "'", "\t", "&a", "*b", "- c", "{", "", "}: ["]),
        max_size=3,
    ),
    key=st.sampled_from(
        ["visibility", "Visibility", "'visibility'", '"VISIBILITY"', '"\\x76isibility"', "? visibility\n"]
    ),
    after=st.sampled_from(["\n---\n", "\n...\n", "\n", ""]),
    top=st.sampled_from(["", "", "\n", " \n\n"]),
)
def test_whatever_is_broken_internal_stays_internal(
    before: list[str], key: str, after: str, top: str
) -> None:
    """A leading block with ``visibility: internal`` on a line of its own is never public, however broken the rest is."""
    text = top + "---\n" + "".join(line + "\n" for line in before) + f"{key}: internal" + after + "Text\n"
    told = parse("a.md", "markdown", text.encode(), Rules())
    assert told.visibility == "internal"


segments = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="/\\"),
    min_size=1,
    max_size=20,
)


@given(
    path=st.lists(segments.filter(lambda text: text not in (".", "..")), min_size=1, max_size=4).map("/".join)
)
def test_an_address_leads_back_to_its_path(path: str) -> None:
    """Every path of the library has an address that is plain ASCII and gives the path again, in NFC."""
    normal = unicodedata.normalize("NFC", path)
    uri = address.uri(path)
    assert re.fullmatch(r"library:///[A-Za-z0-9._~%/@:,=$-]+", uri)
    if path.split("/")[0] != ".id":
        assert address.parse(uri) == address.Path(normal)
        assert address.uri(normal) == uri


@given(identifier=segments.filter(lambda text: text not in (".", "..")))
def test_an_identifier_leads_back_from_its_address(identifier: str) -> None:
    """Every identifier has an address that gives it again, in NFC."""
    normal = unicodedata.normalize("NFC", identifier)
    assert address.parse(address.identifier_uri(identifier)) == address.Identifier(normal)


@settings(max_examples=300)
@given(
    text=st.one_of(st.text(max_size=40), st.text("library:/.%2fFiIdD5cC0\\?#aé", max_size=40)),
    prefix=st.booleans(),
)
def test_a_path_from_an_address_never_leaves_the_library(text: str, prefix: bool) -> None:
    """Whatever is asked: a path of sound segments, an identifier, or a refusal."""
    try:
        parsed = address.parse("library:///" * prefix + text)
    except BadQuery:
        return
    parts = parsed.path.split("/") if isinstance(parsed, address.Path) else [parsed.identifier]
    assert all(address.is_segment(part) for part in parts)
