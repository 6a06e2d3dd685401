"""Opens the browser of the person at this machine, without a shell (CL-20)."""

import contextlib
import webbrowser

from ..client.oauth_attempts import check_openable
from ..errors import LoginFailed


def open_in_browser(url: str) -> None:
    """Open a URL. Raises: LoginFailed when there is no browser, or the URL is none that is opened."""
    check_openable(url)
    opened = False
    with contextlib.suppress(webbrowser.Error, OSError):
        opened = webbrowser.open(url)
    if not opened:
        raise LoginFailed(
            "no browser could be opened; `readingroom login --no-browser` prints the address instead"
        )
