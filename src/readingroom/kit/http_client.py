"""What `Client.http` is made of; loaded when it is first called, for HTTP is not cheap to load."""

from collections.abc import Callable, Mapping

from ..client.authorization import Authorization, BearerToken
from ..transport.connection import Connection
from ..transport.http_client import HttpConnection, Reach
from .engine import Engine
from .settings import Settings


def connector(
    url: str,
    settings: Settings,
    *,
    headers: Mapping[str, str] | None,
    auth: Authorization | str | None,
    verify: bool | str,
) -> Callable[[Engine], Connection]:
    """Give what opens a connection to an address. Raises: UsageError, already here, for what cannot be used."""
    given = BearerToken(auth) if isinstance(auth, str) else auth
    reach = Reach(url, headers=dict(headers or {}), auth=given, verify=verify)
    reach.check()

    def connect(engine: Engine) -> Connection:
        return HttpConnection(
            reach,
            engine.builder,
            limits=settings.limits,
            strict=settings.strict,
            violations=engine.violations,
            tools=engine.tools,
        )

    return connect
