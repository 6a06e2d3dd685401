"""A desk's server that is asked over messages, as any principal, with a real library and its ledger behind it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from readingroom import Server
from readingroom.desk import open_desk
from readingroom.desk.editing import Editing
from readingroom.library import DraftFollower, Library, Principal, Role
from readingroom.library.ledger import Draft
from readingroom.server import Connection, Flight, Reply, Subscription

from .messages import frame
from .shelves import Shelves

KEY = b"k" * 32


class Desk:
    """Sends requests to a server and gives the answers."""

    def __init__(self, app: Server) -> None:
        self.app = app
        self.dispatcher = app.dispatcher()
        self.connection = Connection(self.dispatcher.capabilities)

    def raw(self, method: str, members: dict[str, Any], principal: str = "me") -> bytes:
        """Send one request; the bytes of its answer."""
        flight = self.connection.receive(frame(1, method, members))
        if isinstance(flight, Reply):
            return flight.frame
        assert isinstance(flight, Flight)
        try:
            work = self.dispatcher.route(flight.request, principal)
        except Exception as error:  # noqa: BLE001  -- as a carrier does
            answered: bytes | None = self.dispatcher.refused(flight.request, error)
        else:
            ctx = self.dispatcher.context(flight.request, flight, lambda *_: None, principal)
            answered = self.dispatcher.run(work, ctx)
        self.connection.settle(flight)
        assert answered is not None
        return answered

    def ask(self, method: str, principal: str = "me", **members: Any) -> dict[str, Any]:
        """Send one request; its answer."""
        answer: dict[str, Any] = json.loads(self.raw(method, members, principal))
        return answer

    def tool(self, name: str, principal: str = "me", **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        result: dict[str, Any] = self.ask("tools/call", principal, name=name, arguments=arguments)["result"]
        return result

    def listen(self, principal: str = "me", **wanted: Any) -> Subscription:
        """Open a subscription."""
        flight = Connection(self.dispatcher.capabilities).receive(
            frame(1, "subscriptions/listen", {"notifications": wanted})
        )
        assert isinstance(flight, Flight)
        return self.dispatcher.listen(flight.request, principal, lambda: None)


def heard(subscription: Subscription) -> list[str]:
    """The addresses that a listener is told of now."""
    return [json.loads(line)["params"]["uri"] for line in subscription.take()]


def desk_over(library: Library, role: Role) -> Desk:
    """A desk for one role, as `serve` puts it together."""

    def follower(told: Any) -> DraftFollower:
        return DraftFollower(library.draft_states, told)

    def doors() -> Editing:
        return Editing(lambda name: library.drafts(Principal(name, "editor")), follower)

    app = open_desk(
        lambda: library.view(Principal("me", role)),
        version="1.0.0",
        cursor_key=KEY,
        follow=lambda make: library.follow(role, make()),
        editing=doors() if role == "editor" else None,
    )
    return Desk(app)


@contextmanager
def editors_library(shelves: Shelves, **given: Any) -> Iterator[Library]:
    """The library over a folder with its ledger beside it, scanned, for readers and editors."""
    library = Library.open(
        shelves.docs,
        cache=shelves.cache,
        roles=("reader", "editor"),
        ledger=shelves.docs.parent / "ledger",
        **given,
    )
    library.reconcile()
    yield library
    library.close()


def decide(library: Library, draft: str, state: str, comment: str = "") -> Draft:
    """Decide on a draft as the operator does in the ledger, without the folder; the draft as it is then."""
    with library.ledger.writing() as writing:
        found = writing.draft(draft)
        assert found is not None
        at = max(found.changed, 9e9)
        decided = msgspec.structs.replace(found, state=state, comment=comment, decided=at)
        writing.put_draft(decided)
    return decided
