"""Runs the operator's page: its listener, its key, its library and its operator's door, until a signal comes."""

import secrets
from pathlib import Path

from ...limits import Limits
from ...transport.uvicorn_server import Site as Listener
from ...transport.uvicorn_server import serve as listen
from .. import compose, memory
from ..console import Console
from ..faults import UsageFault
from ..operating import git_of, operating
from ..revealing import revealed
from ..settings import Settings
from .application import application
from .counter import Counter
from .gate import ENTRANCE, Gate, Site
from .looking import Looking
from .recalling import Recalling
from .reviewing import Reviewing
from .showing import Showing
from .visitors import Visitors

HOSTS = ("127.0.0.1", "::1")
_PATH_BYTES = 16
LIMITS = Limits(connections=64, body_seconds=10.0, requests_at_once=32, drain_seconds=2.0)
"""One person's browser needs no more."""


def serve(settings: Settings, console: Console, *, host: str, port: int, has_git: bool) -> int:
    """Serve until a signal comes; give the exit code. Raises like `serve_page`."""
    if host not in HOSTS:
        raise UsageFault(
            f"the operator's page is served on this machine alone: {' or '.join(HOSTS)}, not {host}"
        )
    compose.check(settings)
    memory.shut()  # passphrases are sent to this process for as long as it runs
    opening = compose.Opening(settings, ("reader", "editor"))
    site, visitors = Site(f"/{secrets.token_urlsafe(_PATH_BYTES)}"), Visitors()
    try:
        with operating(settings, console.err) as door:
            git = git_of(settings, door, wanted=has_git)
            counter = Counter(door.operator, door.ledger, git)
            gate = page_of(settings, opening, counter, site, visitors)
            if counter.since() is None:
                folder = revealed(settings.folder)
                console.err.line(
                    f"No passphrase is set yet, and without it nothing can be decided: readingroom operator set {folder}"
                )

            def started(origin: str) -> None:
                site.host = origin.removeprefix("http://")
                console.out.line(f"The operator's page of {revealed(settings.folder)}, for one browser:")
                console.out.line(f"  {origin}{site.path}{ENTRANCE}?key={visitors.key}")
                console.out.line(
                    "It only lets one look: each decision asks for the passphrase. Ctrl-C ends it."
                )
                console.out.flush()

            listener = Listener(host=host, port=port)
            return listen(gate, listener, limits=LIMITS, started=started, tell=console.err.line)
    finally:
        opening.close()


def page_of(
    settings: Settings, opening: compose.Opening, counter: Counter, site: Site, visitors: Visitors
) -> Gate:
    """Give the whole page over a library and its operator's door."""
    showing = Showing(site, Path(settings.folder).resolve().name)
    parts = (Reviewing(counter, showing), Recalling(counter, showing), Looking(opening.view, showing))
    return application(site, visitors, showing, [route for part in parts for route in part.routes()])
