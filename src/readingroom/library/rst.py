"""The structure of reStructuredText, by a scan of its lines: which of them begin which construct.

Only what decides where a title can stand is told apart, as docutils does: a title is a line of text under which, or
around which, the same mark is repeated; it is as wide as the title, or too short with a warning but of four marks at
least, and its level is that of the first title in its style. Inline markup is not read here, but for the title's.
"""

import re
import unicodedata

from readingroom.library.lines import Lines
from readingroom.library.rst_links import links
from readingroom.library.structure import Mark, Structure, blocks_of, title_of

_HEAD = 1_000  # how much of a line is looked at to tell its construct
_LEAST = 4  # marks that make a line of marks serious, whatever its width

_LINE = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
_ORDINAL = r"\d+|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+|#"
_ENUMERATOR = re.compile(rf"(\()?({_ORDINAL})(?(1)\)|([.)]))(?: |\Z)")
_SIMPLE_BORDER = re.compile(r"=+[ =]*\Z")
_ARGUMENT = r"(?:[a-zA-Z][\w-]*|<[^<>]+>)"
_OPTION = rf"(?:[-+][a-zA-Z0-9](?: ?{_ARGUMENT})?|(?:--|/)[a-zA-Z0-9][\w-]*(?:[ =]{_ARGUMENT})?)"
_FIELD = r":(?![: ])(?:[^:\\]|\\.|:(?![ `]|\Z))*+(?<! ):(?: |\Z)"
# What a construct begins with, in the order in which docutils asks; the name of the group is its kind.
_CONSTRUCT = re.compile(
    rf"(?P<bullet>[-+*\u2022\u2023\u2043](?: |\Z))|(?P<enumerator>\((?:{_ORDINAL})\)(?: |\Z)|(?:{_ORDINAL})[.)](?: |\Z))"
    rf"|(?P<field>{_FIELD})|(?P<option>{_OPTION}(?:, {_OPTION})*(?:  | ?\Z))|(?P<doctest>>>>(?: |\Z))"
    r"|(?P<line>\|(?: |\Z))|(?P<grid>\+-[-+]+-\+\Z)|(?P<table>=+(?: +=+)+\Z)|(?P<explicit>\.\.(?: |\Z))"
    r"|(?P<anonymous>__(?: |\Z))"
)
_LISTS = ("bullet", "enumerator", "field", "option", "line")
_INLINE = re.compile(r"(?::[\w.:+-]+:)?`{1,2}([^`<]+?)(?:\s*<[^`<>]*>)?`{1,2}(?:__?)?|\*{1,2}([^*]+)\*{1,2}")


def structure(lines: Lines, first: int) -> Structure:
    """The blocks and links of the lines from `first` on."""
    scan = _Scan(lines, first)
    while scan.at < scan.end:
        scan.step()
    return Structure(blocks_of(lines, scan.marks, first), links(lines, first))


class _Scan:
    """Goes from construct to construct. `at` counts from 0 in the lines as docutils sees them: tabs expanded, no blanks
    at their ends."""

    def __init__(self, lines: Lines, first: int) -> None:
        self.marks: list[Mark] = []
        self._lines = [line.expandtabs(8).rstrip() for line in lines.contents]
        self.at = first - 1
        self.end = len(self._lines)
        self._styles: list[str] = []
        self._level = 0
        self._previous = ""  # the construct before this one: lists go on over blank lines

    def step(self) -> None:
        """Take one construct, or one line that is blank or belongs to what stands before it."""
        line = self._lines[self.at]
        if not line or line[0] == " ":
            self.at += 1
            return
        head = line[:_HEAD]
        match = _CONSTRUCT.match(head)
        kind = (match and match.lastgroup) or "text"
        if kind == "text" and _LINE.match(line):
            kind = "marks"
        elif (kind == "enumerator" and not self._is_item(head)) or (
            kind == "option" and not self._is_option(head)
        ):
            kind = "text"
        if kind not in _LISTS or kind != self._previous:
            self.marks.append(Mark(self.at + 1))
        self._previous = kind
        takes = {
            "text": self._take_text,
            "marks": self._take_marks,
            "doctest": self._take_to_blank,
            "grid": self._take_grid,
            "table": self._take_table,
        }
        takes.get(kind, self._take_item)()

    def _line(self, number: int) -> str:
        return self._lines[number] if number < self.end else ""

    def _is_item(self, head: str) -> bool:
        """An enumerator makes a list only if the next line is blank, indented, or the next item."""
        following = self._line(self.at + 1)[:_HEAD]
        return not following or following[0] == " " or _succeeds(head, following)

    def _is_option(self, head: str) -> bool:
        """Options make a list only with a description, behind them or indented below."""
        return "  " in head or self._line(self.at + 1)[:1] == " "

    def _take_item(self) -> None:
        self.at += 1

    def _take_to_blank(self) -> None:
        while self.at < self.end and self._lines[self.at]:
            self.at += 1

    def _take_grid(self) -> None:
        self.at += 1
        while self._line(self.at)[:1] in ("+", "|") and self._line(self.at):
            self.at += 1

    def _take_table(self) -> None:
        """To the bottom border: the second, or the first that nothing follows; without one, to the end."""
        width = len(self._lines[self.at])
        borders = last = 0
        for number in range(self.at + 1, self.end):
            if not _SIMPLE_BORDER.match(self._lines[number]):
                continue
            borders, last = borders + 1, number
            if len(self._lines[number]) != width or borders == 2 or not self._line(number + 1):
                self.at = number + 1
                return
        self.at = last + 1 if last else self.end

    def _take_marks(self) -> None:
        """A line of marks: a title's overline, a transition, or, where it is short, text."""
        over = self._lines[self.at]
        title, under = self._line(self.at + 1), self._line(self.at + 2)
        if not title:
            return self._take_item() if len(over) >= _LEAST else self._take_text()
        if _LINE.match(title) and title[0] != " ":
            return self._take_text() if len(over) < _LEAST else self._skip(2)
        if over == under and (_width(title) <= len(over) or len(over) >= _LEAST):
            return self._take_title(title, over[0] * 2, self.at + 3)
        return self._take_text() if len(over) < _LEAST else self._skip(3)

    def _take_text(self) -> None:
        """A paragraph, a term with its definition, or a title with its underline."""
        line, under = self._lines[self.at], self._line(self.at + 1)
        if _LINE.match(under) and (_width(line) <= len(under) or len(under) >= _LEAST):
            return self._take_title(line, under[0], self.at + 2)
        while self.at < self.end and self._lines[self.at] and self._lines[self.at][0] != " ":
            line = self._lines[self.at]
            self.at += 1
        if line.endswith("::"):
            self._take_quoted()
        return None

    def _take_quoted(self) -> None:
        """What follows a paragraph that announces a literal block: if not indented, lines with one mark before each."""
        while self.at < self.end and not self._lines[self.at]:
            self.at += 1
        mark = self._line(self.at)[:1]
        if mark and _LINE.match(mark):
            while self._line(self.at)[:1] == mark:
                self.at += 1

    def _take_title(self, title: str, style: str, following: int) -> None:
        known = style in self._styles
        level = self._styles.index(style) + 1 if known else len(self._styles) + 1
        if level <= self._level + 1:
            if not known:
                self._styles.append(style)
            self._level = level
            text = title_of(_INLINE.sub(lambda match: match[1] or match[2], title[:_HEAD]))
            self.marks[-1] = Mark(self.at + 1, level, text, following)
        self.at = following

    def _skip(self, count: int) -> None:
        self.at = min(self.at + count, self.end)


def _succeeds(line: str, following: str) -> bool:
    """Whether both lines begin with enumerators of one format, the second the next or an automatic one.

    Of Roman numerals longer than a letter only the format is compared.
    """
    one, two = _ENUMERATOR.match(line), _ENUMERATOR.match(following)
    if one is None or two is None or one[1] != two[1] or one[3] != two[3]:
        return False
    before, after = one[2], two[2]
    if after == "#" or before == "#":
        return after == "#"
    if before.isdigit():
        return after.isdigit() and int(after) == int(before) + 1
    if before in "iI":
        return after == before * 2
    if len(before) > 1:
        return not after.isdigit() and after.islower() == before.islower()
    return after == chr(ord(before) + 1) and after.isalpha()


def _width(text: str) -> int:
    """Columns that the text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)
