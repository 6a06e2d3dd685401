"""Whose pages may ask: those of the very origin that is served, of this machine, and those that were named."""

import pytest

from readingroom.transport.http_guard import Guard

PUBLIC = Guard(("docs.example.org", "wiki.example.org:8443", "127.0.0.1", "localhost"))
FORBIDDEN = 403


@pytest.mark.parametrize(
    ("host", "origin", "is_secure", "may"),
    [
        ("docs.example.org", "https://docs.example.org", True, True),
        ("docs.example.org", "https://docs.example.org:443", True, True),
        ("docs.example.org:443", "https://DOCS.example.org", True, True),
        ("docs.example.org:9000", "https://docs.example.org:9000", True, True),
        ("wiki.example.org:8443", "https://wiki.example.org:8443", True, True),
        # What came in the clear may have been encrypted up to something that stands before.
        ("docs.example.org", "https://docs.example.org", False, True),
        ("docs.example.org", "http://docs.example.org", False, True),
        ("docs.example.org:80", "http://docs.example.org", False, True),
        # Named with its port, so that it may be reached at it though the proxy does not say so.
        ("docs.example.org", "https://wiki.example.org:8443", True, True),
        ("docs.example.org", "http://docs.example.org", True, False),
        ("docs.example.org", "https://docs.example.org:99", True, False),
        ("docs.example.org", "http://docs.example.org:99", False, False),
        ("docs.example.org:443", "http://docs.example.org", False, False),
        ("docs.example.org:9000", "https://docs.example.org", True, False),
        ("docs.example.org", "https://wiki.example.org", True, False),
        ("wiki.example.org:8443", "http://wiki.example.org:8443", True, False),
        # Pages of this machine, whatever serves them.
        ("127.0.0.1:8000", "http://localhost:3000", False, True),
        ("127.0.0.1:8000", "https://127.0.0.1", False, True),
        ("docs.example.org", "http://localhost:3000", True, True),
    ],
)
def test_another_port_or_scheme_is_another_origin(
    host: str, origin: str, *, is_secure: bool, may: bool
) -> None:
    """On this machine any port may ask, for there apps take what is free."""
    told = PUBLIC.status(host.encode(), origin.encode(), "10.0.0.7", is_secure=is_secure)
    assert told == (0 if may else FORBIDDEN)


def test_without_names_those_of_the_address_count() -> None:
    """A page must be of the same port then, unless it is of this machine."""
    guard = Guard()
    host = b"10.0.0.7:8443"
    assert guard.status(host, b"https://10.0.0.7:8443", "10.0.0.7", is_secure=True) == 0
    assert guard.status(host, b"https://10.0.0.7", "10.0.0.7", is_secure=True) == FORBIDDEN
    assert guard.status(host, b"http://localhost", "10.0.0.7", is_secure=True) == FORBIDDEN
    assert guard.status(b"localhost:8000", b"http://127.0.0.1:99", "127.0.0.1") == 0
