"""The half of `readingroom read` that reads a resource of a server: which half is meant, and what it prints."""

import base64
import binascii
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import dashes, exit_codes, naming, peers, questions, targets
from .answers import tell_resource
from .console import Console
from .faults import UsageFault
from .json_text import json_text
from .parsing import CommandParser

# Options of `read` that are about a folder, with what they are when they are not given.
_OF_FOLDERS: dict[str, Any] = {
    "section": None, "lines": None, "number": False, "cursor": None, "role": None, "internal": [], "leave_out": [],
    "cache": None, "also": [],
}  # fmt: skip
_DRIVE = 1  # letters


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read a command line of `read`; what stands after `--` is a command only where a URI stands before.

    Raises: UsageFault.
    """
    ours, command = targets.split(arguments)
    values = parser.read_mixed(ours)
    is_resource = command is not None and values.folder and not values.address and is_uri(values.folder)
    if not is_resource:
        if command:  # no command, but arguments that may begin with a dash
            values = parser.read_mixed([*ours, *map(dashes.hide, command)])
            values.folder, values.address = map(_shown, (values.folder, values.address))
        command = None
    values.command = command
    if naming.is_named(values):
        return _of_server(values, parser)
    if values.folder is None or values.address is None:
        parser.error("give FOLDER ADDRESS, or the URI of a resource and its server: read URI -- COMMAND…")
    return values


def _shown(word: str | None) -> str | None:
    return None if word is None else dashes.shown(word)


def is_uri(text: str) -> bool:
    """Whether a text begins as a URI does, and is no path with a drive."""
    scheme, colon, rest = text.partition(":")
    plain = scheme.replace("+", "").replace("-", "").replace(".", "")
    is_scheme = plain.isalnum() and plain.isascii() and scheme[0].isalpha()
    return bool(colon) and is_scheme and (len(scheme) > _DRIVE or rest.startswith("//"))


def _of_server(values: Namespace, parser: CommandParser) -> Namespace:
    if values.folder is None or values.address is not None:
        parser.error("a resource of a server is named by its URI alone")
    for name, absent in _OF_FOLDERS.items():
        if getattr(values, name) != absent:
            parser.error(
                f"--{name.replace('_', '-')} is for documents of a folder, not for resources of a server"
            )
    values.address = values.folder
    return values


def run(values: Namespace, console: Console) -> int:
    """Read the resource and print it. Raises: the client's errors, UsageFault, OSError for a file that cannot be written."""
    target = naming.target_of(values, console.environment)
    asking = questions.Questions(target.name, console, values.answer)
    with asking.settled(), peers.client_of(values, console, asking.callbacks()) as client:
        answer = client.read_resource(values.address)
    if values.json:
        console.out.line(json_text(answer.raw))
    elif values.output is not None:
        Path(values.output).write_bytes(b"".join(map(_bytes_of, answer.contents)))
    else:
        tell_resource(answer.contents, console)
    return exit_codes.OK


def _bytes_of(part: dict[str, Any]) -> bytes:
    if "text" in part:
        return str(part["text"]).encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(part["blob"], validate=True)
    except (binascii.Error, ValueError):
        raise UsageFault("the server sent content that is no base64; --json shows it as it came") from None
