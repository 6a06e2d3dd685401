"""The head of a request over HTTP, field by field."""

import pytest

from readingroom import ToolInfo, UsageError
from readingroom.client import RequestBuilder
from readingroom.client.http_eras import suggests_older
from readingroom.client.http_fields import mirrored, own_fields, said, usable, value_at
from readingroom.errors import Closed, HttpRefused, PeerProtocolError, RemoteError, TimedOut, Unauthorized
from readingroom.protocol import Identity
from readingroom.protocol.headers import Mirror

BUILDER = RequestBuilder(Identity("c", "1"), {})


def fields(method, params=None, mirrors=()):
    """Give the fields of a request as pairs."""
    head = mirrored(BUILDER.prepare(method, params), mirrors).decode("ascii")
    return dict(line.split(": ", 1) for line in head.split("\r\n")[:-1])


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "a"}, "a"),
        ("tools/call", {"name": "søk"}, "=?base64?c8O4aw==?="),
        ("prompts/get", {"name": " x"}, "=?base64?IHg=?="),
        ("resources/read", {"uri": "file:///a%20b"}, "file:///a%20b"),
        ("tasks/get", {"taskId": "t"}, "t"),
        ("tools/call", {"name": ""}, ""),
        ("tools/call", {"name": "=?base64?x?="}, "=?base64?PT9iYXNlNjQ/eD89?="),
        ("tools/list", {"name": "a"}, None),
        ("tools/call", {"name": 7}, None),
        ("resources/read", None, None),
    ],
)
def test_what_is_said_of_the_body(method, params, name):
    """The version, the method and the name; an empty name is a field without a value (HDR-1, HDR-2, ENC-1)."""
    found = fields(method, params)
    assert found.pop("MCP-Protocol-Version") == "2026-07-28"
    assert found.pop("Mcp-Method") == method
    assert found == ({} if name is None else {"Mcp-Name": name})


def test_arguments():
    """Those that a schema wants mirrored, where they are given and can be said (XH-5)."""
    mirrors = (
        Mirror(b"mcp-param-a", ("a",)),
        Mirror(b"mcp-param-b", ("deep", "b")),
        Mirror(b"mcp-param-c", ("c",)),
    )
    found = fields(
        "tools/call", {"name": "t", "arguments": {"a": True, "deep": {"b": "ü"}, "c": None}}, mirrors
    )
    assert {name: value for name, value in found.items() if name.startswith("mcp")} == {
        "mcp-param-a": "true",
        "mcp-param-b": "=?base64?w7w=?=",
    }
    assert "mcp-param-a" not in fields("tools/call", {"name": "t"}, mirrors)
    assert value_at({"a": {"b": [1]}}, ("a", "b")) is None
    assert value_at({"a": 1}, ("a", "b")) is None


def test_how_arguments_are_said():
    """ENC-4: integers in decimal, also those that are written with a point; booleans as JSON has them."""
    values = ("x", -7, 42.0, 1.5, True, False)
    assert [said(value) for value in values] == ["x", "-7", "42", "1.5", "true", "false"]


def test_fields_of_the_caller():
    """Names and values that a header can have, and none of those that the client says itself."""
    assert own_fields(None) == b""
    assert own_fields({"X-A": "b c", "Y": ""}) == b"X-A: b c\r\nY: \r\n"
    for name, value in [
        ("", "x"),
        ("a:", "x"),
        ("X", "a\nb"),
        ("X", 7),
        (7, "x"),
        ("HOST", "x"),
        ("mcp-param-a", "x"),
    ]:
        with pytest.raises(UsageError):
            own_fields({name: value})


def test_the_name_of_the_client():
    """The client is named as it names itself, where a product may have such a name."""
    assert own_fields({"X": "y"}, Identity("my-app", "1.0")) == b"User-Agent: my-app/1.0\r\nX: y\r\n"
    assert own_fields(None, Identity("my app", "1.0")) == b""
    assert own_fields({}, Identity("app", "")) == b""
    assert own_fields({"user-agent": "mine"}, Identity("app", "1")) == b"user-agent: mine\r\n"


def test_tools_that_can_be_called():
    """XH-4: those whose annotations break a rule are told apart, with the rule and the reason."""

    def tool(name, **properties):
        schema = {"type": "object", "properties": properties}
        return ToolInfo(name=name, input_schema=schema, raw={})

    fine = tool("fine", a={"type": "string", "x-mcp-header": "A"})
    kept, broken = usable([tool("plain"), fine, tool("bad", a={"type": "number", "x-mcp-header": "A"})])
    assert [one.name for one in kept] == ["plain", "fine"]
    assert [(name, rule) for name, rule, _ in broken] == [("bad", "XH-2")]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RemoteError(-32601, "x"), True),
        (RemoteError(-32602, "x"), True),
        (RemoteError(-32022, "x"), True),
        (RemoteError(-32022, "x", {"supported": ["2026-07-28"]}), False),
        (RemoteError(-32020, "x"), False),
        (RemoteError(-32021, "x"), False),
        (HttpRefused("x", status=400), True),
        (HttpRefused("x", status=404), True),
        (HttpRefused("x", status=405), True),
        (HttpRefused("x", status=302), False),
        (HttpRefused("x", status=429), False),
        (HttpRefused("x", status=500), False),
        (Unauthorized("x"), False),
        (Closed("x"), False),
        (TimedOut("x"), False),
        (PeerProtocolError("HTTP-13", "x"), False),
    ],
)
def test_what_speaks_for_the_older_era(error, expected):
    """ERA-6 to ERA-10: what a server says that does not know the request, and nothing that any other might say."""
    assert suggests_older(error) is expected
