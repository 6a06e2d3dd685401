"""Goes the way of a login step by step, up to where a person would be asked, and says what is right and what is not.

Gives findings; how they look is `doctor`'s business. Nothing secret is in one.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from .. import __version__
from ..client.authorization import REFUSALS
from ..client.oauth_challenges import BearerChallenge, NotAChallenge, bearer_of, read
from ..client.oauth_clients import GIVEN
from ..errors import LoginFailed
from ..transport.oauth_discovery import Step, find_resource, find_server
from ..transport.oauth_fetch import Fetcher, NoAnswer, Reply
from ..transport.oauth_knock import knock, problem_of
from ..transport.oauth_store import AtIssuer, LoginStore
from . import exit_codes
from .logins import told_of

if TYPE_CHECKING:
    from ..client.oauth_resources import Resource
    from ..client.oauth_servers import AuthorizationServer

Verdict = Literal["good", "bad", "told"]
_UNAUTHORIZED = 401

_TO_DO = {
    "RS-1": "name an authorization server in authorization_servers",
    "RS-3": 'answer 401 with WWW-Authenticate: Bearer resource_metadata="…"',
    "CL-2": "publish /.well-known/oauth-protected-resource with the path of the endpoint, and name it in the challenge; "
    "a server whose tokens are of its own making has none, and is given one (--token-file)",
    "CL-3": "the member resource has to be the URL of the endpoint, byte for byte",
    "CL-4": "publish the metadata of the authorization server at one of these places",
    "CL-5": "the member issuer has to be what authorization_servers names, byte for byte, the slash at its end included",
    "CL-6": "turn PKCE on at the authorization server: code_challenge_methods_supported has to list S256",
    "CL-10": "the member resource has to be an https URL without a fragment",
    "CL-19": "use https, at addresses that the client may reach; --private-network allows private ones",
}


class Finding(msgspec.Struct, frozen=True):
    """What was seen at one step; `to_do` is for whoever runs the server, where something is wrong."""

    verdict: Verdict
    what: str
    detail: str
    to_do: str = ""


Tell = Callable[[Finding], None]


def examine(fetcher: Fetcher, endpoint: str, logins: LoginStore, tell: Tell) -> int:
    """Go the way, tell each finding as it comes, and give the exit code. Raises: LoginsUnusable."""
    wrong = []

    def told(finding: Finding) -> None:
        wrong.extend([finding] if finding.verdict == "bad" else [])
        tell(finding)

    try:
        return _examine(fetcher, endpoint, logins, told) or (exit_codes.PROTOCOL if wrong else exit_codes.OK)
    except NoAnswer as error:
        tell(
            Finding(
                "bad",
                "reach",
                str(error),
                _TO_DO.get(error.rule, "see that the place can be reached from here"),
            )
        )
        return exit_codes.PROTOCOL if error.rule else exit_codes.START
    except LoginFailed as error:
        tell(Finding("bad", "rule", str(error), _TO_DO.get(error.rule, "")))
        return exit_codes.PROTOCOL


def _examine(fetcher: Fetcher, endpoint: str, logins: LoginStore, tell: Tell) -> int:
    reply = knock(fetcher, endpoint, __version__)
    if wrong := problem_of(reply, endpoint):
        tell(Finding("bad", "endpoint", wrong))
        return exit_codes.START
    if reply.status not in REFUSALS:
        tell(
            Finding(
                "good",
                "endpoint",
                f"{endpoint} lets everybody in (status {reply.status}); nobody has to log in",
            )
        )
        return exit_codes.OK
    challenge = _challenge(reply, endpoint, tell)
    resource = find_resource(fetcher, endpoint, challenge.metadata if challenge else "", _steps(tell))
    _tell_resource(resource, tell)
    server = find_server(fetcher, resource.issuers[0], endpoint, _steps(tell))
    kept = logins.read()
    _tell_server(server, kept.at(server.issuer), tell)
    tokens = kept.tokens_for(endpoint)
    if tokens is None:
        tell(Finding("told", "login", f"nobody is logged in here; run: readingroom login {endpoint}"))
        return exit_codes.OK
    tell(Finding("told", "login", told_of(tokens)))
    taken = knock(fetcher, endpoint, __version__, f"Bearer {tokens.access}").status
    if taken in REFUSALS:
        again = f"log in again: readingroom login {endpoint}"
        tell(Finding("bad", "token", f"the token that is kept is refused (status {taken})", again))
        return exit_codes.REFUSED
    tell(Finding("good", "token", "the token that is kept is taken"))
    return exit_codes.OK


def _challenge(reply: Reply, endpoint: str, tell: Tell) -> BearerChallenge | None:
    """Tell of the refusal, and give its challenge."""
    for field in reply.challenges:
        try:
            read(field)
        except NotAChallenge as error:
            tell(Finding("bad", "challenge", f"WWW-Authenticate cannot be read: {error}", _TO_DO["RS-3"]))
    challenge = bearer_of(reply.challenges)
    if reply.status != _UNAUTHORIZED:
        tell(
            Finding(
                "bad",
                "endpoint",
                f"{endpoint} answers {reply.status} to a request without a token",
                _TO_DO["RS-3"],
            )
        )
    if challenge is None:
        tell(
            Finding(
                "bad",
                "endpoint",
                f"{endpoint} answers {reply.status} without a bearer challenge",
                _TO_DO["RS-3"],
            )
        )
        return None
    named = (
        f", metadata {challenge.metadata}" if challenge.metadata else ", without the place of the metadata"
    )
    scopes = f", scopes {' '.join(challenge.scopes)}" if challenge.scopes else ""
    tell(
        Finding(
            "good", "endpoint", f"{endpoint} answers {reply.status} with a bearer challenge{named}{scopes}"
        )
    )
    return challenge


def _steps(tell: Tell) -> Callable[[Step], None]:
    def told(step: Step) -> None:
        tell(Finding("good" if step.good else "told", step.what, f"{step.url}: {step.outcome}"))

    return told


def _tell_resource(resource: "Resource", tell: Tell) -> None:
    tell(Finding("good", "resource", f"tokens are asked for {resource.name}"))
    if resource.scopes:
        tell(Finding("told", "scopes", " ".join(resource.scopes)))
    if len(resource.issuers) > 1:
        tell(
            Finding(
                "told", "issuers", f"of {len(resource.issuers)} authorization servers, the first is looked at"
            )
        )


def _tell_server(server: "AuthorizationServer", kept: AtIssuer, tell: Tell) -> None:
    tell(Finding("good", "issuer", f"{server.issuer}, with PKCE by S256"))
    is_named = server.authorization_response_iss_parameter_supported
    tell(
        Finding(
            "told",
            "iss",
            "names itself in its answers" if is_named else "does not name itself in its answers",
        )
    )
    tell(
        Finding(
            "told",
            "tokens",
            "may be made anew" if server.refreshes else "are not made anew: log in when they end",
        )
    )
    tell(Finding("told", "client", _registration(server, kept)))


def _registration(server: "AuthorizationServer", kept: AtIssuer) -> str:
    """Say how this client would be known there (CL-11)."""
    if kept.client is not None and kept.client.how == GIVEN:
        return f"known there as {kept.client.client_id}, as it was given"
    ways = []
    if server.client_id_metadata_document_supported:
        ways.append("by a document (--client-metadata-url)")
    if server.registration_endpoint is not None:
        ways.append("by registering itself")
    ways.append("by an id that was registered by hand (--client-id)")
    return f"can be known there {', or '.join(ways)}"
