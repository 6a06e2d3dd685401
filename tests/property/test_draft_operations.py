"""Drafts against a model: whatever is created, changed, withdrawn, sent again and lost from memory, each key counts once."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from readingroom.library import DraftEdit, DraftRefused, Library, Principal
from readingroom.library.ledger import digest_of

KEYS = st.sampled_from([f"operation-{number}" for number in range(6)])
NAMES = st.sampled_from(["a.md", "b.md", "c.md"])
WORDS = st.sampled_from(["one", "two", "three"])
EDITORS = st.sampled_from(["desk", "other"])


class Drafting(RuleBasedStateMachine):
    """Two editors of one folder. The model knows which call each key was used for, its answer, and every draft."""

    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.root = Path(self.place.name) / "docs"
        self.root.mkdir()
        self.library = self.opened()
        self.calls: dict[tuple[str, str], tuple[Any, Any]] = {}
        self.drafts: dict[str, tuple[str, int, str, bytes | None]] = {}

    def opened(self) -> Library:
        """The library, opened anew."""
        return Library.open(self.root, roles=("editor",), ledger=Path(self.place.name) / "ledger")

    def teardown(self) -> None:
        """Close it."""
        self.library.close()
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
    def crash(self) -> None:
        """Whatever is not on the disk is lost, and the ledger is opened anew."""
        self.library = self.opened()

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
            door = self.library.drafts(Principal(editor, "editor"))
            return getattr(door, method)(key, *arguments, **named)

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
            found = self.library.drafts(Principal(editor, "editor")).list(limit=100).items
            assert {item.id: item.draft_revision for item in found} == {
                name: draft[1] for name, draft in own.items()
            }
            for item in found:
                assert (
                    item.state in ("open", "outdated")
                    if own[item.id][2] == "open"
                    else item.state == own[item.id][2]
                )
        with self.library.ledger.reading() as look:
            for name, draft in self.drafts.items():
                kept = look.draft(name)
                assert kept is not None
                assert kept.content == draft[3]
        assert {path.name for path in self.root.iterdir()} <= {"a.md", "b.md", "c.md"}


def _answer(ask: Any) -> Any:
    try:
        return ask()
    except DraftRefused as error:
        return error


Drafting.TestCase.settings = settings(max_examples=60, stateful_step_count=25)
TestDrafting = Drafting.TestCase
