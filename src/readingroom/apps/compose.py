"""The one place where objects are put together: a library under its settings, a view of it, the desk's server over that.

Nothing heavy is loaded to make a server: the library opens with the first request that needs it, or in the background.
"""

import os
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from ..kit import Server
    from ..library import Library, View


def open_library(settings: Settings) -> "Library":
    """Open the library for the role of the settings.

    Raises: FolderUnusable; BadQuery for a rule that could never match what it means.
    """
    from pathlib import Path

    from ..library import Library, Rules

    rules = Rules(internal=settings.internal, leave_out=settings.leave_out)
    cache = None if settings.cache is None else Path(settings.cache)
    return Library.open(settings.folder, rules=rules, cache=cache, roles=(settings.role,))


def view_of(library: "Library", settings: Settings) -> "View":
    """Give what the principal of the settings may see."""
    from ..library import Principal

    return library.view(Principal(settings.principal, settings.role))


def server_over(library: "Library", settings: Settings) -> "Server":
    """Give the server through which the principal of the settings uses the library."""
    from .. import __version__
    from ..desk import open_desk

    return open_desk(
        lambda: view_of(library, settings),
        version=__version__,
        cursor_key=cursor_key(settings),
        principal=settings.principal,
    )


def cursor_key(settings: Settings) -> bytes:
    """Give the key that seals cursors over stdio, equal in every process that serves this folder to this role.

    It is no secret, and need not be: whoever holds the pipe may read what a cursor could lead to. The seal keeps a cursor
    to its call, so that a wrong one is refused and not taken for another place.
    """
    import hashlib

    named = "\0".join(("readingroom cursors", settings.role, os.path.realpath(settings.folder)))
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).digest()
