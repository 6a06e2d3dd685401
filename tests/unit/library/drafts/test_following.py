"""Changes of drafts are told to who watches them, whichever process wrote, and nothing is looked at for nobody."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from readingroom.library import DraftFollower, FolderUnusable, LedgerBusy
from readingroom.library.drafts import following
from readingroom.library.drafts.following import DraftStates
from readingroom.library.drafts.model import PREFIX, DraftState
from readingroom.library.ledger import Decision, Draft, Ledger
from support.ledgers import a_draft, a_publication
from support.processes import PATIENCE, until

ONE, TWO = "d-" + "a" * 26, "d-" + "b" * 26
LONG_AGO = 1_000.0

_DECIDE = """
import sys, time
from pathlib import Path
import msgspec
from readingroom.library.ledger import Ledger
ledger = Ledger.open(Path(sys.argv[1]), Path(sys.argv[2]))
with ledger.writing() as writing:
    draft = writing.draft(sys.argv[3])
    writing.put_draft(msgspec.structs.replace(draft, state="rejected", comment="no", decided=time.time()))
"""


def draft(name: str = ONE, principal: str = "desk", changed: float = LONG_AGO) -> Draft:
    """A draft of some time ago."""
    return a_draft(name, b"x", principal=principal, created=changed, changed=changed)


class Room:
    """A ledger in a folder, a follower of it, and what it told."""

    def __init__(self, place: Path) -> None:
        self.root, self.folder = place / "docs", place / "data"
        self.root.mkdir()
        self.ledger = Ledger.open(self.root, self.folder)
        self.generation, self.states = "1", dict[str, DraftState]()
        self.standing = set[str]()
        self.told: list[tuple[str, str]] = []
        self.opened = 0
        self.follower = DraftFollower(
            self.looked_at, lambda uri, principal: self.told.append((uri, principal))
        )

    def looked_at(self) -> DraftStates:
        """Give what is looked at, and count."""
        self.opened += 1
        return DraftStates(self.ledger, self.state_of, self.generation_now, self.standing.__contains__)

    def state_of(self, draft: Draft) -> DraftState:
        """The state of a draft by documents that there are not."""
        if self.generation == "gone":
            raise FolderUnusable("gone")
        return self.states.get(draft.id, draft.state)

    def generation_now(self) -> str:
        """The name of the set of documents."""
        if self.generation == "gone":
            raise FolderUnusable("gone")
        return self.generation

    def put(self, value: Draft) -> None:
        """Keep a draft."""
        with self.ledger.writing() as writing:
            writing.put_draft(value)

    def is_known(self, uri: str) -> bool:
        """Whether the follower has looked at it."""
        return not self.follower._watched[uri].is_new


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A room with two drafts of two principals."""
    made = Room(tmp_path)
    made.put(draft())
    made.put(draft(TWO, "other"))
    yield made
    made.follower.stop()
    made.ledger.close()


def test_each_change_is_told_once_with_the_draft_s_principal(room: Room) -> None:
    """By the address as it was asked for; what did not change, and what is not watched, is not told."""
    one, two = PREFIX + ONE, PREFIX + TWO.replace("-", "%2D")
    for uri in (one, two):
        room.follower.watch(uri)
    until(lambda: room.is_known(one) and room.is_known(two))
    assert room.told == []
    room.put(msgspec.structs.replace(draft(), state="withdrawn"))
    until(lambda: room.told == [(one, "desk")])
    room.follower.unwatch(one)
    room.put(draft())
    room.put(msgspec.structs.replace(draft(TWO, "other"), revision=2))
    until(lambda: room.told == [(one, "desk"), (two, "other")])


def test_another_process_s_decision_is_told(room: Room) -> None:
    """Whoever has written."""
    room.follower.watch(PREFIX + ONE)
    until(lambda: room.is_known(PREFIX + ONE))
    command = [sys.executable, "-c", _DECIDE, str(room.root), str(room.folder), ONE]
    subprocess.run(command, check=True, timeout=PATIENCE)
    until(lambda: room.told == [(PREFIX + ONE, "desk")])


def test_what_changed_just_before_the_first_look_is_told(room: Room) -> None:
    """For who began to watch may have read it before."""
    room.put(msgspec.structs.replace(draft(), decided=9e9, state="published"))
    room.follower.watch(PREFIX + ONE)
    until(lambda: room.told == [(PREFIX + ONE, "desk")])


def test_what_leads_to_no_draft_is_watched_and_never_told(room: Room) -> None:
    """And what is no draft's address is not followed."""
    nobody = PREFIX + "d-" + "c" * 26
    room.follower.watch(nobody)
    until(lambda: room.is_known(nobody))
    assert room.told == []
    for uri, follows in (
        (nobody, True),
        (PREFIX, False),
        ("library:///a.md", False),
        ("library:///%zz", False),
    ):
        assert DraftFollower.follows(uri) is follows
    assert not any(map(DraftFollower.follows, ("library:///.id/x", "file:///.draft/x", "d-x")))
    room.follower.watch("library:///a.md")
    assert set(room.follower._watched) == {nobody}


def test_a_draft_that_becomes_outdated_is_told(room: Room) -> None:
    """Once, when the documents have changed; while they cannot be looked at, what the ledger says is told all the same."""
    uri = PREFIX + ONE
    room.follower.watch(uri)
    until(lambda: room.is_known(uri))
    room.generation = "2"
    room.states[ONE] = "outdated"
    until(lambda: room.told == [(uri, "desk")])
    room.generation = "3"
    until(lambda: room.follower._seen is not None and room.follower._seen[1] == "3")
    assert room.told == [(uri, "desk")]
    room.generation = "gone"
    until(lambda: room.follower._seen is not None and room.follower._seen[1] == "")
    assert room.told == [(uri, "desk")]
    room.put(msgspec.structs.replace(draft(), state="rejected"))
    until(lambda: room.told == [(uri, "desk")] * 2)


def test_a_publication_is_told_once_however_long_it_takes(room: Room) -> None:
    """Its document is changed before it is decided; the draft is not outdated by that."""
    uri = PREFIX + ONE
    room.follower.watch(uri)
    until(lambda: room.is_known(uri))
    with room.ledger.writing() as writing:
        writing.begin(a_publication(draft=ONE))
    room.states[ONE] = "outdated"
    room.generation = "2"
    until(lambda: room.follower._seen is not None and room.follower._seen[1] == "2")
    assert room.told == []
    with room.ledger.writing() as writing:
        writing.put_draft(msgspec.structs.replace(draft(), state="published", decided=LONG_AGO))
        writing.end("p-1")
    del room.states[ONE]
    until(lambda: room.told == [(uri, "desk")])


@pytest.mark.parametrize("known", ["open", None])
@pytest.mark.parametrize("ended", [False, True], ids=["under way", "ended"])
def test_a_publication_that_begins_during_a_look_makes_nothing_outdated(
    room: Room, known: DraftState | None, *, ended: bool
) -> None:
    """Though the draft was read before it, and the document after it."""

    def state_of(_: Draft) -> DraftState:
        with room.ledger.writing() as writing:
            if ended:
                writing.put_draft(msgspec.structs.replace(draft(), state="published", decided=LONG_AGO))
            else:
                writing.begin(a_publication(draft=ONE))
        return "outdated"

    states = DraftStates(room.ledger, state_of, room.generation_now, room.standing.__contains__)
    assert states.read({ONE: known})[ONE].state == "open"


@pytest.mark.parametrize(("kind", "path"), [("create", "a.md"), ("rename", "b.md")])
def test_what_comes_into_a_draft_s_way_is_told(room: Room, kind: Any, path: str) -> None:
    """Though it is no document, so that nothing else says that it is there; and when it goes again."""
    uri = PREFIX + ONE
    room.put(msgspec.structs.replace(draft(), kind=kind, to="b.md" if kind == "rename" else ""))
    room.follower.watch(uri)
    until(lambda: room.is_known(uri))
    room.states[ONE] = "outdated"
    room.standing.add(path)
    until(lambda: room.told == [(uri, "desk")])
    room.states[ONE] = "open"
    room.standing.clear()
    until(lambda: room.told == [(uri, "desk")] * 2)


def test_an_undone_publication_is_told(room: Room) -> None:
    """Although the draft itself stays as it was."""
    uri = PREFIX + ONE
    published = msgspec.structs.replace(draft(), state="published", decided=LONG_AGO)
    room.put(published)
    room.follower.watch(uri)
    until(lambda: room.is_known(uri))
    assert room.told == []
    with room.ledger.writing() as writing:
        writing.append(
            Decision(number=1, at=5.0, kind="undo", operator="o", chain=1, mac=b"", draft=ONE, path="a.md")
        )
    until(lambda: room.told == [(uri, "desk")])


def test_nothing_is_looked_at_while_nobody_watches(room: Room) -> None:
    """The thread ends with the last watch, and begins anew with the next."""
    assert (room.opened, room.follower._thread) == (0, None)
    room.follower.watch(PREFIX + ONE)
    until(lambda: room.opened > 0)
    room.follower.unwatch(PREFIX + ONE)
    until(lambda: room.follower._thread is None)
    room.follower.watch(PREFIX + ONE)
    until(lambda: room.is_known(PREFIX + ONE))
    room.put(msgspec.structs.replace(draft(), revision=3))
    until(lambda: room.told == [(PREFIX + ONE, "desk")])


def test_the_drafts_are_looked_at_only_after_a_commit(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between commits a look is no more than one number."""
    monkeypatch.setattr(following, "LOOK_EVERY_S", 0.001)
    room.follower.watch(PREFIX + ONE)
    until(lambda: room.is_known(PREFIX + ONE))
    looks: list[None] = []
    reading = room.ledger.reading

    def look() -> Any:
        looks.append(None)
        return reading()

    monkeypatch.setattr(room.ledger, "reading", look)
    opened = room.opened
    until(lambda: room.opened > opened + 5)
    assert looks == []


def test_a_ledger_that_cannot_be_read_is_tried_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it raises; a fault of ours is logged, without any text of a draft."""
    monkeypatch.setattr(following, "LOOK_EVERY_S", 0.001)
    faults: list[Exception] = [RuntimeError("secret text"), LedgerBusy("busy")]

    def opened() -> DraftStates:
        if faults:
            raise faults.pop()
        return room.looked_at()

    follower = DraftFollower(opened, lambda uri, principal: room.told.append((uri, principal)))
    room.put(msgspec.structs.replace(draft(), changed=9e9))
    follower.watch(PREFIX + ONE)
    until(lambda: room.told == [(PREFIX + ONE, "desk")])
    follower.stop()
    assert [record.getMessage() for record in caplog.records] == [
        "A change of a draft could not be told (RuntimeError)."
    ]


def test_it_may_be_stopped_from_what_it_calls(room: Room) -> None:
    """It does not wait for itself, and watches nothing afterwards."""
    stopped = threading.Event()

    def stop(_uri: str, _principal: str) -> None:
        follower.stop()
        stopped.set()

    follower = DraftFollower(room.looked_at, stop)
    room.put(msgspec.structs.replace(draft(), changed=9e9))
    follower.watch(PREFIX + ONE)
    assert stopped.wait(PATIENCE)
    until(lambda: follower._thread is None)
    follower.watch(PREFIX + TWO)
    assert follower._thread is None
