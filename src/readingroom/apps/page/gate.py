"""What stands before every page: names, paths, visitors, origins, tokens, sizes. Whatever it refuses never reaches a page.

Against a page of elsewhere in the operator's browser (DNS rebinding, forged posts, frames), against other programs' pages
on this machine, and against a browser that was not let in. Fits any ASGI application.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

import msgspec

from .forms import BODY_BYTES, MEDIA, BadForm, Form, form_from
from .shields import shielded
from .visitors import COOKIE, Visitor, Visitors, is_token

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

ENTRANCE = "/enter"
STYLE = "/style.css"
PREVIEWS = "/preview/"
_READS = ("GET", "HEAD")


class Refusal(Exception):
    """A request that is not answered by a page: its status and a sentence for the person who sees it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class Visit(msgspec.Struct, frozen=True):
    """A request that was let through: who looks (nobody at the entrance), and the form, if it is a post."""

    visitor: Visitor | None
    form: Form = Form()


class Site(msgspec.Struct):
    """Where the page stands: its `host` as browsers name it, with the port, and the path that nobody else knows.

    The host is "" until a port has been taken, and no request is answered before.
    """

    path: str
    host: str = ""

    @property
    def origin(self) -> str:
        """The origin of every page."""
        return f"http://{self.host}"


class Gate:
    """An ASGI application before another one. `refuse` gives the application that shows a refusal."""

    def __init__(
        self, app: App, site: Site, visitors: Visitors, refuse: Callable[[Refusal, bool], App]
    ) -> None:
        self._app = app
        self._site = site
        self._visitors = visitors
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            raise RuntimeError(f"the page does not speak {scope['type']}")
        path = scope["path"].removeprefix(self._site.path)
        is_preview = path.startswith(PREVIEWS)
        fields = _Fields(scope["headers"])

        async def send_shielded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = shielded(message, is_preview=is_preview)
            await send(message)

        try:
            visit = await self._admitted(scope, path, fields, receive)
        except (Refusal, BadForm) as error:
            refusal = error if isinstance(error, Refusal) else Refusal(400, str(error))
            # Only who knows the path may see that this is Reading Room's.
            is_near = scope["path"].startswith(f"{self._site.path}/") and refusal.status != 421
            await self._refuse(refusal, is_near)(scope, receive, send_shielded)
            return
        inner = {**scope, "root_path": self._site.path, "visit": visit}
        await self._app(inner, receive, send_shielded)

    async def _admitted(self, scope: Scope, path: str, fields: "_Fields", receive: Receive) -> Visit:
        """Give what a page needs to know of who asks. Raises Refusal and BadForm."""
        if fields.all("host") != [self._site.host]:
            raise Refusal(421, "This address is not the page's.")
        if not scope["path"].startswith(f"{self._site.path}/"):
            raise Refusal(404, "There is nothing here.")
        if scope["method"] not in (*_READS, "POST"):
            raise Refusal(405, "The page is read and its forms are sent; nothing else.")
        if scope["method"] in _READS and path in (ENTRANCE, STYLE):
            return Visit(None)
        if fields.one("sec-fetch-site") in ("cross-site", "same-site"):
            raise Refusal(403, "Another page asked for this one. Open it from its own address.")
        visitor = self._visitor(fields)
        if scope["method"] in _READS:
            return Visit(visitor)
        self._check_origin(fields)
        form = await _form(fields, receive)
        if not is_token(visitor, form.one("token")):
            raise Refusal(403, "The form was not one of this visit. Go back, reload the page and try again.")
        return Visit(visitor, form)

    def _visitor(self, fields: "_Fields") -> Visitor:
        for line in fields.all("cookie"):
            try:
                morsel = SimpleCookie(line).get(COOKIE)
            except CookieError:
                continue
            visitor = None if morsel is None else self._visitors.known(morsel.value)
            if visitor is not None:
                return visitor
        raise Refusal(
            403, "This browser was not let in. Open the address that readingroom review --web printed."
        )

    def _check_origin(self, fields: "_Fields") -> None:
        """Take a post only from our own pages.

        Browsers say `Origin: null` where no referrer is sent, as by our pages; then `Sec-Fetch-Site` counts, which no page
        can forge. A client that says neither is no browser of today.
        """
        place, origin = fields.one("sec-fetch-site"), fields.one("origin")
        is_ours = place == "same-origin" and origin in ("", "null", self._site.origin)
        if not is_ours and not (place == "" and origin == self._site.origin):
            raise Refusal(403, "The form did not come from this page.")


async def _form(fields: "_Fields", receive: Receive) -> Form:
    """Read the body, which may not be longer than any form of ours. Raises Refusal and BadForm."""
    if fields.one("content-type").partition(";")[0].strip().lower() != MEDIA:
        raise Refusal(415, "Only the page's own forms are taken.")
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "The form did not come whole.")
        body += message.get("body", b"")
        if len(body) > BODY_BYTES:
            raise Refusal(413, f"A form may have at most {BODY_BYTES // 1024} KiB.")
        if not message.get("more_body"):
            return form_from(bytes(body))


class _Fields:
    """The header fields of a request, by lower-case name."""

    def __init__(self, pairs: Any) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in pairs]

    def all(self, name: str) -> list[str]:
        """Give every value of a field."""
        return [value.strip() for known, value in self._pairs if known == name]

    def one(self, name: str) -> str:
        """Give the value of a field, or "" when it is not there. Raises Refusal when it stands twice."""
        values = self.all(name)
        if len(values) > 1:
            raise Refusal(400, f"The header field {name} stands twice.")
        return values[0] if values else ""
