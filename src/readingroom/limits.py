"""The caps of the kit, in one record, each with its reason. Imports nothing of the house."""

import msgspec

MIB = 1024 * 1024


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one connection may cost. Sizes are bytes, times are seconds.

    The defaults are those that the documentation names; a server or a client is given another record to change them.
    Raises: ValueError for one that is not positive, for nothing could be served under it.
    """

    line_bytes: int = 4 * MIB
    """Longest message a server reads; the official SDKs' HTTP side stops at the same size, their stdio side nowhere."""

    answer_bytes: int = 64 * MIB
    """Longest message a client reads: servers send documents, clients send questions."""

    nesting: int = 64
    """Deepest JSON a message may nest; honest messages stay below 20, and a decoder's stack is finite."""

    requests_in_flight: int = 1024
    """Requests read but not answered on one stdio connection, before the reader stops reading."""

    bytes_in_flight: int = 32 * MIB
    """Bytes of the requests in flight on one stdio connection, before the reader stops reading."""

    bytes_waiting: int = 32 * MIB
    """Bytes of answers that a stdio client has not read yet, before the reader stops reading."""

    workers: int = 32
    """Threads that run plain handlers; started only as they are needed."""

    drain_seconds: float = 5.0
    """How long answers still owed may take once the peer has closed its side."""

    page_items: int = 100
    """Items on one page of a list."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not getattr(self, name) > 0:
                raise ValueError(f"the limit {name} must be positive")


DEFAULT_LIMITS = Limits()
