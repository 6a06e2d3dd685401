"""One full scan: the editions of a library are brought in step with its folder.

Holds the writer's lock meanwhile, gives up damaged editions for fresh ones, and builds the reader's edition anew when a
public document has become internal. What is compared and read stands in comparison.py.
"""

from collections.abc import Sequence
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


def reconcile(home: places.Home, root: Path, rules: Rules, roles: Sequence[Role], hooks: Hooks) -> None:
    """Bring the editions of `roles` in step with the folder.

    Raises IndexBusy at once when another process is scanning, FolderUnusable when the root cannot be walked,
    IndexUnusable when the index cannot be written (the next scan begins a fresh one), and what `hooks.pause` raises.
    """
    places.prepare(home.folder)
    try:
        _reconcile(home, root, rules, list(roles), hooks)
    except OSError as error:  # nothing of the folder raises it: it is the index that cannot be kept
        raise IndexUnusable(f"The index cannot be written: {error.strerror or error}.") from error


def _reconcile(home: places.Home, root: Path, rules: Rules, left: list[Role], hooks: Hooks) -> None:
    with WriterLock(home.lock):
        census, files = begin(home.census)
        try:
            while left:
                left = _compare(home, left, Comparison(root, rules, census, files, hooks))
        finally:
            census.close()
    places.tidy(home, root)


def _compare(home: places.Home, roles: list[Role], comparison: Comparison) -> list[Role]:
    """Make one comparison; the roles whose edition must be built anew beside the one they have."""
    editions: list[Edition] = []
    try:
        for role in roles:
            editions.append(Edition.open(role, home.role(role)))  # noqa: PERF401  -- each is closed if a later one fails
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
    return [edition.role for edition in editions if places.is_retired(edition.folder)]
