"""The structure of HTML: the text that people read, in blocks and rows, with the lines of the source it comes from.

Headings anywhere make sections, whatever elements they stand in. Lists, tables and preformatted text are blocks that
are kept whole. Scripts, styles and the like are never read; what the head says of the document is told apart.
"""

import re
from bisect import bisect_right

from readingroom.library.html_tokens import Token, attributes, said, tokens
from readingroom.library.lines import Lines
from readingroom.library.model import Link
from readingroom.library.structure import Block, Head, Row, Structure, title_of

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_WHOLE = frozenset({"ul", "ol", "dl", "table", "pre", "menu"})
_ROWS = frozenset({"li", "dt", "dd", "tr", "br", "option", "legend", "caption", "summary"})
_OUTER = {
    "html",
    "head",
    "body",
    "main",
    "header",
    "footer",
    "nav",
    "section",
    "article",
    "aside",
    "hgroup",
    "search",
}
_INNER = {
    "p",
    "div",
    "center",
    "address",
    "blockquote",
    "figure",
    "figcaption",
    "details",
    "dialog",
    "dir",
    "hr",
}
_FORMS = {"form", "fieldset", "textarea", "title"}
_BLOCKS = _WHOLE | _OUTER | _INNER | _FORMS
_CELLS = ("td", "th")
_UNSHOWN = ("template", "title")
_LONG_ROW = 8_000  # a row is cut at the next line end of the source when it has more characters
_LINE_END = re.compile("\r\n|\n|\r")


def structure(lines: Lines, first: int) -> tuple[Structure, Head]:
    """The blocks, links and head of the lines from `first` on."""
    reader = _Reader(lines)
    for token in tokens(lines.text, lines.starts[first - 1] if first <= len(lines) else len(lines.text)):
        reader.take(token)
    reader.close()
    return Structure(reader.blocks, reader.links), reader.head


class _Reader:
    """Puts texts together to rows and rows to blocks. A row is open while texts follow one another in one line."""

    def __init__(self, lines: Lines) -> None:
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self.head = Head()
        self._text = lines.text
        self._starts = lines.starts
        self._size = 0  # characters in the open row
        self._rows: list[Row] = []
        self._parts: list[str] = []  # of the open row
        self._first = self._last = 0  # its lines; 0 while nothing but blanks is in it
        self._lead = ""  # what stands before the next text: a bullet, the border of a cell
        self._heading = self._heading_line = 0
        self._whole = self._pre = 0  # how many elements of the kind are open
        self._unshown = self._svg = 0
        self._link: tuple[str, int, list[str]] | None = None
        self._title: list[str] | None = None

    def take(self, token: Token) -> None:
        if token.kind == "text":
            self._take_text(token)
        elif token.kind == "start":
            self._take_start(token)
        else:
            self._take_end(token.name)

    def close(self) -> None:
        """The document has ended."""
        self._end_title()
        self._end_link()
        self._end_block()

    def _take_text(self, token: Token) -> None:
        text = self._text[token.at : token.end]
        if self._title is not None:
            self._title.append(said(text))
        if self._unshown:
            return
        if (self._pre or len(text) > _LONG_ROW) and not self._heading:
            self._take_lines(text, token.at)
        else:
            self._append(text, token.at)

    def _take_lines(self, text: str, at: int) -> None:
        """Preformatted text, whose line ends are rows, or text so long that it is cut where it has a line end."""
        begin = 0
        for end in _LINE_END.finditer(text):
            self._append(text[begin : end.end()], at + begin)
            if self._pre or self._size > _LONG_ROW:
                self._end_row()
            begin = end.end()
        self._append(text[begin:], at + begin)

    def _append(self, text: str, at: int) -> None:
        """Add a text that begins at an offset of the source to the open row."""
        bare = text.strip()
        if not bare:
            if self._first or (self._pre and text):
                self._parts.append(text)
            return
        begin = at + text.index(bare[0])
        self._note(begin, begin + len(bare) - 1)
        read = said(text)
        self._parts.append(read)
        self._size += len(read)
        if self._link is not None:
            self._link[2].append(read)

    def _note(self, begin: int, end: int) -> None:
        """The open row now holds what stands from one offset to another."""
        line = self._line(begin)
        if not self._first:
            self._first = line
            self._parts.insert(0, self._lead)
        elif self._lead:
            self._parts.append(self._lead)
        self._lead = ""
        self._last = self._line(end)

    def _take_start(self, token: Token) -> None:
        name = token.name
        if self._unshown and name not in _UNSHOWN:
            if name == "meta":
                self._take_special(token)
            return
        if name in _HEADINGS:
            self._end_block()
            self._heading, self._heading_line = _HEADINGS[name], self._line(token.at)
        elif name in _BLOCKS:
            self._border(name)
            self._whole += name in _WHOLE
            self._pre += name == "pre"
        elif name in _ROWS or name in _CELLS:
            self._start_row(name)
        elif name == "a":
            self._start_link(token)
        if name in ("img", "meta", "html", "template", "title", "svg"):
            self._take_special(token)

    def _take_special(self, token: Token) -> None:
        name, given = token.name, attributes(token)
        if name == "img":
            if alternative := " ".join(given.get("alt", "").split()):
                self._note(token.at, token.at)
                self._parts.append(f" {alternative} ")
        elif name == "meta":
            about = given.get("name", "").strip().lower()
            if about in ("keywords", "visibility"):
                getattr(self.head, about).append(given.get("content", ""))
        elif name == "html":
            self.head.language = self.head.language or given.get("lang") or given.get("xml:lang", "")
        elif name == "svg":
            self._svg += 1
        else:
            self._unshown += 1
            if name == "title" and not self.head.title and not self._svg:
                self._title = []

    def _take_end(self, name: str) -> None:
        if self._unshown and name not in _UNSHOWN:
            return
        if name in _HEADINGS:
            self._end_block()
        elif name in _BLOCKS:
            self._border(name)
            self._whole -= name in _WHOLE and self._whole > 0
            self._pre -= name == "pre" and self._pre > 0
            self._border(name)
        elif name in _ROWS:
            self._end_row()
        elif name == "a":
            self._end_link()
        if name in _UNSHOWN:
            self._unshown = max(self._unshown - 1, 0)
            self._end_title()
        elif name == "svg":
            self._svg = max(self._svg - 1, 0)

    def _end_title(self) -> None:
        if self._title is not None:
            self.head.title = title_of("".join(self._title))
            self._title = None

    def _border(self, name: str) -> None:
        """A block begins or ends here, or a row where one that is kept whole goes on."""
        if self._heading and name in ("div", "a"):
            return
        if self._whole:
            self._end_row()
        else:
            self._end_block()

    def _start_row(self, name: str) -> None:
        if name in _CELLS:
            self._lead = " | " if self._first else self._lead
            return
        if self._heading and name == "br":
            self._parts.append(" ")
            return
        self._end_row()
        if name == "li":
            self._lead = "- "

    def _end_row(self) -> None:
        if self._heading:
            return
        self._add_row()

    def _add_row(self) -> None:
        if self._first:
            text = "".join(self._parts)
            text = text.rstrip() if self._pre else " ".join(text.split())
            self._rows.append(Row(self._first, self._last, text))
            self._lead = ""
        self._parts = []
        self._first = self._last = self._size = 0

    def _end_block(self) -> None:
        self._add_row()
        level, self._heading = self._heading, 0
        if not self._rows:
            return
        rows, self._rows = tuple(self._rows), []
        characters = sum(len(row.text) + 1 for row in rows)
        first = self._heading_line if level else rows[0].first
        title = title_of(" ".join(row.text for row in rows)) if level else ""
        self.blocks.append(Block(first, rows[-1].last, characters, level, title, rows))

    def _start_link(self, token: Token) -> None:
        self._end_link()
        target = attributes(token).get("href", "").strip()
        if target:
            self._link = (target, self._line(token.at), [])

    def _end_link(self) -> None:
        if self._link is not None:
            target, line, parts = self._link
            self.links.append(Link("html", target, title_of("".join(parts)), line))
            self._link = None

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)
