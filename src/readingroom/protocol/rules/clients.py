"""Rules that bind clients alone, of starting, choosing a version and keeping answers (requirements §5, §7, §10.2)."""

TABLE = """
VER-3 | SHOULD | client | any | basic/versioning#protocol-version-negotiation
    A client whose version is refused goes on with one that both speak, or says which the server speaks.
CACHE-3 | MUST NOT | client | any | server/utilities/caching
    What is kept answers no other method, and no other parameters.
CACHE-4 | SHOULD | client | any | server/utilities/caching
    An answer is fresh for as long as it says, by a clock that only goes forward, and then asked for anew.
CACHE-5 | MUST | client | any | server/utilities/caching
    A notice of a change makes what it is about stale at once.
CACHE-6 | MUST NOT | client | any | server/utilities/caching
    What is private is given to nobody but whom it was given to.
SCH-5 | SHOULD | client | any | basic#json-schema-usage
    A schema of a server is bounded in size, and so is the work that its patterns make.
STDIO-7 | SHOULD | client | stdio | basic/transports/stdio#shutdown
    A server that has crashed is started again; what was in flight has failed.
"""
