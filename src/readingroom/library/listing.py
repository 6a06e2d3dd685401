"""Documents in order of their path, and completions of paths, identifiers and titles, for one role.

Whatever is named is checked against its file first. A page says where it ended, never how many there are.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from . import names
from .catalog import Catalog, Row
from .errors import BadQuery
from .files import Files, info_of
from .model import ListAnswer
from .reading import place_of
from .shelf import OpenEdition

LIST_ITEMS = 100
MOST_ITEMS = 1_000
_LAST = "\U0010ffff"
COMPLETIONS = 100  # as many as the protocol lets an answer hold


def documents(
    edition: OpenEdition, files: Files, path: str, tags: tuple[str, ...], after: str, limit: int
) -> ListAnswer:
    """Up to `limit` documents behind the path `after`.

    Raises BadQuery for a limit out of its bounds, and for a path that is a malformed address.
    """
    check_limit(limit, MOST_ITEMS)
    path = place_of(edition.catalog, path)
    wanted = tuple(names.tag_key(tag) for tag in tags)
    found = list(islice(_confirmed(files, _from(edition.catalog, path, wanted, after)), limit + 1))
    page = found[:limit]
    following = page[-1].path if len(found) > limit else None
    reconciled = edition.catalog.facts().reconciled
    return ListAnswer(tuple(info_of(row) for row in page), following, reconciled)


def _confirmed(files: Files, rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        now = files.confirmed(row)
        if now is not None:
            yield now


def _from(catalog: Catalog, path: str, tags: tuple[str, ...], after: str) -> Iterator[Row]:
    """Documents behind `after`, in a folder or the one at that path, fetched as they are needed."""
    under = path.removeprefix("./").strip("/")
    low, high = after, _LAST
    if under:
        exact = catalog.row(under)
        if exact is not None and after < under and set(tags) <= {names.tag_key(tag) for tag in exact.tags}:
            yield exact
        low, high = max(after, f"{under}/"), f"{under}0"  # "0" follows "/"
    while rows := catalog.between(low, high, tags, LIST_ITEMS + 1):
        yield from rows
        low = rows[-1].path


def complete(
    edition: OpenEdition,
    files: Files,
    key: Callable[[str], str],
    prefix: str,
    shown: Callable[[Row], str],
    limit: int,
) -> tuple[str, ...]:
    """Up to `limit` different values whose keys begin with that of `prefix`, in the order of their keys.

    `shown` gives a document's value, `key` the lookup key of a value. Raises BadQuery for a limit out of its bounds.
    """
    check_limit(limit, MOST_ITEMS)
    begin = key(prefix)
    values: dict[str, None] = {}
    for row in _rows(edition.catalog, files, begin):
        value = shown(row)
        if value and key(value).startswith(begin):  # the file may have changed since it was indexed
            values[value] = None
        if len(values) == limit:
            break
    return tuple(values)


def _rows(catalog: Catalog, files: Files, prefix: str) -> Iterator[Row]:
    behind = ("", "")
    while keys := catalog.keys_from(prefix, behind, LIST_ITEMS):
        yield from _confirmed(files, [row for _, path in keys if (row := catalog.row(path)) is not None])
        behind = keys[-1]


def check_limit(limit: int, most: int) -> None:
    """Raise BadQuery for a limit out of its bounds."""
    if not 1 <= limit <= most:
        raise BadQuery(f"limit must be from 1 to {most}; it is {limit}.")
