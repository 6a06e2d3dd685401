"""What the options of `serve --http` say is checked before anything is loaded, and names what is wrong."""

from typing import Any

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.http_settings import HTTP, HttpSettings, check_none, http_settings_from


def _settings(**values: Any) -> HttpSettings:
    return http_settings_from({"http": "127.0.0.1:8000", **values})


@pytest.mark.parametrize(
    ("given", "host", "port"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 8000),
        ("localhost:0", "localhost", 0),
        ("[::1]:8000", "::1", 8000),
        ("192.0.2.1:65535", "192.0.2.1", 65535),
        ("docs.example.org:443", "docs.example.org", 443),
    ],
)
def test_an_address_is_a_host_and_a_port(given: str, host: str, port: int) -> None:
    """With brackets around an IPv6 address."""
    settings = _settings(http=given)
    assert (settings.host, settings.port) == (host, port)


NO_ADDRESS = ("", "8000", ":8000", "127.0.0.1", "127.0.0.1:", "h:65536", "h:-1", "h:x", "::1:8000", "[]:1")


@pytest.mark.parametrize("given", NO_ADDRESS)
def test_what_is_no_address_is_refused(given: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageFault, match="--http must be HOST:PORT"):
        _settings(http=given)


def test_defaults() -> None:
    """Without more, the endpoint is /mcp, and the names are those of the address."""
    assert _settings() == HttpSettings(
        host="127.0.0.1",
        port=8000,
        path="/mcp",
        hosts=None,
        origins=(),
        certificate=None,
        key=None,
        has_proxy=False,
        keys=None,
        shares_port=False,
    )


def test_the_public_url_gives_path_and_name() -> None:
    """And that of OAuth is the same; a loopback address keeps its own names, another has none besides."""
    loopback = _settings(public_url="https://docs.example.org:8443/library/mcp", allowed_host=("other",))
    assert loopback.path == "/library/mcp"
    assert loopback.hosts == ("other", "docs.example.org:8443", "127.0.0.1", "[::1]", "localhost")
    public = _settings(http="0.0.0.0:1", oauth_audience="https://docs.example.org/mcp")
    assert (public.path, public.hosts) == ("/mcp", ("docs.example.org",))
    assert (loopback.is_public, public.is_public, _settings(public_url="http://localhost/mcp").is_public) == (
        True,
        True,
        False,
    )
    both = {"public_url": "https://a/mcp", "oauth_audience": "https://a/mcp"}
    assert _settings(**both).path == "/mcp"


def test_origins_stand_without_a_slash() -> None:
    """As browsers send them."""
    assert _settings(allowed_origin=("https://app.example.org/", "http://a:1")).origins == (
        "https://app.example.org",
        "http://a:1",
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"public_url": "docs.example.org"}, "--public-url must be a URL"),
        ({"public_url": "ftp://docs.example.org"}, "--public-url must be a URL"),
        ({"public_url": "https://docs.example.org"}, "with its path and no slash at the end"),
        ({"public_url": "https://docs.example.org/mcp/"}, "with its path and no slash at the end"),
        ({"oauth_audience": "https://docs.example.org/"}, "with its path and no slash at the end"),
        ({"public_url": "https://docs.example.org/healthz"}, "/healthz is taken"),
        ({"public_url": "https://docs.example.org/.well-known/mcp"}, "is taken"),
        ({"public_url": "https://u@docs.example.org/"}, "--public-url must be a URL"),
        ({"public_url": "https://docs.example.org/?a=b"}, "--public-url must be a URL"),
        ({"public_url": "https://docs.example.org:x/"}, "--public-url must be a URL"),
        ({"public_url": "https://bücher.example/"}, "--public-url must be a URL"),
        ({"public_url": "https://a/", "oauth_audience": "https://b/"}, "must be the same"),
        ({"oauth_audience": "b"}, "--oauth-audience must be a URL"),
        ({"principal": "me"}, "--principal is for stdin and stdout"),
        ({"tls_key": "k.pem"}, "--tls-key needs --tls-cert"),
        ({"allowed_host": ("https://a",)}, "--allowed-host must be a name"),
        ({"allowed_host": ("*.example.org",)}, "--allowed-host must be a name"),
        ({"allowed_origin": ("*",)}, "--allowed-origin must be a URL like https://app.example.org,"),
        ({"allowed_origin": ("https://a/b",)}, "--allowed-origin is a scheme and a host"),
    ],
)
def test_what_is_wrong_is_named(values: dict[str, Any], told: str) -> None:
    """Each with the option it stands in."""
    with pytest.raises(UsageFault, match=told):
        _settings(**values)


@pytest.mark.parametrize(
    "option", [option for option in HTTP if option.flag != "--http"], ids=lambda option: option.flag
)
def test_options_of_http_need_http(option: Any) -> None:
    """Nobody is to believe that a server on stdin and stdout asks for tokens."""
    given: Any = ("x",) if option.repeats else "x" if option.metavar else True
    with pytest.raises(UsageFault, match=f"{option.flag} is for serving over HTTP"):
        check_none({option.name: given})
    check_none({each.name: each.absent for each in HTTP})
