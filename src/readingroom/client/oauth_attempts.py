"""One attempt to be let in by a person: the URL that the browser opens, and what comes back (CL-6 to CL-10, CL-20).

Pure: randomness is given. Whatever comes back is held against what was kept before the browser was opened, and nothing of
it is used before that, not even an error. Issuers are compared byte for byte.
"""

import base64
import hashlib
from urllib.parse import parse_qsl, quote, quote_plus, unquote, unquote_plus, urlencode

import msgspec

from ..errors import LoginFailed
from ..protocol.protected_resource import NotCanonical, check_secure
from .oauth_scopes import OFFLINE, OPENID

_MOST_FIELDS = 32
_LONGEST = 16 * 1024
_SHOWN = 200
_BLANK = "(secret)"


class NotOurs(Exception):
    """What came back belongs to no attempt of ours, and is discarded (CL-9)."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of an attempt while the person is at the browser (CL-7). `verifier` and `state` are secrets."""

    issuer: str
    tells_issuer: bool
    client_id: str
    redirect_uri: str
    resource: str
    scopes: tuple[str, ...]
    verifier: str
    state: str

    def url(self, authorization_endpoint: str) -> str:
        """Give the URL that the person is to open. Raises: LoginFailed for one that is not to be opened (CL-20).

        Some servers demand a nonce from whoever asks for `openid`, though we have no use for their ID token.
        """
        check_openable(authorization_endpoint)
        fields = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
            "state": self.state,
            "resource": self.resource,
            "scope": " ".join(self.scopes),
            "nonce": challenge_of(f"nonce {self.verifier}") if OPENID in self.scopes else "",
            "prompt": "consent"
            if OFFLINE in self.scopes
            else "",  # or it is not given (OpenID Connect Core §11)
        }
        told = urlencode({name: value for name, value in fields.items() if value})
        return f"{authorization_endpoint}{'&' if '?' in authorization_endpoint else '?'}{told}"

    def code(self, query: str) -> str:
        """Give the code that came back in the query of the redirect.

        Raises: NotOurs when it is not the answer to this attempt; LoginFailed when it is from another issuer, or says no.
        """
        told = _fields(query)
        if told.get("state") != self.state:
            raise NotOurs
        self._check_issuer(told.get("iss"))
        if "error" in told:
            secrets = (self.state, told.get("code", ""))
            raise LoginFailed(f"{self.issuer} did not let the client in: {reason_of(told, secrets)}")
        if not told.get("code"):
            raise LoginFailed(f"{self.issuer} sent neither a code nor an error")
        return told["code"]

    def _check_issuer(self, issuer: str | None) -> None:
        """Hold the issuer of the answer against that of the attempt (CL-7, CL-8; RFC 9207). Raises: LoginFailed."""
        if issuer is None and self.tells_issuer:
            raise LoginFailed("the answer does not say who sent it, though it was promised to", rule="CL-7")
        if issuer is not None and issuer != self.issuer:
            raise LoginFailed(f"the answer is not from {self.issuer}", rule="CL-7")


def challenge_of(verifier: str) -> str:
    """Give the S256 challenge of a verifier (RFC 7636)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def reason_of(told: dict[str, str], secrets: tuple[str, ...] = ()) -> str:
    """Say what an error of an authorization server says, fit to be shown, without `secrets` that it repeats."""
    text = " ".join(filter(None, (told.get("error"), told.get("error_description"))))
    text = blanked(text, secrets)[:_SHOWN]
    return "".join(one if one.isprintable() else " " for one in text) or "no reason is given"


def blanked(text: str, secrets: tuple[str, ...]) -> str:
    """Give a text without secrets, as they are or as a URL or a form holds them; all of it goes if one is left."""
    known = [one for one in secrets if one]
    forms = {form for one in known for form in (one, quote(one), quote(one, safe=""), quote_plus(one))}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, _BLANK)
    bare = text.replace(_BLANK, "")
    read = (bare, unquote(bare), unquote_plus(bare))
    return _BLANK if any(one in reading for one in known for reading in read) else text


def check_openable(url: str) -> None:
    """Check that a URL may be handed to a browser: https, or http on this machine. Raises: LoginFailed (CL-20)."""
    try:
        check_secure(url)
    except NotCanonical as error:
        raise LoginFailed(f"a place that is not to be opened: {error}", rule="CL-20") from None
    if "#" in url:
        raise LoginFailed(f"{url!r:.200} has a fragment", rule="CL-20")


def _fields(query: str) -> dict[str, str]:
    """Read a query; one that says something twice says nothing (RFC 6749 §3.1). Raises: NotOurs."""
    if len(query) > _LONGEST:
        raise NotOurs
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise NotOurs from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise NotOurs
    return fields
