"""A browser in memory for the operator's page: its cookie, its token, and the header fields that browsers send."""

import re
from typing import Any
from urllib.parse import urlencode

from readingroom.apps.page.gate import Gate, Site
from readingroom.apps.page.visitors import COOKIE, Visitors

from .asgi import Asgi, Reply

HOST = "127.0.0.1:8123"


class Page:
    """The page with one browser before it, which has been let in."""

    def __init__(self, gate: Gate, site: Site, visitors: Visitors) -> None:
        self.site = site
        site.host = HOST
        self.visitors = visitors
        self._asgi = Asgi(gate)
        self.send = self._asgi.send
        visitor = visitors.enter(visitors.key)
        assert visitor is not None
        self.cookie: str | None = f"{COOKIE}={visitor.secret}"
        self.token = visitor.token

    def close(self) -> None:
        """End the loop."""
        self._asgi.close()

    def get(self, address: str, *, verb: str = "GET", **changed: str | None) -> Reply:
        """Ask for a page, as a browser does that follows a link of the page; `host=None` leaves a field out."""
        path, _, query = address.partition("?")
        return self._send(b"", verb, path, query, {"sec_fetch_site": "same-origin", **changed})

    def post(
        self, path: str, *fields: tuple[str, str], token: str | None = "", **changed: str | None
    ) -> Reply:
        """Send a form of the page, with its token unless another one is given."""
        own = [] if token is None else [("token", token or self.token)]
        return self.post_body(path, urlencode([*own, *fields]).encode(), **changed)

    def post_body(self, path: str, body: bytes, **changed: str | None) -> Reply:
        """Send a body, as a browser does that sends a form of the page."""
        told = {
            "sec_fetch_site": "same-origin",
            "origin": "null",
            "content_type": "application/x-www-form-urlencoded",
            **changed,
        }
        return self._send(body, "POST", path, "", told)

    def _send(self, body: bytes, verb: str, path: str, query: str, told: dict[str, str | None]) -> Reply:
        fields = {"host": self.site.host, "cookie": self.cookie, **told}
        pairs = [
            (name.replace("_", "-").encode(), value.encode("latin-1"))
            for name, value in fields.items()
            if value is not None
        ]
        more: dict[str, Any] = {"verb": verb, "path": f"{self.site.path}{path}", "query": query.encode()}
        return self.send(body, pairs, **more)


def text_of(reply: Reply) -> str:
    """What a page says, without its tags."""
    html = re.sub(r"<head>.*?</head>", "", reply.body.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html)).strip()
