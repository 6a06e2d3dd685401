"""`serve --http`: checks what can be wrong before, then serves apps over HTTP until a signal comes."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from ..transport.handles import leave
from . import compose
from .faults import UsageFault
from .http_auth import authenticator_from
from .http_keys import derived, keys_from
from .http_settings import HttpSettings, http_settings_from
from .planning import Plan, planned
from .serving import close, start_soon

if TYPE_CHECKING:
    from ..kit import Server
    from ..library import Role
    from ..protocol.authorization import Authenticator
    from .gathering import Gathering

_ROLES: "tuple[Role, ...]" = ("reader", "editor")


def serve_http(values: Mapping[str, Any], environment: Mapping[str, str]) -> NoReturn:
    """Serve the folder that the values name, then exit the process.

    Raises: UsageFault, UsageError, FolderUnusable and BadQuery, all before anything is served; TransportError for an address
    that cannot be listened at.
    """
    plan, http = planned(values, environment), http_settings_from(values)
    settings = plan.settings
    auth = _authenticator(values, plan)
    if auth is None and settings.role != "reader":
        raise UsageFault(
            "over HTTP without authorization everybody is a reader, for nobody can tell who asks: leave out the role "
            "editor, or give --tokens or --oauth-issuer"
        )
    _check_exposure(http, has_authorization=auth is not None)
    from ..kit.http import asgi_of
    from ..kit.http_serving import Address
    from ..kit.http_serving import serve_http as run

    address = Address(
        host=http.host,
        port=http.port,
        tls_certificate=http.certificate,
        tls_key=http.key,
        behind_proxy=http.has_proxy,
        shares_port=http.shares_port,
    )
    plan.check()
    opening = plan.opening(_ROLES[: _ROLES.index(settings.role) + 1])
    app = asgi_of(
        _servers(opening, plan, http),
        path=http.path,
        auth=auth,
        anonymous="reader",
        allowed_hosts=http.hosts,
        allowed_origins=http.origins,
        older_era=settings.older_era,
    )

    def started(origin: str) -> None:
        whom = f"tokens, as {settings.role} at most" if auth is not None else "everybody, as reader"
        _tell(f"serving {origin}{http.path} to {whom}; Ctrl-C ends it")
        start_soon(opening)

    code = run(app, address, name="readingroom", has_authorization=auth is not None, started=started)
    close(opening)
    leave(code)


def _check_exposure(http: HttpSettings, *, has_authorization: bool) -> None:
    """Refuse early, in the words of the command line, what the kit would refuse. Raises: UsageFault."""
    from ..transport.http_guard import is_loopback

    if (http.has_proxy or http.is_public) and not has_authorization:
        named = "--behind-proxy" if http.has_proxy else "--public-url"
        raise UsageFault(f"{named} lets others ask: say who may, by --tokens or --oauth-issuer")
    if is_loopback(http.host):
        return
    if not has_authorization:
        raise UsageFault(
            f"{http.host} can be reached from other machines: say who may ask, by --tokens or --oauth-issuer, or serve "
            "127.0.0.1"
        )
    if http.certificate is None and not http.has_proxy:
        raise UsageFault(
            f"{http.host} can be reached from other machines, and without TLS whoever listens reads the tokens: give "
            "--tls-cert and --tls-key, or say --behind-proxy when only a proxy, which speaks TLS, can connect"
        )


def _authenticator(values: Mapping[str, Any], plan: Plan) -> "Authenticator | None":
    """Give what tells who asks; what it reads must lie in none of the folders. Raises: as `authenticator_from`."""
    found, *_ = [authenticator_from(values, folder) for folder in plan.folders]
    return found


def _servers(opening: "compose.Opening | Gathering", plan: Plan, http: HttpSettings) -> "dict[str, Server]":
    """Give the server of each role that a token may have; those above the role of the settings are served like it."""
    settings = plan.settings
    keys, *_ = [keys_from(http.keys, folder) for folder in plan.folders]
    states = tuple(derived(key, "states") for key in keys)
    servers: dict[str, Server] = {}
    for role in _ROLES[: _ROLES.index(settings.role) + 1]:
        servers[role] = compose.server_over(
            opening,
            msgspec.structs.replace(settings, role=role),
            key=derived(keys[0], f"cursors of {role}"),
            state_keys=states,
        )
    return {role: servers.get(role, servers[settings.role]) for role in _ROLES}


def _tell(line: str) -> None:
    sys.stderr.write(f"readingroom: {line}\n")
    sys.stderr.flush()
