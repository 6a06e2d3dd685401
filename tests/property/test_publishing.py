"""Publishing as a machine of states: decisions, crashes and other programs in any order, against a model of the folder."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from readingroom.library.ledger import digest_of
from support.disks import FailingDisk
from support.publishing import MEMORY, Desk
from support.stopping import Points, Stopped, hooked, stop

PATHS = ("a.md", "x/b.md", "x/y/c.md", "ä.md")
paths = st.sampled_from(PATHS)
contents = st.integers(0, 3).map(lambda number: b"# Version %d\n" % number)


class Publishing(RuleBasedStateMachine):
    """`right` is what the decisions say of the folder, `there` what stands in it; others change only the latter."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        self.place = Path(self._folder.name)
        self.disk = FailingDisk("unsynced")
        self.desk = Desk(self.place / "state", vfs="unsynced")
        self.key = self.desk.begin()
        self.right: dict[str, bytes] = {}
        self.there: dict[str, bytes] = {}
        self.drafts: list[Any] = []
        self.undoable: dict[int, tuple[dict[str, bytes | None], dict[str, bytes | None]]] = {}

    def teardown(self) -> None:
        """Close what was opened."""
        self.desk.ledger.close()
        self.disk.unregister()
        self._folder.cleanup()

    @rule(path=paths, content=contents)
    def another_program_writes(self, path: str, content: bytes) -> None:
        """A file is written past Reading Room."""
        self.desk.write(path, content)
        self.there[path] = content

    @rule(path=paths)
    def another_program_removes(self, path: str) -> None:
        """A file, or a folder with all that is in it."""
        folder = self.desk.docs / path.split("/")[0]
        if folder.is_dir():
            shutil.rmtree(folder)
        else:
            folder.unlink(missing_ok=True)
        gone = [name for name in self.there if name.split("/")[0] == path.split("/")[0]]
        for name in gone:
            del self.there[name]

    @rule(
        path=paths,
        to=paths,
        content=contents,
        kind=st.sampled_from(("create", "replace", "rename", "delete")),
    )
    def an_editor_proposes(self, path: str, to: str, content: bytes, kind: Any) -> None:
        """A draft against the folder as it is."""
        if kind == "create":
            self.drafts.append(self.desk.draft("create", path, content))
        elif path in self.there and (kind != "rename" or to != path):
            proposed = content if kind == "replace" else None
            if proposed != self.there[path]:
                self.drafts.append(self.desk.draft(kind, path, proposed, to if kind == "rename" else ""))

    @precondition(lambda self: self.drafts)
    @rule(data=st.data(), crash=st.none() | st.integers(1, 45))
    def the_operator_publishes(self, data: st.DataObject, crash: int | None) -> None:
        """What fits is published, what does not is refused, and a crash leaves one of the two."""
        draft = data.draw(st.sampled_from(self.drafts))
        before, after = self._change(draft)
        fits = draft.state == "open" and all(self.there.get(path) == was for path, was in before.items())
        number = self._decide(lambda: self.desk.publish(draft, self.key), crash)
        assert number is None or fits
        assert number is not None or not fits or crash is not None
        self._done(number, before, after)
        now = self.desk.read(draft.id)
        assert (now.state == "published") == (number is not None or draft.state == "published")
        self.drafts = [replace(now) if one.id == draft.id else one for one in self.drafts]

    def _change(self, draft: Any) -> tuple[dict[str, bytes | None], dict[str, bytes | None]]:
        if draft.kind == "rename":
            moved = draft.base_content
            return {draft.path: moved, draft.to: None}, {draft.path: None, draft.to: moved}
        return {draft.path: draft.base_content}, {draft.path: draft.content}

    @precondition(lambda self: self.undoable)
    @rule(data=st.data(), crash=st.none() | st.integers(1, 45))
    def the_operator_undoes(self, data: st.DataObject, crash: int | None) -> None:
        """As long as the file is as the decision left it."""
        undone = data.draw(st.sampled_from(sorted(self.undoable)))
        before, after = self.undoable[undone]
        fits = all(self.there.get(path) == was for path, was in after.items())
        number = self._decide(lambda: self.desk.operator.undo(undone, self.key), crash)
        assert number is None or fits
        assert number is not None or not fits or crash is not None
        if number is not None:
            del self.undoable[undone]
        self._done(number, after, before)

    def _decide(self, decide: Any, crash: int | None) -> int | None:
        """The number of the decision if it was kept, as the next start finds it."""
        last = len(self.desk.operator.history(limit=10_000))
        if crash is None:
            outcome = decide()
            assert outcome.notes == ()
        else:
            try:
                with hooked(Points(crash, stop, every=True)):
                    decide()
            except Stopped:
                pass
            self.desk.ledger.close()
            self.desk = self._opened_anew()
            self.desk.operator.recover()
        decisions = self.desk.operator.history(limit=10_000)
        assert len(decisions) - last in (0, 1)
        return decisions[-1].number if len(decisions) > last else None

    def _opened_anew(self) -> Desk:
        made = self.desk._made
        desk = Desk(self.place / "state", vfs="unsynced")
        desk._made = made
        return desk

    def _done(self, number: int | None, before: Any, after: Any) -> None:
        if number is None:
            return
        self.undoable[number] = (before, after)
        for path, content in after.items():
            for model in (self.right, self.there):
                model.pop(path, None)
                if content is not None:
                    model[path] = content

    @rule()
    def the_operator_accepts(self) -> None:
        """The folder as it is now is right."""
        self.desk.operator.accept(self.key)
        self.right = dict(self.there)

    @invariant()
    def the_folder_is_as_it_should_be(self) -> None:
        """Every file has the bytes that the model has, and nothing hidden is left; so says `verify`."""
        tree = self.desk.tree()
        assert {path: content for path, content in tree.items() if content is not None} == self.there
        assert self.desk.under_way() == 0
        verified = self.desk.operator.verify(self.key)
        assert verified.journal == ()
        assert verified.drafts == ()
        named = {fault.path: (fault.expected, fault.found) for fault in verified.files}
        wrong = {
            path: (_digest(self.right.get(path)), _digest(self.there.get(path)))
            for path in {*self.right, *self.there}
            if self.right.get(path) != self.there.get(path)
        }
        assert named == wrong


def _digest(content: bytes | None) -> str | None:
    return None if content is None else digest_of(content)


TestPublishing = Publishing.TestCase
TestPublishing.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
