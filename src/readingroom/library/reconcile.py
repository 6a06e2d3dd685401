"""One scan: the editions of a library are brought in step with its folder, or with the places in it that are named.

Holds the writer's lock meanwhile, gives up damaged editions for fresh ones, and builds the reader's edition anew when a
document of it has gone or become internal. What is compared and read stands in comparison.py.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from . import places
from .census import begin
from .comparison import Comparison
from .editions import Edition
from .errors import IndexUnusable
from .hooks import Hooks
from .lock import WriterLock
from .model import Role
from .rules import Rules
from .unchanged import is_unchanged


def reconcile(
    home: places.Home,
    root: Path,
    rules: Rules,
    roles: Sequence[Role],
    hooks: Hooks,
    paths: Collection[str] | None = None,
) -> None:
    """Bring the editions of `roles` in step with the folder; with `paths`, with what is at and under them ("" is the root).

    A look at paths is not noted as a full scan, whatever follows from it, and becomes one where there was none yet.
    Raises IndexBusy at once when another process is scanning, FolderUnusable when the root cannot be walked,
    IndexUnusable when the index cannot be written (the next scan begins a fresh one), and what `hooks.pause` raises.
    """
    places.prepare(home.folder)
    try:
        with WriterLock(home.lock):
            _reconcile(home, root, rules, list(roles), hooks, paths)
        if paths is None:
            places.tidy(home, root)
    except OSError as error:  # nothing of the folder raises it: it is the index that cannot be kept
        raise IndexUnusable(f"The index cannot be written: {error.strerror or error}.") from error


def _reconcile(
    home: places.Home,
    root: Path,
    rules: Rules,
    left: list[Role],
    hooks: Hooks,
    paths: Collection[str] | None,
) -> None:
    with suppress(IndexUnusable):  # the comparison finds what is wrong, and begins a fresh one
        if paths is None and is_unchanged(home, root, rules, left, hooks):
            return
    census, files = begin(home.census, paths)
    since: float | None = None
    try:
        if paths is not None:
            part = Comparison(root, rules, census, files, hooks, paths=paths)
            left, since = _compare(home, left, part, paths), part.since
            files = census.files() if left else {}
        while left:
            whole = Comparison(root, rules, census, files, hooks, since=since)
            left, since = _compare(home, left, whole), whole.since
    finally:
        census.close()


def _compare(
    home: places.Home, roles: list[Role], comparison: Comparison, paths: Collection[str] | None = None
) -> list[Role]:
    """Make one comparison; the roles whose edition must be built anew beside the one they have.

    With `paths`, nothing is done and all roles are given when one has no edition that all of the folder went into.
    """
    editions: list[Edition] = []
    try:
        for role in roles:
            editions.append(Edition.open(role, home.role(role), paths))  # noqa: PERF401  -- each is closed if a later one fails
        if paths is not None and not all(edition.is_complete for edition in editions):
            return roles
        comparison.run(editions)
    except IndexUnusable:
        for edition in editions:
            with suppress(OSError):  # the disk may be full, and the fault is told anyway
                places.retire(edition.folder)
        raise
    finally:
        for edition in editions:
            edition.close()
    for role in roles:
        places.sweep(home.role(role), keep=places.current(home.role(role)))
    return [edition.role for edition in editions if edition.is_due]
