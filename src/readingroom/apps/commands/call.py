"""`readingroom call`: one call of one tool of any MCP server."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import exit_codes, peers, targets
from ..answers import tell_answer
from ..arguments import arguments_from
from ..console import Console
from ..faults import UsageFault
from ..parsing import CommandParser, nearest

if TYPE_CHECKING:
    from ...kit.client import Client

USAGE = "[options] TOOL [KEY=VALUE…] -- COMMAND…"
DESCRIPTION = """\
Start an MCP server, call one of its tools, print the answer, and end the server.

KEY=VALUE gives an argument. The tool's input schema decides what a value means: text where it takes text, else JSON
(limit=3, deep=true). KEY:=JSON is always JSON. An argument that is a list may be given item by item: tags=a tags=b.

The server may also come first: readingroom call -- COMMAND… -- TOOL KEY=VALUE…"""
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
    peers.configure(parser)


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line in either order. Raises: UsageFault."""
    ours, command = targets.parted(parser, arguments)
    values = parser.read(ours)
    if values.tool is None:
        command, theirs = targets.after_command(command)
        values = parser.read([*ours, *theirs])
    if values.tool is None:
        parser.error("name the tool: call TOOL KEY=VALUE… -- COMMAND…")
    values.command = command
    return values


def run(values: Namespace, console: Console) -> int:
    """Call and print; an answer with `isError` is printed like any other. Raises: the client's errors, UsageFault."""
    with peers.client_of(values.command, values, console) as client:
        arguments = arguments_from(values.words, _schema(client, values.tool))
        answer = client.call_tool(values.tool, arguments)
    tell_answer(answer, console, as_json=values.json)
    return exit_codes.NOTHING if answer.is_error else exit_codes.OK


def _schema(client: "Client", name: str) -> dict[str, Any]:
    """Give the input schema of a tool. Raises: UsageFault when the server lists none of that name."""
    tools = client.list_tools()
    for tool in tools:
        if tool.name == name:
            return tool.input_schema
    meant = nearest(name, [tool.name for tool in tools])
    hint = f"did you mean {meant}?" if meant else "readingroom list -- COMMAND… names those it has"
    raise UsageFault(f"the server lists no tool {name!r}; {hint}")
