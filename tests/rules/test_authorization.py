"""RS: what a server over HTTP asks of tokens, and what it tells of where they are had."""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from readingroom import Context, Grant, Limits, Server, StaticTokens
from support.asgi import Asgi, Reply, exchange, headers_for
from support.messages import message
from support.minting import AUDIENCE, ISSUER, NOW, Clock, oauth, token

rule = pytest.mark.rule

WELL_KNOWN = "/.well-known/oauth-protected-resource"
METADATA = f"https://docs.example{WELL_KNOWN}/mcp"
ANNA, BERT = "a" * 40, "b" * 40


def server() -> Server:
    """A server with a tool for everybody, and one that needs more."""
    app = Server("srv", notices=("tools",), limits=Limits(revoked_seconds=0.02, page_items=1))

    @app.tool
    def whoami(ctx: Context) -> str:
        """Tell whom the request speaks for."""
        return ctx.principal

    @app.tool(scopes=("docs:propose", "docs:read"))
    def propose() -> str:
        """Propose something."""
        return "proposed"

    return app


@pytest.fixture
def clock() -> Clock:
    """The time of the server that checks tokens."""
    return Clock()


@pytest.fixture
def http(clock: Clock) -> Iterator[Asgi]:
    """A server for the tokens of an issuer."""
    client = Asgi(server().asgi(auth=oauth(clock)))
    yield client
    client.close()


@pytest.fixture
def static() -> Iterator[Asgi]:
    """A server for static tokens of two people."""
    scopes = frozenset({"docs:read"})
    tokens = {ANNA: Grant("anna", scopes), BERT: Grant("bert", scopes)}
    client = Asgi(server().asgi(auth=StaticTokens(tokens, required=("docs:read",))))
    yield client
    client.close()


def bearer(given: str) -> str:
    """The value of the header."""
    return f"Bearer {given}"


def get(client: Asgi, path: str, verb: str = "GET", **fields: str) -> Reply:
    """Read a page."""
    pairs = [(b"host", b"127.0.0.1:8000")]
    return client.send(
        b"",
        [*pairs, *((name.encode(), value.encode()) for name, value in fields.items())],
        verb=verb,
        path=path,
    )


def told(reply: Reply) -> dict[str, str]:
    """Read a challenge."""
    scheme, _, rest = reply.fields["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    return dict(re.findall(r'(\w+)="([^"]*)"', rest))


# RS-1, RS-2, RS-8: the metadata -----------------------------------------------------------------------------------------


@rule("RS-1", "passing")
@rule("RS-2", "passing")
@rule("RS-8", "passing")
@pytest.mark.parametrize("path", [WELL_KNOWN + "/mcp", WELL_KNOWN])
def test_the_metadata_is_there_for_anybody(http: Asgi, path: str) -> None:
    """At both places the same, without a token, for pages of every origin."""
    reply = get(http, path, origin="https://page.example")
    assert reply.status == 200
    assert reply.fields["content-type"] == "application/json"
    assert reply.fields["access-control-allow-origin"] == "*"
    assert reply.answer["resource"] == AUDIENCE
    assert reply.answer["authorization_servers"] == [ISSUER]
    assert reply.answer["bearer_methods_supported"] == ["header"]
    assert get(http, path, "HEAD").status == 200
    assert get(http, path, "OPTIONS", origin="https://page.example").status == 204
    assert get(http, path, "POST").status == 405


@rule("RS-1", "violating")
@rule("RS-2", "violating")
@pytest.mark.parametrize("path", [WELL_KNOWN + "/other", WELL_KNOWN + "/mcp/", WELL_KNOWN + "x"])
def test_there_is_metadata_of_the_endpoint_alone(http: Asgi, path: str) -> None:
    """Elsewhere there is nothing."""
    assert get(http, path).status == 404


@rule("RS-1", "violating")
@pytest.mark.parametrize("path", [WELL_KNOWN + "/mcp", WELL_KNOWN])
def test_without_an_authorization_server_there_is_no_metadata(static: Asgi, path: str) -> None:
    """For it would have to name one."""
    assert get(static, path).status == 404
    assert "resource_metadata" not in told(static.ask("tools/list"))


@rule("RS-2", "passing")
def test_the_challenge_leads_to_the_metadata(http: Asgi) -> None:
    """By its URL, which is that of the configuration and not of the request."""
    reply = http.ask("tools/list", host="localhost:8000", x_forwarded_host="evil.example")
    assert told(reply)["resource_metadata"] == METADATA


@rule("RS-8", "violating")
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "ping", "initialize", "no/such"])
def test_the_endpoint_is_nobodys_without_a_token(http: Asgi, method: str) -> None:
    """Whatever is asked: what is served is not told either."""
    assert http.ask(method).status == 401


# RS-3, RS-4: refusals ---------------------------------------------------------------------------------------------------


@rule("RS-3", "passing")
def test_no_token(http: Asgi) -> None:
    """401, with what to ask for and where, and without an error: nothing was wrong yet."""
    reply = http.ask("tools/list")
    assert reply.status == 401
    assert told(reply) == {"scope": "docs:read", "resource_metadata": METADATA}
    assert reply.body == b"{}"


@rule("RS-3", "passing")
@pytest.mark.parametrize(
    "given",
    [
        lambda: token(exp=int(NOW) - 60),
        lambda: token(aud="https://other.example/mcp"),
        lambda: token(iss="https://other.example"),
        lambda: token()[:-4],
        lambda: "garbage",
    ],
)
def test_a_token_that_is_not_good(http: Asgi, given: Any) -> None:
    """401, and no word of why."""
    reply = http.ask("tools/list", authorization=bearer(given()))
    assert reply.status == 401
    assert told(reply)["error"] == "invalid_token"
    assert reply.body == b"{}"


@rule("RS-3", "passing")
@pytest.mark.parametrize("value", ["Bearer", "Bearer a b", "Bearer a, Bearer b", "Bearer \xff", ""])
def test_a_header_that_is_malformed(http: Asgi, value: str) -> None:
    """400."""
    reply = http.ask("tools/list", authorization=value.encode("latin-1"))
    assert reply.status == 400
    assert told(reply)["error"] == "invalid_request"


@rule("RS-3", "passing")
def test_two_tokens(http: Asgi) -> None:
    """400, though both be good."""
    asked = message(1, "tools/list")
    fields = headers_for(asked, authorization=bearer(token()))
    doubled = [*fields, (b"authorization", bearer(token()).encode())]
    assert http.send(json.dumps(asked).encode(), doubled).status == 400


@rule("RS-3", "violating")
@rule("RS-5", "passing")
def test_a_good_token(http: Asgi) -> None:
    """To refuse it would break the rule; handlers know whom it speaks for."""
    reply = http.call("whoami", authorization=bearer(token()))
    assert reply.status == 200
    assert json.loads(reply.answer["result"]["content"][0]["text"]) == [ISSUER, "anna", "app"]


@rule("RS-3", "passing")
def test_the_body_is_not_looked_at_before(http: Asgi) -> None:
    """What is no message is refused for its token first."""
    assert http.send(b"\xff{", headers_for({})).status == 401
    assert http.send(b"\xff{", headers_for({}, content_type="text/plain", accept="text/html")).status == 401


@rule("RS-4", "passing")
@rule("RS-3", "passing")
def test_a_scope_that_is_too_small(http: Asgi) -> None:
    """403, with all the scopes of the operation, those that the token has among them."""
    reply = http.call("propose", authorization=bearer(token()))
    assert reply.status == 403
    found = told(reply)
    assert (found["error"], found["scope"]) == ("insufficient_scope", "docs:propose docs:read")
    assert found["resource_metadata"] == METADATA
    reply = http.ask("tools/list", authorization=bearer(token(scope="openid")))
    assert (reply.status, told(reply)["scope"]) == (403, "docs:read")


@rule("RS-4", "violating")
@rule("RS-5", "passing")
def test_scopes_that_are_asked_for_suffice(http: Asgi) -> None:
    """With them the same call is answered; a scope brings those that it includes."""
    reply = http.call("propose", authorization=bearer(token(scope="docs:propose")))
    assert reply.answer["result"]["content"][0]["text"] == "proposed"


# RS-5: where a token is, and how often it is looked at ------------------------------------------------------------------


@rule("RS-5", "violating")
@pytest.mark.parametrize("query", [b"access_token=%s", b"a=b&access_token=%s", b"ACCESS_TOKEN=%s"])
@pytest.mark.parametrize("with_header", [False, True])
def test_a_token_in_the_address(http: Asgi, query: bytes, with_header: bool) -> None:
    """Is refused, also beside one in its place."""
    asked = message(1, "tools/list")
    fields = headers_for(asked, authorization=bearer(token()) if with_header else None)
    reply = http.send(json.dumps(asked).encode(), fields, query=query % token().encode())
    assert reply.status == 400
    assert token().encode() not in reply.body


@rule("RS-5", "violating")
def test_a_token_elsewhere(http: Asgi) -> None:
    """In a cookie, in another header or in the body, it is none."""
    assert http.ask("tools/list", cookie=f"access_token={token()}").status == 401
    assert http.ask("tools/list", x_authorization=bearer(token())).status == 401
    assert http.ask("tools/list", {"access_token": token()}).status == 401


@rule("RS-5", "violating")
def test_every_message_shows_its_token(http: Asgi) -> None:
    """A notification, too: nothing is remembered of those that came before."""
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert http.post(note, authorization=bearer(token())).status == 202
    assert http.post(note).status == 401
    assert http.ask("tools/list").status == 401


@rule("RS-5", "violating")
def test_a_token_that_ends_is_refused_at_once(http: Asgi, clock: Clock) -> None:
    """The same token that was good."""
    given = token()
    assert http.ask("tools/list", authorization=bearer(given)).status == 200
    clock.now += 3600
    assert http.ask("tools/list", authorization=bearer(given)).status == 401


@rule("RS-5", "passing")
def test_what_was_opened_ends_with_the_token(clock: Clock) -> None:
    """A subscription is ended with its result when its token is over."""
    asked = message(5, "subscriptions/listen", {"notifications": {"toolsListChanged": True}})

    async def until(sent: list[dict[str, Any]]) -> None:
        while len(sent) < 2:  # noqa: ASYNC110  -- what it waits for is added by the application
            await asyncio.sleep(0.002)
        assert sent[-1]["more_body"]
        clock.now += 3600
        while sent[-1].get("more_body"):  # noqa: ASYNC110  -- as above
            await asyncio.sleep(0.002)

    app = server().asgi(auth=oauth(clock))
    fields = headers_for(asked, authorization=bearer(token()))
    reply = asyncio.run(exchange(app, json.dumps(asked).encode(), fields, until=until))
    assert reply.status == 200
    assert reply.answer["id"] == 5
    assert "result" in reply.answer


@rule("RS-5", "violating")
def test_too_many_attempts(http: Asgi) -> None:
    """Are told to wait; who has a good token is not."""
    found = [http.ask("tools/list", authorization=bearer(f"guess{number}")) for number in range(12)]
    assert [reply.status for reply in found] == [401] * 10 + [429] * 2
    assert 1 <= int(found[-1].fields["retry-after"]) <= 60
    assert "www-authenticate" not in found[-1].fields
    assert http.ask("tools/list", authorization=bearer(token())).status == 200


# RS-6 -------------------------------------------------------------------------------------------------------------------


@rule("RS-6", "passing")
@rule("RS-6", "violating")
def test_offline_access_is_never_told() -> None:
    """Though whoever runs the server names it."""
    auth = oauth(scopes=("docs:read", "offline_access"))
    client = Asgi(server().asgi(auth=auth))
    try:
        replies = [
            client.ask("tools/list"),
            client.ask("tools/list", authorization="Bearer x"),
            get(client, WELL_KNOWN),
        ]
        assert all("offline_access" not in f"{reply.fields}{reply.body!r}" for reply in replies)
        assert replies[-1].answer["scopes_supported"] == ["docs:read"]
    finally:
        client.close()


# RS-7 -------------------------------------------------------------------------------------------------------------------


@rule("RS-7", "passing")
def test_a_cursor_is_its_principals(static: Asgi) -> None:
    """Who got it goes on with it."""
    first = static.ask("tools/list", authorization=bearer(ANNA)).answer["result"]
    second = static.ask("tools/list", {"cursor": first["nextCursor"]}, authorization=bearer(ANNA)).answer[
        "result"
    ]
    assert first["tools"] != second["tools"]


@rule("RS-7", "violating")
def test_a_cursor_is_nobody_elses(static: Asgi) -> None:
    """Another principal's is refused like one that was never given, and without a token it opens nothing."""
    cursor = static.ask("tools/list", authorization=bearer(ANNA)).answer["result"]["nextCursor"]
    of_anna = static.ask("tools/list", {"cursor": cursor}, authorization=bearer(BERT))
    of_nobody = static.ask("tools/list", {"cursor": "nonsense"}, authorization=bearer(BERT))
    assert of_anna.code == of_nobody.code == -32602
    assert of_anna.answer["error"]["message"] == of_nobody.answer["error"]["message"]
    assert static.ask("tools/list", {"cursor": cursor}).status == 401
