"""`serve`: checks what can be wrong before, then speaks the protocol and nothing else on stdout until its client is done.

On the way to the first answer; what is imported here is imported before it.
"""

import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from ..transport.handles import leave
from . import compose
from .planning import Plan, planned

if TYPE_CHECKING:
    from .gathering import Gathering

_FIRST_ANSWER_S = 0.03
_CLOSING_S = 0.7


def serve(values: Mapping[str, Any], environment: Mapping[str, str]) -> NoReturn:
    """Serve the folder that the values name, then exit the process.

    Raises: UsageFault, FolderUnusable, BadQuery, all before the first byte is read.
    """
    plan = planned(values, environment)
    plan.check()
    settings, opening = plan.settings, plan.opening()
    server = compose.server_over(opening, settings)
    _greet(plan)
    start_soon(opening)
    code = server.serve_stdio(principal=settings.principal, older_era=settings.older_era)
    close(opening)
    leave(code)


def _greet(plan: Plan) -> None:
    """Tell a person who started the server by hand what it waits for."""
    if sys.stdin is not None and sys.stdin.isatty():
        from .characters import one_line
        from .terminal import as_utf8

        as_utf8(sys.stderr)
        served = one_line(", ".join(plan.folders))
        sys.stderr.write(
            f"Serving {served} to the role {plan.settings.role} on stdin and stdout. An AI app starts this command "
            "by itself; Ctrl-C ends it.\n"
        )


def start_soon(opening: "compose.Opening | Gathering") -> None:
    """Bring the index up to date in the background, once the first request, which waits in the pipe, is answered."""

    def start() -> None:
        threading.Event().wait(_FIRST_ANSWER_S)
        try:
            opening.library()
        except Exception as error:  # noqa: BLE001  -- nobody else would hear of it; the next request tries again
            sys.stderr.write(f"readingroom: the library could not be opened ({type(error).__name__})\n")

    threading.Thread(target=start, name="readingroom-start", daemon=True).start()


def close(opening: "compose.Opening | Gathering") -> None:
    """Let a scan under way keep what it has read, but not hold up the end: the next server would go on from there."""
    closing = threading.Thread(target=opening.close, name="readingroom-close", daemon=True)
    closing.start()
    closing.join(_CLOSING_S)
