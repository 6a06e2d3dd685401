"""`readingroom call`: one call of one tool of any MCP server."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import exit_codes, naming, peers, questions, targets
from ..answers import tell_answer
from ..arguments import arguments_from
from ..call_progress import CallProgress
from ..console import Console
from ..faults import UsageFault
from ..parsing import CommandParser, nearest

if TYPE_CHECKING:
    from ...kit.client import Client

USAGE = "[options] TOOL [KEY=VALUE…] SERVER"
DESCRIPTION = """\
Call one tool of an MCP server and print the answer.

SERVER is -- COMMAND…, which is started without a shell and ended, or --url URL, or --server NAME.

KEY=VALUE gives an argument. The tool's input schema decides what a value means: text where it takes text, else JSON
(limit=3, deep=true). KEY:=JSON is always JSON. An argument that is a list may be given item by item: tags=a tags=b.

When the server asks for something before it answers, you are asked at the terminal: to fill in a form, field by field, or
to open an address, which is shown whole. Without a terminal, --answer fills in forms; what is not answered ends the command
with exit code 9.

The server's command may also come first: readingroom call -- COMMAND… -- TOOL KEY=VALUE…"""
EXAMPLES = (
    (
        "readingroom call library_search query='late fees' limit=3 -- readingroom serve ~/articles",
        "what an app would see",
    ),
    (
        "readingroom call library_read path=README.md 'lines:=[1, 9]' -- readingroom serve ~/articles",
        "an argument in JSON",
    ),
    ("readingroom call --json add a=2 b=3 -- python bench/servers/add.py", "the structured content alone"),
    ("readingroom call search query=fees --url https://docs.example/mcp", "a server on the web"),
    (
        "readingroom call library_search query=fees --server articles",
        "one that an AI app is configured to use",
    ),
    (
        "readingroom call book_table guests=2 time=19:00 --answer value=Ada -- python examples/booking_server.py",
        "a form that the server asks for, filled in by a script",
    ),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="the name of the tool")
    parser.add_argument("words", metavar="KEY=VALUE", nargs="*", help="an argument of the tool")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the structured content; the whole result where there is none",
    )
    questions.configure(parser)
    peers.configure(parser)


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line in either order. Raises: UsageFault."""
    ours, command = targets.split(arguments)
    values = parser.read_mixed(ours)
    if values.tool is None and command is not None:
        command, theirs = targets.after_command(command)
        values = parser.read_mixed([*ours, *theirs])
    if values.tool is None:
        parser.error("name the tool: call TOOL KEY=VALUE… -- COMMAND…")
    values.command = command
    return values


def run(values: Namespace, console: Console) -> int:
    """Call and print; an answer with `isError` is printed like any other. Raises: the client's errors, UsageFault."""
    target = naming.target_of(values, console.environment)
    asking = questions.Questions(target.name, console, values.answer)
    progress = CallProgress(console.err, quiet=values.quiet)
    with asking.settled(), peers.client_of(values, console, asking.callbacks()) as client:
        arguments = arguments_from(values.words, _schema(client, values.tool))
        try:
            answer = client.call_tool(values.tool, arguments, on_progress=progress)
        finally:
            progress.end()
    tell_answer(answer, console, as_json=values.json)
    return exit_codes.NOTHING if answer.is_error else exit_codes.OK


def _schema(client: "Client", name: str) -> dict[str, Any]:
    """Give the input schema of a tool. Raises: UsageFault when the server lists none of that name."""
    tools = client.list_tools()
    for tool in tools:
        if tool.name == name:
            return tool.input_schema
    meant = nearest(name, [tool.name for tool in tools])
    hint = f"did you mean {meant}?" if meant else "readingroom list names those it has"
    raise UsageFault(f"the server lists no tool {name!r}; {hint}")
