"""`readingroom search`: the hits of one query, for a person or, with `--json`, for a program."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from .. import dashes, exit_codes, options, paging
from ..console import Console
from ..faults import NothingFound
from ..hits import tell_hits
from ..parsing import CommandParser
from ..refreshing import view_over

USAGE = "[options] FOLDER QUERY…"
DESCRIPTION = """\
Find passages in a folder, by words or a whole question in any language.

A query may hold "an exact phrase", -without, begin*, path:folder, tag:name and lang:ru. Words that look like
options, such as --force or -n, stand after --. The index is brought up to date first, and built if there is none.

With --json the answer is that of the tool library_search: docs/reference/tools.md names its members. Where there are more
passages than were asked for, it has a `cursor` for --cursor."""
EXAMPLES = (
    (
        'readingroom search ~/articles "How long may I keep a borrowed book?"',
        "the passages that answer best come first",
    ),
    ("readingroom search ~/articles 'renew* path:borrowing'", "words that begin with renew, in one folder"),
    ("readingroom search ~/articles --also ~/manuals renew", "in both folders, as one list"),
    ("readingroom search ~/articles borrow -winter", "without passages that have winter"),
    ("readingroom search ~/articles -- --force", "a word that looks like an option"),
    ("readingroom search ~/articles 缓存 --json", "for a program"),
)

_CHARACTERS_EACH = 320
_JSON_CHARACTERS = 6_000


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("query", metavar="QUERY", nargs="+", help="what to look for")
    parser.add_argument(
        "--limit", metavar="N", type=int, default=10, help="at most so many passages, 1 to 50 (default: 10)"
    )
    parser.add_argument("--path", metavar="PATH", help="only this folder or document, relative to FOLDER")
    parser.add_argument(
        "--tag",
        metavar="TAG",
        action="append",
        default=[],
        help="only documents with this tag; may be repeated",
    )
    parser.add_argument(
        "--language",
        metavar="TAG",
        help="the language of the query, e.g. ru, where it cannot be told; no filter",
    )
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    paging.configure(parser)
    options.add(parser, (options.ALSO, *options.WHICH))


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line, in which words of the query may begin with a dash. Raises: UsageFault."""
    values = parser.read(dashes.hidden(parser, arguments))
    values.query = [dashes.shown(word) for word in values.query]
    return values


def run(values: Namespace, console: Console) -> int:
    """Search and print. Raises: NothingFound, and what opening a library raises."""
    start = paging.position(values.cursor) or 0
    size = _JSON_CHARACTERS if values.json else max(1, values.limit) * _CHARACTERS_EACH
    with view_over(vars(values), console) as view:
        answer = view.search(
            " ".join(values.query),
            limit=values.limit,
            start=start,
            path=values.path,
            tags=values.tag,
            language=values.language,
            max_chars=size,
        )
    if values.json:
        console.out.line(paging.search_json(answer))
        return exit_codes.OK if answer.items else exit_codes.NOTHING
    if not answer.items:
        raise NothingFound(f"nothing found. {answer.hint}".rstrip())
    tell_hits(answer, console)
    return exit_codes.OK
