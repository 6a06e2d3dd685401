"""An app that listens to its draft is told when the person decides on it in another process, on both carriers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from readingroom.library.ledger import Draft
from readingroom.library.operator import DecisionKey
from support.carriers import ACKNOWLEDGED, Http, Stdio, over_http, token
from support.messages import message
from support.publishing import Desk

Hear = Callable[[], dict[str, Any]]
PREFIX = "library:///.draft/"


class Room:
    """A folder, its ledger with the drafts of `editor` and `other`, and an operator who may decide."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.desk = Desk(place)
        self.desk.write("fees.md", b"# Fees\n\nTen cents.\n")
        self.key: DecisionKey = self.desk.begin()
        self.drafts = [
            self.desk.draft("replace", "fees.md", b"# Fees\n\nNone.\n"),
            self.desk.draft("create", "n.md", b"x"),
        ]
        self.arguments = [
            str(self.desk.docs),
            *("--cache", str(place / "cache")),
            *("--ledger", str(place / "ledgers")),
            *("--role", "editor"),
        ]

    def publish(self, draft: Draft) -> None:
        """Publish a draft, in this process."""
        assert self.desk.publish(draft, self.key).code == ""

    def reject(self, draft: Draft) -> None:
        """Reject a draft, in this process."""
        self.desk.operator.reject([self.desk.approval(draft)], self.key, "not now")


@contextmanager
def on_stdio(room: Room, principal: str, uris: list[str]) -> Iterator[tuple[Hear, Any]]:
    """Listen on stdin and stdout; gives what hears, and who asks."""
    at = Stdio(*room.arguments, "--principal", principal)
    told = at.ask("subscriptions/listen", notifications={"resourceSubscriptions": uris})
    assert told["method"] == ACKNOWLEDGED
    yield at.hear, at
    at.close()


@contextmanager
def on_http(room: Room, principal: str, uris: list[str]) -> Iterator[tuple[Hear, Any]]:
    """Listen over HTTP, with a token of that principal."""
    tokens = room.place / "private" / "tokens.json"
    secret = token(tokens, "editor", principal)
    env = {"XDG_DATA_HOME": str(room.place / "data")}
    with over_http(*room.arguments, "--tokens", str(tokens), env=env) as port:
        at = Http(port, secret)
        listen = message(1, "subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
        with at.sent(listen) as (status, messages):
            assert status == 200
            assert next(messages)["method"] == ACKNOWLEDGED
            yield lambda: next(messages), at


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """The room."""
    return Room(tmp_path)


@pytest.mark.parametrize("carrier", [on_stdio, on_http], ids=["stdio", "http"])
def test_a_decision_is_told(room: Room, carrier: Any) -> None:
    """Publishing and rejecting; what is read afterwards has the new state and the comment."""
    first, second = room.drafts
    with carrier(room, "editor", [PREFIX + draft.id for draft in room.drafts]) as (hear, at):
        for decide, draft, words in (
            (room.publish, first, "A person has published it."),
            (room.reject, second, "> not now"),
        ):
            # The first look must have been: nothing but the decision is to be told.
            at.ask("tools/call", name="draft_list", arguments={})
            decide(draft)
            told = hear()
            assert (told["method"], told["params"]["uri"]) == (
                "notifications/resources/updated",
                PREFIX + draft.id,
            )
            contents = at.ask("resources/read", uri=PREFIX + draft.id)["result"]["contents"][0]
            assert words in contents["text"]


@pytest.mark.parametrize("carrier", [on_stdio, on_http], ids=["stdio", "http"])
def test_nobody_else_is_told(room: Room, carrier: Any) -> None:
    """Who listens to another's draft hears nothing of it: the next that comes is a notice of the listener's own."""
    first, second = room.drafts
    with room.desk.ledger.writing() as writing:
        from msgspec.structs import replace

        writing.put_draft(replace(second, principal="other"))
    with carrier(room, "other", [PREFIX + draft.id for draft in room.drafts]) as (hear, _):
        room.publish(first)
        room.reject(room.desk.read(second.id))
        assert hear()["params"]["uri"] == PREFIX + second.id
