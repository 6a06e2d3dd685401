"""A library for one command: opened, brought up to date while a bar is shown, closed."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from . import compose
from .console import Console
from .progress import ScanBar
from .settings import Settings

if TYPE_CHECKING:
    from ..library import Library

_LOOK_EVERY_S = 0.1


@contextmanager
def refreshed(settings: Settings, console: Console, *, eager: bool = False) -> "Iterator[Library]":
    """Open the library, bring its index up to date, and close it in the end.

    While another process is bringing the index up to date, a finished older one is used, and a first one is waited for.
    `eager` shows progress from the beginning. Raises: FolderUnusable, IndexUnusable, BadQuery.
    """
    with compose.open_library(settings) as library:
        bar = ScanBar(console.err, eager=eager)
        try:
            bring_up_to_date(library, bar)
        finally:
            bar.end()
        yield library


def bring_up_to_date(library: "Library", bar: ScanBar) -> bool:
    """Scan the folder; False when another process is at it and there is an index already."""
    from ..library import IndexBusy

    while True:
        try:
            library.reconcile(bar)
        except IndexBusy:
            if library.since() is not None:
                return False
            time.sleep(_LOOK_EVERY_S)
        else:
            return True
