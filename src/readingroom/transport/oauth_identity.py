"""Who a client says it is to an authorization server, in the order of CL-11; and to which one it does not say it (CL-14)."""

import time

import msgspec

from ..client import oauth_clients
from ..client.oauth_clients import ClientIdentity
from ..client.oauth_tokens import Tokens
from ..errors import LoginFailed
from .oauth_discovery import Found
from .oauth_fetch import Fetcher
from .oauth_flow import register


class Clients(msgspec.Struct, frozen=True):
    """Who the client may be: `given`, as registered by hand at `issuer`; by a document; or registered by this program."""

    given: ClientIdentity | None
    issuer: str | None
    document: str | None
    name: str

    def knows(self, issuer: str, kept: ClientIdentity | None) -> bool:
        """Whether an issuer is to be preferred to others."""
        return issuer == self.issuer if self.issuer is not None else kept is not None

    def may_use(self, tokens: Tokens) -> bool:
        """Whether tokens that are kept are those of the client that was given, where one was."""
        return self.given is None or self.given.client_id == tokens.client_id

    def check(self, issuer: str, last: ClientIdentity | None, last_issuer: str | None) -> None:
        """Check that the client that was given is of this issuer (CL-14). Raises: LoginFailed."""
        if self.given is None or issuer == self.issuer:
            return
        theirs = self.issuer
        if (
            theirs is None
            and last is not None
            and last.client_id == self.given.client_id
            and last_issuer != issuer
        ):
            theirs = last_issuer
        if theirs is not None:
            raise LoginFailed(
                f"the client id that was given belongs to {theirs}, and the server names {issuer} now; "
                "register a client there, and give its id",
                rule="CL-14",
            )

    def identify(
        self, fetcher: Fetcher, found: Found, kept: ClientIdentity | None, redirect_uri: str
    ) -> ClientIdentity:
        """Give who the client is to an issuer (CL-11). Raises: LoginFailed."""
        if self.given is not None:
            return self.given
        good = kept is not None and kept.is_good(time.time())
        if kept is not None and good and kept.how == oauth_clients.GIVEN:
            return kept
        if self.document is not None and found.server.client_id_metadata_document_supported:
            return ClientIdentity(self.document, oauth_clients.DOCUMENT, method=oauth_clients.NONE)
        if (
            kept is not None
            and good
            and kept.how == oauth_clients.REGISTERED
            and kept.redirect_uri == redirect_uri
        ):
            return kept
        return register(fetcher, found.server, self.name, redirect_uri)
