"""Who is let in: without a token, or with one that nobody gave, the answer is a challenge that leads to the metadata.

Asks without the token that `check` was given, if it was. Fetches nothing from elsewhere than the endpoint's own origin.
"""

import msgspec

from ....client.oauth_challenges import BearerChallenge, bearer_of
from ....client.oauth_resources import Place as Found
from ....client.oauth_resources import places_of, read_resource
from ....errors import LoginFailed
from ..asking import Reply, request
from ..bench import Bench
from ..http_peer import HttpPeer
from ..post import Came, Place, exchange, place_of
from ..probing import Probe
from ..verdicts import Notebook, NotReached

_NOBODYS = "Bearer readingroom-check-no-such-token"
_UNAUTHORIZED, _FORBIDDEN, _GOOD = 401, 403, 200


def _endpoint(place: Place) -> str:
    return f"{place.scheme}://{place.authority}{place.path}"


def _asked(bench: Bench, token: str | None = None) -> Reply:
    """Ask with this token in place of any other. Raises: NotReached when nothing comes."""
    place: Place = bench.peer.place
    others = tuple(one for one in place.headers if one[0].lower() != "authorization")
    peer = HttpPeer(msgspec.structs.replace(place, headers=others), Notebook(), bench.settings.timeout, {})
    reply = peer.attempt(request("server/discover"), {"Authorization": token})
    if not reply.status:
        raise NotReached(f"server/discover was {reply.told}")
    return reply


def _challenge_in(reply: Reply) -> BearerChallenge | None:
    return bearer_of([reply.headers.get("www-authenticate", "")])


def _judge_refusal(bench: Bench, reply: Reply, what: str) -> None:
    if reply.status != _UNAUTHORIZED:
        told = f"{what} was answered with {reply.status}, not 401"
        bench.note.broke("RS-3", told, reply.sent, reply.got)
    elif _challenge_in(reply) is None:
        told = f"{what} was answered with 401, and no challenge for a bearer token in WWW-Authenticate"
        bench.note.broke("RS-3", told, reply.sent, reply.headers.get("www-authenticate", "") or reply.got)


def _protected(bench: Bench) -> Reply:
    """Ask without a token. Raises: NotReached where nobody has to show one."""
    reply = _asked(bench)
    if reply.status not in (_UNAUTHORIZED, _FORBIDDEN):
        raise NotReached("nobody has to show a token")
    return reply


def _refusals(bench: Bench) -> None:
    _judge_refusal(bench, _protected(bench), "a request without a token")
    reply = _asked(bench, _NOBODYS)
    if reply.status == _GOOD:
        told = "a request with a token that nobody gave was served"
        bench.note.broke("RS-5", told, reply.sent, reply.got)
    else:
        _judge_refusal(bench, reply, "a request with a token that nobody gave")


def _metadata(bench: Bench) -> None:
    challenge = _challenge_in(_protected(bench))
    endpoint = _endpoint(bench.peer.place)
    told = []
    for found in places_of(endpoint, challenge.metadata if challenge else ""):
        came = _fetched(bench, found)
        if came.status == _GOOD:
            _judge_metadata(bench, came, found, endpoint)
            return
        told.append(f"{found.url}: {came.status or came.fault}")
    bench.note.broke("RS-2", "the metadata of the resource is not where it should be", b"", "; ".join(told))
    raise NotReached("there is no metadata")


def _fetched(bench: Bench, found: Found) -> Came:
    """Get a document. Raises: NotReached for one on another origin."""
    here: Place = bench.peer.place
    place = place_of(found.url)
    if (place.scheme, place.host, place.port) != (here.scheme, here.host, here.port):
        raise NotReached(f"the metadata is elsewhere, at {found.url}, and nothing is fetched from there")
    headers = [("Host", place.authority), ("Accept", "application/json")]
    return exchange(place, "GET", headers, b"", bench.settings.timeout, lambda _: False)


def _judge_metadata(bench: Bench, came: Came, found: Found, endpoint: str) -> None:
    try:
        read_resource(msgspec.json.decode(came.body), found, endpoint)
    except msgspec.DecodeError as error:
        bench.note.broke("RS-2", f"the metadata is no JSON: {error}", found.url, came.body)
    except LoginFailed as error:
        bench.note.broke("RS-1", str(error), found.url, came.body)


PROBES = (
    Probe(("RS-3", "RS-5"), "a token is missing, and another is nobody's", _refusals, "http"),
    Probe(("RS-1", "RS-2"), "the metadata of the resource is fetched", _metadata, "http"),
)
