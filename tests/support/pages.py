"""A browser in memory for the operator's page: its cookie, its token, and the header fields that browsers send."""

import html
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import structs

from readingroom.apps.page.gate import Gate, Site
from readingroom.apps.page.visitors import COOKIE, Visitors
from readingroom.library.ledger import Draft, Ledger, digest_of

from .asgi import Asgi, Reply

HOST = "127.0.0.1:8123"
PASSPHRASE = "a passphrase for tests"
INTERNAL = "---\nvisibility: internal\n---\n# Harbour\n"


class Page:
    """The page with one browser before it, which has been let in."""

    def __init__(self, gate: Gate, site: Site, visitors: Visitors) -> None:
        self.site = site
        site.host = HOST
        self.visitors = visitors
        self.gate = gate
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
    body = re.sub(r"<head>.*?</head>", "", reply.body.decode(), flags=re.DOTALL)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", body)).strip())


class Elements(HTMLParser):
    """What a page is made of: its tags, the names of their attributes, and where it leads or loads from."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.targets |= {value or "" for name, value in attrs if name in ("href", "src", "action")}


def elements_of(reply: Reply) -> Elements:
    """Take a page apart."""
    found = Elements()
    found.feed(reply.body.decode())
    return found


def hidden_fields(reply: Reply, name: str) -> list[str]:
    """The values of a form's fields of this name, as a browser would send them."""
    return [
        html.unescape(value) for value in re.findall(rf'name="{name}" value="([^"]*)"', reply.body.decode())
    ]


class Proposing:
    """An editor whose drafts stand in the ledger of a folder."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self._folder = folder
        self._ledger = ledger
        self._number = 0

    def edit(self, path: str, text: str | bytes, **fields: Any) -> Draft:
        """Propose another text for a file that is there."""
        base = (self._folder / path).read_bytes()
        told = {"kind": "edit", "base": digest_of(base), "base_content": base, **fields}
        return self.create(path, text, **told)

    def create(self, path: str, text: str | bytes, **fields: Any) -> Draft:
        """Propose a new file."""
        content = text.encode() if isinstance(text, str) else text
        return self._put(path, {"kind": "create", "content": content, "digest": digest_of(content), **fields})

    def delete(self, path: str, **fields: Any) -> Draft:
        """Propose to remove a file."""
        base = (self._folder / path).read_bytes()
        return self._put(path, {"kind": "delete", "base": digest_of(base), "base_content": base, **fields})

    def rename(self, path: str, to: str) -> Draft:
        """Propose another name for a file."""
        return self.delete(path, kind="rename", to=to)

    def change(self, draft: Draft, **fields: Any) -> Draft:
        """Change a draft."""
        changed = structs.replace(draft, **fields)
        with self._ledger.writing() as writing:
            writing.put_draft(changed)
        return changed

    def _put(self, path: str, fields: dict[str, Any]) -> Draft:
        self._number += 1
        usual: dict[str, Any] = {
            "id": f"d-{self._number:026}",
            "principal": "desk",
            "path": path,
            "base": None,
            "content": None,
            "digest": "",
            "state": "open",
            "revision": 1,
            "created": 1_764_500_000.0 + self._number,
            "changed": 1_764_500_000.0 + self._number,
        }
        return self.change(Draft(**{**usual, **fields}))


def published_of(page: Page, draft: Draft) -> Reply:
    """Publish a draft as it is shown; what came of it."""
    approval = hidden_fields(page.get(f"/review?draft={draft.id}"), "approval")[0]
    fields = [("approval", approval), ("decision", "publish"), ("passphrase", PASSPHRASE), ("read", "yes")]
    reply = page.post("/decide", *fields)
    assert reply.status == 200
    return reply
