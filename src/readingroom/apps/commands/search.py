"""`readingroom search`: the hits of one query, for a person or, with `--json`, for a program."""

from argparse import ArgumentParser, Namespace

from .. import compose, exit_codes, options
from ..console import Console
from ..faults import NothingFound
from ..hits import tell_hits
from ..json_text import json_text, time_text
from ..refreshing import refreshed
from ..settings import settings_from

USAGE = "[options] FOLDER QUERY…"
DESCRIPTION = """\
Find passages in a folder, by words or a whole question in any language.

A query may hold "an exact phrase", -without, begin*, path:folder, tag:name and lang:ru. Put it in quotes, or after --,
when it begins with a dash. The index is brought up to date first, and built if there is none."""
EXAMPLES = (
    (
        'readingroom search ~/articles "How long may I keep a borrowed book?"',
        "the passages that answer best come first",
    ),
    ("readingroom search ~/articles 'renew* path:borrowing'", "words that begin with renew, in one folder"),
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
    options.add(parser, options.WHICH)


def run(values: Namespace, console: Console) -> int:
    """Search and print. Raises: NothingFound, and what opening a library raises."""
    settings = settings_from(vars(values), console.environment)
    size = _JSON_CHARACTERS if values.json else max(1, values.limit) * _CHARACTERS_EACH
    with refreshed(settings, console) as library:
        answer = compose.view_of(library, settings).search(
            " ".join(values.query),
            limit=values.limit,
            path=values.path,
            tags=values.tag,
            language=values.language,
            max_chars=size,
        )
    if values.json:
        console.out.line(json_text(answer, reconciled=time_text(answer.reconciled)))
        return exit_codes.OK if answer.items else exit_codes.NOTHING
    if not answer.items:
        raise NothingFound(f"nothing found. {answer.hint}".rstrip())
    tell_hits(answer, console)
    return exit_codes.OK
