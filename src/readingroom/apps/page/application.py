"""Puts the pages together: their routes, what they say of errors, the style sheet, the entrance, and the gate before all."""

from collections.abc import Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ...library import LibraryError
from ..faults import CommandFault
from .faults import refusal_of
from .forms import BadForm
from .gate import ENTRANCE, STYLE, App, Gate, Refusal, Site
from .showing import Showing, visit_of
from .visitors import COOKIE, Visitors

_STYLE = Path(__file__).with_name("static") / "style.css"
_FORESEEN = (Refusal, BadForm, LibraryError, CommandFault, Exception)


def application(site: Site, visitors: Visitors, showing: Showing, routes: Iterable[BaseRoute]) -> Gate:
    """Give the whole page as an ASGI application."""

    def enter(request: Request) -> Response:
        visitor = visitors.enter(request.query_params.get("key", "")) if _is_meant(request) else None
        if visitor is None:
            raise Refusal(
                403,
                "This address has been used, or is not the one that was printed. End readingroom review --web with Ctrl-C "
                "and start it again for a new one.",
            )
        answer = showing.page("entrance.html", visit_of(request))
        # The path is the page's own: a cookie goes to every port of this machine, but not to a path that nobody knows.
        answer.set_cookie(COOKIE, visitor.secret, path=f"{site.path}/", httponly=True, samesite="strict")
        return answer

    def told(request: Request, error: Exception) -> Response:
        refusal = (
            Refusal(error.status_code, "There is nothing here.")
            if isinstance(error, HTTPException)
            else error
        )
        return showing.refusal(refusal_of(refusal), visit_of(request))

    def style(_: Request) -> Response:
        return FileResponse(_STYLE, media_type="text/css")

    def refuse(refusal: Refusal, is_near: bool) -> App:
        return showing.refusal(refusal) if is_near else PlainTextResponse(refusal.text, refusal.status)

    pages = Starlette(
        routes=[Route(ENTRANCE, enter), Route(STYLE, style), *routes],
        exception_handlers=dict.fromkeys((*_FORESEEN, HTTPException), told),
    )
    return Gate(pages, site, visitors, refuse)


def _is_meant(request: Request) -> bool:
    """Whether a person opens the address: what a browser fetches in advance does not use the key up."""
    return request.method == "GET" and "sec-purpose" not in request.headers
