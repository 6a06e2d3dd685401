"""Reading results: the values of good ones, and the rule that each bad one breaks."""

import msgspec
import pytest

from readingroom.client import shapes
from readingroom.client.shapes import Violation, check_hints, read_result

TOOL = {"name": "t", "inputSchema": {"type": "object"}}
PART = {"uri": "x:/1", "text": "t"}
DISCOVERY = {"supportedVersions": ["2026-07-28"], "capabilities": {}}


def test_discovery():
    """A discovery gives versions, capabilities, instructions and the server's name from the metadata (DISC-1)."""
    info = {"name": "s", "version": "1"}
    raw = {**DISCOVERY, "instructions": "i", "_meta": {"io.modelcontextprotocol/serverInfo": info}}
    found = read_result("server/discover", raw)
    assert (found.supported_versions, found.capabilities, found.instructions) == (["2026-07-28"], {}, "i")
    assert found.server == info
    assert found.raw == raw


@pytest.mark.parametrize("meta", [None, [], {}, {"io.modelcontextprotocol/serverInfo": "s"}])
def test_a_server_need_not_name_itself(meta):
    """Without a name in the metadata, or with one of another shape, the server's name is empty (META-10)."""
    assert read_result("server/discover", {**DISCOVERY, "_meta": meta}).server == {}


def test_call():
    """A tool's answer gives its content, its structured value and whether it is a failure."""
    content = [{"type": "text", "text": "a"}, {"type": "image", "data": "", "mimeType": "image/png"}]
    answer = read_result("tools/call", {"content": content, "structuredContent": [1], "isError": True})
    assert (answer.content, answer.structured, answer.is_error) == (content, [1], True)


@pytest.mark.parametrize("value", [None, 0, False, "", []])
def test_structured_null_is_a_value(value):
    """Any JSON is a structured value; only an absent member is none (TOOL-10)."""
    assert read_result("tools/call", {"content": [], "structuredContent": value}).structured == value
    assert read_result("tools/call", {"content": []}).structured is msgspec.UNSET


def test_text_of_a_call():
    """The text of an answer is that of its text blocks, in order."""
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "audio", "data": "", "mimeType": "a/b"},
        {"type": "text", "text": "b"},
    ]
    assert read_result("tools/call", {"content": blocks}).text == "a\nb"


def test_every_kind_of_block():
    """All five kinds of content block are taken."""
    blocks = [
        {"type": "text", "text": ""},
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "audio", "data": "", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "x:/1", "name": "n"},
        {"type": "resource", "resource": PART},
        {"type": "resource", "resource": {"uri": "x:/1", "blob": ""}},
    ]
    assert read_result("tools/call", {"content": blocks}).content == blocks


LISTS = {
    "tools/list": ("tools", TOOL),
    "resources/list": ("resources", {"uri": "x:/1", "name": "n"}),
    "resources/templates/list": ("resourceTemplates", {"uriTemplate": "x:/{i}", "name": "n"}),
    "prompts/list": ("prompts", {"name": "n"}),
}


@pytest.mark.parametrize("method", LISTS)
def test_list(method):
    """A page gives its items, each with the object it was read from, and where to go on."""
    member, item = LISTS[method]
    page = read_result(method, {member: [item], "nextCursor": ""})
    assert [found.raw for found in page.items] == [item]
    assert page.items[0].name == item["name"]
    assert page.next_cursor == ""


@pytest.mark.parametrize("method", LISTS)
def test_last_page(method):
    """A page without a cursor is the last one (PAGE-2)."""
    assert read_result(method, {LISTS[method][0]: []}).next_cursor is None


@pytest.mark.parametrize("method", LISTS)
def test_a_cursor_of_null(method):
    """Is a fault (PAGE-1), and harmless: it is taken for none (PAGE-2)."""
    found = []

    def note(rule, detail, *, is_harmless=False):
        found.append((rule, is_harmless))

    assert read_result(method, {LISTS[method][0]: [], "nextCursor": None}, note).next_cursor is None
    assert found == [("PAGE-1", True)]
    with pytest.raises(Violation):
        read_result(method, {LISTS[method][0]: [], "nextCursor": None})


@pytest.mark.parametrize("data", ["", "AP8=", "AA==", "abc+/123"])
def test_base64(data):
    """Is taken by the letter."""
    assert read_result("resources/read", {"contents": [{"uri": "x:/1", "blob": data}]}).contents
    image = {"type": "image", "mimeType": "image/png", "data": data}
    assert read_result("tools/call", {"content": [image]}).content == [image]


@pytest.mark.parametrize(
    "data", ["A", "AP8", "A===", "====", "=AAA", "A=A=", "A P8", "AP8=\n", "_-8=", "né==", "AA==AA=="]
)
@pytest.mark.parametrize(
    ("method", "member", "part", "rule"),
    [
        ("tools/call", "content", {"type": "audio", "mimeType": "audio/wav"}, "SHAPE-1"),
        ("tools/call", "content", {"type": "resource"}, "SHAPE-1"),
        ("prompts/get", "messages", {"type": "image", "mimeType": "image/png"}, "PRO-2"),
        ("resources/read", "contents", {"uri": "x:/1"}, "RSRC-2"),
    ],
)
def test_what_is_no_base64(method, member, part, rule, data):
    """Images, sounds and blobs are base64 (RSRC-2, PRO-2, and the schema)."""
    if "uri" in part:
        value = {**part, "blob": data}
    elif part["type"] == "resource":
        value = {**part, "resource": {"uri": "x:/1", "blob": data}}
    else:
        value = {**part, "data": data}
    if method == "prompts/get":
        value = {"role": "user", "content": value}
    with pytest.raises(Violation) as caught:
        read_result(method, {member: [value]})
    assert caught.value.rule == rule
    assert "base64" in caught.value.detail


def test_tool_keeps_its_schema():
    """A tool's schemas come through unchanged, whatever keywords they hold (SCH-6)."""
    schema = {"type": "object", "$defs": {"a": {"anyOf": [True]}}, "x": None}
    tool = read_result(
        "tools/list", {"tools": [{"name": "t", "inputSchema": schema, "raw": 1, "title": None}]}
    ).items[0]
    assert tool.input_schema == schema
    assert tool.raw["raw"] == 1
    assert tool.title is None


def test_read():
    """A resource gives its parts, and the text of those that are text."""
    parts = [PART, {"uri": "x:/2", "blob": "aa=="}, {"uri": "x:/3", "text": "u"}]
    answer = read_result("resources/read", {"contents": parts})
    assert answer.contents == parts
    assert answer.text == "t\nu"


def test_prompt():
    """A prompt gives its messages."""
    messages = [{"role": "user", "content": {"type": "text", "text": "q"}}]
    assert read_result("prompts/get", {"messages": messages, "description": "d"}).messages == messages


def test_completion():
    """A completion gives its values, and the whole result in raw."""
    raw = {"completion": {"values": ["a"], "total": 3, "hasMore": True}}
    answer = read_result("completion/complete", raw)
    assert (answer.values, answer.total, answer.has_more) == (["a"], 3, True)
    assert answer.raw is raw


def test_other_methods_are_not_read():
    """The results of methods outside the core are any object."""
    assert read_result("com.example/do", {"anything": 1}) is None


BAD = {
    "versions missing": ("server/discover", {"capabilities": {}}, "DISC-1"),
    "versions of numbers": ("server/discover", {**DISCOVERY, "supportedVersions": [1]}, "DISC-1"),
    "capabilities missing": ("server/discover", {"supportedVersions": []}, "DISC-1"),
    "content missing": ("tools/call", {}, "SHAPE-1"),
    "content null": ("tools/call", {"content": None}, "SHAPE-1"),
    "isError a text": ("tools/call", {"content": [], "isError": "no"}, "SHAPE-1"),
    "block a text": ("tools/call", {"content": ["a"]}, "SHAPE-1"),
    "block a list": ("tools/call", {"content": [[]]}, "SHAPE-1"),
    "block without type": ("tools/call", {"content": [{"text": "a"}]}, "SHAPE-1"),
    "block of unknown type": ("tools/call", {"content": [{"type": "video"}]}, "SHAPE-1"),
    "block type an object": ("tools/call", {"content": [{"type": {}}]}, "SHAPE-1"),
    "text without text": ("tools/call", {"content": [{"type": "text"}]}, "SHAPE-1"),
    "image without type": ("tools/call", {"content": [{"type": "image", "data": ""}]}, "SHAPE-1"),
    "embedded nothing": ("tools/call", {"content": [{"type": "resource"}]}, "SHAPE-1"),
    "embedded both": (
        "tools/call",
        {"content": [{"type": "resource", "resource": {**PART, "blob": ""}}]},
        "SHAPE-1",
    ),
    "tools missing": ("tools/list", {}, "SHAPE-1"),
    "tool a text": ("tools/list", {"tools": ["t"]}, "SHAPE-1"),
    "tool without name": ("tools/list", {"tools": [{"inputSchema": {"type": "object"}}]}, "SHAPE-1"),
    "tool without schema": ("tools/list", {"tools": [{"name": "t"}]}, "TOOL-5"),
    "schema null": ("tools/list", {"tools": [{"name": "t", "inputSchema": None}]}, "TOOL-5"),
    "schema of an array": (
        "tools/list",
        {"tools": [{"name": "t", "inputSchema": {"type": "array"}}]},
        "TOOL-5",
    ),
    "cursor a number": ("tools/list", {"tools": [], "nextCursor": 1}, "PAGE-1"),
    "resource without uri": ("resources/list", {"resources": [{"name": "n"}]}, "SHAPE-1"),
    "template without template": (
        "resources/templates/list",
        {"resourceTemplates": [{"name": "n"}]},
        "SHAPE-1",
    ),
    "prompt without name": ("prompts/list", {"prompts": [{}]}, "SHAPE-1"),
    "contents missing": ("resources/read", {}, "RSRC-2"),
    "contents empty": ("resources/read", {"contents": []}, "RSRC-3"),
    "part without uri": ("resources/read", {"contents": [{"text": "t"}]}, "RSRC-2"),
    "part of neither": ("resources/read", {"contents": [{"uri": "x:/1"}]}, "RSRC-2"),
    "part of both": ("resources/read", {"contents": [{**PART, "blob": ""}]}, "RSRC-2"),
    "part a number": ("resources/read", {"contents": [{"uri": "x:/1", "text": 1}]}, "RSRC-2"),
    "messages missing": ("prompts/get", {}, "PRO-2"),
    "role of a system": ("prompts/get", {"messages": [{"role": "system", "content": {}}]}, "PRO-2"),
    "content a list": ("prompts/get", {"messages": [{"role": "user", "content": []}]}, "PRO-2"),
    "completion missing": ("completion/complete", {}, "COMP-2"),
    "completion a list": ("completion/complete", {"completion": ["a"]}, "COMP-2"),
    "values of numbers": ("completion/complete", {"completion": {"values": [1]}}, "COMP-2"),
    "too many values": ("completion/complete", {"completion": {"values": ["a"] * 101}}, "COMP-2"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_result(name):
    """Each result of the wrong shape is named by the rule it breaks."""
    method, result, rule = BAD[name]
    with pytest.raises(Violation) as caught:
        read_result(method, result)
    assert caught.value.rule == rule
    assert caught.value.detail


@pytest.mark.parametrize("method", sorted(shapes.CACHED))
def test_cache_hints(method):
    """Both cache hints are required on complete results of the six methods (CACHE-1)."""
    check_hints(method, {"ttlMs": 0, "cacheScope": "private"})
    check_hints(method, {"ttlMs": 9, "cacheScope": "public"})
    for wrong in (
        {},
        {"ttlMs": 0},
        {"cacheScope": "public"},
        {"ttlMs": -1, "cacheScope": "public"},
        {"ttlMs": 1.5, "cacheScope": "public"},
        {"ttlMs": True, "cacheScope": "public"},
        {"ttlMs": None, "cacheScope": "public"},
        {"ttlMs": 0, "cacheScope": "shared"},
        {"ttlMs": 0, "cacheScope": ["public"]},
    ):
        with pytest.raises(Violation) as caught:
            check_hints(method, wrong)
        assert caught.value.rule == "CACHE-1"


@pytest.mark.parametrize("method", ["tools/call", "prompts/get", "completion/complete", "com.example/do"])
def test_other_methods_need_no_hints(method):
    """Results of other methods need no cache hints."""
    check_hints(method, {})


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "serverInfo": {"name": "old"},
    "instructions": "i",
}


def test_a_handshake():
    """Says what a discovery says, of a server of the older era (LEG-1)."""
    found = read_result("initialize", HELLO)
    assert (found.era, found.version, found.server) == ("older", "2025-06-18", {"name": "old"})
    assert (found.supported_versions, found.instructions, found.raw["serverInfo"]) == (
        ["2025-06-18"],
        "i",
        {"name": "old"},
    )
    modern = read_result("server/discover", DISCOVERY)
    assert (modern.era, modern.version) == ("modern", "2026-07-28")


@pytest.mark.parametrize("members", [{"protocolVersion": 5}, {"serverInfo": None}, {"capabilities": []}])
def test_a_handshake_that_is_none(members):
    """Is named by its rule."""
    with pytest.raises(Violation) as caught:
        read_result("initialize", {**HELLO, **members})
    assert caught.value.rule == "LEG-1"
