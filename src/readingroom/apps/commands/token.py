"""`readingroom token`: keeps the static tokens that a server over HTTP asks for. A token is shown once, and never kept."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import exit_codes
from ..console import Console
from ..counting import moment
from ..durations import seconds_of
from ..faults import NothingFound, UsageFault
from ..json_text import json_text
from ..parsing import CommandParser
from ..token_text import ends, token_lines, token_values
from ..tokens import SCOPES, token_file

if TYPE_CHECKING:
    from ...transport.auth_token_file import Record, Records

USAGE = "[options] add|list|revoke|rotate [ID]"
DESCRIPTION = """\
Keep the tokens with which apps may use a library over HTTP (`serve --http … --tokens …`).

`add` makes a token for a role and shows it, this once: only its hash is kept. `list` tells what tokens there are. `revoke`
takes one back; a server that runs notices within seconds. `rotate` makes a new token in place of one, which stays good
for a while."""
EXAMPLES = (
    ("readingroom token add --role reader --label 'laptop of Anna'", "a token that is good for 90 days"),
    ("readingroom token add --role editor --expires 30d --stdout", "for a pipe, to whatever keeps secrets"),
    ("readingroom token list", "no token is shown, nor can be"),
    ("readingroom token rotate 7k2mq0xa --overlap 7d", "the old one is good for a week more"),
    ("readingroom token revoke 7k2mq0xa", "when it was lost, or is no longer needed"),
)
_DAY_S = 24 * 3600
_DEFAULT = "90d"
_MOST_S = 365 * _DAY_S
_OVERLAP = "7d"
_MOST_OVERLAP_S = 30 * _DAY_S
_NAME_LENGTH = 100

_ACTIONS = {
    "add": ("role", "label", "principal", "expires", "no_expiry", "stdout"),
    "list": ("json",),
    "revoke": (),
    "rotate": ("overlap", "expires", "no_expiry", "stdout"),
}
"""What can be done, and the options that each takes besides --tokens."""


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("action", metavar="ACTION", choices=_ACTIONS, help=", ".join(_ACTIONS))
    parser.add_argument("id", metavar="ID", nargs="?", help="revoke, rotate: the token, as `list` names it")
    parser.add_argument("--role", metavar="ROLE", help="add: reader or editor")
    parser.add_argument(
        "--label", metavar="TEXT", help="add: what the token is for, to be known by in the list"
    )
    parser.add_argument(
        "--principal", metavar="NAME", help="add: for whom it speaks (default: for one of its own, token-ID)"
    )
    parser.add_argument(
        "--expires",
        metavar="SPAN",
        help=f"add, rotate: for how long the token is good, as in 30d (default: {_DEFAULT}; at most 365d)",
    )
    parser.add_argument("--no-expiry", action="store_true", help="add, rotate: the token has no end")
    parser.add_argument(
        "--overlap",
        metavar="SPAN",
        help=f"rotate: for how long the old token is good yet (default: {_OVERLAP}; at most 30d)",
    )
    parser.add_argument(
        "--stdout", action="store_true", help="add, rotate: print the token though stdout is no terminal"
    )
    parser.add_argument("--json", action="store_true", help="list: print the list as JSON")
    parser.add_argument(
        "--tokens",
        metavar="FILE",
        help="keep the tokens in this file instead of the platform's data folder; it and its folder are its owner's alone",
    )


def read(parser: CommandParser, arguments: Sequence[str]) -> Namespace:
    """Read the command line; options may stand before the ID as well as after it. Raises: UsageFault."""
    values, unknown = parser.parse_known_intermixed_args(arguments)
    if unknown:
        parser.error(parser.not_understood(unknown))
    return values


def run(values: Namespace, console: Console) -> int:
    """Do one of them. Raises: UsageFault, NothingFound; TokensUnusable when the file cannot be used."""
    _check(values)
    file = token_file(values.tokens)
    if values.action == "list":
        return _list(values, file, console)
    if values.action == "revoke":
        return _revoke(values, file, console)
    if not (values.stdout or console.out.is_terminal):
        raise UsageFault(
            "stdout is no terminal: a token is shown to a person; --stdout prints it all the same"
        )
    return _add(values, file, console) if values.action == "add" else _rotate(values, file, console)


def _check(values: Namespace) -> None:
    """Refuse options that the action does not take."""
    for name in ("role", "label", "principal", "expires", "no_expiry", "overlap", "stdout", "json"):
        if getattr(values, name) not in (None, False) and name not in _ACTIONS[values.action]:
            raise UsageFault(f"--{name.replace('_', '-')} is not for `token {values.action}`")
    if (values.id is not None) != (values.action in ("revoke", "rotate")):
        takes = "no ID" if values.id is not None else "the ID of a token; `token list` names it"
        raise UsageFault(f"`token {values.action}` takes {takes}")
    if values.no_expiry and values.expires is not None:
        raise UsageFault("give either --expires or --no-expiry")
    for name in ("label", "principal"):
        text = getattr(values, name, None)
        if text is not None and not (1 <= len(text) <= _NAME_LENGTH and text.isprintable()):
            raise UsageFault(f"--{name} must be 1 to {_NAME_LENGTH} printable characters")


def _lifetime(values: Namespace) -> int | None:
    if values.no_expiry:
        return None
    seconds = seconds_of(values.expires or _DEFAULT, "--expires", _MOST_S)
    if not seconds:
        raise UsageFault("--expires must be longer than nothing")
    return seconds


def _add(values: Namespace, file: Path, console: Console) -> int:
    from ...transport import auth_token_file, auth_token_records

    if values.role not in SCOPES:
        raise UsageFault(f"--role must be {' or '.join(SCOPES)}, not {values.role!r}")
    seconds, now = _lifetime(values), time.time()
    secret, record = auth_token_records.issued(
        values.role, principal=values.principal or "", label=values.label or "", now=now, seconds=seconds
    )
    with auth_token_file.changing(file) as write:
        kept = auth_token_file.read(file) if auth_token_file.exists(file) else ()
        write((*auth_token_records.without_old(kept, now), record))
    _show(secret, record, console)
    return exit_codes.OK


def _rotate(values: Namespace, file: Path, console: Console) -> int:
    from ...transport import auth_token_file, auth_token_records

    seconds = _lifetime(values)
    overlap = seconds_of(values.overlap or _OVERLAP, "--overlap", _MOST_OVERLAP_S)
    with auth_token_file.changing(file) as write:
        try:
            secret, record, records = auth_token_records.rotated(
                auth_token_file.read(file), values.id, now=time.time(), seconds=seconds, overlap=overlap
            )
        except auth_token_records.NoSuchToken as error:
            raise NothingFound(str(error)) from None
        write(records)
    _show(secret, record, console)
    end = next(one.expires for one in records if one.id == values.id and one.expires is not None)
    console.err.line(f"The token {values.id} is good until {moment(end)}; use the new one from now on.")
    return exit_codes.OK


def _revoke(values: Namespace, file: Path, console: Console) -> int:
    from ...transport import auth_token_file, auth_token_records

    with auth_token_file.changing(file) as write:
        try:
            write(auth_token_records.revoked(auth_token_file.read(file), values.id, time.time()))
        except auth_token_records.NoSuchToken as error:
            raise NothingFound(str(error)) from None
    console.out.line(f"Revoked {values.id}. Servers that run refuse it within seconds.")
    return exit_codes.OK


def _list(values: Namespace, file: Path, console: Console) -> int:
    from ...transport import auth_token_file

    records: Records = auth_token_file.read(file) if auth_token_file.exists(file) else ()
    if values.json:
        console.out.line(json_text(token_values(records, time.time())))
        return exit_codes.OK
    for line in token_lines(records, time.time()):
        console.out.line(line)
    return exit_codes.OK


def _show(secret: str, record: "Record", console: Console) -> None:
    """Show a token, the only time: it goes to stdout, and what is said of it to stderr."""
    until = "it has no end" if record.expires is None else f"it is good until {ends(record)}"
    console.err.line(
        f"Token {record.id} for the role {record.role}; {until}. It is shown this once; keep it secret:"
    )
    console.err.flush()
    console.out.line(secret)
