"""Rules that bind clients alone, of starting, choosing a version and keeping answers (requirements §5, §7, §10.2)."""

TABLE = """
VER-3 | SHOULD | client | any | basic/versioning#protocol-version-negotiation
    A client whose version is refused goes on with one that both speak, or says which the server speaks.
STDIO-7 | SHOULD | client | stdio | basic/transports/stdio#shutdown
    A server that has crashed is started again; what was in flight has failed.
"""
