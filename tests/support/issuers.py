"""An issuer of tokens on this machine: what it publishes over HTTP, who asked for it, and how it can fail."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Site:
    """Pages by their paths: a value is sent as JSON, bytes as they are, a callable answers by itself."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.pages: dict[str, Any] = {}
        self.asked: list[str] = []

    def publish(self, path: str, page: Any) -> str:
        """Publish a page and give its URL."""
        self.pages[path] = page
        return self.url + path


@contextmanager
def site() -> Iterator[Site]:
    """Run a site while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            page = found.pages.get(self.path)
            if callable(page):
                page(self)
            elif page is None:
                answer(self, 404, b"{}")
            else:
                answer(self, 200, page if isinstance(page, bytes) else json.dumps(page).encode())

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = Site(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answer(to: BaseHTTPRequestHandler, status: int, body: bytes, **fields: str) -> None:
    """Answer one request."""
    to.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **fields}.items():
        to.send_header(name.replace("_", "-"), value)
    to.end_headers()
    to.wfile.write(body)


def redirect(url: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """A page that sends elsewhere."""
    return lambda to: answer(to, 302, b"", Location=url)
