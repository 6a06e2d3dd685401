"""`list` and `call` against real servers in processes of their own."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from readingroom import Closed, ConnectFailed, PeerProtocolError
from readingroom.apps import listing
from readingroom.apps.faults import UsageFault
from readingroom.apps.running import run
from readingroom.client import ToolInfo

from .streams import console, written

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
NOTES = ["--", sys.executable, str(EXAMPLES / "notes_server.py"), "ada"]
SCRIPT = """
import json, os, sys
from readingroom import Server
app = Server("odd\\x1b[2J", version="1")
@app.tool
def where() -> str:
    "Tell the folder."
    print("\\x1b[31mnoise", file=sys.stderr, flush=True)
    return os.getcwd()
@app.tool
def variable(name: str) -> str | None:
    "Tell a variable."
    return os.environ.get(name)
@app.tool
def die() -> str:
    "End without an answer."
    os._exit(3)
app.run()
"""
ODD = ["--", sys.executable, "-c", SCRIPT]


def ran(*arguments: str, code: int = 0, environment: dict[str, str] | None = None) -> tuple[str, str]:
    """Run a command, and give what it wrote to stdout and stderr."""
    given = console(environment={"NO_COLOR": "1", **(environment or {})})
    assert run(arguments, given) == code
    return written(given.out), written(given.err)


def test_list() -> None:
    """Tools, resources, templates and prompts, each in a section with its count."""
    out, err = ran("list", *NOTES)
    assert out.splitlines()[:9] == [
        "notes 1.0.0",
        "",
        "Tools: 3",
        "  notes_create  title text",
        "                Write a note.",
        "  notes_delete  id",
        "                Delete a note of one's own.",
        "  notes_search  query [limit]",
        "                Find notes whose title or text has all the words of the query.",
    ]
    assert "Resources: 1\n  notes:///n0  Welcome\n" in out
    assert "Resource templates: 1\n  notes:///{id}  A note as Markdown.\n" in out
    assert "Prompts: 1\n  review_note  id\n               Ask for a review of a note.\n" in out
    assert err == ""


MANY = """
from readingroom import Page, Resource, Server
app = Server("many")
@app.resource_list
def listed(after: str | None, limit: int) -> Page:
    "Many."
    return Page(tuple(Resource(f"x:{n:03}", f"n{n}", title="A row", description="a row of it") for n in range(123)), None)
app.run()
"""


def test_long_lists_are_cut_unless_all_is_asked_for() -> None:
    """Twenty are shown, and the rest is counted; what title and description both say is said once."""
    command = ["--", sys.executable, "-c", MANY]
    assert ran("list", *command)[0].endswith("  x:019  a row of it\n  and 103 more: --full lists them\n")
    for option in ("--all", "--full"):
        assert ran("list", option, *command)[0].endswith("  x:122  a row of it\n")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({}, ""),
        ({"inputSchema": {"properties": {"a\x1b": 1, "b": {}}, "required": ["b", "c"]}}, "b c [a⟨U+001B⟩]"),
        ({"inputSchema": {"properties": 5, "required": 5}}, ""),
        ({"arguments": [{"name": "x", "required": True}, {"name": "y"}, 5]}, "x [y]"),
    ],
)
def test_arguments_that_are_listed(raw: dict[str, Any], told: str) -> None:
    """Whatever a server lists as arguments is told as text, or not at all."""
    item = ToolInfo(raw=raw, name="odd", input_schema={})
    assert listing.arguments_of(item) == told


def test_list_as_json() -> None:
    """Everything the server said, as it said it."""
    found = json.loads(ran("list", "--json", *NOTES)[0])
    assert set(found) == {"server", "tools", "resources", "templates", "prompts"}
    assert found["tools"][0]["inputSchema"]["type"] == "object"


def test_list_what_is_declared_alone() -> None:
    """A server without resources and prompts is not asked for them; its name is harmless."""
    out, _ = ran("list", *ODD)
    assert out.startswith("odd⟨U+001B⟩[2J 1\n")
    assert "Resources" not in out


def test_call() -> None:
    """Arguments by the schema, in either order, the text on stdout."""
    out, _ = ran("call", "notes_create", "title=5", "text=x", *NOTES)
    assert json.loads(out)["title"] == "5"
    out, _ = ran("call", "--json", *NOTES, "--", "notes_search", "query=welcome", "limit=3")
    assert json.loads(out)["result"][0]["id"] == "n0"


def test_a_tool_that_fails() -> None:
    """`isError` is printed and gives 1."""
    out, err = ran("call", "notes_delete", "id=n0", *NOTES, code=1)
    assert out == "The note 'n0' belongs to the house; only its author may delete it.\n"
    assert "error" in err


@pytest.mark.parametrize(
    ("tool", "told"),
    [("notes_serch", "did you mean notes_search?"), ("xyzzy", "readingroom list")],
)
def test_no_such_tool(tool: str, told: str) -> None:
    """A tool that is not listed is not called; the one that was probably meant is named."""
    with pytest.raises(UsageFault) as caught:
        ran("call", tool, *NOTES)
    assert told in str(caught.value)


def test_folder_and_noise(tmp_path: Path) -> None:
    """--cwd is where the server runs; what it writes to stderr is shown, harmlessly, unless --quiet."""
    out, err = ran("call", "where", "--cwd", str(tmp_path), *ODD)
    assert Path(out.strip()).samefile(tmp_path)
    assert err == "server: ⟨U+001B⟩[31mnoise\n"
    assert ran("call", "where", "--quiet", *ODD)[1] == ""


def test_environment() -> None:
    """The server gets a variable only when it is given, by value or by name."""
    assert json.loads(ran("call", "--json", "variable", "name=A_SECRET", *ODD)[0])["result"] is None
    given = ("--env", "A_SECRET=1=2", "variable", "name=A_SECRET")
    assert json.loads(ran("call", "--json", *given, *ODD)[0])["result"] == "1=2"
    named = ("--env", "A_SECRET", "variable", "name=A_SECRET")
    out, _ = ran("call", "--json", *named, *ODD, environment={"A_SECRET": "here"})
    assert json.loads(out)["result"] == "here"


def test_servers_that_fail() -> None:
    """Each way to fail is an error of its own kind, which has its exit code."""
    with pytest.raises(ConnectFailed):
        ran("list", "--", "no-such-program-anywhere")
    with pytest.raises(ConnectFailed):
        ran("list", "--", sys.executable, "-c", "raise SystemExit(4)")
    with pytest.raises(PeerProtocolError):
        ran("list", "--", sys.executable, "-c", "print('Hello!', flush=True); input(); input()")
    with pytest.raises(Closed):
        ran("call", "die", *ODD)
    with pytest.raises(ConnectFailed):
        ran("list", "--timeout", "0.2", "--", sys.executable, "-c", "import time; time.sleep(60)")


DYING = "import sys; print('first\\n\\x1b[2Jlast', file=sys.stderr, flush=True); raise SystemExit(4)"


def test_last_lines_are_told_once() -> None:
    """What the server wrote is not repeated by the fault when it has been shown, and is in it when it has not."""
    command = ["--", sys.executable, "-c", DYING]
    at = console()
    with pytest.raises(ConnectFailed) as caught:
        run(["list", *command], at)
    told = "server: first\nserver: ⟨U+001B⟩[2Jlast\n"
    assert written(at.err) == 2 * told  # it is started once for each era
    assert str(caught.value).endswith("it ended with exit code 4")
    with pytest.raises(ConnectFailed) as caught:
        run(["list", "--quiet", *command], console())
    assert str(caught.value).endswith("its last lines on stderr:\n  first\n  \x1b[2Jlast")


def test_where_the_index_lies() -> None:
    """The server keeps its caches where we keep ours: it gets the variables that say so, unless --env says otherwise."""
    asked = ("call", "--json", "variable", "name=XDG_CACHE_HOME")
    environment = {"XDG_CACHE_HOME": "/here"}
    assert json.loads(ran(*asked, *ODD, environment=environment)[0])["result"] == "/here"
    given = ("--env", "XDG_CACHE_HOME=/there")
    assert json.loads(ran(*asked, *given, *ODD, environment=environment)[0])["result"] == "/there"
    assert json.loads(ran(*asked, *ODD)[0])["result"] is None
