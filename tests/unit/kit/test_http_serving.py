"""Where a server may be reached, and by whom, is checked before it is."""

import http.client
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from readingroom import Server, UsageError
from readingroom.kit.http_serving import Address, check_exposure


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_this_machine_alone_needs_nothing(host: str) -> None:
    """A loopback address is served without authorization and without TLS (HTTP-4)."""
    check_exposure(Address(host=host), has_authorization=False)


@pytest.mark.parametrize("host", ["::", "192.0.2.1", "docs.example.org"])
def test_a_public_address_needs_authorization_and_secrecy(host: str) -> None:
    """One refusal for each that is missing; TLS of its own and that of a proxy are both enough."""
    with pytest.raises(UsageError, match="say who may ask"):
        check_exposure(Address(host=host, tls_certificate="c"), has_authorization=False)
    with pytest.raises(UsageError, match="give a certificate and its key"):
        check_exposure(Address(host=host), has_authorization=True)
    check_exposure(Address(host=host, tls_certificate="c"), has_authorization=True)
    check_exposure(Address(host=host, behind_proxy=True), has_authorization=True)


def test_a_proxy_lets_others_in() -> None:
    """Through a loopback address as well, so that needs authorization."""
    with pytest.raises(UsageError, match="others come through a proxy"):
        check_exposure(Address(behind_proxy=True), has_authorization=False)
    check_exposure(Address(behind_proxy=True), has_authorization=True)


def test_a_server_refuses_before_it_serves() -> None:
    """`serve_http` raises at once."""
    with pytest.raises(UsageError, match=r"192\.0\.2\.1 can be reached from other machines"):
        Server("s").serve_http("192.0.2.1", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
def test_where_it_serves_is_told() -> None:
    """A line on stderr has the address of the endpoint, as clients are to be given it."""
    program = "from readingroom import Server\nServer('srv').serve_http(port=0, path='/tools')"
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        what, address = process.stderr.readline().rsplit(maxsplit=1)
        assert what == "srv: serving at"
        place = urlsplit(address)
        connection = http.client.HTTPConnection(place.netloc, timeout=20)
        connection.request("GET", place.path)
        assert connection.getresponse().status == 405
        connection.close()
        process.send_signal(signal.SIGINT)
    assert (place.hostname, place.path) == ("127.0.0.1", "/tools")
