"""Runs the operator's page: its listener, its key, its library and its operator's door, until a signal comes."""

import os
import secrets
from collections.abc import Callable

from ...limits import Limits
from ...transport.uvicorn_server import Site as Listener
from ...transport.uvicorn_server import serve as listen
from .. import compose
from ..faults import UsageFault
from ..settings import Settings
from .application import application
from .gate import ENTRANCE, Gate, Site
from .looking import Looking
from .showing import Showing
from .visitors import Visitors

HOSTS = ("127.0.0.1", "::1")
_PATH_BYTES = 16
LIMITS = Limits(connections=64, body_seconds=10.0, requests_at_once=32, drain_seconds=2.0)
"""One person's browser needs no more."""


def serve(settings: Settings, *, host: str, port: int, tell: Callable[[str], None]) -> int:
    """Serve until a signal comes; give the exit code. Raises like `serve_page`."""
    if host not in HOSTS:
        raise UsageFault(
            f"the operator's page is served on this machine alone: {' or '.join(HOSTS)}, not {host}"
        )
    opening = compose.Opening(settings, ("reader", "editor"))
    compose.check(settings)
    site, visitors = Site(f"/{secrets.token_urlsafe(_PATH_BYTES)}"), Visitors()
    try:
        gate = page_of(settings, opening, site, visitors)

        def started(origin: str) -> None:
            site.host = origin.removeprefix("http://")
            tell(f"The operator's page of {settings.folder}, for one browser:")
            tell(f"  {origin}{site.path}{ENTRANCE}?key={visitors.key}")
            tell("It only lets one look: each decision asks for the passphrase. Ctrl-C ends it.")

        return listen(gate, Listener(host=host, port=port), limits=LIMITS, started=started, tell=tell)
    finally:
        opening.close()


def page_of(settings: Settings, opening: compose.Opening, site: Site, visitors: Visitors) -> Gate:
    """Give the whole page over a library."""
    showing = Showing(site, os.path.realpath(settings.folder))
    routes = [*Looking(opening.view, showing).routes()]
    return application(site, visitors, showing, routes)
