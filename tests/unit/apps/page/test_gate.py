"""Tests of what stands before every page."""

import asyncio

import pytest

from readingroom.apps.page.forms import BODY_BYTES
from support.pages import HOST, Page, text_of


def test_whoever_was_let_in_sees_a_page(page: Page) -> None:
    """The cookie, the path and the host are enough to look."""
    reply = page.get("/search")
    assert reply.status == 200
    assert "Search" in text_of(reply)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1:9999",
        "127.0.0.1",
        "localhost:8123",
        "127.0.0.1.nip.io:8123",
        "localhost.evil",
        None,
    ],
)
def test_another_name_is_misdirected(page: Page, host: str | None) -> None:
    """A page that reaches us by another name, as after DNS rebinding, learns nothing."""
    reply = page.get("/search", host=host)
    assert reply.status == 421
    assert "Reading Room" not in text_of(reply)


def test_before_a_port_is_taken_nothing_is_answered(page: Page) -> None:
    """The host is not known yet, so that none is right."""
    page.site.host = ""
    assert page.get("/search", host=HOST).status == 421


@pytest.mark.parametrize("path", ["/", "/search", "/another/search", "/secret-pathological/search"])
def test_outside_of_the_secret_path_there_is_nothing(page: Page, path: str) -> None:
    """Who does not know the path cannot tell that this is Reading Room's, even with a cookie that went astray."""
    assert page.cookie is not None
    fields = [(b"host", HOST.encode()), (b"cookie", page.cookie.encode())]
    reply = page.send(b"", fields, verb="GET", path=path)
    assert reply.status == 404
    assert "Reading Room" not in reply.body.decode()


@pytest.mark.parametrize("cookie", [None, "readingroom=wrong", "other=1", "readingroom", "=;;\x01"])
def test_without_its_cookie_nobody_looks(page: Page, cookie: str | None) -> None:
    """The path alone, which may be seen in a history, is not enough."""
    page.cookie = cookie
    reply = page.get("/search")
    assert reply.status == 403
    assert "was not let in" in text_of(reply)


def test_the_cookie_may_stand_among_others(page: Page) -> None:
    """Cookies of other programs of this machine come along."""
    page.cookie = f"a=b; {page.cookie}; c=d"
    assert page.get("/search").status == 200


@pytest.mark.parametrize("verb", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(page: Page, verb: str) -> None:
    """There is no CORS, so no browser is told what it may send."""
    reply = page.get("/search", verb=verb)
    assert reply.status == 405
    assert not any(name.startswith("access-control") for name in reply.fields)


@pytest.mark.parametrize("place", ["cross-site", "same-site"])
def test_a_page_of_elsewhere_may_not_even_look(page: Page, place: str) -> None:
    """Another port of this machine is the same site to a browser, and elsewhere to us."""
    assert page.get("/search", sec_fetch_site=place).status == 403
    assert page.post("/nothing", sec_fetch_site=place).status == 403


@pytest.mark.parametrize(
    ("place", "origin"),
    [
        ("cross-site", "https://evil.example"),
        ("same-site", "http://127.0.0.1:9999"),
        ("same-origin", "https://evil.example"),
        ("none", "null"),
        (None, "null"),
        (None, "http://127.0.0.1:9999"),
        (None, None),
    ],
)
def test_a_post_from_elsewhere_is_refused(page: Page, place: str | None, origin: str | None) -> None:
    """Whatever a browser of today says, or one that says nothing."""
    reply = page.post("/nothing", sec_fetch_site=place, origin=origin)
    assert reply.status == 403


@pytest.mark.parametrize(
    ("place", "origin"),
    [
        ("same-origin", "null"),
        ("same-origin", None),
        ("same-origin", f"http://{HOST}"),
        (None, f"http://{HOST}"),
    ],
)
def test_a_post_of_our_own_passes(page: Page, place: str | None, origin: str | None) -> None:
    """With and without the fields that only newer browsers send; there is no such page, which only who passes is told."""
    assert page.post("/nothing", sec_fetch_site=place, origin=origin).status == 404


@pytest.mark.parametrize("token", [None, "wrong", "é"])
def test_a_form_without_its_token_is_refused(page: Page, token: str | None) -> None:
    """Even where the browser says that it is ours."""
    reply = page.post("/nothing", token=token)
    assert reply.status == 403
    assert "not one of this visit" in text_of(reply)


def test_a_token_that_stands_twice_is_refused(page: Page) -> None:
    """Nobody is to choose which one counts."""
    assert page.post("/nothing", ("token", "x")).status == 400


@pytest.mark.parametrize("media", ["application/json", "text/plain", "multipart/form-data; boundary=x", None])
def test_only_forms_are_taken(page: Page, media: str | None) -> None:
    """What a script could send without asking is no form of ours."""
    assert page.post("/nothing", content_type=media).status == 415


def test_a_long_body_is_refused(page: Page) -> None:
    """Before it is read to its end."""
    assert page.post_body("/nothing", b"a=" + b"x" * BODY_BYTES).status == 413


@pytest.mark.parametrize("body", [b"\xff", b"token=%ff", b"a&b", b"&".join([b"a=b"] * 501)])
def test_what_is_no_form_is_refused(page: Page, body: bytes) -> None:
    """Bytes that are no text, no pairs, or too many of them."""
    assert page.post_body("/nothing", body).status == 400


def test_a_field_that_stands_twice_is_refused(page: Page) -> None:
    """Two hosts, or two origins, are a trick."""
    fields = [(b"host", HOST.encode())] * 2
    assert page.send(b"", fields, verb="GET", path="/secret-path/search").status == 421
    fields = [(b"host", HOST.encode()), (b"sec-fetch-site", b"none"), (b"sec-fetch-site", b"none")]
    assert page.send(b"", fields, verb="GET", path="/secret-path/search").status == 400


@pytest.mark.parametrize("address", ["/search", "/nothing", "/style.css", "/enter?key=wrong", "/preview/x"])
def test_every_answer_is_shielded(page: Page, address: str) -> None:
    """Pages, refusals and the style sheet: nothing is kept, framed by others, run or loaded."""
    fields = page.get(address).fields
    assert fields["cache-control"] == "no-store"
    assert fields["referrer-policy"] == "no-referrer"
    assert fields["x-content-type-options"] == "nosniff"
    assert fields["cross-origin-opener-policy"] == "same-origin"
    assert fields["cross-origin-resource-policy"] == "same-origin"
    policy = dict(part.strip().split(" ", 1) for part in fields["content-security-policy"].split(";"))
    assert (
        policy["default-src"] == policy["script-src"] == policy["img-src"] == policy["base-uri"] == "'none'"
    )
    assert policy["style-src"] == "'self'"
    own = ("'self'", "'none'") if address.startswith("/preview") else ("'none'", "'self'")
    assert (policy["frame-ancestors"], policy["form-action"]) == own
    assert ("sandbox" in policy) is address.startswith("/preview")


def test_the_printed_address_lets_in_one_browser(page: Page) -> None:
    """It is exchanged for a cookie that no script reads and no other site sends; then it is used up."""
    page.visitors._is_used = False
    page.cookie = None
    entered = page.get(f"/enter?key={page.visitors.key}", sec_fetch_site="none")
    assert entered.status == 200
    told = entered.fields["set-cookie"]
    assert "HttpOnly" in told
    assert "SameSite=strict" in told
    assert "Path=/secret-path/" in told
    page.cookie = told.partition(";")[0]
    assert page.get("/search").status == 200
    page.cookie = None
    again = page.get(f"/enter?key={page.visitors.key}", sec_fetch_site="none")
    assert again.status == 403
    assert "set-cookie" not in again.fields


@pytest.mark.parametrize("changed", [{"verb": "HEAD"}, {"sec_purpose": "prefetch"}])
def test_what_looks_ahead_does_not_use_the_address_up(page: Page, changed: dict[str, str]) -> None:
    """A browser that fetches in advance, or a program that checks links, lets nobody in."""
    page.visitors._is_used = False
    assert page.get(f"/enter?key={page.visitors.key}", **changed).status == 403
    assert page.get(f"/enter?key={page.visitors.key}").status == 200


def test_a_wrong_key_does_not_use_the_address_up(page: Page) -> None:
    """Else anybody could lock the person out."""
    page.visitors._is_used = False
    assert page.get("/enter?key=wrong").status == 403
    assert page.get("/enter?key=%ED%A0%80").status == 403
    assert page.get(f"/enter?key={page.visitors.key}").status == 200


def test_a_form_that_does_not_come_whole_is_refused(page: Page) -> None:
    """The browser has gone; nothing is done with the half."""

    async def gone() -> dict[str, object]:
        return {"type": "http.disconnect"}

    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    told = {
        "host": HOST,
        "cookie": page.cookie or "",
        "sec-fetch-site": "same-origin",
        "content-type": "application/x-www-form-urlencoded",
    }
    headers = [(name.encode(), value.encode()) for name, value in told.items()]
    scope = {"type": "http", "method": "POST", "path": "/secret-path/decide", "headers": headers}
    asyncio.run(page.gate({**scope, "query_string": b"", "root_path": ""}, gone, send))  # type: ignore[arg-type]  # as ASGI has it
    assert sent[0]["status"] == 400


def test_only_http_is_spoken(page: Page) -> None:
    """A server that hands over anything else is mistaken."""
    with pytest.raises(RuntimeError, match="websocket"):
        asyncio.run(page.gate({"type": "websocket"}, None, None))  # type: ignore[arg-type]  # nothing is asked of them
