"""`serve`: checks what can be wrong before, then speaks the protocol and nothing else on stdout until its client is done.

On the way to the first answer; what is imported here is imported before it.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from . import compose
from .settings import Settings, settings_from

if TYPE_CHECKING:
    from ..library import Library

_FIRST_ANSWER_S = 0.03
_CLOSING_S = 0.7


def serve(values: Mapping[str, Any], environment: Mapping[str, str]) -> NoReturn:
    """Serve the folder that the values name, then exit the process.

    Raises: UsageFault, FolderUnusable, BadQuery, all before the first byte is read.
    """
    settings = settings_from(values, environment)
    library = compose.open_library(settings)
    server = compose.server_over(library, settings)
    _greet(settings)
    _start_soon(library, settings)
    code = server.serve_stdio(principal=settings.principal)
    _close(library)
    sys.stdout.flush()
    sys.stderr.flush()
    # Handlers that are stuck run on daemon threads; ending the interpreter by the book would wait for their locks.
    os._exit(code)


def _greet(settings: Settings) -> None:
    """Tell a person who started the server by hand what it waits for."""
    if sys.stdin is not None and sys.stdin.isatty():
        from .characters import one_line
        from .terminal import as_utf8

        as_utf8(sys.stderr)
        sys.stderr.write(
            f"Serving {one_line(settings.folder)} to the role {settings.role} on stdin and stdout. An AI app starts this "
            "command by itself; Ctrl-C ends it.\n"
        )


def _start_soon(library: "Library", settings: Settings) -> None:
    """Bring the index up to date in the background, once the first request, which waits in the pipe, is answered."""
    import threading

    def start() -> None:
        threading.Event().wait(_FIRST_ANSWER_S)
        library.start(every=settings.rescan)

    threading.Thread(target=start, name="readingroom-start", daemon=True).start()


def _close(library: "Library") -> None:
    """Let a scan under way keep what it has read, but not hold up the end: the next server would go on from there."""
    import threading

    closing = threading.Thread(target=library.close, name="readingroom-close", daemon=True)
    closing.start()
    closing.join(_CLOSING_S)
