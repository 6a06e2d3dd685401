"""HDR, ENC and XH: headers that mirror the body, how their values are written, and arguments that are mirrored."""

import base64
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import pytest

from readingroom import Server, UsageError
from readingroom.protocol.headers import BadAnnotation, BadHeader, decoded, encoded, mirrors_of
from support.asgi import Asgi, headers_for
from support.everything import app
from support.messages import LATEST, META, VERSION, frame, message

rule = pytest.mark.rule

mirrored = Server("mirrored")


def header(name: str) -> Any:
    """A schema's annotation."""
    return msgspec.Meta(extra_json_schema={"x-mcp-header": name})


@mirrored.tool
def book(
    city: Annotated[str | None, "where"] = None,
    region: Annotated[str, header("Region")] = "",
    n: Annotated[int, header("Count")] = 0,
    sure: Annotated[bool, header("Sure")] = False,
) -> str:
    """Book."""
    return f"{region} {n} {sure}"


@mirrored.tool(name="plain")
def plain_tool() -> str:
    """Mirror nothing."""
    return "x"


@mirrored.resource("n:///{+path}")
def note(path: str) -> str:
    """A note."""
    return path


@pytest.fixture
def http() -> Iterator[Asgi]:
    """The server with everything."""
    client = Asgi(app.asgi())
    yield client
    client.close()


@pytest.fixture
def booking() -> Iterator[Asgi]:
    """The server with mirrored arguments."""
    client = Asgi(mirrored.asgi())
    yield client
    client.close()


@rule("HDR-1", "passing")
@rule("HDR-2", "passing")
@rule("HDR-3", "violating")
def test_headers_that_mirror_the_body_are_served(http: Asgi) -> None:
    """To refuse them would break the rule."""
    assert http.call("add", {"a": 1}).status == 200
    assert http.ask("resources/read", {"uri": "a:///fixed"}).status == 200
    assert http.ask("prompts/get", {"name": "review", "arguments": {"topic": "x"}}).status == 200


@rule("HDR-1", "violating")
@rule("HDR-2", "violating")
@rule("HDR-3", "passing")
@pytest.mark.parametrize(
    "changed",
    [
        {"mcp_protocol_version": None},
        {"mcp_protocol_version": "2025-12-01"},
        {"mcp_protocol_version": "v9"},
        {"mcp_protocol_version": ""},
        {"mcp_method": None},
        {"mcp_method": "tools/list"},
        {"mcp_method": ""},
        {"mcp_name": None},
        {"mcp_name": "ad"},
        {"mcp_name": ""},
        {"mcp_name": b"ad\xc3\xa4"},
        {"mcp_method": b"tools/call\x80"},
    ],
)
def test_a_header_that_does_not_is_refused(http: Asgi, changed: dict[str, Any]) -> None:
    """With the id of the request."""
    reply = http.call("add", {"a": 1}, **changed)
    assert (reply.status, reply.code, reply.answer["id"]) == (400, -32020, 1)


@rule("HDR-4", "passing")
@pytest.mark.parametrize("name", ["add ", "\tadd", " add\t "])
def test_white_space_around_a_value_does_not_count(http: Asgi, name: str) -> None:
    """Also around a method and a version."""
    reply = http.call(
        "add", {"a": 1}, mcp_name=name, mcp_method=" tools/call ", mcp_protocol_version=f" {LATEST}\t"
    )
    assert reply.status == 200


@rule("HDR-4", "violating")
@pytest.mark.parametrize(
    "changed",
    [{"mcp_method": "TOOLS/CALL"}, {"mcp_name": "Add"}, {"mcp_name": "a dd"}, {"mcp_name": "add\u00a0"}],
)
def test_values_are_compared_with_case(http: Asgi, changed: dict[str, str]) -> None:
    """And with the white space inside."""
    assert http.call("add", {"a": 1}, **changed).code == -32020


@rule("HDR-5", "passing")
@rule("HDR-5", "violating")
@pytest.mark.parametrize(
    "name", [b"mcp-method", b"mcp-name", b"mcp-protocol-version", b"mcp-param-x", b"x-other"]
)
def test_a_mirrored_header_may_come_once(http: Asgi, name: bytes) -> None:
    """Even with the same value; others are nobody's concern."""
    told = message(1, "tools/call", {"name": "add", "arguments": {"a": 1}})
    body = frame(1, "tools/call", {"name": "add", "arguments": {"a": 1}})
    fields = [*headers_for(told), *headers_for(told, mcp_param_x="1", x_other="1")]
    once = headers_for(told, mcp_param_x="1", x_other="1")
    assert http.send(body, once).status == 200
    reply = http.send(body, [*once, *[pair for pair in fields if pair[0] == name][-1:]])
    assert reply.status == (200 if name == b"x-other" else 400)
    assert reply.answer["id"] == 1


@rule("HDR-6", "passing")
def test_a_name_may_be_encoded(http: Asgi) -> None:
    """Also when it need not be; an address is compared as it is written."""
    assert http.call("add", {"a": 1}, mcp_name="=?base64?YWRk?=").status == 200
    uri = "a:///caf%C3%A9%20b"
    assert http.ask("resources/read", {"uri": uri}).status == 200
    assert http.ask("resources/read", {"uri": uri}, mcp_name="a:///café b".encode()).code == -32020


@rule("HDR-6", "violating")
@pytest.mark.parametrize(("name", "value"), [("mcp_method", "tools/call"), ("mcp_protocol_version", LATEST)])
def test_a_version_and_a_method_are_never_encoded(http: Asgi, name: str, value: str) -> None:
    """What looks so is another value."""
    coded = f"=?base64?{base64.b64encode(value.encode()).decode()}?="
    assert http.call("add", {"a": 1}, **{name: coded}).code == -32020


@rule("HDR-7", "passing")
@rule("HDR-7", "violating")
@pytest.mark.parametrize(
    ("meta", "changed", "code"),
    [
        ({}, {"mcp_protocol_version": None}, -32020),
        ({}, {}, -32602),
        ({VERSION: LATEST}, {}, -32602),
        ({}, {"mcp_protocol_version": "v9"}, -32602),
        ({**META, VERSION: "v9"}, {}, -32020),
        ({**META, VERSION: "v9"}, {"mcp_protocol_version": "v9"}, -32022),
        ({**META, VERSION: "v9"}, {"mcp_protocol_version": "v9", "mcp_method": "x"}, -32022),
        (META, {"mcp_method": "x", "mcp_name": "x"}, -32020),
        (META, {}, -32601),
    ],
)
def test_the_first_fault_is_told(
    http: Asgi, meta: dict[str, Any], changed: dict[str, Any], code: int
) -> None:
    """In one order, whatever else is wrong."""
    told = {"jsonrpc": "2.0", "id": 9, "method": "no/such", "params": {"_meta": meta}}
    reply = http.post(told, **changed)
    assert (reply.code, reply.answer["id"]) == (code, 9)
    assert reply.status == (404 if code == -32601 else 400)


@rule("HDR-9", "passing")
@rule("HDR-9", "violating")
def test_headers_decide_nothing(http: Asgi) -> None:
    """The body is served, or nothing is."""
    assert http.call("add", {"a": 1}).answer["result"]["structuredContent"] == {"result": 2}
    assert http.call("add", {"a": 1}, mcp_name="words").code == -32020
    assert http.call("nobody", {}, mcp_name="add").code == -32020


def test_what_is_wrong_with_the_body_is_not_blamed_on_a_header(http: Asgi) -> None:
    """A name that is no text cannot be mirrored."""
    assert http.ask("tools/call", {"name": 7}, mcp_name="7").code == -32602
    assert http.ask("tools/call", {}, mcp_name="x").code == -32602


@rule("ENC-1", "passing")
@rule("ENC-1", "violating")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a b", b"a b"),
        ("", b""),
        (" x", b"=?base64?IHg=?="),
        ("x\t", b"=?base64?eAk=?="),
        ("\ta", b"=?base64?CWE=?="),
        ("søk", b"=?base64?c8O4aw==?="),
        ("a\r\nb", b"=?base64?YQ0KYg==?="),
        ("=?base64?x?=", b"=?base64?PT9iYXNlNjQ/eD89?="),
        ("=?base64?x", b"=?base64?x"),
        ("file:///a%20b", b"file:///a%20b"),
    ],
)
def test_a_value_is_written_so_that_a_header_can_hold_it(text: str, value: bytes) -> None:
    """Plain where that is possible, and read back as the same text."""
    assert encoded(text) == value
    assert decoded(value) == text


@rule("ENC-2", "passing")
@rule("ENC-2", "violating")
@pytest.mark.parametrize(
    "value",
    [b"=?base64?SGVsbG8=", b"SGVsbG8=?=", b"=?BASE64?eA==?=", b"=?base64?=", b"?=", b"=?Base64?SGVsbG8=?="],
)
def test_what_has_not_both_marks_is_literal(value: bytes) -> None:
    """In lower case."""
    assert decoded(value) == value.decode()
    assert decoded(b"=?base64?eA==?=") == "x"


@rule("ENC-3", "passing")
@rule("ENC-3", "violating")
@pytest.mark.parametrize(
    "inner", ["SGVsbG8", "SGVs!!!bG8=", "SGVsbG9=", "A", "====", "SGVs bG8=", "/w==", "SGVsbG8=="]
)
def test_base64_is_read_strictly(http: Asgi, inner: str) -> None:
    """Padding, alphabet, the bits left over, UTF-8."""
    with pytest.raises(BadHeader):
        decoded(f"=?base64?{inner}?=".encode())
    assert http.call("add", {"a": 1}, mcp_name=f"=?base64?{inner}?=").code == -32020
    assert decoded(b"=?base64?SGVsbG8=?=") == "Hello"
    assert decoded(b"=?base64??=") == ""


@rule("ENC-4", "passing")
@rule("ENC-4", "violating")
@pytest.mark.parametrize(
    ("argument", "value", "status"),
    [
        ({"n": 42}, {"mcp_param_count": "42"}, 200),
        ({"n": -7}, {"mcp_param_count": "-7"}, 200),
        ({"n": 42}, {"mcp_param_count": "42.0"}, 200),
        ({"n": 42}, {"mcp_param_count": "43"}, 400),
        ({"n": 42}, {"mcp_param_count": "0x2a"}, 400),
        ({"n": 1}, {"mcp_param_count": "true"}, 400),
        ({"sure": False}, {"mcp_param_sure": "false"}, 200),
        ({"sure": False}, {"mcp_param_sure": "False"}, 400),
        ({"sure": True}, {"mcp_param_sure": "1"}, 400),
    ],
)
def test_numbers_and_truth_are_compared_by_value(
    booking: Asgi, argument: dict[str, Any], value: dict[str, str], status: int
) -> None:
    """Integers as numbers, booleans as JSON writes them."""
    assert booking.call("book", argument, **value).status == status


@rule("ENC-5", "passing")
@rule("ENC-5", "violating")
@pytest.mark.parametrize("value", ["søk".encode(), b"a\x00b", b"a\x7f", b"\x80"])
def test_bytes_that_are_no_visible_ascii_are_refused(http: Asgi, value: bytes) -> None:
    """Raw UTF-8 in a header is none of the encodings."""
    with pytest.raises(BadHeader):
        decoded(value)
    assert http.call("add", {"a": 1}, mcp_name=value).code == -32020
    assert decoded(b"a\tb ~") == "a\tb ~"


def schema(described: Any) -> dict[str, Any]:
    """An object with one property."""
    return {"type": "object", "properties": {"a": described}}


@rule("XH-2", "passing")
@pytest.mark.parametrize("kind", ["string", "integer", "boolean"])
def test_a_scalar_may_be_mirrored(kind: str) -> None:
    """Under the name that it says."""
    (mirror,) = mirrors_of(schema({"type": kind, "x-mcp-header": "Re-gion!"}))
    assert (mirror.header, mirror.path) == (b"mcp-param-re-gion!", ("a",))


@rule("XH-2", "violating")
@pytest.mark.parametrize(
    "described",
    [
        {"type": kind, "x-mcp-header": "A"}
        for kind in ("number", "object", "array", "null", ["string", "integer"])
    ]
    + [{"x-mcp-header": "A"}]
    + [{"type": "string", "x-mcp-header": name} for name in ("", "a b", "a:b", "ä", "a\n", 7, None, [])],
)
def test_nothing_else_may(described: Any) -> None:
    """Nor a name that no header has; clients would leave the tool out (XH-4), so it cannot be registered."""
    with pytest.raises(BadAnnotation):
        mirrors_of(schema(described))
    server = Server("x")
    with pytest.raises(UsageError, match="x-mcp-header"):

        @server.tool(input_schema=schema(described))
        def tool(value: dict[str, Any]) -> str:
            """Do nothing."""
            return ""


def test_a_property_without_a_description_mirrors_nothing() -> None:
    """`true` allows whatever there is."""
    assert mirrors_of({"properties": {"a": True, "b": {"type": "string", "x-mcp-header": "B"}}})[0].path == (
        "b",
    )


def test_a_name_is_used_once() -> None:
    """Whatever its case."""
    with pytest.raises(BadAnnotation, match="twice"):
        mirrors_of(
            {
                "properties": {
                    "a": {"type": "string", "x-mcp-header": "R"},
                    "b": {"type": "string", "x-mcp-header": "r"},
                }
            }
        )


@rule("XH-3", "passing")
def test_a_nested_property_may_be_mirrored() -> None:
    """Through properties alone; what is data is no annotation."""
    inner = {"type": "object", "properties": {"b": {"type": "string", "x-mcp-header": "B"}}}
    (mirror,) = mirrors_of(schema({**inner, "default": {"x-mcp-header": "C"}}))
    assert mirror.path == ("a", "b")


@rule("XH-3", "violating")
@pytest.mark.parametrize(
    "found",
    [
        {"items": {"type": "string", "x-mcp-header": "A"}},
        {"oneOf": [{"type": "string", "x-mcp-header": "A"}]},
        {"$defs": {"a": {"type": "string", "x-mcp-header": "A"}}},
        {"not": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}},
        {"patternProperties": {"a": {"type": "string", "x-mcp-header": "A"}}},
        {"x-mcp-header": "A"},
        {"properties": {"a": {"properties": {"b": {"items": {"x-mcp-header": "A"}}}}}},
    ],
)
def test_another_way_to_it_is_refused(found: dict[str, Any]) -> None:
    """It would not be clear which value is meant."""
    with pytest.raises(BadAnnotation):
        mirrors_of({"type": "object", **found})


@rule("XH-6", "passing")
def test_an_argument_and_its_header_agree(booking: Asgi) -> None:
    """Encoded where needed; what is absent has none."""
    assert booking.call("book", {"region": "søk"}, mcp_param_region="=?base64?c8O4aw==?=").status == 200
    assert booking.call("book", {"region": ""}, mcp_param_region="").status == 200
    assert booking.call("book", {"city": "x"}).status == 200
    assert booking.call("plain").status == 200


@rule("XH-6", "violating")
@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ({"region": "west"}, {}),
        ({"region": "west"}, {"mcp_param_region": "East"}),
        ({"region": "west"}, {"mcp_param_region": "West"}),
        ({"region": "west"}, {"mcp_param_region": "=?base64?x?="}),
        ({}, {"mcp_param_region": "west"}),
        ({"region": None}, {"mcp_param_region": "west"}),
    ],
)
def test_those_that_do_not_are_refused(
    booking: Asgi, arguments: dict[str, Any], fields: dict[str, str]
) -> None:
    """Before the tool is called."""
    reply = booking.call("book", arguments, **fields)
    assert (reply.status, reply.code) == (400, -32020)


@rule("XH-9", "passing")
@rule("XH-9", "violating")
def test_a_header_for_nothing_declared_is_passed_over(booking: Asgi) -> None:
    """Also one for a tool that there is not: that is told as such. An argument of a wrong type is for the tool to tell."""
    assert booking.call("plain", {}, mcp_param_whatever="x").status == 200
    reply = booking.call("none", {}, mcp_param_region="x")
    assert (reply.status, reply.code) == (200, -32602)
    assert booking.call("book", {"region": [1]}, mcp_param_region="x").answer["result"]["isError"]
