"""Sockets to listen at: one for each address that a host name has, all at one port. Knows no protocol."""

import errno
import os
import socket
import sys

from ..errors import TransportError, UsageError

_BACKLOG = 2048
_PORTS = 65535
_ABSENT = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
_WHY = {
    errno.EADDRINUSE: "another program listens there; end it, or choose another port (port 0 takes a free one)",
    errno.EACCES: "that is not allowed; choose a port above 1023",
    errno.EADDRNOTAVAIL: "this machine has no such address",
}


def listen(host: str, port: int, *, shares_port: bool = False) -> list[socket.socket]:
    """Listen at every address of `host`; port 0 takes a free one, the same at each.

    Raises: TransportError, which says what to do; UsageError for a port that cannot be, and for sharing where the system
    has no such thing.
    """
    if not 0 <= port <= _PORTS:
        raise UsageError(f"a port is a number from 0 to {_PORTS}, not {port}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise TransportError(f"{host} is no address and no name of this machine") from error
    sockets: list[socket.socket] = []
    absent = OSError()
    for family, _, _, _, address in dict.fromkeys(found):
        try:
            sockets.append(_bound(family, (address[0], port, *address[2:]), shares_port=shares_port))
        except OSError as error:
            # A name may have an address of a family that this machine does not use; else all of them are wanted.
            if error.errno in _ABSENT:
                absent = error
                continue
            for each in sockets:
                each.close()
            raise _refusal(host, port, error) from error
        port = sockets[-1].getsockname()[1]
    if not sockets:
        raise _refusal(host, port, absent) from absent
    return sockets


def _refusal(host: str, port: int, error: OSError) -> TransportError:
    why = _WHY.get(error.errno or 0, error.strerror)
    return TransportError(f"cannot listen at {host} port {port}: {why}")


def _bound(family: int, address: tuple[object, ...], *, shares_port: bool) -> socket.socket:
    # The loop switches Nagle's algorithm off only where the protocol is named: else two writes of an answer wait 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        elif sys.platform == "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if shares_port:
            _share(bound)
        bound.bind(address)
        bound.listen(
            _BACKLOG
        )  # before the loop does: of two that have bound one port, the second is refused here
        bound.setblocking(False)
    except BaseException:
        bound.close()
        raise
    return bound


def _share(bound: socket.socket) -> None:
    """Let other processes of the same user listen at the same port; the system gives each its part of the connections."""
    if not hasattr(socket, "SO_REUSEPORT"):
        raise UsageError(
            "on this system processes cannot share a port; put a proxy in front of several ports"
        )
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
