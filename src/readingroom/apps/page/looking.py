"""The pages that look at the library as an app sees it: search, and a document's source. They change nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Route

from .forms import number_from
from .gate import Refusal
from .pairs import LINE_CHARACTERS
from .seen import unseen
from .showing import Showing, visit_of

if TYPE_CHECKING:
    from ...library import Role, View

_LINES = 2000
_HITS = 10
_CHARACTERS = 8000


class Looking:
    """Made with what gives the view of a role."""

    def __init__(self, view: "Callable[[Role], View]", showing: Showing) -> None:
        self._view = view
        self._showing = showing

    def routes(self) -> list[BaseRoute]:
        """Give the routes of these pages."""
        return [Route("/search", self.search), Route("/document", self.document)]

    def search(self, request: Request) -> HTMLResponse:
        """Show what a search finds, for a reader or an editor."""
        from ...library import BadQuery

        query, role, start = request.query_params.get("q", ""), role_of(request), number_of(request, "start")
        answer, error = None, ""
        if query:
            try:
                answer = self._view(role).search(query, limit=_HITS, start=start, max_chars=_CHARACTERS)
            except BadQuery as fault:
                error = str(fault)
        return self._showing.page(
            "search.html",
            visit_of(request),
            here="search",
            query=query,
            role=role,
            start=start,
            answer=answer,
            error=error,
        )

    def document(self, request: Request) -> HTMLResponse:
        """Show a document's source with its line numbers."""
        role, first = role_of(request), max(1, number_of(request, "from"))
        info, text = self._view(role).whole(request.query_params.get("path", ""))
        lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        shown = lines[first - 1 : first - 1 + _LINES]
        return self._showing.page(
            "document.html",
            visit_of(request),
            document=info,
            role=role,
            lines=shown,
            most=LINE_CHARACTERS,
            first=first,
            rest=first + _LINES if len(lines) >= first + _LINES else None,
            unseen=unseen("\n".join(shown)),
        )


def role_of(request: Request) -> "Role":
    """Give the role that is looked as: an editor, who sees most, unless the address says otherwise."""
    role = request.query_params.get("as", "editor")
    if role not in ("reader", "editor"):
        raise Refusal(400, "One looks as a reader or as an editor.")
    return cast("Role", role)


def number_of(request: Request, name: str) -> int:
    """Give a number that the address says, or 0. Raises Refusal for what is none."""
    number = number_from(request.query_params.get(name, "0"))
    if number is None:
        raise Refusal(400, f"{name} is a number.")
    return number


def number_in(request: Request, name: str) -> int:
    """Give a number that is a part of the address's path. Raises Refusal for what is none, for nothing is there then."""
    number = number_from(request.path_params[name])
    if number is None:
        raise Refusal(404, "There is nothing here.")
    return number
