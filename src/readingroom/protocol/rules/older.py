"""Rules of telling the eras apart, and of the older one (requirements §6, §15)."""

TABLE = """
ERA-1 | SHOULD | client | stdio | basic/versioning#backward-compatibility-with-initialization-based-versions
    A client that speaks both eras asks a server what it is, as today's era does, before anything else.
ERA-2 | MUST | client | stdio | basic/versioning#backward-compatibility-with-initialization-based-versions
    An answer or an error of today's era is one of today's server; anything else, and silence, may be an older one's.
ERA-3 | MUST NOT | client | stdio | basic/versioning#backward-compatibility-with-initialization-based-versions
    No single error code decides that a server is of the older era.
ERA-4 | OURS | client | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    What only a modern server says are the codes -32020, -32021, and -32022 with the versions it supports.
ERA-5 | OURS | client | stdio | basic/versioning#backward-compatibility-with-initialization-based-versions
    A server is waited for a few seconds before the handshake is tried, a late answer counts, and both failures are told.
ERA-6 | SHOULD | client | http | basic/versioning#backward-compatibility-with-initialization-based-versions
    Over HTTP an error of today's era means today's era; a refusal with any other body means the older one.
ERA-7 | OURS | client | http | basic/versioning#backward-compatibility-with-initialization-based-versions
    A 404 or 405 without an error of today's era speaks for the older one.
ERA-9 | OURS | client | http | basic/versioning#backward-compatibility-with-initialization-based-versions
    The era is asked for with server/discover, and never guessed from how a call fails.
ERA-10 | MUST NOT | client | http | basic/versioning#backward-compatibility-with-initialization-based-versions
    Who wants to know who is asking, is out of order or cannot be reached is not taken for an older server.
ERA-11 | SHOULD | client | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    The era is found out once for a server, and is that of every process which is started in place of one that has ended.
ERA-12 | MAY | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    A request that names its version is served by itself; `initialize` begins the older era for its process or session.
ERA-13 | OURS | server | http | basic/transports#streamable-http
    Metadata or a header that name no older version are modern; then `initialize`, an older version or a session count.
ERA-14 | OURS | server | stdio | basic/versioning#backward-compatibility-with-initialization-based-versions
    Each message is of the era that it says; one that says nothing is of the older era once a handshake has begun it.
ERA-15 | MUST | server | http | basic/transports#streamable-http
    A request without a version's header is refused, unless it names a session of the older era.
ERA-16 | OURS | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    A handshake never agrees on a version that has none: it is answered with the newest version of the older era.
LEG-1 | MUST | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    A handshake is answered with the version asked for, or the newest of its era; before it there is only `ping`.
LEG-2 | MUST | server | http | basic/versioning#backward-compatibility-with-initialization-based-versions
    A session has an id that cannot be guessed; without it a request is refused (400), with an unknown one too (404).
LEG-3 | MUST | server | http | basic/transports#streamable-http
    A version's header may be missing in a session; one that names a version that is not served is refused.
LEG-4 | MUST | server | http | basic/transports#streamable-http
    A response or notification is taken (202); a message is on one stream; leaving cancels nothing, and one may come back.
LEG-5 | MUST | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    What is asked of a client of the older era is a request with an id, on the stream of the call it belongs to.
LEG-6 | MUST | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    The older era has `ping`, levels of the log, subscriptions to resources, and notices of changes without asking.
LEG-7 | MUST | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    Answers have what their version has: no result types, structured content that is an object, its codes.
LEG-8 | OURS | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    A handler that asks is run anew with the answers, as in today's era, and its state stays in the process.
LEG-9 | OURS | client | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    What an older server asks goes to the same callbacks; `ping` is answered, and what is unknown refused.
LEG-10 | OURS | server | any | extensions/tasks
    Tasks of the older era are not served; a request to make one is served without.
"""
