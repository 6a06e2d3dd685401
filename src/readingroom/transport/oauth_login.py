"""`OAuthLogin`: an Authorization that has a person log in when a server asks for it, and keeps what it was given.

One lock per login: while one thread asks the person, others wait for what comes of it, and nobody is asked twice.
"""

import hashlib
import threading
import time
from collections.abc import Sequence

import msgspec

from ..client import oauth_clients, oauth_scopes
from ..client.authorization import TRIES, Refusal, check_endpoint
from ..client.oauth_challenges import BearerChallenge, bearer_of
from ..client.oauth_clients import ClientIdentity
from ..client.oauth_tokens import Refusal as TokenRefusal
from ..client.oauth_tokens import Tokens
from ..errors import LoginFailed, UsageError
from ..protocol.authorization import is_scope
from .oauth_browser import open_in_browser
from .oauth_discovery import Found, discover
from .oauth_fetch import Fetcher
from .oauth_flow import Login, OpenUrl, Person, log_in, refreshed
from .oauth_identity import Clients
from .oauth_store import Logins, LoginStore, standard_logins

_REMEMBERED = 1000
_GONE = ("invalid_grant", "invalid_client", "unauthorized_client")
"""What a token endpoint says when a login is over: a person has to log in again."""


class OAuthLogin:
    """Authorization by OAuth: finds the authorization server, has a person log in, keeps tokens and makes them anew.

    Who the client is: `client_id`, with `client_secret`, as it was registered by hand at `issuer` (when that is given, it
    is presented nowhere else); else `client_metadata_url`, a document that says it, where the server takes such; else it
    registers itself. `scopes` are asked for instead of those that the server names. `redirect_uri` is for servers that
    want it exactly as it was registered; without it a free port of 127.0.0.1 is taken. `open_url` shows the URL to the
    person, and may give the URL to which the browser was sent back; without it, the browser of this machine is opened.
    With `ask` off nobody is asked: what was kept is used. `logins` is where logins are kept: in the keyring or a private
    file without it. `patience` is how long the person may take, in seconds. `verify` is True or a file of certificates;
    `private` allows authorization servers inside a private network.

    Raises: UsageError for what cannot be.
    """

    def __init__(  # noqa: PLR0913  -- each is a choice that some caller has to make
        self,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        issuer: str | None = None,
        client_metadata_url: str | None = None,
        scopes: Sequence[str] = (),
        redirect_uri: str = "",
        open_url: OpenUrl | None = None,
        ask: bool = True,
        logins: LoginStore | None = None,
        name: str = "Reading Room",
        patience: float = 300.0,
        verify: bool | str = True,
        private: bool = False,
    ) -> None:
        if client_secret is not None and client_id is None:
            raise UsageError("a client_secret goes with a client_id")
        if verify is not True and not isinstance(verify, str):
            raise UsageError(
                "verify is True, or the file of the certificates to trust: TLS is never left unverified"
            )
        if not all(map(is_scope, scopes)):
            raise UsageError("a scope has no spaces, quotation marks or backslashes")
        if client_metadata_url is not None:
            oauth_clients.check_document_url(client_metadata_url)
        if redirect_uri:
            oauth_clients.check_redirect_uri(redirect_uri)
        given = (
            None
            if client_id is None
            else ClientIdentity(client_id, oauth_clients.GIVEN, client_secret, redirect_uri=redirect_uri)
        )
        self._clients = Clients(given, issuer, client_metadata_url, name)
        self._scopes = tuple(scopes)
        self._person = Person(open_url or open_in_browser, patience, redirect_uri)
        self._ask = ask
        self._logins = logins or standard_logins()
        self._verify = verify
        self._private = private
        self._lock = threading.RLock()
        self._tokens: dict[str, Tokens] = {}
        self._asked_for: dict[str, str] = {}  # the access token that a person has logged in for, by endpoint
        self._steps: dict[tuple[str, str], int] = {}
        self._named: dict[str, str] = {}  # where the metadata of an endpoint is, as it has said
        self._principal: str | None = None

    @property
    def principal(self) -> str | None:
        """Another text after each login; None before there is a token."""
        return self._principal

    def header(self, url: str) -> str | None:
        """Give the token for an endpoint, made anew when it is over; None when there is none.

        Raises: UsageError; LoginFailed when the authorization server does not answer.
        """
        check_endpoint(url)
        tokens = self._tokens.get(url)
        if tokens is None or not tokens.is_good(time.time()):
            tokens = self._good_one(url)  # waits while a person is asked, which who has a good token does not
        return None if tokens is None else f"Bearer {tokens.access}"

    def challenged(self, refusal: Refusal) -> bool:
        """Have a token made that will do: by the refresh token, or by asking the person. Raises: LoginFailed."""
        check_endpoint(refusal.url)
        challenge = bearer_of(refusal.challenges)
        with self._lock:
            if self._has_another(refusal):
                return True
            if refusal.status == 403:
                return self._step_up(refusal, challenge)
            return self._let_in(refusal, challenge)

    def log_in(self, url: str, challenges: Sequence[str] = ()) -> Tokens:
        """Have the person log in to an endpoint now, whatever is kept. Raises: UsageError, LoginFailed."""
        check_endpoint(url)
        challenge = bearer_of(challenges)
        with self._lock:
            found = self._found(url, challenge)
            named = challenge.scopes if challenge else ()
            return self._log_in(url, found, oauth_scopes.first(self._scopes, named, found.resource.scopes))

    def log_out(self, url: str) -> bool:
        """Forget the tokens for an endpoint, and who we are to its issuer when no others need it.

        Gives whether there were any.
        """
        with self._lock:
            self._tokens.pop(url, None)
            self._principal = None
            with self._logins.changing() as write:
                logins = self._logins.read()
                issuer = logins.endpoints.get(url)
                if issuer is None:
                    return False
                left = logins.without_tokens(url)
                if not left.at(issuer).tokens:
                    rest = {name: at for name, at in left.issuers.items() if name != issuer}
                    left = msgspec.structs.replace(left, issuers=rest)
                write(left)
            return True

    def _good_one(self, url: str) -> Tokens | None:
        with self._lock:
            tokens = self._tokens.get(url) or self._adopted(url)
            if tokens is None or tokens.is_good(time.time()):
                return tokens
            return self._renewed(url, tokens)

    def _has_another(self, refusal: Refusal) -> bool:
        """Whether there is another token by now than the one that was refused: of another thread, or another process."""
        tokens = self._tokens.get(refusal.url)
        if tokens is not None and f"Bearer {tokens.access}" != refusal.sent:
            return True
        adopted = self._adopted(refusal.url)
        return (
            adopted is not None
            and f"Bearer {adopted.access}" != refusal.sent
            and adopted.is_good(time.time())
        )

    def _let_in(self, refusal: Refusal, challenge: BearerChallenge | None) -> bool:
        """Answer a 401. The metadata is read anew: the resource may have another authorization server now (CL-14)."""
        url = refusal.url
        tokens = self._tokens.get(url)
        if tokens is None:
            self._check_may_ask(url)
        found = self._found(url, challenge)
        if self._logins.read().endpoints.get(url) != found.server.issuer:
            tokens = None
        named = challenge.scopes if challenge else ()
        if tokens is None:
            self._log_in(url, found, oauth_scopes.first(self._scopes, named, found.resource.scopes))
            return True
        if not refusal.tries and self._renewed(url, tokens) is not None:
            return True
        if refusal.tries and tokens.access == self._asked_for.get(url):
            raise LoginFailed(f"{url} refuses the token that {found.server.issuer} has just given for it")
        self._log_in(url, found, oauth_scopes.more(tokens.asked, named))
        return True

    def _step_up(self, refusal: Refusal, challenge: BearerChallenge | None) -> bool:
        """Answer a 403: ask for what is missing and all that was asked before, a few times at most (CL-16)."""
        url, key = refusal.url, (refusal.url, refusal.operation)
        tokens = self._tokens.get(url)
        if tokens is None or challenge is None or challenge.error != "insufficient_scope":
            return False
        before = (*tokens.asked, *tokens.granted)
        wanted = oauth_scopes.more(before, challenge.scopes)
        if set(wanted) <= set(before) or self._steps.get(key, 0) >= TRIES:
            return False
        while len(self._steps) >= _REMEMBERED:
            del self._steps[next(iter(self._steps))]
        self._steps[key] = self._steps.get(key, 0) + 1
        self._log_in(url, self._found(url, challenge), wanted)
        return True

    def _found(self, url: str, challenge: BearerChallenge | None) -> Found:
        """Find the authorization server; a challenge that names no metadata means that which was named before."""
        if challenge is not None and challenge.metadata:
            self._named[url] = challenge.metadata
        logins = self._logins.read()
        return discover(
            self._fetcher(url),
            url,
            self._named.get(url, ""),
            known=lambda issuer: self._clients.knows(issuer, logins.at(issuer).client),
        )

    def _check_may_ask(self, url: str) -> None:
        if not self._ask:
            raise LoginFailed(f"{url} wants somebody to log in; run: readingroom login {url}")

    def _log_in(self, url: str, found: Found, scopes: tuple[str, ...]) -> Tokens:
        self._check_may_ask(url)
        issuer, logins, fetcher = found.server.issuer, self._logins.read(), self._fetcher(url)
        self._clients.check(
            issuer, logins.at(logins.endpoints.get(url, "")).client, logins.endpoints.get(url)
        )
        kept = logins.at(issuer).client
        person = (
            self._person
            if kept is None
            else msgspec.structs.replace(self._person, preferred=kept.redirect_uri)
        )
        try:
            login = log_in(
                fetcher,
                found,
                scopes,
                person,
                lambda redirect: self._clients.identify(fetcher, found, kept, redirect),
            )
        except TokenRefusal as error:
            with self._logins.changing() as write:
                write(_over(self._logins.read(), url, issuer, error))
            raise LoginFailed(f"{issuer} gave no token: {error.reason}") from None
        self._keep(url, found, login)
        return login.tokens

    def _keep(self, url: str, found: Found, login: Login) -> None:
        issuer = found.server.issuer
        with self._logins.changing() as write:
            logins = self._logins.read()
            private = self._private or logins.at(issuer).private
            kept = msgspec.structs.replace(logins.at(issuer), client=login.client, private=private)
            known = logins.with_issuer(issuer, kept)
            write(known.with_tokens(issuer, url, login.tokens, found.server.token_endpoint))
        self._tokens[url] = login.tokens
        self._asked_for[url] = login.tokens.access
        self._principal = _name_of(login.tokens)

    def _adopted(self, url: str) -> Tokens | None:
        """Take over the tokens that are kept, which another process may have changed."""
        tokens = self._logins.read().tokens_for(url)
        if tokens is None or not self._clients.may_use(tokens):
            return None
        last = self._tokens.get(url)
        if last is None or last.access != tokens.access:  # somebody else may have logged in there
            self._principal = _name_of(tokens)
        self._tokens[url] = tokens
        return tokens

    def _renewed(self, url: str, last: Tokens) -> Tokens | None:
        """Have the access token made anew; None when a person has to log in for that. Raises: LoginFailed.

        Nobody else does so meanwhile: a refresh token may be good for one use (CL-17).
        """
        with self._logins.changing() as write:
            logins = self._logins.read()
            kept = logins.tokens_for(url)
            issuer = logins.endpoints.get(url, "")
            at = logins.at(issuer)
            if kept is not None and kept.access != last.access and kept.is_good(time.time()):
                self._tokens[url] = kept
                self._principal = _name_of(kept)
                return kept
            self._tokens.pop(url, None)
            if (
                kept is None
                or kept.refresh is None
                or at.client is None
                or at.client.client_id != kept.client_id
            ):
                return None
            try:
                fresh = refreshed(self._fetcher(url), at.token_endpoint, kept, at.client)
            except TokenRefusal as error:
                if error.error not in _GONE:
                    raise LoginFailed(f"{issuer} made no token anew: {error.reason}") from None
                write(_over(logins, url, issuer, error))
                return None
            write(logins.with_tokens(issuer, url, fresh, at.token_endpoint))
            self._tokens[url] = fresh
            return fresh

    def _fetcher(self, url: str) -> Fetcher:
        """Give what fetches for an endpoint; what the person has allowed for it once, is allowed."""
        logins = self._logins.read()
        private = self._private or logins.at(logins.endpoints.get(url, "")).private
        return Fetcher(url, verify=self._verify, private=private)


def _over(logins: Logins, url: str, issuer: str, refusal: TokenRefusal) -> Logins:
    """Give what is kept when a token endpoint has said no: no tokens, and no client when it knows none of ours."""
    left = logins.without_tokens(url)
    if refusal.error != "invalid_client":
        return left
    return left.with_issuer(issuer, msgspec.structs.replace(left.at(issuer), client=None))


def _name_of(tokens: Tokens) -> str:
    """Give a text that another login has not; tokens that were made anew go by it, too."""
    return hashlib.sha256(tokens.access.encode()).hexdigest()[:16]
