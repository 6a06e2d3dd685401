"""Connections of the client over HTTP: TLS with certificates of one's own, proxies, and what is kept for the next."""

import datetime as dt
import ipaddress
import math
import socket
import ssl
import threading

import pytest

from readingroom import Client, Closed, ConnectFailed, TimedOut, UsageError
from readingroom.transport.http_client_sockets import Hold, Link, Place, Sockets, place_of
from readingroom.transport.http_client_threads import Threads
from support.scripted import Scripted, forget_proxies, good, reply

TIMEOUT = 20.0
ELSEWHERE = "server.invalid"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    """What the environment of the tests names does not count."""
    forget_proxies(monkeypatch)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Make a certificate for this machine and give the file that has it and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = dt.datetime.now(dt.UTC)
    names = [
        x509.DNSName("localhost"),
        x509.DNSName(ELSEWHERE),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + secret)
    return str(file)


@pytest.fixture
def secure(certificate):
    """Serve over TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Scripted(good, tls=context) as server:
        yield server


def test_own_certificates(secure, certificate):
    """A server whose certificate is in the file is spoken to, over one connection, by its name and by its address."""
    for url in (secure.url, secure.url.replace("127.0.0.1", "localhost")):
        with Client.http(url, verify=certificate, timeout=TIMEOUT) as client:
            assert client.call_tool("add").text == "3"
            before = secure.connections
            assert client.call_tool("add").text == "3"
            assert secure.connections == before


def test_unknown_certificates(secure):
    """One that is not known is refused before anything is sent, and there is no way to ask for less."""
    with pytest.raises(ConnectFailed, match="certificate"):
        Client.http(secure.url, timeout=TIMEOUT).open()
    assert secure.heard == []
    with pytest.raises(UsageError, match="never left unverified"):
        Client.http(secure.url, verify=False)
    with pytest.raises(UsageError, match="holds no certificates"):
        Client.http(secure.url, verify=__file__)


def test_what_is_no_tls():
    """A server that does not speak TLS is an error that says so."""
    with Scripted(good) as server, pytest.raises(ConnectFailed, match="no connection"):
        Client.http(server.url.replace("http", "https"), timeout=TIMEOUT).open()


def test_a_proxy(monkeypatch):
    """A request over http is handed to the proxy whole, with the name that it wants, and NO_PROXY is heeded."""
    with Scripted(good) as proxy, Scripted(good) as server:
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "http://me:p%40ss@"))
        with Client.http("http://server.invalid/mcp?a=b", timeout=TIMEOUT) as client:
            client.call_tool("add")
        assert {heard.target for heard in proxy.heard} == {"http://server.invalid/mcp?a=b"}
        assert {heard.fields["host"] for heard in proxy.heard} == {"server.invalid"}
        assert {heard.fields["proxy-authorization"] for heard in proxy.heard} == {"Basic bWU6cEBzcw=="}
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with Client.http(server.url, timeout=TIMEOUT) as client:
            client.call_tool("add")
        assert "proxy-authorization" not in server.heard[0].fields


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_reached_directly(host, monkeypatch):
    """No proxy hears of a server on this machine, nor of the token for it, whatever the environment names."""
    with Scripted(good) as proxy, Scripted(good) as server:
        monkeypatch.setenv("http_proxy", proxy.url)
        url = server.url.replace("127.0.0.1", host)
        with Client.http(url, auth="secret", timeout=TIMEOUT) as client:
            client.call_tool("add")
        assert {heard.fields["authorization"] for heard in server.heard} == {"Bearer secret"}
        assert proxy.heard == []


@pytest.mark.parametrize("url", ["http://[::1]:9/", "http://127.8.9.1:9/", "https://127.0.0.1:9/"])
def test_every_address_of_this_machine_goes_without_a_proxy(url, monkeypatch):
    """That of IPv6, those besides the usual one, and those over TLS: the connection is tried where the address says."""
    with Scripted(good) as proxy:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with pytest.raises(ConnectFailed) as caught:
            Sockets(place_of(url), verify=True).take(Hold(lambda: TIMEOUT))
        assert "through the proxy" not in str(caught.value)
        assert proxy.connections == 0


def test_a_tunnel(secure, certificate, monkeypatch):
    """Over https a proxy is asked for a tunnel, and sees nothing of what goes through it."""
    seen = []
    with Scripted(lambda heard: seen.append(heard.target) or tunnel(secure.port)) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        with Client.http(elsewhere(secure), verify=certificate, timeout=TIMEOUT) as client:
            assert client.call_tool("add").text == "3"
        assert set(seen) == {f"{ELSEWHERE}:{secure.port}"}
        assert {heard.verb for heard in proxy.heard} == {"CONNECT"}


def elsewhere(server):
    """Give the address of a server as one that is not of this machine, which only a proxy finds."""
    return server.url.replace("127.0.0.1", ELSEWHERE)


def tunnel(port):
    """Give a socket to the server, for what comes through the proxy from now on."""
    return socket.create_connection(("127.0.0.1", port))


def test_a_proxy_that_refuses(secure, certificate, monkeypatch):
    """A proxy that gives no tunnel is named, with its status."""
    with Scripted(lambda heard: reply(b"", 407, "")) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        with pytest.raises(ConnectFailed, match="status 407"):
            Client.http(elsewhere(secure), verify=certificate, timeout=TIMEOUT).open()


def test_proxies_that_cannot_be_used(monkeypatch):
    """A proxy of another kind is not passed over in silence."""
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(UsageError, match="proxy"):
        Client.http("http://server.invalid/")


def test_addresses():
    """An address is taken apart as it stands; IPv6 keeps its brackets where it is named."""
    assert place_of("http://a/mcp") == Place("http", "a", 80, "/mcp")
    assert place_of("https://a?x=1") == Place("https", "a", 443, "/?x=1")
    assert place_of("http://[::1]:8000/m").authority == "[::1]:8000"
    assert place_of("https://a:443/").authority == "a"


def pair():
    """Give a connection and its other end."""
    ours, theirs = socket.socketpair()
    return Link(ours), theirs


def test_what_is_kept():
    """A connection is used again unless it is too old for that, has been ended, or brings what nobody asked for."""
    sockets = Sockets(place_of("http://127.0.0.1:9/"), verify=True)
    hold = Hold(lambda: TIMEOUT)
    link, theirs = pair()
    sockets.give_back(link, None)
    assert sockets.take(hold) is link
    hold.detach()
    sockets.give_back(link, None)
    theirs.close()
    with pytest.raises(ConnectFailed):
        sockets.take(hold)
    assert link.sock.fileno() == -1
    link, theirs = pair()
    sockets.give_back(link, None)
    theirs.send(b"x")
    with pytest.raises(ConnectFailed):
        sockets.take(hold)
    assert link.sock.fileno() == -1
    theirs.close()


def test_what_is_not_kept():
    """A connection that the server keeps for no time, and every one once all are closed."""
    sockets = Sockets(place_of("http://127.0.0.1:9/"), verify=True)
    short, first = pair()
    sockets.give_back(short, 1.0)
    kept, second = pair()
    sockets.give_back(kept, 100.0)
    assert kept.sock.fileno() != -1
    sockets.close()
    late, third = pair()
    sockets.give_back(late, None)
    assert [one.sock.fileno() for one in (short, kept, late)] == [-1, -1, -1]
    for one in (first, second, third):
        one.close()


def test_what_grows_old_is_closed():
    """Connections that nobody used again do not stay open while others are used."""
    sockets = Sockets(place_of("http://127.0.0.1:9/"), verify=True)
    old, first = pair()
    sockets.give_back(old, None)
    old.kept_until = 0.0
    new, second = pair()
    sockets.give_back(new, None)
    assert old.sock.fileno() == -1
    assert new.sock.fileno() != -1
    sockets.close()
    for one in (first, second):
        one.close()


def test_what_must_not_be_sent_twice(monkeypatch):
    """For that a connection is used that was used a moment ago, and no other."""
    from readingroom.transport import http_client_sockets

    link, theirs = pair()
    link.idle_since = link.kept_until = math.inf
    assert link.is_fresh(is_sure=True)
    link.idle_since = 0.0
    assert link.is_fresh(is_sure=False)
    assert not link.is_fresh(is_sure=True)
    monkeypatch.delattr(http_client_sockets.select, "poll")
    assert link.is_fresh(is_sure=False)
    theirs.close()
    assert not link.is_fresh(is_sure=False)
    link.close()


def test_holds():
    """What was taken away stays away, and time that is over is over."""
    hold = Hold(lambda: 0.0)
    with pytest.raises(TimedOut):
        hold.seconds()
    hold = Hold(lambda: math.inf)
    assert hold.seconds() is None
    assert hold.seconds(3.0) == 3.0
    link, theirs = pair()
    hold.attach(link)
    hold.take_away()
    assert theirs.recv(1) == b""
    with pytest.raises(Closed):
        hold.seconds()
    with pytest.raises(Closed):
        hold.attach(link)
    link.cut()
    theirs.close()


def test_threads():
    """Jobs run at once while there is room, wait for their turn when there is none, and the threads end."""
    threads = Threads(2, "test")
    gate, done, running = threading.Event(), threading.Semaphore(0), threading.Semaphore(0)

    def job():
        running.release()
        gate.wait(TIMEOUT)
        done.release()

    for _ in range(5):
        assert threads.run(job)
    assert running.acquire(timeout=TIMEOUT)
    assert running.acquire(timeout=TIMEOUT)
    assert not threads.has_room()
    assert not running.acquire(blocking=False)
    gate.set()
    assert all(done.acquire(timeout=TIMEOUT) for _ in range(5))
    assert threads.close(TIMEOUT)
    assert threads.close(TIMEOUT)
    assert not threads.run(job)


def test_idle_threads_end(monkeypatch):
    """A thread that nobody needs is given back, and another is started when there is need."""
    from readingroom.transport import http_client_threads

    monkeypatch.setattr(http_client_threads, "_IDLE_SECONDS", 0.01)
    threads = Threads(4, "idle")
    ran = threading.Event()
    threads.run(ran.set)
    assert ran.wait(TIMEOUT)
    for thread in threading.enumerate():
        if thread.name == "idle":
            thread.join(TIMEOUT)
    ran.clear()
    threads.run(ran.set)
    assert ran.wait(TIMEOUT)
    assert threads.close(TIMEOUT)


def test_a_system_without_threads(monkeypatch):
    """What cannot be run at once for want of threads waits for those that there are; without any, it is an error."""
    threads = Threads(4, "few")
    gate, begun, ran = threading.Event(), threading.Event(), threading.Event()

    def first():
        begun.set()
        gate.wait(TIMEOUT)

    threads.run(first)
    assert begun.wait(TIMEOUT)

    def refuse(_self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert threads.run(ran.set)
    with pytest.raises(RuntimeError):
        Threads(4, "none").run(ran.set)
    gate.set()
    assert ran.wait(TIMEOUT)
    assert threads.close(TIMEOUT)
