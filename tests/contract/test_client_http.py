"""The client over HTTP as the rules have it: what it sends, which era it finds, and who lets it in."""

import pytest

from readingroom import Client, ConnectFailed, RemoteError, UsageError
from readingroom.errors import HttpRefused, Unauthorized
from support.clients_http import opened
from support.scripted import CALLED, HINTS, VERSION, Scripted, but, error, good, older, reply, result

pytestmark = pytest.mark.usefixtures("no_proxies")


def tool(name, **properties):
    """Describe a tool."""
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


def mirror(name, kind="string"):
    """Describe an argument that is mirrored."""
    return {"type": kind, "x-mcp-header": name}


def listing(*tools):
    """Serve well, with these tools."""
    return but(good, tools_list=lambda h: result(h, {**HINTS, "tools": list(tools)}))


def test_each_message_is_a_post_of_its_own():
    """HTTP-10, HTTP-11, HDR-1, HDR-2: one message a POST, both types accepted, and the headers say what the body says."""
    with Scripted(good) as server, opened(server) as client:
        client.call_tool("søk", {"a": 1})
        with pytest.raises(RemoteError):
            client.read_resource("file:///a%20b")
    for heard in server.heard:
        assert heard.verb == "POST"
        assert heard.fields["accept"] == "application/json, text/event-stream"
        assert heard.fields["content-type"] == "application/json"
        meta = heard.params["_meta"]
        assert (
            heard.fields["mcp-protocol-version"] == meta["io.modelcontextprotocol/protocolVersion"] == VERSION
        )
        assert heard.fields["mcp-method"] == heard.method
        assert len(dict(heard.pairs)) == len(heard.pairs)
        assert not {"mcp-session-id", "last-event-id"} & set(heard.fields)
    assert server.of("tools/call")[0].fields["mcp-name"] == "=?base64?c8O4aw==?="
    assert server.of("resources/read")[0].fields["mcp-name"] == "file:///a%20b"
    assert len({heard.id for heard in server.heard}) == len(server.heard)


def test_arguments_are_mirrored():
    """XH-5: what is annotated and given is said in a header, as ENC-1 and ENC-4 have it; what is null or absent is not."""
    annotated = tool(
        "t",
        city=mirror("City"),
        n=mirror("N", "integer"),
        yes=mirror("Yes", "boolean"),
        none=mirror("None"),
        deep={"type": "object", "properties": {"in": mirror("Deep")}},
        other={"type": "string"},
    )
    with Scripted(listing(annotated)) as server, opened(server) as client:
        client.list_tools()
        given = {"city": "Köln", "n": -7, "yes": False, "none": None, "deep": {"in": " x"}, "other": "o"}
        client.call_tool("t", given)
        client.call_tool("t", {"n": 42.0, "yes": True, "deep": "no object"})
    first, second = (
        {name: value for name, value in heard.pairs if name.startswith("mcp-param-")}
        for heard in server.of("tools/call")
    )
    assert first == {
        "mcp-param-city": "=?base64?S8O2bG4=?=",
        "mcp-param-n": "-7",
        "mcp-param-yes": "false",
        "mcp-param-deep": "=?base64?IHg=?=",
    }
    assert second == {"mcp-param-n": "42", "mcp-param-yes": "true"}


def test_tools_that_cannot_be_called_are_left_out():
    """XH-4: a tool whose annotations break the rules is neither listed nor called; the others are, and it is recorded."""
    bad = [tool("number", x=mirror("X", "number")), tool("space", x=mirror("a b"))]
    hidden = {"name": "array", "inputSchema": {"type": "object", "properties": {"a": {"items": mirror("X")}}}}
    with Scripted(listing(*bad, hidden, tool("fine", x=mirror("X")))) as server, opened(server) as client:
        assert [one.name for one in client.list_tools()] == ["fine"]
        assert [found.rule for found in client.violations[1]] == ["XH-2", "XH-2", "XH-3"]
        with pytest.raises(UsageError, match="cannot be called over HTTP"):
            client.call_tool("number")
        client.call_tool("fine", {"x": "1"})
    assert len(server.of("tools/call")) == 1


def test_headers_follow_from_the_newest_schema():
    """XH-7: without a schema a call goes without headers; refused, the tools are listed and it is made once more."""

    def call(heard):
        return result(heard, CALLED) if heard.fields.get("mcp-param-x") == "1" else error(heard, -32020, 400)

    listed = listing(tool("t", x=mirror("X")))
    with Scripted(but(listed, tools_call=call)) as server, opened(server) as client:
        assert client.call_tool("t", {"x": "1"}).text == "3"
        assert server.methods() == ["server/discover", "tools/call", "tools/list", "tools/call"]
        first, second = server.of("tools/call")
        assert first.id != second.id
        client.call_tool("t", {"x": "1"})
        assert server.methods()[4:] == ["tools/call"]


def test_a_mismatch_that_stays_is_told():
    """XH-7: it is tried once more and no oftener; also when the tools cannot be listed."""
    refusing = but(good, tools_call=lambda h: error(h, -32020, 400))
    for base in (refusing, but(refusing, tools_list=lambda h: error(h, -32603))):
        with Scripted(base) as server, opened(server) as client, pytest.raises(RemoteError) as caught:
            client.call_tool("add", {})
        assert caught.value.code == -32020
        assert len(server.of("tools/call")) <= 2


@pytest.mark.parametrize("status", [400, 404, 405, 406, 415])
@pytest.mark.parametrize("body", [b"", b"<html>", b'{"error":"no"}'])
def test_an_older_server_is_found(status, body):
    """ERA-6, ERA-7: a refusal without an error of the modern era speaks for the older one, whatever is in it."""
    with (
        Scripted(but(older, server_discover=lambda h: reply(body, status))) as server,
        opened(server) as client,
    ):
        assert client.server.era == "older"
        assert client.call_tool("add").text == "3"
        assert client.violations == (0, [])
    assert server.methods()[:3] == ["server/discover", "initialize", "notifications/initialized"]


@pytest.mark.parametrize(
    ("code", "status"), [(-32601, 200), (-32601, 404), (-32600, 400), (-32000, 400), (-32602, 400)]
)
def test_errors_that_any_server_may_give(code, status):
    """ERA-7: so does an error that older servers give, which a modern one does not give to `server/discover` (ERA-9)."""
    with (
        Scripted(but(older, server_discover=lambda h: error(h, code, status))) as server,
        opened(server) as client,
    ):
        assert client.server.era == "older"
    assert server.heard[0].method == "server/discover"


@pytest.mark.parametrize("code", [-32020, -32021])
def test_errors_of_the_modern_era(code):
    """ERA-6: an error that only a modern server knows is not followed by a handshake."""
    with (
        Scripted(but(older, server_discover=lambda h: error(h, code, 400))) as server,
        pytest.raises(ConnectFailed),
        opened(server),
    ):
        pass
    assert server.methods() == ["server/discover"]


def test_our_version_is_refused_at_first():
    """A server that refuses our version and names it all the same is asked once more, in the same era."""
    count = []

    def discover(heard):
        count.append(heard)
        return good(heard) if count[1:] else error(heard, -32022, 400, supported=[VERSION], requested=VERSION)

    with Scripted(but(good, server_discover=discover)) as server, opened(server) as client:
        assert client.server.era == "modern"
    assert server.methods() == ["server/discover", "server/discover"]


@pytest.mark.parametrize(
    ("status", "kind"), [(401, Unauthorized), (403, Unauthorized), (500, HttpRefused), (503, HttpRefused)]
)
def test_what_says_nothing_of_the_era(status, kind):
    """ERA-10: who asks for authorization, or is out of order, is not taken for an older server."""
    refusing = but(older, server_discover=lambda h: reply(b"", status, ""))
    with Scripted(refusing) as server, pytest.raises(kind), opened(server):
        pass
    assert server.methods() == ["server/discover"]


class Door:
    """An Authorization that has another token each time that it is challenged, up to some times."""

    principal = "p"

    def __init__(self, times):
        self.times = times
        self.refusals = []

    def header(self, url):
        """Give the token of now."""
        return f"Bearer t{len(self.refusals)}" if self.refusals else None

    def challenged(self, refusal):
        """Have another one, if there still is one."""
        self.refusals.append(refusal)
        return len(self.refusals) <= self.times


@pytest.mark.parametrize("status", [401, 403])
def test_authorization(status):
    """A refusal for want of authorization is told to who authorizes, and the same request is sent with what it has then."""

    def answer(heard):
        if heard.fields.get("authorization") == "Bearer t1":
            return good(heard)
        return reply(b"", status, "", WWW_Authenticate='Bearer scope="a"')

    door = Door(1)
    with Scripted(answer) as server, opened(server, auth=door) as client:
        client.call_tool("add")
    [refusal] = door.refusals
    assert (refusal.url, refusal.status, refusal.challenges) == (server.url, status, ('Bearer scope="a"',))
    assert (refusal.operation, refusal.sent, refusal.tries) == ("server/discover", None, 0)


def test_authorization_that_does_not_help():
    """It is tried three times more at most, whatever the Authorization says; without one, not at all."""
    refusing = Scripted(lambda h: reply(b"who?", 401, "text/plain"))
    door = Door(99)
    with refusing as server:
        with pytest.raises(Unauthorized, match="who is asking"), opened(server, auth=door):
            pass
        assert len(server.heard) == 4
        with pytest.raises(Unauthorized) as caught, opened(server):
            pass
    assert caught.value.status == 401
    assert len(server.heard) == 5


def test_a_token_and_headers_of_the_caller():
    """A text is a bearer token, and headers go with every request; those of the protocol are not the caller's."""
    with Scripted(good) as server, opened(server, auth="abc", headers={"X-Team": "a b"}) as client:
        client.list_tools()
    assert {heard.fields["authorization"] for heard in server.heard} == {"Bearer abc"}
    assert {heard.fields["x-team"] for heard in server.heard} == {"a b"}
    with pytest.raises(UsageError, match="one Authorization"):
        Client.http(server.url, headers={"Authorization": "Basic x"}, auth="abc")
    for headers in (
        {"Mcp-Method": "x"},
        {"Accept": "x"},
        {"Mcp-Param-X": "x"},
        {"a b": "x"},
        {"X": "a\r\nb"},
        {"X": "ü"},
    ):
        with pytest.raises(UsageError):
            Client.http(server.url, headers=headers)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://a/b",
        "http://",
        "http://a:x/",
        "http://u:p@a/",
        "http://a/#f",
        "http://ä/",
        "http://a/b c",
        "http://[::1/",
    ],
)
def test_addresses_that_cannot_be_used(url):
    """What is no address of a server over HTTP is said to be none before anything is sent."""
    with pytest.raises(UsageError):
        Client.http(url)
