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
    """Longest message a client reads, and all pages of a list: servers send documents, clients send questions."""

    nesting: int = 64
    """Deepest JSON a message may nest; honest messages stay below 20, and a decoder's stack is finite."""

    requests_in_flight: int = 1024
    """Requests read but not answered on one stdio connection, before the reader stops reading."""

    bytes_in_flight: int = 32 * MIB
    """Bytes of the requests in flight on one stdio connection, before the reader stops reading."""

    bytes_waiting: int = 32 * MIB
    """Bytes of answers that a stdio client has not read yet, before the reader stops reading."""

    workers: int = 32
    """Threads that run plain handlers, started as they are needed. Over HTTP with authorization one principal has half."""

    drain_seconds: float = 5.0
    """How long answers still owed may take once the peer has closed its side."""

    rounds: int = 16
    """How often one call may ask its client for input; honest handlers need one to three, and clients stop at about ten."""

    round_seconds: float = 600.0
    """How long a client may take to answer what it was asked; a person is reading it."""

    state_bytes: int = 256 * 1024
    """Bytes of answers that travel with a client from round to round: forms are small, what a model wrote is not huge."""

    page_items: int = 100
    """Items on one page of a list."""

    subscriptions: int = 10_000
    """Subscriptions to change notices that are open on one server, on all its connections together."""

    subscribed_bytes: int = 64 * MIB
    """Bytes that those may hold on to: what they listen to is kept, and once more what waits to be sent."""

    listen_topics: int = 1024
    """Resources and tasks that one listen may name."""

    connections: int = 10_000
    """HTTP connections open at once on one process; each costs some 10 KiB, and a descriptor."""

    connections_per_address: int = 500
    """Those of one address (of one /64 network with IPv6), so that nobody takes all; not of loopback, nor of a proxy."""

    head_seconds: float = 10.0
    """How long the head of a request may take, and a fresh connection may say nothing: a head is a packet or two."""

    head_bytes: int = 16 * 1024
    """Longest head of a request: target and header fields; the longest that honest clients send carry a token of 8 KiB."""

    head_fields: int = 100
    """Header fields of a request; honest clients send about 20."""

    body_seconds: float = 60.0
    """How long the body of a request may take: the longest one that is read, at half a megabit a second."""

    body_rate: int = 1024
    """Bytes a second that a body must bring on average once `head_seconds` have gone by: who trickles is not waited for."""

    idle_seconds: float = 15.0
    """How long a connection is kept between two requests."""

    proxied_idle_seconds: float = 90.0
    """The same behind a proxy: longer than proxies keep theirs (nginx 60), or they would use one just as it closes."""

    stalled_seconds: float = 30.0
    """How long a client may take nothing of what is sent to it before its connection is cut."""

    pipelined: int = 16
    """Requests of one HTTP connection that wait for their turn; honest clients wait for the answer."""

    requests_at_once: int = 1024
    """Requests under way at once over HTTP on one server, subscriptions not counted; more are told to come again (503).

    With authorization one principal has half.
    """

    keep_alive_seconds: float = 15.0
    """How long a stream of events may be silent: proxies give up after 30 to 60 seconds."""

    older_sessions: int = 1000
    """Sessions of the older era that one process holds over HTTP; beyond that whoever has most loses one."""

    older_sessions_of_one: int = 250
    """Those of one principal, with authorization; beyond that its own that was used longest ago goes, and nobody else's."""

    older_handshake_bytes: int = 64 * 1024
    """Longest handshake, of which a session keeps what the client says of itself; honest ones are a few hundred bytes."""

    older_subscribed_bytes: int = 128 * 1024
    """Bytes of the addresses that one session has subscribed to: `listen_topics` of them, at some hundred bytes each."""

    older_idle_seconds: float = 1800.0
    """How long such a session may be unused; its client begins a new one when it is told that it is gone."""

    older_requests_of_one: int = 512
    """Of `requests_at_once` in the older era, those of one principal: leaving ends nothing there, and nobody takes all."""

    older_batch_messages: int = 100
    """Messages of one batch: clients that had batches put a handful into one, and all are counted as one message is."""

    older_batch_bytes: int = 8 * MIB
    """Bytes of the answers to one batch, which are held until the last has come: twice the longest message that is read."""

    older_waiting: int = 64
    """Calls of one session of the older era that wait for answers of their client: a person answers one after the other."""

    older_waiting_of_one: int = 256
    """Those of one principal in all its sessions, a quarter of what all may have; each counts for every 64 KiB it keeps."""

    older_absent_seconds: float = 60.0
    """How long such a call waits for a client that has left its stream: clients come back within seconds."""

    older_replay_bytes: int = 256 * 1024
    """Bytes sent on a stream of the older era that are kept, for a client that lost the connection and comes back."""

    older_unsent_bytes: int = 4 * MIB
    """Bytes that wait on such a stream while its client is away: one answer as long as the longest message that is read."""

    older_kept_bytes: int = 64 * MIB
    """Bytes of all such streams together, in all sessions; beyond that whoever keeps most loses what it kept first."""

    revoked_seconds: float = 3.0
    """How long a subscription or a call may go on before its token is asked for again: with the two seconds for which a file
    of tokens is not looked at again, it outlives a token that was revoked by five at most."""

    tasks: int = 10_000
    """Tasks that a store keeps, those that have ended among them, until their time is up."""

    tasks_of_one: int = 1_000
    """Those of one principal, so that nobody takes all."""

    tasks_bytes: int = 256 * MIB
    """Bytes of all that are kept, before no more are; those that run may still bring their results."""

    task_bytes: int = 4 * MIB
    """Longest result that a task may have: as long as the longest message that a server reads."""

    tasks_running: int = 256
    """Handlers that run as tasks in one process; a plain one holds a thread. With authorization one principal has half."""

    task_seconds: float = 3600.0
    """How long a task is kept from its creation: whoever has not come for it within the hour has gone."""

    task_poll_seconds: float = 1.0
    """How often clients are told to ask after a task."""

    task_lost_seconds: float = 10.0
    """How long a process that runs tasks may show no sign of life; it gives five in this time."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not getattr(self, name) > 0:
                raise ValueError(f"the limit {name} must be positive")


DEFAULT_LIMITS = Limits()


def share_of(whole: int) -> int:
    """Give what one principal may have of a limit, where principals are known by their tokens: half of the whole.

    One that is alone should get much done, and what it does must leave room for the others, whom nobody counts beforehand.
    """
    return max(1, whole // 2)
