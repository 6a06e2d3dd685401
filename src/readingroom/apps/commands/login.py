"""`readingroom login`: logs a person in to an MCP server over HTTP, and keeps what the client is given."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from .. import exit_codes, logins
from ..characters import one_line
from ..console import Console
from ..faults import NothingFound, UsageFault

if TYPE_CHECKING:
    from ...transport.oauth_login import OAuthLogin
    from ...transport.oauth_store import FileLogins, KeyringLogins

USAGE = "[options] URL"
DESCRIPTION = """\
Log in to an MCP server over HTTP, so that this client may use it.

The server names its authorization server; the browser is opened there, and sent back to this machine. What the client is
given is kept in the system's keyring, where the package keyring is installed, else in a file that only you can read. It is
used whenever the same URL is asked for. READINGROOM_LOGINS=file does without a keyring; another value names a file."""
EXAMPLES = (
    ("readingroom login https://docs.example/mcp", "the browser opens; nothing has to be set up before"),
    (
        "readingroom login --no-browser https://docs.example/mcp",
        "the address is printed, to be opened somewhere",
    ),
    (
        "readingroom login --client-id reading-room --redirect-uri http://127.0.0.1:8912/callback https://docs.example/mcp",
        "where a client was registered by hand",
    ),
    ("readingroom login --logout https://docs.example/mcp", "what is kept is forgotten"),
)
_LONGEST_SECRET = 4096
_PATIENCE_S = 300.0
_REFUSALS = (401, 403)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    logins.configure(parser)
    parser.add_argument("--client-id", metavar="ID", help="the client as it was registered by hand")
    parser.add_argument(
        "--client-secret-file",
        metavar="FILE",
        help="the secret of that client, where it has one; - reads stdin",
    )
    parser.add_argument(
        "--client-metadata-url",
        metavar="URL",
        help="a document on the web that says who the client is, for servers that take such",
    )
    parser.add_argument(
        "--scope", metavar="SCOPE", action="append", default=[],
        help="ask for this scope instead of those that the server names; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--redirect-uri",
        metavar="URI",
        default="",
        help="where the browser is sent back to, for servers that want it exactly as it was registered "
        "(default: a free port of 127.0.0.1)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address instead of opening a browser"
    )
    parser.add_argument("--logout", action="store_true", help="forget the login, and who the client is there")


def run(values: Namespace, console: Console) -> int:
    """Log in, or out. Raises: UsageFault, NothingFound, LoginFailed, LoginsUnusable."""
    from ...transport.oauth_store import standard_logins

    logins.check(values)
    kept = standard_logins(console.environment)
    login = _login_of(values, console, kept)
    if values.logout:
        return _log_out(values, console, login)
    return _log_in(values, console, login, kept.place)


def _log_in(values: Namespace, console: Console, login: "OAuthLogin", place: str) -> int:
    from ...errors import LoginFailed
    from ...transport.oauth_knock import knock, problem_of

    fetcher = logins.fetcher_of(values)
    before = knock(fetcher, values.url, __version__)
    if wrong := problem_of(before, values.url):
        raise LoginFailed(wrong, status=before.status)
    if before.status not in _REFUSALS:
        console.out.line(f"{values.url} lets everybody in (status {before.status}); nobody has to log in.")
        return exit_codes.OK
    tokens = login.log_in(values.url, before.challenges)
    after = knock(fetcher, values.url, __version__, login.header(values.url))
    if after.status in _REFUSALS:
        login.log_out(values.url)  # a token that opens nothing would only hide that nobody is logged in
        raise LoginFailed(
            f"{values.url} refuses the token (status {after.status}) that its authorization server gave for it, so it is "
            f"not kept; `readingroom doctor {values.url}` tells more",
            status=after.status,
        )
    console.out.line(f"Logged in to {values.url}; {one_line(logins.told_of(tokens))}.")
    console.out.line(f"It is kept in {place}.")
    return exit_codes.OK


def _log_out(values: Namespace, console: Console, login: "OAuthLogin") -> int:
    if not login.log_out(values.url):
        raise NothingFound(f"there is no login for {values.url}")
    console.out.line(f"Logged out of {values.url}: what was kept of it is gone from this machine.")
    return exit_codes.OK


def _login_of(values: Namespace, console: Console, kept: "FileLogins | KeyringLogins") -> "OAuthLogin":
    from ...errors import UsageError
    from ...transport.oauth_browser import open_in_browser
    from ...transport.oauth_login import OAuthLogin

    def show(url: str) -> None:
        console.err.line(
            "Open this address in a browser; it comes back to this machine when you have logged in:"
        )
        console.err.flush()
        console.out.line(url)
        console.out.flush()

    def open_url(url: str) -> None:
        console.err.line(
            f"Opening the browser; waiting up to {_PATIENCE_S / 60:.0f} minutes for it to come back."
        )
        console.err.flush()
        open_in_browser(url)

    try:
        return OAuthLogin(
            client_id=values.client_id,
            client_secret=_secret(values.client_secret_file),
            client_metadata_url=values.client_metadata_url,
            scopes=[scope for given in values.scope for scope in given.split()],
            redirect_uri=values.redirect_uri,
            open_url=show if values.no_browser else open_url,
            logins=kept,
            patience=_PATIENCE_S,
            verify=logins.verify_of(values),
            private=values.private_network,
        )
    except UsageError as error:
        raise UsageFault(str(error)) from None


def _secret(file: str | None) -> str | None:
    """Read a secret: from a file, so that it is in no list of processes. Raises: UsageFault."""
    if file is None:
        return None
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        secret = data.decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageFault(
            f"--client-secret-file {file} cannot be read: {getattr(error, 'strerror', 'no text')}"
        ) from None
    if not secret or len(secret) > _LONGEST_SECRET or not secret.isprintable():
        raise UsageFault(f"--client-secret-file {file} must hold one secret, in one line")
    return secret
