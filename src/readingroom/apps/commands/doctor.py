"""`readingroom doctor`: goes the way of a login to an MCP server over HTTP, and says where it is blocked and why."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from .. import logins
from ..characters import one_line
from ..console import Console

if TYPE_CHECKING:
    from ..doctoring import Finding

USAGE = "[options] URL"
DESCRIPTION = """\
Go the way of a login to an MCP server step by step, up to where a person would be asked, and print what is found: the
refusal, the metadata of the resource and of the authorization server, how a client is known there, and the login that is
kept. What is wrong is said with what to do about it. Nothing secret is printed, and nobody is asked."""
EXAMPLES = (
    ("readingroom doctor https://docs.example/mcp", "why a login does not work"),
    ("readingroom doctor http://127.0.0.1:8000/mcp", "a server that is being set up on this machine"),
)
_MARKS = {"good": ("good", "ok"), "bad": ("bad", "WRONG"), "told": ("dim", "-")}
_COLUMN = 6


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    logins.configure(parser)


def run(values: Namespace, console: Console) -> int:
    """Examine and print. Raises: UsageFault, LoginsUnusable."""
    from ...transport.oauth_store import standard_logins
    from ..doctoring import examine

    logins.check(values)

    def tell(finding: "Finding") -> None:
        style, mark = _MARKS[finding.verdict]
        console.out.line(
            f"{console.out.paint(style, f'{mark:{_COLUMN}}')}{one_line(f'{finding.what}: {finding.detail}')}"
        )
        if finding.to_do:
            console.out.line(f"{'':{_COLUMN}}→ {finding.to_do}")
        console.out.flush()

    return examine(logins.fetcher_of(values), values.url, standard_logins(console.environment), tell)
