"""Word documents (.docx): headings, paragraphs, lists, tables and notes, in the order in which they stand.

What is shown is what a reader of the accepted text sees: deleted and hidden text is not told, inserted text is.
Pictures, headers, footers, comments and macros are not read, no field is evaluated and no link is followed.
"""

import re

import msgspec

from ..decode import NotText
from .archive import Archive, Attributes
from .writing import Converted, Writing

_BODY = "word/document.xml"
_HEADING = re.compile(r"heading\s*([1-9])\Z", re.IGNORECASE)
# What was deleted or moved away, how things were formatted before, the same once more for old programs, and readings.
_UNREAD = frozenset(
    ("del", "moveFrom", "instrText", "delText", "delInstrText", "pPrChange", "rPrChange", "numberingChange")
) | {"Fallback", "rt"}
_SPACES = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}


class _Style(msgspec.Struct):
    name: str = ""
    based: str = ""
    level: int = 0
    is_listed: bool = False


class _Kind(msgspec.Struct, frozen=True):
    """What a style makes of a paragraph: a heading of a level, 0 for the title and -1 for none, or an item of a list."""

    level: int = -1
    is_listed: bool = False


class _Table(msgspec.Struct):
    """A table that is open: its rows so far, the cells of the open row, and the paragraphs of the open cell."""

    rows: list[str]
    cells: list[str]
    paragraphs: list[str]


def convert(data: bytes) -> Converted:
    """What a Word document says. Raises NotText for what is none, is encrypted, or is too large."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise NotText(
            "it is encrypted or of Word's old format: save it as .docx without a password for it to be read"
        )
    archive = Archive(data, "Word document")
    if _BODY not in archive:
        raise NotText(f"it is no Word document: {_BODY} is not in it")
    reader = _Reader(_styles(archive), _relations(archive))
    reader.read(archive, _BODY)
    for kind in ("footnotes", "endnotes"):
        if f"word/{kind}.xml" in archive:
            reader.read(archive, f"word/{kind}.xml", kind.capitalize())
    return reader.writing.done(reader.title)


def _relations(archive: Archive) -> dict[str, str]:
    """The addresses outside that the document links to, by their ids."""
    found: dict[str, str] = {}

    def start(name: str, given: Attributes) -> None:
        if name == "Relationship" and given.get("TargetMode") == "External":
            found[given.get("Id", "")] = given.get("Target", "")

    if "word/_rels/document.xml.rels" in archive:
        archive.parse("word/_rels/document.xml.rels", start, lambda _: None, lambda _: None)
    return found


def _styles(archive: Archive) -> dict[str, _Kind]:
    """What each style makes of a paragraph, by the style's id."""
    styles: dict[str, _Style] = {}
    style = _Style()

    def start(name: str, given: Attributes) -> None:
        nonlocal style
        value = given.get("val", "")
        if name == "style":
            style = styles[given.get("styleId", "")] = _Style()
        elif name == "name":
            style.name = value
        elif name == "basedOn":
            style.based = value
        elif name == "outlineLvl":
            style.level = _outline(value)
        elif name == "numId":
            style.is_listed = value != "0"

    if "word/styles.xml" in archive:
        archive.parse("word/styles.xml", start, lambda _: None, lambda _: None)
    return {key: _kind(styles, key) for key in styles}


def _outline(value: str) -> int:
    """A level of heading from Word's level of outline, which counts from 0; 0 for text."""
    return int(value) + 1 if value in "012345678" and len(value) == 1 else 0


def _kind(styles: dict[str, _Style], key: str) -> _Kind:
    for _ in range(20):  # a style can be based on itself, in the end
        style = styles.get(key)
        if style is None:
            break
        named = _HEADING.match(style.name)
        if style.name.lower() == "title":
            return _Kind(0)
        if named is not None or style.level:
            return _Kind(style.level or int(named[1] if named is not None else 0))
        if style.is_listed:
            return _Kind(is_listed=True)
        key = style.based
    return _Kind()


class _Reader:
    """Puts runs together to paragraphs and paragraphs to lists and tables."""

    def __init__(self, styles: dict[str, _Kind], targets: dict[str, str]) -> None:
        self.writing = Writing()
        self.title = ""
        self._styles = styles
        self._targets = targets
        self._texts: list[str] = []  # of the open paragraph
        self._level = -1
        self._item = -1
        self._list: list[str] = []
        self._tables: list[_Table] = []
        self._unread = self._runs = 0  # how many elements of the kind are open
        self._is_text = self._is_hidden = False
        self._note = ""
        self._open: list[tuple[str, list[str]]] = []  # links, with their texts so far
        self._links: list[tuple[str, str]] = []  # of the open paragraph
        self._kept: list[tuple[str, str]] = []  # of the open list or table
        self._has_sections = False
        self._part = ""

    def read(self, archive: Archive, name: str, title: str = "") -> None:
        """Take a part of the document; with a title, as a section of its own where there is text in it."""
        self._part = title
        archive.parse(name, self._start, self._end, self._text)
        self._end_list()

    def _start(self, name: str, given: Attributes) -> None:
        if name in _UNREAD or self._unread:
            self._unread += 1
        elif name == "p":
            if self._texts:
                self._end_paragraph()
            self._level = self._item = -1
        elif name == "t":
            self._is_text = not self._is_hidden
        elif name in _SPACES:
            if self._runs:  # elsewhere it is the place of a tabulator
                self._put(_SPACES[name])
        elif name == "tbl":
            self._end_list()
            self._tables.append(_Table([], [], []))
        elif name == "hyperlink":
            self._open.append((self._targets.get(given.get("id", ""), ""), []))
        elif name in ("footnoteReference", "endnoteReference"):
            self._put(f"[{_mark(name)}{given.get('id', '')}]")
        elif name in ("footnote", "endnote"):
            self._unread += given.get("type", "normal") != "normal"  # Word's line above the notes
            self._note = f"[{_mark(name)}{given.get('id', '')}] "
        else:
            self._take_property(name, given.get("val", ""))

    def _take_property(self, name: str, value: str) -> None:
        if name == "pStyle":
            kind = self._styles.get(value, _Kind())
            self._level, self._item = kind.level, 0 if kind.is_listed else -1
        elif name == "outlineLvl":
            self._level = _outline(value) or -1
        elif name == "ilvl":
            self._item = min(int(value), 8) if value.isascii() and value.isdigit() else 0
        elif name == "numId":
            self._item = -1 if value == "0" else max(self._item, 0)
        elif name == "vanish":
            self._is_hidden = value not in ("0", "false", "off")
        elif name == "r":
            self._is_hidden = False
            self._runs += 1

    def _end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
        elif name == "t":
            self._is_text = False
        elif name == "p":
            self._end_paragraph()
        elif name == "r":
            self._runs -= 1
        elif name == "hyperlink":
            target, texts = self._open.pop()
            self._links += [(target, "".join(texts))] if target else []
        elif self._tables:
            self._end_of_table(name)

    def _end_of_table(self, name: str) -> None:
        table = self._tables[-1]
        if name == "tc":
            table.cells.append(" ".join(" ".join(table.paragraphs).split()).replace("|", "\\|"))
            table.paragraphs = []
        elif name == "tr":
            table.rows.append(f"| {' | '.join(table.cells)} |")
            table.cells = []
        elif name == "tbl":
            self._tables.pop()
            if self._tables:
                self._tables[-1].paragraphs += [row.strip("| ") for row in table.rows]
            else:
                self._write("\n".join(table.rows))

    def _write(self, text: str) -> None:
        """Write a block, with the links that stand in it."""
        links, self._kept = self._kept, []
        for target, shown in links:
            self.writing.link(target, shown)
        self.writing.block(text)

    def _text(self, text: str) -> None:
        if self._is_text and not self._unread:
            self._put(text)

    def _put(self, text: str) -> None:
        if self._is_hidden:
            return
        self._texts.append(text)
        if self._open:
            self._open[-1][1].append(text)

    def _end_paragraph(self) -> None:
        text, links = "".join(self._texts).strip("\n"), self._links
        self._texts, self._links = [], []
        if not text.strip():
            return
        text, self._note = self._note + text, ""
        if self._tables:
            self._tables[-1].paragraphs.append(text)
            self._kept += links
        elif self._level < 0 <= self._item:
            self._list.append(f"{'  ' * self._item}- {' '.join(text.split())}")
            self._kept += links
        else:
            self._end_list()
            self._kept = links
            self._write_alone(text)

    def _write_alone(self, text: str) -> None:
        if self._part:
            self.writing.heading(1 if self._has_sections else 2, self._part)
            self._part = ""
        if self._level < 0:
            self._write(text)
            return
        self.title = self.title or (" ".join(text.split()) if not self._level else "")
        level = max(self._level, 1) + (1 if self.title and self._level else 0)
        self._has_sections = self._has_sections or level == 1
        self.writing.heading(level, text)
        self._kept = []

    def _end_list(self) -> None:
        if self._list:
            lines, self._list = self._list, []
            self._write("\n".join(lines))


def _mark(name: str) -> str:
    return "^" if name.startswith("foot") else "^e"
