"""Drafts against a model: whatever is created, changed, withdrawn, sent again and lost from memory, each key counts once."""

import random
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from readingroom.library import DraftEdit, DraftRefused, Drafts, LedgerUnusable, Principal, Rules
from readingroom.library.drafts.standing import Standing
from readingroom.library.ledger import Ledger, connections, digest_of
from readingroom.library.rules import MAX_FILE_BYTES
from support.disks import Image, LosingDisk

KEYS = st.sampled_from([f"operation-{number}" for number in range(6)])
NAMES = st.sampled_from(["a.md", "b.md", "c.md"])
WORDS = st.sampled_from(["one", "two", "three"])
EDITORS = st.sampled_from(["desk", "other"])


_machines = count()


class Drafting(RuleBasedStateMachine):
    """Two editors of one folder, on a disk that loses power: what was not synced is then gone, there, or torn.

    The model knows which call each key was used for, its answer, and every draft.
    """

    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.root = Path(self.place.name) / "docs"
        self.root.mkdir()
        self.vfs = f"losing-{next(_machines)}"
        self.disk = LosingDisk(self.vfs, self.event)
        self.chance = random.Random(7)
        self.losses = 0
        self.until_loss = -1
        self.image: Image | None = None
        self.ledger = self.opened()
        self.standing = Standing(self.root, Rules())
        self.calls: dict[tuple[str, str], tuple[Any, Any]] = {}
        self.drafts: dict[str, tuple[str, int, str, bytes | None]] = {}

    def opened(self) -> Ledger:
        """The ledger as it is on the disk that is there after the last loss."""
        folder = Path(self.place.name) / f"ledger-{self.losses}"
        return Ledger.open(self.root, folder, vfs=self.vfs)

    def door(self, editor: str) -> Drafts:
        """The drafts of an editor."""
        return Drafts(Principal(editor, "editor"), lambda: self.ledger, self.standing, MAX_FILE_BYTES)

    def event(self) -> None:
        """Something is about to be written or synced."""
        self.until_loss -= 1
        if self.until_loss == 0:
            self.image = self.disk.lose("random", self.chance)

    def teardown(self) -> None:
        """Close it."""
        self.ledger.close()
        self.disk.unregister()
        self.place.cleanup()

    @initialize()
    def begin(self) -> None:
        """One document is there."""
        (self.root / "a.md").write_bytes(b"one\r\ntwo\r\n")

    @rule(name=NAMES, words=st.lists(WORDS, max_size=3, unique=True))
    def write(self, name: str, words: list[str]) -> None:
        """Somebody saves a document."""
        (self.root / name).write_bytes("\r\n".join(words).encode())

    @rule()
    def end(self) -> None:
        """The process ends, and another one opens the ledger."""
        self.ledger.close()
        self.ledger = self.opened()

    @rule(how=st.sampled_from(["none", "all", "random"]))
    def lose_power(self, how: str) -> None:
        """Between two calls."""
        self.go_on_from(self.disk.lose(how, self.chance))

    @rule(editor=EDITORS, key=KEYS, name=NAMES, word=WORDS, at=st.integers(1, 12))
    def lose_power_in_between(self, editor: str, key: str, name: str, word: str, at: int) -> None:
        """While a call is carried out, which is then sent again: whether it was kept or not, it is done once."""
        image = self.lost_in(lambda: self.door(editor).create(key, "create", path=name, content=word), at)
        if image is None:  # it was over by then
            self.create(editor, key, name, word)
            return
        self.go_on_from(image)
        before = {item.id for item in self.door(editor).list(limit=100).items} - set(self.drafts)
        answer = _answer(lambda: self.door(editor).create(key, "create", path=name, content=word))
        if isinstance(answer, DraftRefused) or (editor, key) in self.calls:
            assert before == set()
            return
        assert answer.replayed == bool(before)
        assert before <= {answer.draft.id}
        self.calls[editor, key] = (
            ("create", name, word),
            (lambda: self.door(editor).create(key, "create", path=name, content=word), answer),
        )
        self.drafts[answer.draft.id] = editor, 1, "open", word.encode()

    def lost_in(self, call: Any, at: int) -> Image | None:
        """What is left when power is lost at an event of a call, if it has so many."""
        self.image, self.until_loss = None, at
        _answer(call)
        self.until_loss = -1
        return self.image

    def go_on_from(self, image: Image) -> None:
        """Open what is left on the disk."""
        name = self.ledger.path.parent.name
        self.ledger.close()
        self.losses += 1
        place = Path(self.place.name) / f"ledger-{self.losses}" / name
        place.mkdir(parents=True)
        for file, content in image.items():
            (place / file).write_bytes(content)
        _adopt(self.disk, place)
        self.ledger = self.opened()

    @rule(editor=EDITORS, key=KEYS, name=NAMES, old=WORDS, new=WORDS)
    def edit(self, editor: str, key: str, name: str, old: str, new: str) -> None:
        """Propose an edit of a document as it is now."""
        data = self.data(name)
        arguments = {"path": name, "base_revision": digest_of(data), "edits": (DraftEdit(old, new),)}
        content = data.replace(old.encode(), new.encode()) if data.count(old.encode()) == 1 else data
        self.ask(
            editor, key, ("edit", tuple(arguments.values())), "create", ("edit",), arguments, content, data
        )

    @rule(editor=EDITORS, key=KEYS, name=NAMES, word=WORDS)
    def create(self, editor: str, key: str, name: str, word: str) -> None:
        """Propose a new document."""
        arguments = {"path": name, "content": word}
        content = word.encode()
        is_there = (self.root / name).exists()
        self.ask(
            editor,
            key,
            ("create", name, word),
            "create",
            ("create",),
            arguments,
            content,
            content if is_there else None,
        )

    @rule(editor=EDITORS, key=KEYS, number=st.integers(0, 5), note=WORDS, is_stale=st.booleans())
    def update(self, editor: str, key: str, number: int, note: str, *, is_stale: bool) -> None:
        """Change the note of some draft, its own or not, by its revision or one that is not any more."""
        name = self.some(number)
        revision = self.drafts[name][1] - is_stale if name in self.drafts else 1
        call = ("update", name, revision, note)
        self.ask(editor, key, call, "update", (name, revision), {"note": note})

    @rule(editor=EDITORS, key=KEYS, number=st.integers(0, 5))
    def withdraw(self, editor: str, key: str, number: int) -> None:
        """Take some draft back, one's own or not."""
        name = self.some(number)
        self.ask(editor, key, ("withdraw", name), "withdraw", (name,), {})

    @rule(editor=EDITORS, key=KEYS)
    def send_again(self, editor: str, key: str) -> None:
        """The call that a key was used for, exactly as it was."""
        if (editor, key) in self.calls:
            _, (again, answer) = self.calls[editor, key]
            found = again()
            assert found.replayed
            assert found.draft == answer.draft

    def ask(
        self,
        editor: str,
        key: str,
        call: Any,
        method: str,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
        content: bytes | None = None,
        before: bytes | None = None,
    ) -> None:
        """Make a call, and see that it is answered as the model says."""

        def again() -> Any:
            return getattr(self.door(editor), method)(key, *arguments, **named)

        known = self.calls.get((editor, key))
        answer = _answer(again)
        if isinstance(answer, DraftRefused):
            is_reused = known is not None and known[0] != call
            assert (answer.code == "operation_reused") == is_reused, answer.code
            return
        if known is not None:
            assert known[0] == call
            assert answer.replayed
            assert answer.draft == known[1][1].draft
            return
        assert not answer.replayed
        self.calls[editor, key] = call, (again, answer)
        self.learn(editor, method, answer.draft, content, before)

    def learn(
        self, editor: str, method: str, draft: Any, content: bytes | None, before: bytes | None
    ) -> None:
        """What a call that was carried out has changed."""
        if method == "create":
            assert draft.id not in self.drafts
            assert content != before
            self.drafts[draft.id] = editor, 1, "open", content
            return
        owner, revision, state, kept = self.drafts[draft.id]
        assert (owner, state) == (editor, "open")
        after = (revision + 1, "open") if method == "update" else (revision, "withdrawn")
        self.drafts[draft.id] = editor, *after, kept

    def some(self, number: int) -> str:
        """A draft that is there, or none."""
        names = list(self.drafts)
        return names[number % len(names)] if names else "d-none"

    def data(self, name: str) -> bytes:
        """What stands in a file."""
        path = self.root / name
        return path.read_bytes() if path.exists() else b""

    @invariant()
    def everything_acknowledged_is_kept(self) -> None:
        """And nothing else, each for its owner alone, and no file but those that somebody saved."""
        for editor in ("desk", "other"):
            own = {name: draft for name, draft in self.drafts.items() if draft[0] == editor}
            found = self.door(editor).list(limit=100).items
            assert {item.id: item.draft_revision for item in found} == {
                name: draft[1] for name, draft in own.items()
            }
            for item in found:
                assert (
                    item.state in ("open", "outdated")
                    if own[item.id][2] == "open"
                    else item.state == own[item.id][2]
                )
        with self.ledger.reading() as look:
            for name, draft in self.drafts.items():
                kept = look.draft(name)
                assert kept is not None
                assert kept.content == draft[3]
        assert {path.name for path in self.root.iterdir()} <= {"a.md", "b.md", "c.md"}


def _adopt(disk: LosingDisk, place: Path) -> None:
    """What lies there is on the disk for certain."""
    disk.names, disk.durable = {}, {}
    for path in place.iterdir():
        inode = disk.durable[str(path)] = disk.inode(str(path))
        inode.durable[:] = path.read_bytes()


def _answer(ask: Any) -> Any:
    try:
        return ask()
    except DraftRefused as error:
        return error


Drafting.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
TestDrafting = Drafting.TestCase


def test_a_ledger_that_does_not_sync_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same model finds what such a ledger loses."""
    off = connections._SETTINGS.replace("synchronous=EXTRA", "synchronous=OFF")
    assert off != connections._SETTINGS
    monkeypatch.setattr(connections, "_SETTINGS", off)
    tried = settings(max_examples=40, stateful_step_count=25, phases=[Phase.generate], print_blob=False)
    with pytest.raises((AssertionError, LedgerUnusable)):
        run_state_machine_as_test(Drafting, settings=tried)
