"""The options of `serve --http`, and what they say, checked, as one value. Loads no HTTP."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from .faults import UsageFault
from .http_auth import AUTHORIZATION
from .options import Option

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_PORTS = 65535

HTTP: tuple[Option, ...] = (
    Option(
        "--http",
        "HOST:PORT",
        "serve over HTTP at this address instead of stdin and stdout; 127.0.0.1:8000 is for this machine alone, and "
        "port 0 takes a free one",
    ),
    Option(
        "--public-url",
        "URL",
        "the URL under which apps reach the endpoint, e.g. https://docs.example.org/mcp, if that is not the address itself",
    ),
    Option(
        "--behind-proxy",
        "",
        "a proxy stands before it that speaks TLS, nobody else can connect, and its X-Forwarded-For is to be trusted",
    ),
    Option("--tls-cert", "FILE", "speak TLS, with the certificate, and those above it, in this file (PEM)"),
    Option("--tls-key", "FILE", "the certificate's key, without a password (PEM)"),
    Option(
        "--allowed-host",
        "HOST",
        "a further name, or name:port, that requests may have in their Host header; may be repeated",
        repeats=True,
    ),
    Option(
        "--allowed-origin",
        "ORIGIN",
        "a web origin whose pages may ask, e.g. https://app.example.org; may be repeated",
        repeats=True,
    ),
    Option(
        "--keys",
        "FILE",
        "the keys that seal cursors, one a line; give all processes that serve one URL the same (default: a file that is "
        "made in the platform's data folder)",
    ),
    Option("--share-port", "", "let several processes listen at one port, where the system can"),
    *AUTHORIZATION,
)
"""What `serve` takes besides when it serves over HTTP."""


class HttpSettings(msgspec.Struct, frozen=True):
    """Where to serve, under which names; `hosts` is None when the names of the address count. `path` is the endpoint's.

    `is_public` says that the URL which was named is not one of this machine alone.
    """

    host: str
    port: int
    path: str
    hosts: tuple[str, ...] | None
    origins: tuple[str, ...]
    certificate: str | None
    key: str | None
    has_proxy: bool
    keys: str | None
    shares_port: bool
    is_public: bool = False


def check_none(values: Mapping[str, Any]) -> None:
    """Check that no option of HTTP was given without `--http`. Raises: UsageFault."""
    for option in HTTP:
        if values.get(option.name):
            raise UsageFault(
                f"{option.flag} is for serving over HTTP; say at which address: --http 127.0.0.1:8000"
            )


def http_settings_from(values: Mapping[str, Any]) -> HttpSettings:
    """Check what was given. Raises: UsageFault, which names what is wrong and what is allowed."""
    host, port = _address(values["http"])
    public = _public_url(values.get("public_url"), values.get("oauth_audience"))
    if values.get("principal") is not None:
        raise UsageFault(
            "--principal is for stdin and stdout: over HTTP a request speaks for whom its token names"
        )
    if values.get("tls_key") is not None and values.get("tls_cert") is None:
        raise UsageFault("--tls-key needs --tls-cert")
    return HttpSettings(
        host=host,
        port=port,
        path="/mcp" if public is None else _endpoint(public.path),
        hosts=_hosts(host, public, values.get("allowed_host") or ()),
        origins=tuple(_origin(origin) for origin in values.get("allowed_origin") or ()),
        certificate=values.get("tls_cert"),
        key=values.get("tls_key"),
        has_proxy=bool(values.get("behind_proxy")),
        keys=values.get("keys"),
        shares_port=bool(values.get("share_port")),
        is_public=_is_public(public),
    )


def _is_public(public: "SplitResult | None") -> bool:
    from ..transport.http_guard import is_loopback

    return public is not None and not is_loopback(public.hostname or "")


def _address(given: str) -> tuple[str, int]:
    host, colon, port = given.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    is_bare = ":" in bare and bare == host
    if not colon or not bare or is_bare or not (port.isascii() and port.isdigit() and int(port) <= _PORTS):
        raise UsageFault(
            f"--http must be HOST:PORT, as 127.0.0.1:8000, [::1]:8000 or 0.0.0.0:443, not {given!r}"
        )
    return bare, int(port)


def _public_url(given: str | None, audience: str | None) -> "SplitResult | None":
    if given is not None and audience is not None and given != audience:
        raise UsageFault(
            "--public-url and --oauth-audience are both the URL of the endpoint, and must be the same"
        )
    url = given if given is not None else audience
    return None if url is None else _url(url, "--public-url" if given is not None else "--oauth-audience")


def _endpoint(path: str) -> str:
    """Check the path of the endpoint, which tokens name together with its host, character by character (RS-1)."""
    if path in ("", "/") or path.endswith("/"):
        raise UsageFault(
            "the public URL is that of the endpoint, with its path and no slash at the end: https://docs.example.org/mcp"
        )
    if path == "/healthz" or path.startswith("/.well-known"):
        raise UsageFault(
            f"{path} is taken: the server tells something else there; take another path, such as /mcp"
        )
    return path


def _url(given: str, flag: str, form: str = "https://docs.example.org/mcp") -> "SplitResult":
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(given)
        is_good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or parts.username is not None or parts.query or parts.fragment or not given.isascii():
        raise UsageFault(f"{flag} must be a URL like {form}, not {given!r}")
    return parts


def _hosts(host: str, public: "SplitResult | None", given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Give the names that count, or None for those of the address; a loopback address keeps the loopback names."""
    from ..transport.http_guard import LOOPBACK, is_loopback

    for name in given:
        if not name or "/" in name or "*" in name or not name.isascii():
            raise UsageFault(f"--allowed-host must be a name, or name:port, not {name!r}")
    named = [*given, *([public.netloc] if public is not None else ())]
    if not named:
        return None
    return tuple(dict.fromkeys([*named, *(sorted(LOOPBACK) if is_loopback(host) else ())]))


def _origin(given: str) -> str:
    form = "https://app.example.org"
    parts = _url(given, "--allowed-origin", form)
    if parts.path not in ("", "/"):
        raise UsageFault(
            f"--allowed-origin is a scheme and a host without a path, like {form}, not {given!r}"
        )
    return given.rstrip("/")
