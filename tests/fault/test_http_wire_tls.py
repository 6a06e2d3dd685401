"""The HTTP server as a process, over TLS: what is spoken, which files are refused, who reads slowly or leaves."""

import contextlib
import datetime as dt
import ipaddress
import ssl
import sys
import time
from pathlib import Path

import pytest

from support.http_wire import BODY, GET, HOLD, QUICK, TELLS_OF_LEAVING, refused, rest_of, serving

if sys.platform == "win32":
    pytest.skip("processes are ended by signals here", allow_module_level=True)

# TLS -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "here")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return files


def test_tls_is_spoken_from_1_2_on(certificate: tuple[Path, Path]) -> None:
    """Requests are served over it, older versions refused, and whoever does not finish the handshake is ended."""
    paths = {"certificate": str(certificate[0]), "key": str(certificate[1])}
    with serving(QUICK, **paths) as http:
        assert http.origin.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=certificate[0])
        with trusting.wrap_socket(http.connect(), server_hostname="127.0.0.1") as client:
            client.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            assert client.recv(12) == b"HTTP/1.1 200"
            assert client.version() == "TLSv1.3"
        assert http.event("asked")["scheme"] == "https"
        with http.connect() as client:
            assert rest_of(client) == b""
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(certificate[0])
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, ConnectionError)):
            old.wrap_socket(http.connect(), server_hostname="127.0.0.1")
        assert http.process.stderr() == ""


def test_a_certificate_that_cannot_be_used_is_told(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    """Before anything is served; by the name of the file that is at fault, and never of one that was not given."""
    cert, key, none = str(certificate[0]), str(certificate[1]), str(tmp_path / "none")
    for site, told in (
        ({"certificate": none, "key": key}, f"the TLS certificate {none} cannot be read: No such file"),
        ({"certificate": cert, "key": none}, f"the TLS key {none} cannot be read: No such file"),
        ({"certificate": none}, f"the TLS certificate {none} cannot be read: No such file"),
        ({"certificate": cert, "key": cert}, f"the TLS certificate {cert} with {cert} cannot be used: "),
        ({"certificate": cert}, f"the TLS certificate {cert} cannot be used: "),
    ):
        assert f"UsageError: {told}" in refused(**site).stderr
    assert "so the file must hold it as well" in refused(certificate=cert).stderr
    assert "a TLS key is of no use without its certificate" in refused(key=str(certificate[1])).stderr


@pytest.mark.parametrize("is_tls", [False, True], ids=["plain", "TLS"])
def test_a_client_that_reads_slowly_gets_its_whole_answer(
    certificate: tuple[Path, Path], *, is_tls: bool
) -> None:
    """It takes something every while, though as much waits for it as before; 64 MB take longer than `stalled_seconds`."""
    paths = {"certificate": str(certificate[0]), "key": str(certificate[1])} if is_tls else {}
    with serving({"stalled_seconds": 2.0}, **paths) as http:
        client = http.connect()
        if is_tls:
            trusting = ssl.create_default_context(cafile=certificate[0])
            client = trusting.wrap_socket(client, server_hostname="127.0.0.1")
        client.sendall(b"GET /flood HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        got, last = 0, b""
        while piece := client.recv(65536):
            last = (last + piece)[-5:]
            if (got + len(piece)) // 8_000_000 > got // 8_000_000:
                time.sleep(0.5)  # this is what makes it slow
            got += len(piece)
        assert got > 1000 * 65536
        assert last == b"0\r\n\r\n"
        client.close()


@TELLS_OF_LEAVING
def test_a_client_that_leaves_is_noticed_under_tls_as_well(certificate: tuple[Path, Path]) -> None:
    """Though a request waits behind the one that is being answered; with the farewell of TLS, and without."""
    with serving(certificate=str(certificate[0]), key=str(certificate[1])) as http:
        trusting = ssl.create_default_context(cafile=certificate[0])
        for has_farewell in (True, False):
            client = trusting.wrap_socket(http.connect(), server_hostname="127.0.0.1")
            client.sendall(HOLD)
            http.event("asked")
            client.sendall(BODY)
            if has_farewell:
                client.settimeout(0.1)
                with contextlib.suppress(OSError):
                    client.unwrap()
            client.close()
            http.event("gone")
        assert http.process.stderr() == ""
