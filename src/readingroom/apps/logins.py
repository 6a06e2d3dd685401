"""What `login` and `doctor` share: the options that say how to reach a server, and what a person is told of a login."""

import os
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from .counting import moment
from .faults import UsageFault

if TYPE_CHECKING:
    from ..client.oauth_tokens import Tokens
    from ..transport.oauth_fetch import Fetcher


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "url", metavar="URL", help="the endpoint of the server, as in https://docs.example/mcp"
    )
    parser.add_argument(
        "--ca",
        metavar="FILE",
        help="trust the certificates in this file instead of those that the system trusts",
    )
    parser.add_argument(
        "--private-network",
        action="store_true",
        help="let the server name an authorization server inside a private network, as companies have",
    )


def check(values: Namespace) -> None:
    """Check the URL and the file of certificates. Raises: UsageFault."""
    from ..client.authorization import check_endpoint
    from ..errors import UsageError

    if "#" in values.url:
        raise UsageFault("URL must have no fragment")
    try:
        check_endpoint(values.url)
    except UsageError as error:
        raise UsageFault(str(error)) from None
    if values.ca is not None and not os.path.isfile(values.ca):  # noqa: PTH113  -- pathlib would cost more than it says
        raise UsageFault(f"--ca must name a file, and {values.ca} is none")


def fetcher_of(values: Namespace) -> "Fetcher":
    """Give what fetches on behalf of this endpoint."""
    from ..transport.oauth_fetch import Fetcher

    return Fetcher(values.url, verify=verify_of(values), private=values.private_network)


def verify_of(values: Namespace) -> bool | str:
    """Give which certificates are trusted."""
    return True if values.ca is None else str(values.ca)


def told_of(tokens: "Tokens") -> str:
    """Say what a login allows and how long it is good; nothing that is secret."""
    scopes = " ".join(tokens.granted) or "whatever the server gives by itself"
    end = "the server does not say for how long"
    if tokens.expires is not None:
        end = f"good until {moment(tokens.expires)}"
    renewed = "made anew by itself after that" if tokens.refresh else "then to be logged in anew"
    return f"scopes: {scopes}; {end}, {renewed}"
