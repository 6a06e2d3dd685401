"""The text that a document is converted to, put together block by block, with what each of its lines is.

Knows no format. Every text that goes in is made to be one that can be kept: line ends are LF, and what no text can hold
(NUL, halves of surrogate pairs) is replaced.
"""

import msgspec

from ..decode import NotText
from ..lines import Lines, cut_lines
from ..model import Link
from ..structure import Block, Structure, title_of

MOST_CHARACTERS = 16_000_000
"""More than any book has; a document that says more was made to fill memory."""


class Converted(msgspec.Struct, frozen=True):
    """A converted document. `fronted` says that front matter may stand at the beginning of the text."""

    text: str
    structure: Structure
    title: str = ""
    language: str = ""
    warnings: tuple[str, ...] = ()
    fronted: bool = False


class Writing:
    """Gathers blocks. Raises NotText when there is more text than a document may have."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._size = 0
        self._blocks: list[Block] = []
        self._links: list[Link] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written."""
        return not self._blocks

    def heading(self, level: int, title: str) -> None:
        """Begin a section, unless the title is blank."""
        shown = title_of(clean(title))
        if shown:
            self._put(f"{'#' * min(level, 6)} {shown}", level, shown)

    def block(self, text: str) -> None:
        """Write lines that belong together; blank ones around them are left off."""
        self._put(clean(text))

    def source(self, text: str, found: Structure) -> None:
        """Write a text as it stands, with blocks and links that were found in it: in `clean(text)`, to be exact."""
        before = self._begin(clean(text))
        self._blocks += [
            msgspec.structs.replace(block, first=block.first + before, last=block.last + before)
            for block in found.blocks
        ]
        self._links += [msgspec.structs.replace(link, line=link.line + before) for link in found.links]

    def link(self, target: str, text: str) -> None:
        """Note a link in the next block to be written."""
        line = len(self._lines) + (2 if self._lines else 1)
        self._links.append(Link("html", target, title_of(clean(text)), line))

    def _put(self, text: str, level: int = 0, title: str = "") -> None:
        lines = text.split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        while lines and not lines[0].strip():
            lines.pop(0)
        if lines:
            before = self._begin("\n".join(lines))
            size = sum(map(len, lines)) + len(lines) - 1
            self._blocks.append(Block(before + 1, before + len(lines), size, level, title))

    def _begin(self, text: str) -> int:
        """Write lines, a blank one before them; how many lines now stand above them."""
        if self._lines:
            self._lines.append("")
        before = len(self._lines)
        lines = cut_lines(text)
        self._lines += lines[:-1] if lines and not lines[-1] else lines
        self._size += len(text) + 2
        if self._size > MOST_CHARACTERS:
            raise NotText(f"it has more than {MOST_CHARACTERS:,} characters of text")
        return before

    def done(
        self,
        title: str = "",
        language: str = "",
        warnings: tuple[str, ...] = (),
        *,
        fronted: bool = False,
    ) -> Converted:
        """The document as it was written."""
        text = "\n".join([*self._lines, ""]) if self._lines else ""
        last = len(Lines(text))
        links = [link for link in self._links if link.line <= last]
        found = Structure(self._blocks, links)
        return Converted(text, found, title_of(clean(title)), language, warnings, fronted)


def clean(text: str) -> str:
    """The text with LF as its line ends, and without what no text can hold."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
