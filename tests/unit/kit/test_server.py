"""`Server`: what a program registers, and how it is served."""

import os
import subprocess
import sys
from typing import Annotated, Any

import pytest

from readingroom import (
    CallResult,
    Context,
    Icon,
    Limits,
    Page,
    Refused,
    Resource,
    ResourceContents,
    Server,
    UsageError,
)
from support.handlers import Pair, wrong
from support.memory import MemoryServer
from support.messages import SERVER, call


def words() -> str:
    """Give words."""
    return "x"


def test_a_server_names_itself_in_every_result() -> None:
    """With everything it was given (META-10, ICON-1)."""
    icon = Icon("https://example.org/i.png")
    app = Server(
        "srv",
        version="2",
        title="Srv",
        description="d",
        website_url="https://example.org",
        icons=(icon,),
        instructions="i",
    )
    result = MemoryServer(app).result("server/discover")
    assert result["_meta"][SERVER] == {
        "name": "srv",
        "version": "2",
        "title": "Srv",
        "description": "d",
        "websiteUrl": "https://example.org",
        "icons": [{"src": "https://example.org/i.png"}],
    }
    assert result["instructions"] == "i"
    plain = MemoryServer(Server("srv")).result("server/discover")
    assert plain["_meta"][SERVER] == {"name": "srv", "version": "0.0.0"}
    assert "instructions" not in plain
    assert plain["capabilities"] == {}


def test_decorators_give_the_function_back() -> None:
    """With or without options, so that it can be called and tested as it is."""
    app = Server("srv")
    assert app.tool(words) is words
    assert app.tool(name="other")(words) is words
    assert app.resource("a:///x")(words) is words
    assert app.prompt(words) is words
    assert app.prompt(name="other")(words) is words

    def complete(value: str) -> list[str]:
        return [value]

    assert app.completion("words", "x")(complete) is complete

    def provide(after: str | None, limit: int) -> Page:
        return Page((Resource("p:///", "n"),), None)

    assert app.resource_list(provide) is provide
    server = MemoryServer(app)
    assert [tool["name"] for tool in server.result("tools/list")["tools"]] == ["other", "words"]
    assert [one["uri"] for one in server.result("resources/list")["resources"]] == ["a:///x", "p:///"]


@pytest.mark.parametrize(
    ("options", "hints"),
    [
        ({}, (False, True, False, True)),
        ({"read_only": True}, (True, False, True, True)),
        ({"destructive": False, "idempotent": True, "open_world": False}, (False, False, True, False)),
    ],
)
def test_a_tool_tells_all_four_hints(options: dict[str, Any], hints: tuple[bool, ...]) -> None:
    """For the defaults of missing ones surprise people (TOOL-11)."""
    app = Server("srv")
    app.tool(words, **options)
    (tool,) = MemoryServer(app).result("tools/list")["tools"]
    told = tool["annotations"]
    assert (
        told["readOnlyHint"],
        told["destructiveHint"],
        told["idempotentHint"],
        told["openWorldHint"],
    ) == hints


def test_a_feature_is_described_by_its_options() -> None:
    """In place of what its function says."""
    app = Server("srv")
    icon = Icon("data:,x")
    more: dict[str, Any] = {"title": "T", "description": "D", "icons": (icon,), "meta": {"org.example/a": 1}}
    app.tool(words, name="t", **more)
    app.prompt(words, name="p", **more)
    app.resource("a:///x", name="r", mime_type="text/plain", **more)(words)
    server = MemoryServer(app)
    for method, key, name in (
        ("tools/list", "tools", "t"),
        ("prompts/list", "prompts", "p"),
        ("resources/list", "resources", "r"),
    ):
        (feature,) = server.result(method)[key]
        found = {member: feature[member] for member in ("name", "title", "description", "icons", "_meta")}
        assert found == {
            "name": name,
            "title": "T",
            "description": "D",
            "icons": [{"src": "data:,x"}],
            "_meta": {"org.example/a": 1},
        }


def test_faults_are_found_when_registering() -> None:
    """With an exception of the kit."""
    with pytest.raises(UsageError):
        Server("srv").tool(lambda x: x)


def test_cursors_of_servers_with_one_key_are_exchangeable() -> None:
    """So that several processes may serve the same list; without a key each makes its own."""

    def listed(key: bytes | None) -> MemoryServer:
        app = Server("srv", cursor_key=key, limits=Limits(page_items=1))
        app.tool(words, name="a")
        app.tool(words, name="b")
        return MemoryServer(app)

    cursor = listed(b"k" * 16).result("tools/list")["nextCursor"]
    assert listed(b"k" * 16).result("tools/list", {"cursor": cursor})["tools"][0]["name"] == "b"
    assert listed(None).error("tools/list", {"cursor": cursor})["code"] == -32602


@pytest.mark.parametrize("debug", [False, True])
def test_an_incident_is_told_on_stderr(debug: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Its id, the class and the place; the words only when debugging, for they may be a document's."""

    def fails() -> str:
        raise ValueError("what a document says")

    app = Server("srv", debug=debug)
    app.tool(fails, description="d")
    incident = MemoryServer(app).error("tools/call", {"name": "fails"})["data"]["incident"]
    told = capsys.readouterr().err
    assert told.startswith(f"srv: incident {incident}: tool fails: ValueError")
    assert "in fails" in told
    assert ("what a document says" in told) is debug
    assert ("Server(..., debug=True)" in told) is not debug


def echo(value: str) -> str:
    """Give what was typed."""
    return value


def misuse(ctx: Context) -> str:
    """Log without having declared it."""
    ctx.log("info", "secret")
    return ""


def reserved() -> str:
    """Refuse with a code of the protocol's."""
    raise Refused("secret", code=-32000)


KIT_FAULTS: list[tuple[Any, str]] = [
    (wrong(int, "secret"), "what the tool returned breaks its output schema: it: expected `int`, got `str`"),
    (wrong(list[Pair], [{"a": "secret"}]), "its part `[0].a`: expected `int`, got `str`"),
    (wrong(list[Pair], [{}]), "its part `[0]`: object missing required field `a`"),
    (wrong(Pair, {"a": 1, "b": "secret"}), "its part `b`: a value that is not allowed"),
    (wrong(Any, object()), "what the tool returned cannot be told as JSON (TypeError)"),
    (
        wrong(dict[str, Any], {"a": float("nan")}),
        "what the tool returned cannot be told as JSON (ValueError)",
    ),
    (wrong(str, "\ud800 secret"), "what the tool returned cannot be told as JSON (UnicodeEncodeError)"),
    (
        wrong(Any, ResourceContents("a:b", text="secret")),
        "a tool returned a ResourceContents, which is no content block",
    ),
    (
        wrong(Annotated[CallResult, int], CallResult((), structured="secret")),
        'given as structured={"result": value}',
    ),
    (misuse, "declare it first: Server(..., logging=True)"),
    (reserved, "it refused with a code that the protocol keeps for others"),
]


@pytest.mark.parametrize(("handler", "words"), KIT_FAULTS, ids=[words for _, words in KIT_FAULTS])
def test_the_kits_own_words_are_told(handler: Any, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the name of the tool, which part it was by the schema, and nothing of any value."""
    app = Server("srv")
    app.tool(handler, name="at_fault")
    assert MemoryServer(app).error("tools/call", {"name": "at_fault"})["message"] == "Internal error"
    told = capsys.readouterr().err.splitlines()[0]
    assert ": tool at_fault: " in told
    assert words in told
    assert "secret" not in told


def test_every_kind_of_handler_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """As it was registered, with what it gave that it cannot give."""

    def lists(after: str | None, limit: int) -> Any:
        return [after, limit]

    def fill(mood: str) -> Any:
        """Fill."""
        return len(mood)

    app = Server("srv")
    app.resource("a:///one")(wrong(Any, 3))
    app.resource("b:///{mood}")(fill)
    app.prompt(fill)
    app.resource_list(lists)
    app.completion("fill", "mood")(echo)
    server = MemoryServer(app)
    reference = {"ref": {"type": "ref/prompt", "name": "fill"}, "argument": {"name": "mood", "value": "x"}}
    for method, params, words in (
        ("resources/read", {"uri": "a:///one"}, "resource a:///one: WrongReturn: a resource returned a int"),
        (
            "resources/read",
            {"uri": "b:///secret"},
            "resource b:///{mood}: WrongReturn: a resource returned a int",
        ),
        ("prompts/get", {"name": "fill", "arguments": {"mood": "x"}}, "prompt fill: WrongReturn: a prompt"),
        (
            "resources/list",
            {},
            "request resources/list: WrongReturn: a provider of resources returned a list",
        ),
        (
            "completion/complete",
            reference,
            "completion fill, argument mood: WrongReturn: a completion returned a str",
        ),
    ):
        assert server.error(method, params)["message"] == "Internal error"
        told = capsys.readouterr().err.splitlines()[0]
        assert words in told
        assert "secret" not in told


@pytest.mark.parametrize("stderr", [None, "closed"])
def test_an_incident_that_cannot_be_told_is_masked_all_the_same(
    stderr: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that is gone costs nothing else."""

    class Closed:
        def write(self, _text: str) -> None:
            raise ValueError("I/O operation on closed file")

    def fails(ctx: Context) -> str:
        raise KeyError(ctx.request_id)

    app = Server("srv")
    app.tool(fails, description="d")
    monkeypatch.setattr(sys, "stderr", Closed() if stderr else None)
    assert MemoryServer(app).error("tools/call", {"name": "fails"})["message"] == "Internal error"


RUN = """
import sys
from readingroom import Server
app = Server("srv")
@app.tool
def add(a: int, b: int) -> int:
    "Add."
    return a + b
{end}
"""


def run(end: str, data: bytes = b"", before: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a program that serves, to the end of its input."""
    return subprocess.run(
        [sys.executable, "-c", before + RUN.format(end=end)], input=data, capture_output=True, timeout=30
    )


def test_a_server_runs_until_its_input_ends() -> None:
    """Answers what it was asked, and exits quietly with code 0."""
    done = run("app.run()", call(1, "add", {"a": 1, "b": 2}) + b"\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"structuredContent":{"result":3}' in done.stdout


def test_a_program_may_go_on_after_serving() -> None:
    """With the code that `run` would exit with."""
    done = run("code = app.serve_stdio(principal='me'); sys.stderr.write(f'code {code}'); sys.exit(3)")
    assert (done.returncode, done.stderr) == (3, b"code 0")


@pytest.mark.skipif(os.name == "nt", reason="descriptors are closed as POSIX numbers them")
def test_a_server_without_a_stdin_says_so() -> None:
    """In one line, with the code for a failure."""
    done = run("app.run()", before="import os; os.close(0)\n")
    assert (done.returncode, done.stdout, done.stderr) == (70, b"", b"srv: stdin is not open\n")


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("", {}, "the name of a server"),
        (None, {}, "the name of a server"),
        ("srv", {"version": ""}, "the version of a server"),
        ("srv", {"version": 1}, "the version of a server"),
        ("srv", {"cursor_key": b""}, "at least 16 bytes"),
        ("srv", {"cursor_key": b"k" * 15}, "at least 16 bytes"),
        ("srv", {"cursor_key": "k" * 16}, "cursor_key is bytes"),
    ],
)
def test_a_server_that_could_not_serve_is_refused_at_once(name: Any, how: dict[str, Any], words: str) -> None:
    """When it is made, not when the first client comes."""
    with pytest.raises(UsageError, match=words):
        Server(name, **how)


class Foreign:
    """A class that JSON knows nothing of."""


@pytest.mark.parametrize("handler", [Foreign, int, "take", 3, None])
def test_what_is_no_function_is_no_handler(handler: Any) -> None:
    """A class would be called to make an object, which is not what a tool gives."""
    app = Server("srv")
    for register in (app.resource("a:b"), app.resource_list, app.completion("x", "y")):
        with pytest.raises(UsageError, match="a handler is a function"):
            register(handler)
    for decorate in (app.tool, app.prompt):
        with pytest.raises(UsageError, match="a handler is a function"):
            decorate()(handler)


def test_one_context_is_enough() -> None:
    """A second would be left out without a word."""

    def take(one: Context, other: Context) -> str:
        """Take."""
        return f"{one}{other}"

    with pytest.raises(UsageError, match="'one' and 'other' are both the context"):
        Server("srv").tool(take)
