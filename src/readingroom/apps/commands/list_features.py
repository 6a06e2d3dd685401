"""`readingroom list`: what any MCP server offers, or all those of a configuration file."""

from argparse import ArgumentParser, Namespace
from typing import Any

from .. import exit_codes, listing, naming, peers, side_by_side
from ..characters import one_line
from ..console import Console
from ..faults import UsageFault, lines_of
from ..json_text import json_text
from ..side_by_side import Heard
from ..targets import Target

USAGE = "[options] (SERVER | --all)"
DESCRIPTION = """\
List the tools, resources, resource templates and prompts of an MCP server. What it says of itself is shown as text and
trusted for nothing.

SERVER is -- COMMAND…, which is started without a shell and ended, or --url URL, or --server NAME.

--server NAME is one that an AI app is configured to use, and --all asks all of those, side by side: each that cannot be
asked takes one line. The user's own configuration files of Claude Desktop, Claude Code, Cursor, VS Code, Gemini CLI and
Codex are looked through; what lies in a project's folder, such as .mcp.json, is used when --config names it. Variables in
the files are expanded as those apps do it."""
EXAMPLES = (
    ("readingroom list -- readingroom serve ~/articles", "what our own server offers"),
    (
        "readingroom list --json -- python examples/notes_server.py",
        "everything the server said, schemas included",
    ),
    ("readingroom list --url https://docs.example/mcp", "a server on the web; see readingroom login"),
    ("readingroom list --server articles", "one that an AI app is configured to use"),
    ("readingroom list --all --config .mcp.json", "every server of a file, side by side"),
)
read = naming.read

# A server asked with others has this many times the timeout for all its lists together.
_WHOLE = 2
_CLOSE_S = 1.0


def configure(parser: ArgumentParser) -> None:
    """Add the options; the command stands after them."""
    parser.add_argument(
        "--all",
        action="store_true",
        help="ask every server of the configuration file; where one server is named, the same as --full",
    )
    parser.add_argument("--full", action="store_true", help="list everything, however long the lists are")
    parser.add_argument("--json", action="store_true", help="print what was listed, as JSON")
    peers.configure(parser)


def run(values: Namespace, console: Console) -> int:
    """List and print. Raises: the client's errors, UsageFault."""
    if values.all and not naming.is_named(values):
        return _list_all(values, console)
    with peers.client_of(values, console) as client:
        server, found = client.server, listing.features_of(client)
    if values.json:
        console.out.line(json_text(listing.as_json(server, found)))
        return exit_codes.OK
    console.out.line(console.out.paint("bold", listing.named(server)))
    limit = None if values.full or values.all else listing.FEW
    for line in listing.lines_of(found, console.out, limit):
        console.out.line(line)
    return exit_codes.OK


def _list_all(values: Namespace, console: Console) -> int:
    if values.cwd is not None or values.header or values.token_file is not None or values.ca is not None:
        raise UsageFault("--cwd, --header, --token-file and --ca are for one server: name it with --server")
    known = naming.all_of(values, console.environment)
    if not known:
        raise UsageFault("no servers are known: name a file with --config FILE")
    wanted = [target for target in known if not target.is_disabled]
    if not values.json:
        for target in known:
            if target.is_disabled:
                console.err.line(f"{one_line(target.name)} is turned off in {target.place}.")
    values.quiet = True  # what many servers write to stderr at once helps nobody

    def client_of(target: Target) -> Any:
        return peers.unopened(
            naming.usable(target), _for_one(values, target), console, {"close_seconds": _CLOSE_S}
        )

    told: dict[str, Any] = {}
    is_whole = True
    for heard in side_by_side.asked(wanted, client_of, _WHOLE * values.timeout):
        is_whole &= heard.error is None
        if values.json:
            told[_key(heard.target, told)] = _as_json(heard)
        else:
            _tell(heard, values, console)
    if values.json:
        console.out.line(json_text({"servers": told}))
    return exit_codes.OK if is_whole else exit_codes.NOTHING


def _for_one(values: Namespace, target: Target) -> Namespace:
    """Give the options as they are for one server of many: variables are for those that are started."""
    return Namespace(**{**vars(values), "env": [] if target.url else values.env})


def _key(target: Target, taken: dict[str, Any]) -> str:
    """Give the name of a server; where two files have one of the same name, with the file."""
    return target.name if target.name not in taken else f"{target.name} ({target.place})"


def _as_json(heard: Heard) -> dict[str, Any]:
    if heard.error is not None or heard.server is None:
        code, lines = lines_of(heard.error or Exception())
        return {"place": heard.target.place, "error": {"code": code, "message": lines[0]}}
    return {"place": heard.target.place, **listing.as_json(heard.server, heard.found)}


def _tell(heard: Heard, values: Namespace, console: Console) -> None:
    out = console.out
    name = one_line(heard.target.name)
    if heard.error is not None or heard.server is None:
        said = lines_of(heard.error or Exception())[1][0]
        out.line(f"{out.paint('bad', name)}: {said.partition('; its last lines on stderr:')[0]}")
    else:
        out.line(f"{out.paint('bold', name)}: {listing.named(heard.server)}")
        for line in listing.lines_of(heard.found, out, None if values.full else listing.FEW):
            out.line(line)
    out.line()
    out.flush()
