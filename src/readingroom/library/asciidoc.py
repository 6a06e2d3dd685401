"""The structure of AsciiDoc, by a scan of its lines: sections, blocks between delimiters, and links, with exact lines.

Follows Asciidoctor in where a title can stand: on a line of its own that begins a block, outside of delimited blocks. The
title of the document is of level 1, and a section with two ``=`` of level 2. Nothing is included, and no attribute or
condition is evaluated: the text is read as it is written.
"""

import re

from readingroom.library.lines import Lines
from readingroom.library.model import Link
from readingroom.library.structure import Head, Mark, Structure, blocks_of, title_of

_HEAD = 1_000  # how much of a line is looked at to tell what it is

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_UNDERLINES = "=-~^+"  # in the order of their levels
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|[|,:!]={3,})\Z")
_FENCE = re.compile(r"```[^`\s]*\Z")
_COMPOUND = ("====", "****", "____")  # other blocks can stand in them
# What can stand above a block and belongs to it: attributes, an anchor, a title.
_META = re.compile(r"\[(?:[\[\w.#%,\"'](?:.*)?)?\]\Z|\.[^\s.].*")
_DISCRETE = re.compile(r"\[(?:discrete|float)\b")
_ATTRIBUTE = re.compile(r":([\w-]+):(?:[ \t]+(.*))?\Z")
_ANCHOR = re.compile(r"\[\[[^\]]*\]\]")
_INLINE = re.compile(r"(?<!\w)([*_`+#]{1,2})(?=\S)([^*_`+#]+)\1(?!\w)")

_LINK = re.compile(
    r"(?<![\w\\])(?:(?:link|xref):(?P<macro>[^\s\[\]]{1,2000}+)|include::(?P<include>[^\s\[\]]{1,2000}+)"
    r"|(?P<address>https?://[^\s\[\]<>]{1,2000}+))(?P<shows>\[(?P<text>[^\[\]]{0,1000}+)\])?"
    r"|<<(?P<reference>[^<>,]{1,1000}+)(?:,(?P<shown>[^<>]{0,1000}+))?>>"
)


def structure(lines: Lines, first: int) -> tuple[Structure, Head]:
    """The blocks, links and header of the lines from `first` on."""
    scan = _Scan(lines, first)
    scan.run()
    return Structure(blocks_of(lines, scan.marks, first), scan.links), scan.head


class _Scan:
    """Goes from line to line. `at` counts from 0."""

    def __init__(self, lines: Lines, first: int) -> None:
        self.marks: list[Mark] = []
        self.links: list[Link] = []
        self.head = Head()
        self._lines = lines.contents
        self.at = first - 1
        self._meta: int | None = None  # where the lines above the next block begin
        self._discrete = False
        self._header = True  # nothing but the header so far

    def run(self) -> None:
        while self.at < len(self._lines):
            line = self._lines[self.at].rstrip()
            if not line:
                self._take_blank()
            elif _is_delimiter(line):
                self._header = False
                self._begin()
                self._take_delimited(line)
            elif not self._take_above(line):
                self._take_block(line)

    def _take_blank(self) -> None:
        if self._meta is not None:  # nothing stands directly below it
            self._begin()
        self._header = self._header and not any(mark.level for mark in self.marks)
        self.at += 1

    def _begin(self, level: int = 0, title: str = "", last: int = 0) -> None:
        begun = self.at if self._meta is None else self._meta
        self._meta, self._discrete = None, False
        self.marks.append(Mark(begun + 1, level, title, last))

    def _take_above(self, line: str) -> bool:
        """Take a line that belongs to what follows it, or is an entry or comment."""
        head = line[:_HEAD]
        if (attribute := _ATTRIBUTE.match(head)) is not None:
            if self._header:
                self._note(attribute[1], (attribute[2] or "").strip())
        elif _META.match(head) and len(line) <= _HEAD:
            self._discrete = self._discrete or bool(_DISCRETE.match(head))
        elif head[:2] != "//" or head[:3] == "///":
            return False
        if self._meta is None:
            self._meta = self.at
        self.at += 1
        return True

    def _note(self, name: str, value: str) -> None:
        if name == "lang":
            self.head.language = value
        elif name == "keywords":
            self.head.keywords.append(value)
        elif name == "doctitle":
            self.head.title = title_of(_plain(value))

    def _take_block(self, line: str) -> None:
        """A title, or text to the next blank line or delimiter."""
        title = self._title(line)
        if title is not None:
            level, text, count = title
            if self._discrete:
                self._begin()
            else:
                self._begin(level, title_of(_plain(text)), self.at + count)
            self._find_links(count)
            self._header = self._header and level == 1
            return
        self._begin()
        is_author = self._header and bool(self.marks[:-1])  # below the title
        self._header = is_author
        while self.at < len(self._lines):
            line = self._lines[self.at].rstrip()
            if not line or _is_delimiter(line) or (is_author and _ATTRIBUTE.match(line[:_HEAD])):
                return
            self._find_links(1)

    def _title(self, line: str) -> tuple[int, str, int] | None:
        """Level, text and count of lines of a title that begins here."""
        match = _TITLE.match(line)
        if match is not None:
            text = match[2].removesuffix(f" {match[1]}")
            return len(match[1]), text, 1
        under = self._lines[self.at + 1].rstrip() if self.at + 1 < len(self._lines) else ""
        if len(under) < 2 or under[0] not in _UNDERLINES or under.strip(under[0]):
            return None
        if abs(len(line) - len(under)) > 1 or line[0].isspace() or not any(map(str.isalnum, line)):
            return None
        return _UNDERLINES.index(under[0]) + 1, line, 2

    def _take_delimited(self, line: str) -> None:
        """To the line that closes the block; without one, to the end. In some, other blocks can stand."""
        open_ones = [line]
        self.at += 1
        while self.at < len(self._lines) and open_ones:
            line = self._lines[self.at].rstrip()
            top = open_ones[-1]
            if line == ("```" if top[0] == "`" else top):
                open_ones.pop()
            elif top == "--" or top[:4] in _COMPOUND:
                if line in open_ones:
                    del open_ones[open_ones.index(line) :]
                elif _is_delimiter(line):
                    open_ones.append(line)
                else:
                    self._find_links(0)
            elif top[1:4] == "===":
                self._find_links(0)
            self.at += 1

    def _find_links(self, count: int) -> None:
        """Note the links of the line, or of `count` lines, which are taken."""
        for number in range(self.at, self.at + max(count, 1)):
            line = self._lines[number]
            if ":" in line or "<<" in line:
                for match in _LINK.finditer(line):
                    if match["shows"] or match["address"] or match["reference"]:
                        self._add(match, number + 1)
        self.at += count

    def _add(self, match: "re.Match[str]", line: int) -> None:
        target = match["macro"] or match["include"] or match["address"] or match["reference"]
        is_reference = bool(match["reference"])
        if is_reference and "#" not in target and not target.endswith((".adoc", ".asciidoc")):
            target = f"#{target}"  # of a place in this document
        text = match["shown"] if is_reference else match["text"]
        self.links.append(Link("asciidoc", target.strip(), title_of(_plain(text or "")), line))


def _is_delimiter(line: str) -> bool:
    return bool(_DELIMITER.match(line) or _FENCE.match(line))


def _plain(text: str) -> str:
    """The text without anchors and the marks around words."""
    return _INLINE.sub(r"\2", _ANCHOR.sub("", text[:_HEAD]))
