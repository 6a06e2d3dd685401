"""Our client and servers written on other SDKs, over stdio, in revision 2026-07-28: peers/serve_*.

Each of these servers speaks that revision by itself when a request has its metadata. What they do differently than the
requirements say is in the tables below and in docs/explanation/interoperability.md; a test fails when one of them changes.
"""

import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from readingroom import Client, PeerProtocolError, RemoteError, TimedOut
from readingroom.errors import InputRequired
from support.peers import command_of, descendants
from support.processes import until

pytestmark = pytest.mark.peers

SERVERS = ("mcp", "fastmcp", "typescript")
INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32600, -32601, -32602, -32603
MISSING_CAPABILITY = -32021
CITY = {"type": "ref/prompt", "name": "visit"}
OWN_TOOLS = 14
LOG_LEVEL = "io.modelcontextprotocol/logLevel"


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest) -> str:
    """Name a server: on the official Python SDK, on FastMCP, on the official TypeScript SDK."""
    return str(request.param)


@pytest.fixture(scope="module")
def opened(server: str) -> Iterator[Client]:
    """Give a strict client that stays open, and see to it that its end is the end of all it has started."""
    before = descendants(os.getpid())
    client = Client.stdio(command_of(server, "serve"), timeout=50, stderr=lambda _: None).open()
    yield client
    started = descendants(os.getpid()) - before
    assert started
    client.close()
    assert not started & descendants(os.getpid())


@pytest.fixture
def client(opened: Client) -> Iterator[Client]:
    """Give the client, and hold against the server that it broke no rule meanwhile."""
    count, _ = opened.violations
    yield opened
    assert (opened.violations[0] - count, opened.violations[1][count:]) == (0, [])


def refusal(client: Client, method: str, **params: object) -> int:
    """Give the code of the error that a request is answered with."""
    with pytest.raises(RemoteError) as caught:
        client.request(method, params)
    return caught.value.code


def test_discovery(client):
    """The server says what it is and which revision it speaks (DISC-1)."""
    assert client.server.supported_versions == ["2026-07-28"]
    assert client.server.server == {"name": "pantry", "version": "1.2.3"}
    assert client.server.instructions == "Use it well."
    assert {"tools", "resources", "prompts", "completions"} <= set(client.server.capabilities)


def test_lists(client, server):
    """Every list comes whole, in however many pages: only FastMCP makes any (PAGE-2)."""
    tools = [tool.name for tool in client.list_tools()]
    assert tools[:3] == ["add", "part", "echo"]
    assert len(tools) == len(set(tools)) == OWN_TOOLS + 150
    assert ("nextCursor" in client.request("tools/list")) is (server == "fastmcp")
    assert [resource.uri for resource in client.list_resources()] == ["x:///fixed", "x:///blob"]
    assert [template.uri_template for template in client.list_templates()] == ["x:///city/{city}"]
    (prompt,) = client.list_prompts()
    assert (prompt.name, [argument["name"] for argument in prompt.arguments]) == ("visit", ["city"])


@pytest.mark.parametrize("cursor", ["bogus", ""])
def test_cursors_that_were_not_given(client, server, cursor):
    """A cursor that the server did not give is refused by FastMCP, unless it is empty; the others ignore any (PAGE-3)."""
    if (server, cursor) == ("fastmcp", "bogus"):
        assert refusal(client, "tools/list", cursor=cursor) == INVALID_PARAMS
    else:
        assert client.request("tools/list", {"cursor": cursor})["tools"][0]["name"] == "add"


def test_calls(client):
    """Tools are called and answer with structured content and text."""
    answer = client.call_tool("add", {"a": -1, "b": 43})
    assert (answer.structured, answer.text, answer.is_error) == ({"result": 42}, "42", False)
    assert client.call_tool("part", {"number": 4}).structured == {"number": 4, "name": "part 4", "note": None}
    assert client.call_tool("many_149").text == "one"


@pytest.mark.parametrize(
    ("kind", "value", "given_by"),
    [
        # The Python SDK leaves out members that are null; FastMCP takes nothing but objects.
        ("null", None, {"typescript"}),
        ("false", False, {"mcp", "typescript"}),
        ("zero", 0, {"mcp", "typescript"}),
        ("text", "", {"mcp", "typescript"}),
        ("list", [], {"mcp", "typescript"}),
        ("object", {"a": [1, None]}, {"mcp", "fastmcp", "typescript"}),
    ],
)
def test_structured_content_of_every_kind(client, server, kind, value, given_by):
    """Structured content may be any JSON, and null is told from none (TOOL-10)."""
    found = client.call_tool("value", {"kind": kind}).structured
    if server in given_by:
        assert found == value
        assert type(found) is type(value)
    else:
        assert found is msgspec.UNSET


def test_content_of_every_kind(client):
    """Content blocks of every kind are read."""
    kinds = [block["type"] for block in client.call_tool("blocks").content]
    assert kinds == ["text", "image", "audio", "resource_link", "resource", "resource"]


@pytest.mark.parametrize(
    ("arguments", "taken_by"),
    [
        ({"a": "x", "b": 2}, set()),
        ({"a": 1}, set()),
        ({"a": "1", "b": 2}, {"mcp", "fastmcp"}),  # both make a number of a text
        ({"a": 1, "b": 2, "c": 3}, {"mcp", "typescript"}),  # both ignore what they do not know
    ],
)
def test_arguments_that_do_not_fit(client, server, arguments, taken_by):
    """Arguments that do not fit the schema are a failure for the model to mend, where they are not mended (TOOL-7)."""
    assert client.call_tool("add", arguments).is_error is (server not in taken_by)


def test_arguments_that_are_no_object(client):
    """Arguments that are no object are an error of the protocol (TOOL-6)."""
    assert refusal(client, "tools/call", name="add", arguments=[1]) == INVALID_PARAMS


def test_unknown_tool(client, server):
    """An unknown tool should be an error of the protocol (TOOL-6); the Python servers answer as if the tool had failed."""
    if server == "typescript":
        assert refusal(client, "tools/call", name="no_such_tool") == INVALID_PARAMS
    else:
        assert client.call_tool("no_such_tool").is_error


def test_failures(client, server):
    """A tool's failure is an answer; an exception is one, too, and the TypeScript server shows its text to the model."""
    answer = client.call_tool("fail")
    assert (answer.is_error, "nothing to be done" in answer.text) == (True, True)
    answer = client.call_tool("crash")
    assert (answer.is_error, "secret" in answer.text) == (True, server == "typescript")


def test_progress(client):
    """Progress reaches the caller, all of it and in order (PROG-2)."""
    seen = []
    assert client.call_tool("count", {"to": 5}, on_progress=seen.append).structured == {"result": 5}
    assert [(step.progress, step.total, step.message) for step in seen] == [
        (number, 5, f"at {number}") for number in range(1, 6)
    ]


def test_many_calls_at_once(client):
    """Answers of calls under way together go to the call that each belongs to."""
    calls = [
        client.submit("tools/call", {"name": "add", "arguments": {"a": number, "b": number}})
        for number in range(300)
    ]
    results = [call.result()["structuredContent"]["result"] for call in calls]
    assert results == [2 * number for number in range(300)]


def test_cancelled_and_timed_out_calls_end_on_the_server(client):
    """A call that is cancelled, or takes longer than its caller waits, is ended on the server as well (CAN-1, CAN-6)."""
    held = client.submit("tools/call", {"name": "hold", "arguments": {}})
    until(lambda: client.call_tool("holds").structured["result"] == [1, 0])
    assert held.cancel()
    with pytest.raises(TimedOut):
        client.call_tool("hold", {}, timeout=0.2)
    until(lambda: client.call_tool("holds").structured["result"] == [2, 2])


def test_large_texts(client):
    """Arguments and answers of megabytes go through."""
    text = "много текста — 很多文字 " * 40_000
    assert client.call_tool("echo", {"text": text}).structured == {"result": text}


def test_resources(client):
    """Resources are read as text or as bytes, and by template (RSRC-2)."""
    assert client.read_resource("x:///fixed").text == "fixed"
    assert client.read_resource("x:///blob").contents[0]["blob"] == "AP8="
    assert client.read_resource("x:///city/Bern").text == "About Bern"


@pytest.mark.parametrize("uri", ["x:///none", "x:///city/Atlantis"])
def test_missing_resources(client, server, uri):
    """A missing resource is an error with its URI (RSRC-3); FastMCP masks one that a template's function did not find."""
    with pytest.raises(RemoteError) as caught:
        client.read_resource(uri)
    masked = (server, uri) == ("fastmcp", "x:///city/Atlantis")
    expected = (INTERNAL_ERROR, None) if masked else (INVALID_PARAMS, {"uri": uri})
    assert (caught.value.code, caught.value.data) == expected


def test_prompts(client, server):
    """Prompts are filled in; one that is unknown, or lacks an argument, should be refused as such (PRO-3)."""
    answer = client.get_prompt("visit", {"city": "Paris"})
    assert answer.messages[0]["content"]["text"] == "Plan a visit to Paris."
    expected = INTERNAL_ERROR if server == "mcp" else INVALID_PARAMS
    assert refusal(client, "prompts/get", name="none") == expected
    assert refusal(client, "prompts/get", name="visit") == expected


def test_completions(client, server):
    """Arguments are completed; an unknown prompt should be refused (COMP-3), and the Python servers do not look."""
    answer = client.complete(CITY, "city", "Ber")
    assert (answer.values, answer.total, answer.has_more) == (["Berlin", "Bern"], 2, False)
    template = {"type": "ref/resource", "uri": "x:///city/{city}"}
    assert client.complete(template, "city", "P").values == ["Paris"]
    unknown = {"ref": {**CITY, "name": "none"}, "argument": {"name": "city", "value": "P"}}
    if server == "typescript":
        assert refusal(client, "completion/complete", **unknown) == INVALID_PARAMS
    else:
        assert isinstance(client.request("completion/complete", unknown)["completion"]["values"], list)


def test_completion_of_too_many(client, server):
    """A function that gives more values than may be sent: two servers cut them to a hundred, the third fails (COMP-2)."""
    if server == "mcp":
        with pytest.raises(RemoteError) as caught:
            client.complete(CITY, "city", "")
        assert caught.value.code == INTERNAL_ERROR
    else:
        assert len(client.complete(CITY, "city", "").values) == 100


@pytest.mark.parametrize("method", ["com.example/do", "ping", "logging/setLevel"])
def test_unknown_methods(client, method):
    """Methods that the server does not know are refused, and so are those of the older era (-32601)."""
    assert refusal(client, method) == METHOD_NOT_FOUND


def test_log_lines(client, server):
    """Log lines come only to a request that asked (LOG-1); the Python SDK sends them without declaring `logging`."""
    assert client.call_tool("whisper").text == "whispered"
    result = client.request("tools/call", {"name": "whisper", "_meta": {LOG_LEVEL: "debug"}})
    assert result["content"][0]["text"] == "whispered"
    assert ("logging" in client.server.capabilities) is (server != "mcp")


def test_asking_a_user_who_is_not_there(client, server):
    """A request for input that the client did not declare should be refused with -32021 (META-11)."""
    if server == "fastmcp":
        assert "unavailable" in client.call_tool("ask").text
        return
    expected = MISSING_CAPABILITY if server == "typescript" else INVALID_REQUEST
    assert refusal(client, "tools/call", name="ask") == expected


def test_input_required():
    """A server that may ask for input says so with its questions (MRTR-1)."""
    declared = {"elicitation": {"form": {}}}
    with Client.stdio(command_of("typescript", "serve"), timeout=50, capabilities=declared) as asked:
        with pytest.raises(InputRequired) as caught:
            asked.call_tool("ask")
        assert caught.value.requests["amount"]["params"]["message"] == "How many?"
        assert asked.violations == (0, [])


def test_printing_to_stdout(opened, server):
    """The Python servers turn a handler's printing away from stdout. In the TypeScript one it lands among the messages:
    the rule is named, and the call it belongs to fails (STDIO-2).
    """
    if server != "typescript":
        assert opened.call_tool("chatter").text == "printed"
        return
    with pytest.raises(PeerProtocolError) as caught:
        opened.call_tool("chatter")
    assert (caught.value.rule, caught.value.excerpt) == ("STDIO-2", "a word to nobody")
    assert opened.call_tool("add", {"a": 1, "b": 2}).structured == {"result": 3}


def test_progress_that_does_not_go_forward(opened):
    """None of the servers holds back progress that stands still or goes back; the rule is named (PROG-2)."""
    seen = []
    with pytest.raises(PeerProtocolError) as caught:
        opened.call_tool("stumble", on_progress=seen.append)
    assert (caught.value.rule, [step.progress for step in seen]) == ("PROG-2", [0])
    assert opened.call_tool("stumble").text == "stumbled"


def test_from_the_command_line(server):
    """`readingroom call` calls a tool of any of them."""
    command = [sys.executable, "-m", "readingroom", "call", "--json", "--quiet", "add", "a=2", "b=40", "--"]
    done = subprocess.run(
        [*command, *command_of(server, "serve")], capture_output=True, timeout=50, check=True
    )
    assert msgspec.json.decode(done.stdout) == {"result": 42}
