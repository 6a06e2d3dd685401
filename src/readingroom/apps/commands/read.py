"""`readingroom read`: the text of a document, a section or some lines; or a resource of any MCP server."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .. import exit_codes, naming, options, paging, peers, questions, resource_reading
from ..console import Console
from ..faults import UsageFault
from ..refreshing import view_over

if TYPE_CHECKING:
    from ...library import ReadAnswer

USAGE = "[options] (FOLDER ADDRESS | URI SERVER)"
DESCRIPTION = """\
Print a document of a folder, a section or some lines of it; or, when a server is named, a resource of that MCP server.

SERVER is -- COMMAND…, which is started without a shell and ended, or --url URL, or --server NAME.

ADDRESS is what a hit names (library:///borrowing/rules.md), a path relative to FOLDER, an address by id
(library:///.id/loans), or an alias from the document's front matter.

With --json the answer is that of the tool library_read: docs/reference/tools.md names its members. A document that is
longer than one answer has a `cursor` for --cursor; without --json it comes whole. Of a server, --json prints the whole
result; what is no text is told in words, and --output writes it to a file."""
EXAMPLES = (
    ("readingroom read ~/articles borrowing/rules.md", "the whole document"),
    (
        "readingroom read ~/articles library:///borrowing/rules.md --lines 24-37 --number",
        "some lines, with their numbers",
    ),
    (
        "readingroom read ~/articles borrowing/rules.md --section 'Loan periods'",
        "what stands under a heading",
    ),
    ("readingroom read notes:///n0 -- python examples/notes_server.py", "a resource of a server"),
    (
        "readingroom read file:///logo.png --output logo.png --url https://docs.example/mcp",
        "one that is no text",
    ),
)
read = resource_reading.read

_MOST_CHARACTERS = 1_000_000


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        help=f"{options.FOLDER_HELP}; of a server, the URI of the resource stands here alone",
    )
    parser.add_argument(
        "address", metavar="ADDRESS", nargs="?", help="a library:/// address, a path or an alias"
    )
    parser.add_argument(
        "--section", metavar="HEADING", help="only the section under this heading; a trail is written A > B"
    )
    parser.add_argument("--lines", metavar="FIRST-LAST", help="only these lines, as in 10-20 or 10")
    parser.add_argument("-n", "--number", action="store_true", help="print each line's number before it")
    parser.add_argument(
        "--json", action="store_true", help="print the text and what is known of the document as JSON"
    )
    paging.configure(parser)
    options.add(parser, [options.ALSO, *(option for option in options.WHICH if option != options.CONFIG)])
    parser.add_argument(
        "--output", metavar="FILE", help="write what the resource of a server holds to this file"
    )
    questions.configure(parser)
    peers.configure(parser, f"; without --server: {options.CONFIG.help}")


def run(values: Namespace, console: Console) -> int:
    """Read and print. Raises: NotFound, UsageFault, what opening a library raises, and the client's errors."""
    if naming.is_named(values):
        return resource_reading.run(values, console)
    if values.output is not None:
        raise UsageFault("--output is for resources of a server; name one, or send stdout to a file")
    lines = None if values.lines is None else lines_from(values.lines)
    begin = paging.position(values.cursor)
    parts: list[ReadAnswer] = []
    with view_over(vars(values), console) as view:
        while not parts or (parts[-1].next is not None and not values.json):
            start = parts[-1].next if parts else begin
            parts.append(
                view.read(
                    values.address,
                    section=values.section,
                    lines=lines,
                    start=start,
                    max_chars=_MOST_CHARACTERS,
                )
            )
    if values.json:
        console.out.line(paging.read_json(parts[0]))
        return exit_codes.OK
    text = whole(parts)
    console.out.text((numbered(text, parts[0].lines[0]) if values.number and text else text) + "\n")
    return exit_codes.OK


def whole(parts: Sequence["ReadAnswer"]) -> str:
    """Join the parts of a document; the line ends between them, which answers leave off, are put back."""
    texts = [parts[0].text]
    for before, part in pairwise(parts):
        missing = part.lines[0] - before.lines[0] - _with_plain_ends(before.text).count("\n")
        texts += ["\n" * missing, part.text]
    return "".join(texts)


def lines_from(given: str) -> tuple[int, int]:
    """Read a range of lines. Raises: UsageFault."""
    first, dash, last = given.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise UsageFault(f"--lines takes a first and a last line, as in 10-20, or one line; not {given!r}")
    return int(first), int(last or first)


def numbered(text: str, first: int) -> str:
    """Give the text with the number of each line before it."""
    lines = _with_plain_ends(text).split("\n")
    columns = len(str(first + len(lines) - 1))
    return "\n".join(f"{number:{columns}}  {line}" for number, line in enumerate(lines, first))


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
