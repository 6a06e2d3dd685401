"""Rules of a resource server (requirements §12.1) and of its clients (§12.2)."""

TABLE = """
RS-1 | MUST | server | http | basic/authorization/authorization-server-discovery#authorization-server-location
    The metadata of the resource names the endpoint and at least one authorization server.
RS-2 | MUST | server | http | basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements
    The metadata is found by the challenge, and at the well-known addresses with the endpoint's path and without.
RS-3 | MUST | server | http | basic/authorization#error-handling
    Without a good token the answer is 401 with a challenge, with too small a one 403, to what is malformed 400.
RS-4 | SHOULD | server | http | basic/authorization#runtime-insufficient-scope-errors
    A challenge names at once every scope that the operation needs.
RS-5 | MUST | server | http | basic/authorization#token-handling
    Every request shows a token that was made for this server, in its header alone, and it is checked each time.
RS-6 | SHOULD NOT | server | http | basic/authorization#refresh-tokens
    The scope offline_access is in no challenge and not in the metadata.
RS-7 | MUST | server | http | basic/authorization/security-considerations#token-audience-binding-and-validation
    To know a cursor, a state or a task's id is no authorization: each is good for its principal alone.
RS-8 | OURS | server | http | basic/authorization#access-token-usage
    The endpoint alone is protected; the metadata is anybody's, other origins' pages included.
CL-1 | MUST | client | http | basic/authorization#token-requirements
    A token goes with every request, in its header alone, and to the server that it was made for.
CL-2 | MUST | client | http | basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements
    The metadata is looked for where the challenge says, else at the well-known address with the path, then without.
CL-3 | MUST | client | http | basic/authorization/security-considerations#token-audience-binding-and-validation
    Metadata of another resource than the one that is asked for is not used.
CL-4 | MUST | client | http | basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
    Both kinds of metadata of an authorization server are looked for, in the order that is laid down.
CL-5 | MUST NOT | client | http | basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
    Metadata that names another issuer, if only by a byte, is not used.
CL-6 | MUST | client | http | basic/authorization/security-considerations#authorization-code-protection
    Every code is protected by PKCE with S256; a server that does not list it is not used.
CL-7 | MUST | client | http | basic/authorization#authorization-response-validation
    The issuer of an answer is compared to the one that was asked, and must be there when that was promised.
CL-8 | MUST NOT | client | http | basic/authorization#authorization-response-validation
    No issuer is made alike before it is compared, and no error of another issuer is shown.
CL-9 | SHOULD | client | http | basic/authorization/security-considerations#open-redirection
    An answer without the state that was sent is discarded; redirects go to this machine.
CL-10 | MUST | client | http | basic/authorization#resource-parameter-implementation
    Every request for a code or a token names the resource, byte for byte as its metadata does.
CL-11 | SHOULD | client | http | basic/authorization#client-registration
    A client that was registered by hand comes first, then its document, then registration, then a person.
CL-12 | MUST | client | http | basic/authorization/client-registration#implementation-requirements
    The id of a client with a document is an https URL with a path.
CL-13 | MUST | client | http | basic/authorization/client-registration#application-type-and-redirect-uri-constraints
    A registration says that this is a native application, and its refusal is told with what to do.
CL-14 | MUST | client | http | basic/authorization/client-registration#authorization-server-binding
    What one issuer has given is kept under its name, and never presented to another.
CL-15 | SHOULD | client | http | basic/authorization#scope-selection-strategy
    At first the scopes of the challenge are asked for, else all of the resource, else none are named.
CL-16 | SHOULD | client | http | basic/authorization#step-up-authorization-flow
    When scopes are missing, they and all that were asked for before are asked for, a few times at most.
CL-17 | SHOULD | client | http | basic/authorization#refresh-tokens
    Refresh tokens are used where there are any, kept secret, and replaced when another is given.
CL-18 | OURS | client | http | basic/authorization/client-registration#dynamic-client-registration
    A client shows who it is at the token endpoint as its registration says, else as the server can.
CL-19 | MUST | client | http | basic/authorization/security-considerations#communication-security
    Only https is spoken, save on this machine, and only with addresses that a server may name.
CL-20 | MUST | client | http | basic/authorization#token-handling
    Only web addresses are opened, without a shell; tokens are kept safe and never logged.
"""  # noqa: E501  -- the addresses of two pages are long
