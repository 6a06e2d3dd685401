"""What reaching a server at a URL takes: header fields, a token or the login that is kept, and certificates."""

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import Console
from .faults import UsageFault
from .targets import Target

if TYPE_CHECKING:
    from ..client.authorization import Authorization

_LARGEST = 64 * 1024


def configure(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--header", metavar="NAME:VALUE", action="append", default=[],
        help="a field that goes with every request over HTTP; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--token-file", metavar="FILE",
        help="the access token for a server over HTTP; - reads stdin (default: what `readingroom login` keeps for the URL)",
    )  # fmt: skip
    parser.add_argument(
        "--ca", metavar="FILE",
        help="trust the certificates in this file instead of those that the system trusts",
    )  # fmt: skip


def http_options(target: Target, values: Namespace, console: Console) -> dict[str, Any]:
    """Give what `Client.http` is told besides the URL. Raises: UsageFault, LoginsUnusable."""
    if values.cwd is not None or values.env:
        raise UsageFault("--cwd and --env are for a server that is started, and this one is at a URL")
    if values.ca is not None and not os.path.isfile(values.ca):  # noqa: PTH113  -- as in `logins`
        raise UsageFault(f"--ca must name a file, and {values.ca} is none")
    headers = {**target.headers, **_headers(values.header)}
    if values.token_file is not None:
        headers = {name: value for name, value in headers.items() if name.casefold() != "authorization"}
    verify = True if values.ca is None else values.ca
    return {"headers": headers, "verify": verify, "auth": _auth(target.url, headers, values, console)}


def refuse_for_command(values: Namespace) -> None:
    """Refuse what makes no sense for a server that is started. Raises: UsageFault."""
    for given, option in (
        (values.header, "--header"),
        (values.token_file, "--token-file"),
        (values.ca, "--ca"),
    ):
        if given:
            raise UsageFault(f"{option} is for a server at a URL, and this one is started by a command")


def _headers(given: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for item in given:
        name, colon, value = item.partition(":")
        if not colon or not name.strip():
            raise UsageFault("--header takes NAME:VALUE, as in 'X-Team: docs'")
        headers[name.strip()] = value.strip()
    return headers


def _auth(
    url: str, headers: dict[str, str], values: Namespace, console: Console
) -> "Authorization | str | None":
    """Give the token that was handed over, or else the login that is kept, to a URL that a token may be sent to."""
    if values.token_file is not None:
        return _token(values.token_file)
    if any(name.casefold() == "authorization" for name in headers):
        return None
    from ..client.authorization import check_endpoint
    from ..errors import UsageError

    try:
        check_endpoint(url)
    except UsageError:
        return None
    from ..transport.oauth_login import OAuthLogin
    from ..transport.oauth_store import standard_logins

    verify = True if values.ca is None else values.ca
    return OAuthLogin(ask=False, logins=standard_logins(console.environment), verify=verify)


def _token(file: str) -> str:
    """Read a token: from a file, so that it is in no list of processes. Raises: UsageFault."""
    try:
        data = sys.stdin.buffer.read(_LARGEST) if file == "-" else Path(file).read_bytes()
        token = data.decode("ascii").strip()
    except OSError as error:
        raise UsageFault(f"--token-file {file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageFault(f"--token-file {file} holds no token") from None
    from ..protocol.authorization import is_token

    if not is_token(token):
        raise UsageFault(f"--token-file {file} must hold one token, in one line")
    return token
