"""Makes pages of templates. Everything a template is given is escaped; what comes from documents goes through `seen`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from .gate import Refusal, Site, Visit
from .seen import marked, path_seen, plain, seen

if TYPE_CHECKING:
    from starlette.requests import Request

    from ...library import Hit

_TEMPLATES = Path(__file__).with_name("templates")
_HEADINGS = {
    400: "That cannot be served",
    403: "You may not look here",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "Nothing was done",
    413: "That is too much",
    415: "That is no form of this page",
    503: "Not now",
}


class Showing:
    """Makes pages for one site; `folder` is what its pages say they are about."""

    def __init__(self, site: Site, folder: str) -> None:
        self._site = site
        self._folder = folder
        self._environment = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(
            seen=seen, path_seen=path_seen, plain=plain, moment=moment, excerpt=excerpt
        )

    def page(
        self, template: str, visit: Visit, *, status: int = 200, here: str = "", **values: Any
    ) -> HTMLResponse:
        """Make a page for who looks."""
        text = self._environment.get_template(template).render(
            root=self._site.path,
            folder=self._folder,
            visitor=visit.visitor,
            here=here,
            **{"waiting": 0, **values},
        )
        return HTMLResponse(text, status)

    def refusal(self, refusal: Refusal, visit: Visit | None = None) -> HTMLResponse:
        """Make the page that says why there is none."""
        heading = _HEADINGS.get(refusal.status, "Something went wrong")
        visitor = Visit(None) if visit is None else visit
        return self.page("refusal.html", visitor, status=refusal.status, heading=heading, text=refusal.text)


def visit_of(request: "Request") -> Visit:
    """Give what the gate has found out of a request."""
    visit: Visit = request.scope["visit"]
    return visit


def moment(seconds: float) -> Markup:
    """Give a time in the words of this machine's time zone."""
    local = time.localtime(seconds)
    machine = time.strftime("%Y-%m-%dT%H:%M:%S%z", local)
    said = f"{local.tm_mday} {time.strftime('%b %Y, %H:%M', local)}"
    return Markup('<time datetime="{}">{}</time>').format(f"{machine[:-2]}:{machine[-2:]}", said)


def excerpt(hit: "Hit") -> Markup:
    """Give the text of a hit with the words that were found marked."""
    return marked(hit.text, hit.highlights)
