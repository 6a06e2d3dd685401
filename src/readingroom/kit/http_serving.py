"""Runs an HTTP application on this machine, and refuses to where that would let strangers in. Needs the extra `http`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from ..errors import UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..transport.http_guard import is_loopback
from .incidents import tell

if TYPE_CHECKING:
    from ..transport.http_server import HttpServer


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where to serve: a host, a port (0 takes a free one), and files in PEM for TLS.

    `behind_proxy` says that nobody but a proxy can connect, whose word is taken for the address of a client. With
    `shares_port` several processes may serve one port.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    tls_certificate: str | None = None
    tls_key: str | None = None
    behind_proxy: bool = False
    shares_port: bool = False


def check_exposure(address: Address, *, has_authorization: bool) -> None:
    """Refuse what would give the documents, or the tokens, to whoever listens on a network.

    Raises: UsageError, which says what to do, for an address that is not of this machine alone, or a proxy through which
    others come, when there is no authorization, or when tokens would travel in the clear (HTTP-4).
    """
    if address.behind_proxy and not has_authorization:
        raise UsageError("others come through a proxy: say who may ask (authorization)")
    if is_loopback(address.host):
        return
    if not has_authorization:
        raise UsageError(
            f"{address.host} can be reached from other machines: say who may ask (authorization), or serve 127.0.0.1"
        )
    if address.tls_certificate is None and not address.behind_proxy:
        raise UsageError(
            f"{address.host} can be reached from other machines, and without TLS whoever listens reads the tokens: give a "
            "certificate and its key, or say that only a proxy, which speaks TLS, can connect"
        )


def serve_http(
    app: "HttpServer",
    address: Address,
    *,
    name: str,
    path: str = "",
    has_authorization: bool,
    limits: Limits = DEFAULT_LIMITS,
    started: "Callable[[str], None] | None" = None,
) -> int:
    """Serve an application until a signal comes; give the exit code (docs/reference/exit-codes.md).

    `started` is called with the origin, such as `http://127.0.0.1:8000`, once connections are taken; without it a line on
    stderr says so, with the `path` of the endpoint. Raises: UsageError, also where the extra is not installed;
    TransportError for an address that cannot be listened at.
    """
    check_exposure(address, has_authorization=has_authorization)
    from ..transport.uvicorn_server import Site, serve

    site = Site(
        host=address.host,
        port=address.port,
        certificate=address.tls_certificate,
        key=address.tls_key,
        has_proxy=address.behind_proxy,
        shares_port=address.shares_port,
    )
    return serve(
        app,
        site,
        limits=limits,
        end_streams=app.stop,
        started=started or (lambda origin: tell(f"{name}: serving at {origin}{path}")),
        tell=lambda line: tell(f"{name}: {line}"),
    )
