"""Reads what a refusal says of how to be let in: the values of WWW-Authenticate.

RFC 9110 §11.6.1, RFC 6750 §3; CL-2, CL-15. Pure. A server that writes nonsense there still has metadata at the well-known
places, so nonsense is no error of the flow: `bearer_of` passes over what cannot be read, and `read` tells of it whoever
wants to know.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from ..protocol.authorization import is_scope

LONGEST = 8 * 1024
"""Characters of the longest field that is looked at; ours are half as long at most."""

_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PARAMETER = re.compile(rf'({_WORD})[ \t]*=[ \t]*({_WORD}|"(?:[^"\\]|\\.)*")', re.DOTALL)
_SCHEME = re.compile(rf"({_WORD})(?:[ \t]+|\Z)")
_TOKEN68 = re.compile(r"[A-Za-z0-9._~+/-]+=*")


class NotAChallenge(ValueError):
    """A field cannot be read; the text says why."""


class Challenge(msgspec.Struct, frozen=True):
    """One way to be let in: its scheme in lower case, and its parameters by their names in lower case."""

    scheme: str
    parameters: dict[str, str]


class BearerChallenge(msgspec.Struct, frozen=True):
    """What a challenge for a bearer token says; empty is what it does not say.

    `metadata` is the URL of the metadata of the resource; `scopes` are those that the operation needs.
    """

    metadata: str = ""
    scopes: tuple[str, ...] = ()
    error: str = ""
    description: str = ""


def bearer_of(fields: Sequence[str]) -> BearerChallenge | None:
    """Give the challenge for a bearer token, of several the first that names metadata; None when there is none."""
    found = [_bearer(challenge) for challenge in _readable(fields) if challenge.scheme == "bearer"]
    return next((one for one in found if one.metadata), found[0] if found else None)


def read(field: str) -> list[Challenge]:
    """Read the challenges of one field. Raises: NotAChallenge."""
    if len(field) > LONGEST:
        raise NotAChallenge(f"it is longer than {LONGEST} characters")
    challenges: list[Challenge] = []
    for item in _items(field):
        parameter = _PARAMETER.fullmatch(item)
        if parameter is None:
            challenges.append(_begun(item))
        elif not challenges:
            raise NotAChallenge("it begins with a parameter, and names no scheme")
        else:
            _add(challenges[-1], parameter)
    return challenges


def _readable(fields: Sequence[str]) -> Iterator[Challenge]:
    for field in fields:
        try:
            yield from read(field)
        except NotAChallenge:
            continue


def _bearer(challenge: Challenge) -> BearerChallenge:
    told = challenge.parameters
    scopes = tuple(one for one in told.get("scope", "").split(" ") if is_scope(one))
    return BearerChallenge(
        told.get("resource_metadata", ""),
        tuple(dict.fromkeys(scopes)),
        told.get("error", ""),
        told.get("error_description", ""),
    )


def _begun(item: str) -> Challenge:
    """Read the beginning of a challenge: a scheme alone, or with its first parameter, or with a token68."""
    scheme = _SCHEME.match(item)
    if scheme is None:
        raise NotAChallenge("there is a part that is neither a scheme nor a parameter")
    challenge = Challenge(scheme[1].lower(), {})
    rest = item[scheme.end() :]
    parameter = _PARAMETER.fullmatch(rest)
    if parameter is not None:
        _add(challenge, parameter)
    elif rest and not _TOKEN68.fullmatch(rest):
        raise NotAChallenge(f"what follows the scheme {scheme[1]} is no parameter")
    return challenge


def _add(challenge: Challenge, parameter: re.Match[str]) -> None:
    name, value = parameter[1].lower(), parameter[2]
    if name in challenge.parameters:
        raise NotAChallenge(f"it says {name} twice")
    if value.startswith('"'):
        value = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
    challenge.parameters[name] = value


def _items(field: str) -> Iterator[str]:
    """Give what stands between the commas, those in quotes not counted; empty parts are allowed and mean nothing."""
    begin, quoted, escaped = 0, False, False
    for place, character in enumerate(f"{field},"):
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = character == "\\", character != '"'
        elif character == '"':
            quoted = True
        elif character == ",":
            item = field[begin:place].strip(" \t")
            begin = place + 1
            if item:
                yield item
    if quoted:
        raise NotAChallenge("a quotation does not end")
