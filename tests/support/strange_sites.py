"""A site of somebody else's on this machine: it serves the pages that a test gives it, and notes what it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class StrangeSite:
    """`pages` are HTML by path. `port` is where it listens, under every name of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []


@contextmanager
def strange_site() -> Iterator[StrangeSite]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        """Answers with a page."""

        def do_GET(self) -> None:
            site.asked.append(self.path)
            page = site.pages.get(self.path, "")
            self.send_response(200 if page else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = StrangeSite(server.server_address[1])
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
