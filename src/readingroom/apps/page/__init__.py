"""The operator's page: a listener of its own on this machine, where a person reads drafts and decides about them.

Needs the extra `page`. Knows no MCP: nothing an app says reaches it, and its credential is none of `serve`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..console import Console
    from ..settings import Settings


def serve_page(
    settings: "Settings", console: "Console", *, host: str = "127.0.0.1", port: int = 0, has_git: bool = False
) -> int:
    """Serve the page of the settings' folder until a signal comes; give the exit code.

    The console is told the address with its one-time key; port 0 takes a free one. With `has_git` what is published is
    committed. Raises: UsageFault for a host that is not of this machine alone, and where the extra is not installed; what
    opening a library, its ledger and git raises; TransportError for an address that cannot be listened at.
    """
    from .needs import check_extra

    check_extra()
    from .serving import serve

    return serve(settings, console, host=host, port=port, has_git=has_git)
