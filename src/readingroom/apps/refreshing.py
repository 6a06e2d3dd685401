"""A library for one command: opened, brought up to date while a bar is shown, closed."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from . import compose
from .characters import one_line
from .console import Console
from .planning import planned
from .progress import ScanBar
from .settings import Settings

if TYPE_CHECKING:
    from ..library import Library, View
    from .collections import Collection

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


@contextmanager
def refreshed_all(
    settings: Settings, collections: "Sequence[Collection]", console: Console
) -> "Iterator[View]":
    """Open several libraries, bring their indexes up to date, and give what can be seen of all; close them in the end.

    A folder that cannot be used is told, and left out. Raises: FolderUnusable when none can, IndexUnusable, BadQuery.
    """
    from ..library import FolderUnusable
    from .gathering import views_of

    with ExitStack() as stack:
        opened: list[tuple[Collection, Library]] = []
        for collection in collections:
            try:
                opened.append((collection, stack.enter_context(refreshed(collection.settings, console))))
            except FolderUnusable as error:
                console.err.line(one_line(f"The collection {collection.name} is left out: {error}"))
        if not opened:
            raise FolderUnusable("None of the folders can be read.")
        yield views_of(opened, settings)


@contextmanager
def view_over(values: Mapping[str, Any], console: Console) -> "Iterator[View]":
    """Give what the principal of a command line may see of its folder, or of all of them. Raises like the two above."""
    plan = planned({**values, "folder": [values["folder"], *values["also"]]}, console.environment)
    if plan.collections:
        with refreshed_all(plan.settings, plan.collections, console) as view:
            yield view
    else:
        with refreshed(plan.settings, console) as library:
            yield compose.view_of(library, plan.settings)


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
