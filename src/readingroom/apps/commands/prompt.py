"""`readingroom prompt`: one prompt of any MCP server, with its arguments filled in."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import exit_codes, naming, peers, questions
from ..answers import tell_message
from ..console import Console
from ..faults import UsageFault
from ..json_text import json_text
from ..parsing import CommandParser, nearest

if TYPE_CHECKING:
    from ...client import PromptInfo
    from ...kit.client import Client

USAGE = "[options] NAME [KEY=VALUE…] SERVER"
DESCRIPTION = """\
Print a prompt of an MCP server as an app would get it: its messages, with the arguments filled in.

SERVER is -- COMMAND…, which is started without a shell and ended, or --url URL, or --server NAME.

KEY=VALUE gives an argument; they are all texts. `readingroom list` tells which a prompt takes."""
EXAMPLES = (
    (
        "readingroom prompt review_note id=n0 -- python examples/notes_server.py",
        "what the model would be given",
    ),
    (
        "readingroom prompt --json review_note id=n0 --server notes",
        "the same as JSON, of a server by its name",
    ),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("prompt", metavar="NAME", nargs="?", help="the name of the prompt")
    parser.add_argument("words", metavar="KEY=VALUE", nargs="*", help="an argument of the prompt")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    questions.configure(parser)
    peers.configure(parser)


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line. Raises: UsageFault."""
    values = naming.read(parser, arguments)
    if values.prompt is None:
        parser.error("name the prompt: prompt NAME KEY=VALUE… -- COMMAND…")
    return values


def run(values: Namespace, console: Console) -> int:
    """Get and print. Raises: the client's errors, UsageFault."""
    given = texts_from(values.words)
    target = naming.target_of(values, console.environment)
    asking = questions.Questions(target.name, console, values.answer)
    with asking.settled(), peers.client_of(values, console, asking.callbacks()) as client:
        _check(_listed(client, values.prompt), given)
        answer = client.get_prompt(values.prompt, given)
    if values.json:
        console.out.line(json_text(answer.raw))
        return exit_codes.OK
    for number, message in enumerate(answer.messages):
        if number:
            console.out.line()
        tell_message(message, console)
    return exit_codes.OK


def texts_from(words: Sequence[str]) -> dict[str, str]:
    """Read `key=value` words, whose values are texts. Raises: UsageFault."""
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageFault(f"an argument is written key=value; {word!r} is not")
        if key in given:
            raise UsageFault(f"{key} is given twice")
        given[key] = value
    return given


def _listed(client: "Client", name: str) -> "PromptInfo":
    """Give a prompt as it is listed. Raises: UsageFault when there is none of that name."""
    prompts = client.list_prompts() if "prompts" in client.server.capabilities else []
    for prompt in prompts:
        if prompt.name == name:
            return prompt
    meant = nearest(name, [prompt.name for prompt in prompts])
    hint = f"did you mean {meant}?" if meant else "readingroom list names those it has"
    raise UsageFault(f"the server lists no prompt {name!r}; {hint}")


def _check(prompt: "PromptInfo", given: dict[str, str]) -> None:
    """Refuse arguments that the prompt does not take, and the want of one that it needs. Raises: UsageFault."""
    names = [str(argument["name"]) for argument in prompt.arguments]
    for name in given:
        if name not in names:
            meant = nearest(name, names)
            hint = f"did you mean {meant}?" if meant else f"it takes {', '.join(names) or 'none'}"
            raise UsageFault(f"the prompt {prompt.name} takes no {name!r}; {hint}")
    missing = [
        str(argument["name"])
        for argument in prompt.arguments
        if argument.get("required") is True and argument["name"] not in given
    ]
    if missing:
        raise UsageFault(f"the prompt {prompt.name} needs {' and '.join(missing)}: give {missing[0]}=…")
