"""The operator's page: a listener of its own on this machine, where a person reads drafts and decides about them.

Needs the extra `page`. Knows no MCP: nothing an app says reaches it, and its credential is none of `serve`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..settings import Settings


def serve_page(
    settings: "Settings", *, host: str = "127.0.0.1", port: int = 0, tell: Callable[[str], None]
) -> int:
    """Serve the page of the settings' folder until a signal comes; give the exit code.

    `tell` is given the lines for the terminal, the address with its one-time key among them; port 0 takes a free one.
    Raises: UsageFault for a host that is not of this machine alone, and where the extra is not installed; what opening a
    library and its ledger raises; TransportError for an address that cannot be listened at.
    """
    from .needs import check_extra

    check_extra()
    from .serving import serve

    return serve(settings, host=host, port=port, tell=tell)
