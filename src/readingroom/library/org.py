"""The structure of Org files, by a scan of their lines: headlines, blocks, drawers, tables and links, with exact lines.

A headline is a line that begins with stars and a blank, wherever it stands: Org itself lets nothing hide one. Its stars
are its level; keyword, priority and tags are no part of its title. No code is run and nothing is included.
"""

import posixpath
import re

from readingroom.library.lines import Lines
from readingroom.library.model import Link
from readingroom.library.rules import format_of
from readingroom.library.structure import Head, Mark, Structure, blocks_of, title_of

_HEAD = 1_000  # how much of a line is looked at to tell what it is

_HEADLINE = re.compile(r"(\*+) +(\S.*)?\Z")
_TAGS = re.compile(r"\s:[\w@#%:]+:\Z")
_PRIORITY = re.compile(r"\[#[A-Z0-9]{1,2}\]\s*")
_KEYWORD = re.compile(r"\s*#\+(\w+):[ \t]*(.*)\Z")
_BEGIN = re.compile(r"\s*#\+begin_(\S+)", re.IGNORECASE)
_DRAWER = re.compile(r"\s*:[\w-]+:\s*\Z")
_LINK = re.compile(r"\[\[([^\[\]]{1,2000})\](?:\[([^\[\]]{1,1000})\])?\]")
_INLINE = re.compile(r"(?<!\w)([*/_=~+])(?=\S)([^*/_=~+]+)\1(?!\w)")
_DONE = frozenset({"TODO", "DONE"})
_DEEPEST = 20  # beyond that, levels are not told apart
_VERBATIM = frozenset({"src", "example", "export", "comment"})


def structure(lines: Lines, first: int) -> tuple[Structure, Head]:
    """The blocks, links and header of the lines from `first` on."""
    scan = _Scan(lines, first)
    for line in range(first, len(lines) + 1):
        scan.take(line, lines.contents[line - 1])
    if scan.title:
        scan.head.title = title_of(_plain(" ".join(scan.title)))
    return Structure(blocks_of(lines, scan.marks, first), scan.links), scan.head


class _Scan:
    """Takes line after line; `_end` is what ends the block or drawer that is open, "" when none is."""

    def __init__(self, lines: Lines, first: int) -> None:
        self.marks: list[Mark] = []
        self.links: list[Link] = []
        self.head = Head()
        self.title: list[str] = []
        self._keywords = _DONE | _todo_words(lines, first)
        self._end = ""
        self._previous = "blank"

    def take(self, line: int, content: str) -> None:
        head = content[:_HEAD].rstrip()
        headline = _HEADLINE.match(head) if head[:1] == "*" else None
        if headline is not None:
            self._end, self._previous = "", "blank"
            self.marks.append(
                Mark(line, min(len(headline[1]), _DEEPEST), self._title(headline[2] or ""), line)
            )
        elif self._end:
            if head.strip().lower() == self._end:
                self._end, self._previous = "", "blank"
            elif self._end.removeprefix("#+end_") in _VERBATIM:
                return
        elif not head:
            self._previous = "blank"
            return
        else:
            self._take_text(line, head)
        if "[[" in content:
            self._find_links(line, content)

    def _take_text(self, line: int, head: str) -> None:
        kind = "text"
        if (begin := _BEGIN.match(head)) is not None:
            kind, self._end = "block", f"#+end_{begin[1].lower()}"
        elif (keyword := _KEYWORD.match(head)) is not None:
            kind = "keyword"
            self._note(keyword[1].lower(), keyword[2].strip())
        elif _DRAWER.match(head):
            kind, self._end = "drawer", ":end:"
        elif head.lstrip()[:1] == "|":
            kind = "table"
        if kind != self._previous:
            self.marks.append(Mark(line))
        self._previous = kind

    def _note(self, name: str, value: str) -> None:
        if name == "title":
            self.title.append(value)
        elif name == "language":
            self.head.language = self.head.language or value
        elif name == "keywords":
            self.head.keywords.append(value)
        elif name == "filetags":
            self.head.keywords.append(value.strip(":").replace(":", ","))

    def _title(self, text: str) -> str:
        text = _TAGS.sub("", f" {text}").strip()
        word, _, rest = text.partition(" ")
        text = rest.strip() if word in self._keywords else text
        return title_of(_plain(_PRIORITY.sub("", text, count=1)))

    def _find_links(self, line: int, content: str) -> None:
        for match in _LINK.finditer(content):
            target = _target(match[1].strip())
            if target:
                self.links.append(Link("org", target, title_of(_plain(match[2] or match[1])), line))


def _todo_words(lines: Lines, first: int) -> frozenset[str]:
    """The keywords that the file itself declares for its headlines."""
    found: set[str] = set()
    for content in lines.contents[first - 1 :]:
        if content[:2] == "#+" and (match := _KEYWORD.match(content[:_HEAD])) is not None:
            declares = match[1].lower() in ("todo", "seq_todo", "typ_todo")
            found |= {word.partition("(")[0] for word in match[2].split() if declares}
    return frozenset(found - {"|", ""})


def _target(written: str) -> str:
    """Where a link leads: a place in another file or in this one stands behind ``#``."""
    location, _, place = written.removeprefix("file:").partition("::")
    place = place.lstrip("*#")
    if written[:1] in ("*", "#"):
        return f"#{written.lstrip('*#')}"
    is_path = written.startswith("file:") or "/" in location or ":" in location
    if not is_path and format_of(posixpath.basename(location)) is None:
        return f"#{location}"  # the name of a place in this file
    return f"{location}#{place}" if place else location


def _plain(text: str) -> str:
    """The text with what links show, and without the marks around words."""
    return _INLINE.sub(r"\2", _LINK.sub(lambda match: match[2] or match[1], text[:_HEAD]))
