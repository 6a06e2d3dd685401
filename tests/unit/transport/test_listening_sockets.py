"""Sockets are opened at every address of a name, at one port, or there is an error that says what to do."""

import errno
import socket
from typing import Any

import pytest

from readingroom.errors import TransportError, UsageError
from readingroom.transport import listening_sockets
from readingroom.transport.listening_sockets import listen


def _close(sockets: list[socket.socket]) -> None:
    for each in sockets:
        each.close()


def test_a_free_port_is_taken_when_none_is_named() -> None:
    """And it listens."""
    sockets = listen("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    with socket.create_connection(("127.0.0.1", port), timeout=20):
        assert port > 0
    _close(sockets)


def test_the_loop_sees_that_it_is_tcp() -> None:
    """Or it would leave Nagle's algorithm on, and every answer in two parts would wait for an acknowledgement."""
    sockets = listen("127.0.0.1", 0)
    assert sockets[0].proto == socket.IPPROTO_TCP
    _close(sockets)


def test_every_address_of_a_name_has_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of a family that the machine does not use is passed over, and one that comes twice counts once."""
    families = [
        (socket.AF_INET6, 1, 6, "", ("2001:db8::1", 0, 0, 0)),
        *[(socket.AF_INET, 1, 6, "", (host, 0)) for host in ("127.0.0.1", "127.0.0.1", "127.0.0.2")],
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: families)
    sockets = listen("name", 0)
    assert [each.getsockname()[0] for each in sockets] == ["127.0.0.1", "127.0.0.2"]
    assert len({each.getsockname()[1] for each in sockets}) == 1
    _close(sockets)


@pytest.mark.parametrize("host", ["127.0.0.1", "name"])
def test_a_port_in_use_is_told(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stays open, also when another address of the name was free."""
    taken = listen("127.0.0.1", 0)
    port = taken[0].getsockname()[1]
    if host == "name":
        families = [(socket.AF_INET, 1, 6, "", (each, 0)) for each in ("127.0.0.2", "127.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: families)
    with pytest.raises(TransportError, match=f"cannot listen at {host} port {port}: another program listens"):
        listen(host, port)
    _close(taken)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.EACCES, "choose a port above 1023"),
        (errno.EADDRNOTAVAIL, "this machine has no such address"),
        (errno.EMFILE, "files"),
    ],
)
def test_what_stands_in_the_way_is_told(number: int, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In words, with what to do where there is something."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(number, "too many open files")

    monkeypatch.setattr(listening_sockets, "_bound", refuse)
    with pytest.raises(TransportError, match=told):
        listen("127.0.0.1", 80)


def test_what_is_no_address_is_told() -> None:
    """Neither a name that leads nowhere nor a port that cannot be."""
    with pytest.raises(TransportError, match="is no address and no name of this machine"):
        listen("no such name.invalid", 80)
    with pytest.raises(UsageError, match="a port is a number from 0 to 65535, not 65536"):
        listen("127.0.0.1", 65536)


def test_a_port_is_shared_only_where_the_system_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere the error says what else there is."""
    if hasattr(socket, "SO_REUSEPORT"):
        first = listen("127.0.0.1", 0, shares_port=True)
        second = listen("127.0.0.1", first[0].getsockname()[1], shares_port=True)
        _close([*first, *second])
        monkeypatch.delattr(socket, "SO_REUSEPORT")
    with pytest.raises(UsageError, match="put a proxy in front"):
        listen("127.0.0.1", 0, shares_port=True)
