"""An issuer of tokens on this machine: what it publishes over HTTP, who asked for it, and how it can fail."""

import datetime as dt
import ipaddress
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


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
def site(certificate: Path | None = None) -> Iterator[Site]:
    """Run a site while the block lasts, over TLS if it has a certificate, with its key in the same file."""

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
    scheme = "http" if certificate is None else "https"
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.handle_error = lambda *args: None  # type: ignore[method-assign]  # who does not trust it goes away
    found = Site(f"{scheme}://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def certificate_for(name: str, folder: Path) -> Path:
    """Make a certificate for an address or a name, and write it with its key to a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    whose = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "here")])
    now = dt.datetime.now(dt.UTC)
    is_address = name[0].isdigit()
    named = x509.IPAddress(ipaddress.ip_address(name)) if is_address else x509.DNSName(name)
    made = (
        x509.CertificateBuilder()
        .subject_name(whose)
        .issuer_name(whose)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([named]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(pem) + secret)
    return file


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
