"""Rules of a resource server (requirements §12.1)."""

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
"""
