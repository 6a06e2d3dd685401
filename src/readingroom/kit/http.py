"""Joins servers to the HTTP carrier: one server for everybody, or one for each role that tokens may have."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol.authorization import Authenticator, Grant
from ..transport.http_guard import Guard
from ..transport.http_server import HttpServer

if TYPE_CHECKING:
    from ..server import Dispatcher
    from .server import Server


def asgi_of(
    servers: "Mapping[str, Server]",
    *,
    path: str = "/mcp",
    auth: Authenticator | None = None,
    anonymous: str = "",
    allowed_hosts: Iterable[str] | None = None,
    allowed_origins: Iterable[str] = (),
    older_era: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> HttpServer:
    """Give an ASGI application that serves each role with the server that is named by it.

    A server under the name "*" serves every role without one of its own. Without `auth` everybody has the role
    `anonymous`. Without `older_era` only revision 2026-07-28 and later is served.

    Raises: UsageError for a path that is none, and when there is no server for the role that everybody has.
    """
    if not path.startswith("/") or "?" in path or "#" in path:
        raise UsageError(
            f"the path of an endpoint begins with a slash and is nothing but a path: {path!r} is none"
        )
    if auth is None and not {anonymous, "*"} & set(servers):
        raise UsageError(
            f"without authorization everybody has the role {anonymous!r}, and no server is given for it"
        )
    if auth is not None:
        for server in servers.values():
            server.share_tasks()
    dispatchers = {role: server.dispatcher() for role, server in servers.items()}

    def choose(grant: Grant) -> "Dispatcher | None":
        return dispatchers.get(anonymous if auth is None else grant.role) or dispatchers.get("*")

    guard = Guard(allowed_hosts, allowed_origins)
    application = HttpServer(choose, path=path, guard=guard, auth=auth, older_era=older_era, limits=limits)

    def close_tasks() -> None:
        for server in servers.values():
            server.close_tasks()

    application.on_stop = close_tasks
    return application
