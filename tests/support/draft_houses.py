"""A folder with one document and the drafts of an editor in it, and the codes of their refusals."""

from pathlib import Path
from typing import Any

import pytest

from readingroom.library import DraftEdit, DraftRefused, Drafts, Library, Principal, Rules
from readingroom.library.drafts.codes import DRAFT_CODES
from readingroom.library.ledger import digest_of

TEXT = b"# Title\r\n\r\none\r\ntwo\r\n"
REVISION = digest_of(TEXT)


class House:
    """A folder with one document, its library and the drafts of an editor; every operation has a key of its own."""

    def __init__(self, place: Path) -> None:
        self.root = place / "docs"
        self.place = place
        self.root.mkdir()
        (self.root / "a.md").write_bytes(TEXT)
        self.now = 1000.0
        self.keys = 0
        self.library = self.opened()
        self.drafts = self.of("desk")

    def opened(self) -> Library:
        """The library, opened anew."""
        rules = Rules(leave_out=("private/",), max_file_bytes=2_000_000)
        return Library.open(
            self.root,
            rules=rules,
            roles=("reader", "editor"),
            cache=self.place / "cache",
            ledger=self.place / "ledger",
            clock=lambda: self.now,
        )

    def of(self, name: str) -> Drafts:
        """The drafts of an editor."""
        return self.library.drafts(Principal(name, "editor"))

    def key(self) -> str:
        """A key that was not used before."""
        self.keys += 1
        return f"operation-{self.keys}"

    def create(self, kind: Any = "edit", path: str = "a.md", **arguments: Any) -> Any:
        """A draft, by default an edit of the document."""
        if kind == "edit" and "edits" not in arguments:
            arguments["edits"] = (DraftEdit("one", "1"),)
        if kind != "create":
            arguments.setdefault("base_revision", REVISION)
        return self.drafts.create(self.key(), kind, path=path, **arguments).draft

    def update(self, draft: str, revision: int, **arguments: Any) -> Any:
        """The draft after an update."""
        return self.drafts.update(self.key(), draft, revision, **arguments).draft

    def kept(self, draft: str) -> Any:
        """The draft as the ledger has it."""
        with self.library.ledger.reading() as look:
            return look.draft(draft)


def _sentences(text: str) -> list[str]:
    return text.removesuffix(".").split(". ")


def code(ask: Any) -> str:
    """The code of a refusal; each has a line in the table, and says what is wrong apart from what to do."""
    with pytest.raises(DraftRefused) as caught:
        ask()
    told = caught.value.advice or DRAFT_CODES[caught.value.code]
    assert not {*_sentences(told)} & {*_sentences(str(caught.value))}
    for word in ("Nothing was kept", "choose", "Choose", "ropose a", "leave it out", "Make it"):
        assert word not in str(caught.value)
    return caught.value.code
