"""The structure of Markdown: CommonMark with tables, footnotes and wiki links, by pyromark's events and their ranges.

Only what stands at the top level makes a section: a heading inside a list or a quotation belongs to that block. The
parser is given the text with LF alone as line end, so that its byte offsets are turned into the very lines.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from pyromark import Markdown, Options

from readingroom.library.lines import Lines
from readingroom.library.model import Link
from readingroom.library.structure import Mark, Structure, blocks_of, title_of

_PARSER = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_HEADING_ATTRIBUTES
    | Options.ENABLE_WIKILINKS
)


def structure(lines: Lines, first: int) -> Structure:
    """The blocks and links of the lines from `first` on. Links in code and HTML are none."""
    text = lines.normal(first)
    reader = _Reader(_line_starts(lines, first, text), first)
    reader.read(_PARSER.events_with_range(text, merge_text=True))
    return Structure(blocks_of(lines, reader.marks, first), reader.links)


def _line_starts(lines: Lines, first: int, text: str) -> list[int]:
    """Where each line begins, in the bytes of the normal text."""
    contents = lines.contents[first - 1 :]
    sizes = map(len, contents) if text.isascii() else (len(content.encode()) for content in contents)
    return [0, *accumulate(size + 1 for size in sizes)]


class _Reader:
    """Turns events into marks and links. Text is kept only while a heading or a link is open: `_texts`, one for all."""

    def __init__(self, starts: list[int], first: int) -> None:
        self.marks: list[Mark] = []
        self.links: list[Link] = []
        self._starts = starts
        self._before = first - 1
        self._texts: list[str] | None = None
        self._in_heading = False
        self._open: list[
            tuple[Any, int, int]
        ] = []  # a link or image, its line, where its text begins in _texts

    def read(self, events: Iterable[tuple[Any, Any]]) -> None:
        depth = 0
        for event, span in events:
            if type(event) is str:
                self._bare(event, span, depth)
                continue
            kind = next(iter(event))
            if kind == "Start":
                tag = event[kind]
                if not depth:
                    self._start_block(tag, span)
                elif type(tag) is dict and ("Link" in tag or "Image" in tag):
                    self._start_link(tag, span)
                depth += 1
            elif kind == "End":
                depth -= 1
                tag = event[kind]
                if tag in ("Link", "Image"):
                    self._end_link()
                elif not depth and self._in_heading:
                    self._end_heading()
            elif self._texts is not None and kind in ("Text", "Code"):
                self._texts.append(event[kind])

    def _bare(self, event: str, span: Any, depth: int) -> None:
        if event == "Rule" and not depth:
            self.marks.append(Mark(self._line(span["start"])))
        elif self._texts is not None and event in ("SoftBreak", "HardBreak"):
            self._texts.append(" ")

    def _start_block(self, tag: Any, span: Any) -> None:
        line = self._line(span["start"])
        if type(tag) is dict and "Heading" in tag:
            level = int(tag["Heading"]["level"][1:])
            self.marks.append(Mark(line, level, "", self._line(max(span["start"], span["end"] - 1))))
            self._texts, self._in_heading = [], True
        else:
            self.marks.append(Mark(line))

    def _end_heading(self) -> None:
        mark = self.marks[-1]
        self.marks[-1] = Mark(mark.line, mark.level, title_of("".join(self._texts or ())), mark.last)
        self._texts, self._in_heading = None, False

    def _start_link(self, tag: Any, span: Any) -> None:
        if self._texts is None:
            self._texts = []
        link = tag.get("Link")
        if link is None and type(tag["Image"]["link_type"]) is dict:
            link = tag["Image"]  # a wiki link that shows the document in place
        self._open.append((link, self._line(span["start"]), len(self._texts)))

    def _end_link(self) -> None:
        link, line, begin = self._open.pop()
        texts = self._texts or []
        if link is not None:
            self._add(link, line, title_of("".join(texts[begin:])))
        if not self._open and not self._in_heading:
            self._texts = None

    def _add(self, link: Any, line: int, text: str) -> None:
        target, kind = link["dest_url"], link["link_type"]
        if type(kind) is dict:
            target = target.removesuffix("\\").strip()  # in a table the bar is written \\|
            if target and "\n" not in target:
                self.links.append(Link("wiki", target, text or target, line))
        elif target:
            self.links.append(Link("markdown", f"mailto:{target}" if kind == "Email" else target, text, line))

    def _line(self, offset: int) -> int:
        return self._before + bisect_right(self._starts, offset)
