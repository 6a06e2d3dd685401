"""A folder with its ledger, drafts in it, and the operator who decides: for tests that go from a proposal to a file."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from readingroom.library import Principal, Rules
from readingroom.library.ledger import Chain, Decision, Draft, Kind, Ledger, digest_of
from readingroom.library.operator import Approval, DecisionKey, Operator, Outcome
from readingroom.library.operator.waiting import approval_of

SECRET = b"k" * 32
MEMORY = Path("/dev/shm")


@contextmanager
def in_memory(otherwise: Path) -> Iterator[Path]:
    """A folder that waits for no disk, where there is memory to be had: what is killed or fails loses nothing by that."""
    if not os.access(MEMORY, os.W_OK):
        yield otherwise
        return
    folder = Path(tempfile.mkdtemp(dir=MEMORY, prefix="readingroom-test-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


class Desk:
    """The folder `docs`, the ledger's folder beside it, and a chain that has begun."""

    def __init__(
        self,
        place: Path,
        rules: Rules | None = None,
        clock: Callable[[], float] = time.time,
        vfs: str = "",
    ) -> None:
        self.docs = place / "docs"
        self.docs.mkdir(parents=True, exist_ok=True)
        self.rules = rules or Rules()
        self.ledger = Ledger.open(self.docs, place / "ledgers", vfs=vfs)
        self.operator = Operator(self.docs.resolve(), self.rules, self.ledger, operator="anna", clock=clock)
        self._made = 0

    def begin(self) -> DecisionKey:
        """Begin a chain as the first passphrase does, without what makes that slow; give its key."""
        with self.ledger.writing() as writing:
            chain = Chain(number=1, salt=b"", n=2, r=1, p=1, check=b"checked", began=1.0)
            key = DecisionKey(SECRET, chain)
            writing.begin_chain(chain)
            bare = Decision(
                number=1,
                at=1.0,
                kind="set",
                operator="anna",
                chain=1,
                mac=b"",
                manifest=writing.keep_manifest(self.operator.manifest()),
            )
            from readingroom.library.operator.chain import journal_digest

            decision = _signed(bare, key.sign(journal_digest(()), bare))
            writing.append(decision)
        return key

    def key(self) -> DecisionKey:
        """The key of the chain that `begin` began, in another process for one."""
        with self.ledger.reading() as reading:
            chain = reading.chain()
        assert chain is not None
        return DecisionKey(SECRET, chain)

    def write(self, path: str, content: bytes) -> Path:
        """A file in the folder."""
        file = self.docs / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    def draft(self, kind: Kind, path: str, content: bytes | None = None, to: str = "") -> Draft:
        """A draft against the folder as it is now."""
        base = None if kind == "create" else (self.docs / path).read_bytes()
        self._made += 1
        draft = Draft(
            id=f"d-{self._made:026}",
            principal=Principal("editor", "editor").name,
            kind=kind,
            path=path,
            to=to,
            base=None if base is None else digest_of(base),
            base_content=base,
            content=content,
            digest="" if content is None else digest_of(content),
            state="open",
            revision=1,
            created=float(self._made),
            changed=float(self._made),
        )
        self.put(draft)
        return draft

    def put(self, draft: Draft) -> None:
        """Keep a draft."""
        with self.ledger.writing() as writing:
            writing.put_draft(draft)

    def read(self, draft_id: str) -> Draft:
        """A draft as it is kept."""
        with self.ledger.reading() as reading:
            draft = reading.draft(draft_id)
        assert draft is not None
        return draft

    def approval(self, draft: Draft) -> Approval:
        """What names the draft."""
        return approval_of(draft)

    def publish(self, draft: Draft, key: DecisionKey) -> Outcome:
        """Publish one draft."""
        return self.operator.publish([approval_of(draft)], key)[0]

    def tree(self) -> dict[str, bytes | None]:
        """Every name in the folder with its bytes, hidden ones too; None for a folder."""
        return {
            entry.relative_to(self.docs).as_posix(): entry.read_bytes() if entry.is_file() else None
            for entry in sorted(self.docs.rglob("*"))
        }

    def under_way(self) -> int:
        """How many publications the ledger has under way."""
        with self.ledger.reading() as reading:
            return len(reading.publications())


def _signed(decision: Decision, mac: bytes) -> Decision:
    from msgspec.structs import replace

    return replace(decision, mac=mac)


@contextmanager
def seated(
    otherwise: Path, rules: Rules | None = None, clock: Callable[[], float] = time.time
) -> Iterator[Desk]:
    """A desk in a folder that waits for no disk."""
    with in_memory(otherwise) as place:
        desk = Desk(place, rules, clock)
        try:
            yield desk
        finally:
            desk.ledger.close()
