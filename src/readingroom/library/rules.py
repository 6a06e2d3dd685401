"""What is served of a folder, what of it is internal, and how it is cut into passages.

Values alone: the patterns are given meaning by `ignore`, the formats by the parsers. Two sets of rules that are equal
give the same passages of the same bytes as long as SEMANTICS is equal too; an index is made under both.
"""

import msgspec

from readingroom.library.errors import BadQuery
from readingroom.library.model import Format

SEMANTICS: int = 3
"""The version of what parsing yields. It goes up whenever the same bytes under the same rules give other passages,
headings, links or fields."""

# The longest books are served whole: «Война и мир» is 6 MB in UTF-8. What is larger is a log, a dump or a data set,
# which would drown the rest of the library in its hits.
MAX_FILE_BYTES: int = 8 * 1024 * 1024

# Three or four paragraphs: enough to be read without its neighbours, small enough that an answer of 6,000 characters
# holds several.
PASSAGE_CHARACTERS: int = 2_000

SUFFIXES: dict[str, Format] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".rst": "rst",
    ".rest": "rst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".org": "org",
    ".ipynb": "notebook",
    ".docx": "docx",
    ".epub": "epub",
    ".pdf": "pdf",
}

CONVERTED: frozenset[Format] = frozenset({"notebook", "docx", "epub", "pdf"})
"""The formats whose bytes are not what is read: they are converted to a text, and take no drafts."""


class Rules(msgspec.Struct, frozen=True):
    """The rules of a library.

    `internal` and `leave_out` are patterns as in `.gitignore`, matched against the path relative to the root: the
    first make documents internal, the second leave them out as if they stood in an ignore file at the root.
    `max_file_bytes` caps a file; `passage_characters` is the size near which a long section is split. `narrowed` are
    further patterns that make documents internal, which nothing in `internal` takes back (`narrowing` says whose).

    Raises BadQuery for a pattern that could never match what its author meant, and for a size below 1: a rule that
    hides documents may not fail silently.
    """

    internal: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    max_file_bytes: int = MAX_FILE_BYTES
    passage_characters: int = PASSAGE_CHARACTERS
    narrowed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check what was given."""
        if self.max_file_bytes < 1 or self.passage_characters < 1:
            raise BadQuery("The cap of a file and the size of a passage are at least 1.")
        if self.internal or self.leave_out:
            from readingroom.library.patterns import check

            for pattern in (*self.internal, *self.leave_out):
                check(pattern)


def format_of(name: str) -> Format | None:
    """The format of a file by the suffix of its name, in any case; None when it is not served."""
    dot = name.rfind(".")
    return SUFFIXES.get(name[dot:].lower()) if dot > 0 else None
