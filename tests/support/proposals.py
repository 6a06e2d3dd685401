"""A folder with documents, an editor that proposes changes to it, and a ledger that keeps them."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from readingroom.library import DraftEdit, Library, Principal
from readingroom.library.ledger import Decision, Draft, Ledger
from readingroom.library.operator import journal

DOCUMENTS = {
    "a.md": "# Greetings\n\nhello world\n",
    "b.md": "# Farewells\n\nsee you\n",
    "sub/c.md": "# Other\n\nmore\n",
}


class Proposals:
    """The folder `root` under `place`, and the ledger's folder beside it."""

    def __init__(self, place: Path) -> None:
        self.root = place / "folder"
        self.ledgers = place / "ledgers"
        self._cache = place / "cache"
        self._operations = 0
        for path, text in DOCUMENTS.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(text.encode())

    @property
    def options(self) -> list[str]:
        """What a command needs to find them."""
        return [str(self.root), "--ledger", str(self.ledgers)]

    def edit(self, path: str, old: str, new: str, note: str = "") -> str:
        """Propose an edit, and give the draft's id."""
        return self.propose("edit", path=path, edits=[DraftEdit(old, new)], note=note)

    def propose(self, kind: Any, path: str, principal: str = "app", **given: Any) -> str:
        """Propose something against what is there now, and give the draft's id."""
        self._operations += 1
        base = None if kind == "create" else self.revision(path)
        with Library.open(self.root, roles=("editor",), ledger=self.ledgers, cache=self._cache) as library:
            drafts = library.drafts(Principal(principal, "editor"))
            answer = drafts.create(
                f"operation-{self._operations}", kind, path=path, base_revision=base, **given
            )
        return answer.draft.id

    def revision(self, path: str) -> str:
        """The revision of a document as it is now."""
        return f"sha256:{hashlib.sha256((self.root / path).read_bytes()).hexdigest()}"

    def text(self, path: str) -> str:
        """A document as it is now."""
        return (self.root / path).read_bytes().decode()

    def documents(self) -> dict[str, str]:
        """Everything that is in the folder."""
        return {
            file.relative_to(self.root).as_posix(): file.read_bytes().decode()
            for file in sorted(self.root.rglob("*"))
            if file.is_file()
        }

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """The ledger, opened."""
        ledger = Ledger.open(self.root, self.ledgers)
        try:
            yield ledger
        finally:
            ledger.close()

    def draft(self, identifier: str) -> Draft:
        """A draft as it is now."""
        with self.ledger() as ledger, ledger.reading() as reading:
            found = reading.draft(identifier)
        assert found is not None
        return found

    def decisions(self) -> list[Decision]:
        """The journal."""
        with self.ledger() as ledger, ledger.reading() as reading:
            return list(journal(reading))
