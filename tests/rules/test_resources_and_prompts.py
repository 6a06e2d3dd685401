"""RSRC, PRO, COMP, LOG, ICON: resources, prompts, completions, log lines, icons."""

import base64
from typing import Any

import pytest

from readingroom import Annotations, Context, Icon, ResourceContents, Server, TextContent, UsageError
from support.memory import MemoryServer
from support.messages import LOG_LEVEL, SERVER, call

rule = pytest.mark.rule
PROMPT = {"type": "ref/prompt", "name": "review"}


def words() -> str:
    """Give words."""
    return "x"


@rule("RSRC-1", "passing")
@rule("PRO-1", "passing")
def test_resources_and_prompts_are_listed(server: MemoryServer) -> None:
    """Each with what it was registered with."""
    assert "resources" in server.result("server/discover")["capabilities"]
    (fixed,) = server.result("resources/list")["resources"]
    assert fixed == {
        "uri": "a:///fixed",
        "name": "fixed",
        "title": "Fixed",
        "description": "A fixed text.",
        "mimeType": "text/markdown",
    }
    assert "prompts" in server.result("server/discover")["capabilities"]
    (review,) = server.result("prompts/list")["prompts"]
    assert review["arguments"] == [{"name": "topic", "required": True}, {"name": "tone"}]


@rule("RSRC-1", "violating")
@rule("PRO-1", "violating")
@pytest.mark.parametrize("kind", ["resources", "prompts"])
def test_a_server_without_them_says_so(bare: MemoryServer, kind: str) -> None:
    """And does not know the methods."""
    assert kind not in bare.result("server/discover")["capabilities"]
    assert bare.error(f"{kind}/list")["code"] == -32601


@rule("RSRC-2", "passing")
def test_a_resource_is_read_by_its_uri(server: MemoryServer) -> None:
    """As text, or in base64."""
    assert server.result("resources/read", {"uri": "a:///fixed"})["contents"] == [
        {"uri": "a:///fixed", "mimeType": "text/markdown", "text": "fixed"}
    ]
    (blob,) = server.result("resources/read", {"uri": "a:///bytes"})["contents"]
    assert base64.b64decode(blob["blob"], validate=True) == b"hi"
    assert "text" not in blob


@rule("RSRC-2", "violating")
@pytest.mark.parametrize("members", [{}, {"uri": None}, {"uri": 7}, {"uri": ["a:///fixed"]}])
def test_a_reading_without_a_uri_is_refused(server: MemoryServer, members: dict[str, Any]) -> None:
    """As invalid."""
    assert server.error("resources/read", members)["code"] == -32602


@rule("RSRC-3", "passing")
@rule("RSRC-3", "violating")
@pytest.mark.parametrize("uri", ["a:///none", "x:///y", "not a URI", ""])
def test_a_resource_that_is_not_there_is_an_error(server: MemoryServer, uri: str) -> None:
    """With its URI; never an empty answer, whether nobody knows it or its handler gives nothing."""
    error = server.error("resources/read", {"uri": uri})
    assert (error["code"], error["data"]) == (-32602, {"uri": uri})


@rule("RSRC-5", "passing")
@pytest.mark.parametrize(
    "uri", ["file:///a%20b", "urn:isbn:0451450523", "a+b-c.d:x", "https://example.org/?q=1"]
)
def test_an_address_that_is_a_uri_is_kept(uri: str) -> None:
    """Of any scheme."""
    app = Server("srv")
    app.resource(uri)(words)
    assert MemoryServer(app).result("resources/read", {"uri": uri})["contents"][0]["uri"] == uri


@rule("RSRC-5", "violating")
@pytest.mark.parametrize("uri", ["notes", "/notes", "a b:x", "a:b c", "1a:x", "a:é"])
def test_an_address_that_is_no_uri_is_refused_when_registering(uri: str) -> None:
    """Nobody could ask for it."""
    with pytest.raises(UsageError):
        Server("srv").resource(uri)(words)


@rule("RSRC-6", "passing")
@pytest.mark.parametrize(
    ("uri", "text"),
    [("t:///a%20b", "one a b"), ("t:///a%252Fb", "one a%2Fb"), ("t:///x/y", "more x/y"), ("t:///own", "own")],
)
def test_a_template_is_matched_and_its_variables_decoded_once(uri: str, text: str) -> None:
    """A variable does not span a slash unless it says so; a resource of its own comes first."""

    def one(name: str) -> str:
        return f"one {name}"

    def more(path: str) -> str:
        return f"more {path}"

    app = Server("srv")
    app.resource("t:///{name}")(one)
    app.resource("t:///{+path}")(more)
    app.resource("t:///own", name="own")(lambda: "own")
    (contents,) = MemoryServer(app).result("resources/read", {"uri": uri})["contents"]
    assert contents["text"] == text


@rule("RSRC-6", "violating")
@pytest.mark.parametrize("template", ["t:///{name*}", "t:///{?q}", "t:///{a", "t:///{}"])
def test_a_template_that_cannot_be_matched_is_refused_when_registering(template: str) -> None:
    """And a URI that does not fit one is not there."""

    def one(name: str) -> str:
        return name

    app = Server("srv")
    with pytest.raises(UsageError):
        app.resource(template)(one)
    app.resource("t:///{name}")(one)
    server = MemoryServer(app)
    for uri in ("t:///", "t:///a/b", "T:///a", "t:///%FF"):
        assert server.error("resources/read", {"uri": uri})["code"] == -32602


@rule("RSRC-7", "passing")
def test_content_may_say_for_whom_it_is() -> None:
    """And how much it matters, and when it changed."""

    def note() -> TextContent:
        return TextContent("x", Annotations(("user", "assistant"), 0.5, "2026-11-30T00:00:00Z"))

    app = Server("srv")
    app.tool(note, description="d")
    (block,) = MemoryServer(app).call("note")["content"]
    assert block["annotations"] == {
        "audience": ["user", "assistant"],
        "priority": 0.5,
        "lastModified": "2026-11-30T00:00:00Z",
    }


@rule("RSRC-7", "violating")
def test_content_that_says_nothing_has_no_annotations(server: MemoryServer) -> None:
    """Not null, and not empty ones."""
    assert server.call("words")["content"] == [{"type": "text", "text": "читать"}]


@rule("PRO-2", "passing")
def test_a_prompt_is_filled_in(server: MemoryServer) -> None:
    """Messages with a role and one block each."""
    result = server.result("prompts/get", {"name": "review", "arguments": {"topic": "t", "tone": "dry"}})
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": "t dry"}}]


@rule("PRO-2", "violating")
@rule("PRO-3", "violating")
@pytest.mark.parametrize("arguments", [None, [], {"topic": 1}, {"topic": None}, {"topic": ["t"]}])
def test_arguments_that_are_no_texts_are_refused(server: MemoryServer, arguments: Any) -> None:
    """As invalid."""
    assert server.error("prompts/get", {"name": "review", "arguments": arguments})["code"] == -32602


@rule("PRO-3", "passing")
@pytest.mark.parametrize(
    "members",
    [{"name": "nobody"}, {"name": "review"}, {"name": "review", "arguments": {"topic": "t", "x": "y"}}],
)
def test_a_prompt_that_cannot_be_filled_in_is_refused(server: MemoryServer, members: dict[str, Any]) -> None:
    """One that is not there, an argument that is missing, one that is unknown."""
    assert server.error("prompts/get", members)["code"] == -32602


def completing(number: int) -> MemoryServer:
    """A server whose completion has that many values."""
    app = Server("srv")

    def ask(topic: str) -> str:
        return topic

    app.prompt(ask, name="review", description="d")

    def values(value: str) -> list[str]:
        return [f"{value}{count}" for count in range(number)]

    app.completion("review", "topic")(values)
    return MemoryServer(app)


@rule("COMP-2", "passing")
@rule("COMP-2", "violating")
@pytest.mark.parametrize("number", [0, 1, 100, 101, 1000])
def test_a_completion_gives_at_most_a_hundred_values(number: int) -> None:
    """And says how many there are."""
    members = {"ref": PROMPT, "argument": {"name": "topic", "value": "t"}}
    found = completing(number).result("completion/complete", members)["completion"]
    assert found["values"] == [f"t{count}" for count in range(min(number, 100))]
    assert (found["total"], found["hasMore"]) == (number, number > 100)


@rule("COMP-3", "passing")
def test_a_reference_to_what_is_there_is_completed(server: MemoryServer) -> None:
    """Of a prompt and of a template."""
    for ref, name in ((PROMPT, "topic"), ({"type": "ref/resource", "uri": "a:///{+path}"}, "path")):
        assert server.result("completion/complete", {"ref": ref, "argument": {"name": name, "value": "t"}})[
            "completion"
        ]


@rule("COMP-3", "violating")
@pytest.mark.parametrize(
    "ref",
    [
        None,
        {},
        {"type": "x"},
        {"type": "ref/prompt"},
        {"type": "ref/prompt", "name": "nobody"},
        {"type": "ref/resource", "uri": "x:y"},
    ],
)
def test_a_reference_to_what_is_not_there_is_refused(server: MemoryServer, ref: Any) -> None:
    """As invalid; so is an argument without its value."""
    argument = {"name": "topic", "value": "t"}
    assert server.error("completion/complete", {"ref": ref, "argument": argument})["code"] == -32602
    assert (
        server.error("completion/complete", {"ref": PROMPT, "argument": {"name": "topic"}})["code"] == -32602
    )


def logging(*, declared: bool = True) -> MemoryServer:
    """A server with a tool that writes a line of every level, and one more when it has answered."""
    app = Server("srv", logging=declared)

    def write(ctx: Context) -> str:
        for level in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"):
            ctx.log(level, {"level": level})
        contexts.append(ctx)
        return "done"

    contexts: list[Context] = []
    app.tool(write, description="d")
    server = MemoryServer(app)
    server.contexts = contexts  # type: ignore[attr-defined]  # for the test of what comes too late
    return server


def lines(told: list[Any]) -> list[str]:
    """The levels of the log lines among messages."""
    return [
        message["params"]["level"] for message in told if message.get("method") == "notifications/message"
    ]


@rule("LOG-1", "passing")
@rule("LOG-2", "passing")
@rule("LOG-3", "passing")
@pytest.mark.parametrize(("level", "number"), [("debug", 8), ("info", 7), ("warning", 5), ("emergency", 1)])
def test_lines_from_the_level_that_was_asked_for_are_sent(level: str, number: int) -> None:
    """Before the answer; the server says that it has them."""
    server = logging()
    assert "logging" in server.result("server/discover")["capabilities"]
    told = server.take(call(1, "write", None, {LOG_LEVEL: level}))
    assert lines(told)[0] == level
    assert len(lines(told)) == number
    assert told[-1]["id"] == 1


@rule("LOG-1", "violating")
def test_lines_that_nobody_asked_for_are_not_sent() -> None:
    """Not even after a request that asked; and a server that does not declare them fails the handler."""
    server = logging()
    server.take(call(1, "write", None, {LOG_LEVEL: "debug"}))
    assert lines(server.take(call(2, "write"))) == []
    told = logging(declared=False).take(call(1, "write", None, {LOG_LEVEL: "debug"}))
    assert [message["error"]["code"] for message in told] == [-32603]


@rule("LOG-2", "violating")
def test_a_line_that_comes_after_the_answer_is_not_sent() -> None:
    """Its request is over."""
    server = logging()
    server.take(call(1, "write", None, {LOG_LEVEL: "debug"}))
    sent = len(server._sent)
    server.contexts[0].log("error", "too late")  # type: ignore[attr-defined]  # this server keeps the contexts of its handler
    assert len(server._sent) == sent


@rule("LOG-3", "violating")
@pytest.mark.parametrize("level", ["loud", "", "DEBUG", None, 1, []])
def test_a_level_that_there_is_not_is_refused(level: Any) -> None:
    """As invalid."""
    assert logging().error("tools/call", {"name": "write"}, {LOG_LEVEL: level})["code"] == -32602


@rule("ICON-1", "passing")
def test_icons_are_told_with_all_they_have() -> None:
    """On a server and on its features."""
    icon = Icon("https://example.org/i.png", "image/png", ("48x48", "any"), "dark")
    app = Server("srv", version="1", icons=(icon,))
    app.tool(words, icons=(Icon("data:,x"),))
    server = MemoryServer(app)
    assert server.result("server/discover")["_meta"][SERVER]["icons"] == [
        {
            "src": "https://example.org/i.png",
            "mimeType": "image/png",
            "sizes": ["48x48", "any"],
            "theme": "dark",
        }
    ]
    assert server.result("tools/list")["tools"][0]["icons"] == [{"src": "data:,x"}]


@rule("ICON-1", "violating")
def test_a_server_that_says_nothing_of_itself_still_has_a_name_and_a_version() -> None:
    """And no icons, rather than null."""
    identity = MemoryServer(Server("srv")).result("server/discover")["_meta"][SERVER]
    assert identity == {"name": "srv", "version": "0.0.0"}


def test_contents_of_a_resource_may_have_another_address() -> None:
    """A handler that gives its own contents is taken at its word."""
    app = Server("srv")
    app.resource("a:///x", name="x")(lambda: ResourceContents("a:///y", text="t"))
    assert MemoryServer(app).result("resources/read", {"uri": "a:///x"})["contents"] == [
        {"uri": "a:///y", "text": "t"}
    ]
