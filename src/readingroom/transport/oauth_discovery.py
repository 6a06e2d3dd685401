"""Finds, from an endpoint and its refusal, the authorization server to ask and what to ask it for (CL-2 to CL-6).

Each step is told to `tell`, which `readingroom doctor` prints. Knows no token.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from ..client.oauth_resources import Place, Resource, places_of, read_resource
from ..client.oauth_servers import AuthorizationServer, check_issuer, read_server
from ..errors import LoginFailed
from ..protocol.authorization_servers import metadata_urls
from .oauth_fetch import Fetcher, Reply

_OK = 200
_BAD_REQUEST, _SERVER_ERROR = 400, 500


class Step(msgspec.Struct, frozen=True):
    """A place that was asked, and what came of it; `good` when it was what was looked for."""

    what: str
    url: str
    outcome: str
    good: bool


Tell = Callable[[Step], None]


class Found(msgspec.Struct, frozen=True):
    """What an endpoint says of itself, and the authorization server that was chosen of those that it names."""

    resource: Resource
    server: AuthorizationServer


def discover(
    fetcher: Fetcher,
    endpoint: str,
    named: str,
    *,
    known: Callable[[str], bool] = lambda issuer: False,
    tell: Tell = lambda step: None,
) -> Found:
    """Find the authorization server of an endpoint: the first that is `known` of those it names, else the first of all.

    Raises: LoginFailed.
    """
    resource = find_resource(fetcher, endpoint, named, tell)
    issuer = next(filter(known, resource.issuers), resource.issuers[0])
    return Found(resource, find_server(fetcher, issuer, endpoint, tell))


def find_resource(fetcher: Fetcher, endpoint: str, named: str, tell: Tell) -> Resource:
    """Find what an endpoint says of itself, at the place that was named, if any (CL-2, CL-3). Raises: LoginFailed."""
    for place in places_of(endpoint, named):
        document = _document(fetcher, "metadata of the resource", place.url, tell)
        if document is not None:
            return _resource(document, place, endpoint, tell)
    raise LoginFailed(
        f"{endpoint} wants authorization and has no metadata that says where it is had; if its tokens are of its own "
        "making, give one (auth=, or --token-file)",
        rule="CL-2",
    )


def find_server(fetcher: Fetcher, issuer: str, endpoint: str, tell: Tell) -> AuthorizationServer:
    """Find what an authorization server says of itself (CL-4, CL-5, CL-6). Raises: LoginFailed."""
    check_issuer(issuer, endpoint)
    for url in metadata_urls(issuer):
        document = _document(fetcher, "metadata of the authorization server", url, tell)
        if document is not None:
            return read_server(document, issuer)
    raise LoginFailed(f"the authorization server {issuer} has no metadata", rule="CL-4")


def _resource(document: Any, place: Place, endpoint: str, tell: Tell) -> Resource:
    resource = read_resource(document, place, endpoint)
    tell(Step("resource", place.url, f"{resource.name}, with {', '.join(resource.issuers)}", good=True))
    return resource


def _document(fetcher: Fetcher, what: str, url: str, tell: Tell) -> Any:
    """Give the document of a place; None when it says that it has none. Raises: LoginFailed when it says nothing."""
    try:
        reply = fetcher.get(url)
    except LoginFailed as error:
        tell(Step(what, url, str(error), good=False))
        raise
    document = reply.document if reply.status == _OK else None
    tell(Step(what, url, _outcome(reply, is_there=document is not None), good=document is not None))
    if reply.status >= _SERVER_ERROR:
        raise LoginFailed(f"{url} answered with status {reply.status}; try again later")
    return document


def _outcome(reply: Reply, *, is_there: bool) -> str:
    if is_there:
        return "found"
    if reply.status == _OK:
        return "answers with something that is no JSON"
    if _OK < reply.status < _BAD_REQUEST:
        return f"status {reply.status}, and redirects are not followed"
    return f"status {reply.status}"
