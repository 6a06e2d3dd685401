"""What can be written into the ledger, inside one transaction that is kept whole or not at all.

Knows no rule of drafts or decisions but that the journal is only added to.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..digest import digest_of
from . import faults, rows
from .model import Chain, Decision, Draft, Operation, Publication, State
from .reading import LedgerReading

_REMEMBERED_S = 2 * 24 * 3600


class LedgerWriting(LedgerReading):
    """Given by `Ledger.writing`; sees what it has written itself.

    Every method raises LedgerFull and LedgerUnusable, and ValueError for what would break a promise of the ledger; the
    transaction is to be left then.
    """

    def put_draft(self, draft: Draft) -> None:
        """Keep a draft in place of the one of that id, with its bytes and those of its base.

        A draft as `drafts` gives it, without bytes, goes on with those that are kept for its `digest`. Raises ValueError
        when bytes are not those of `digest` or `base`, or when none are kept.
        """
        size = self._keep_as(draft.content, draft.digest) + self._keep_as(
            draft.base_content, draft.base or ""
        )
        if draft.digest and draft.content is None and not self._has(draft.digest):
            raise ValueError(f"no bytes are kept for {draft.digest}")
        known = self._one("SELECT digest, base FROM drafts WHERE id = ?", draft.id)
        self._do(rows.insert(rows.DRAFT, replacing=True), *rows.row_of(draft, rows.DRAFT))
        if size and known != (draft.digest, draft.base):
            self._count(draft.principal, size)

    def decide_draft(self, draft_id: str, state: State, comment: str, decided: float) -> None:
        """Keep what was decided on a draft, whether its bytes are there or not. Raises ValueError when it is not there."""
        asked = "UPDATE drafts SET state = ?, comment = ?, decided = ? WHERE id = ?"
        self._do(asked, state, comment, decided, draft_id)
        if not self._connection.changes():
            raise ValueError(f"there is no draft {draft_id}")

    def add_operation(self, operation: Operation) -> None:
        """Keep what is answered under a key, for ever. Raises ValueError when the key has an answer."""
        self._do(rows.insert(rows.OPERATION), *rows.row_of(operation, rows.OPERATION))
        self._count(operation.principal, len(operation.result))

    def append(self, decision: Decision) -> None:
        """Add a decision to the journal. Raises ValueError unless its number is the one after the last."""
        self._do(rows.insert(rows.DECISION), *rows.row_of(decision, rows.DECISION))

    def keep(self, content: bytes) -> str:
        """Keep bytes and give their digest; the same bytes are kept once."""
        digest = digest_of(content)
        self._do("INSERT OR IGNORE INTO contents VALUES (?, ?)", digest, content)
        return digest

    def keep_manifest(self, manifest: Mapping[str, str]) -> str:
        """Keep a manifest and give its digest."""
        entries = msgspec.json.encode(dict(manifest), order="sorted")
        digest = digest_of(entries)
        self._do("INSERT OR IGNORE INTO manifests VALUES (?, ?)", digest, entries)
        return digest

    def begin(self, publication: Publication) -> None:
        """Keep that something is being published. Raises ValueError when that id is under way."""
        self._do(rows.insert(rows.PUBLICATION), *rows.row_of(publication, rows.PUBLICATION))

    def end(self, publication_id: str) -> None:
        """Forget that something is being published. Raises ValueError when it was not."""
        self._do("DELETE FROM publications WHERE id = ?", publication_id)
        if not self._connection.changes():
            raise ValueError(f"publication {publication_id} is not under way")

    def begin_chain(self, chain: Chain) -> None:
        """Begin a chain; the attempts count anew. Raises ValueError unless its number is the one after the last."""
        self._do(rows.insert(rows.CHAIN), *rows.row_of(chain, rows.CHAIN))
        self.set_attempts(0, 0.0)

    def set_attempts(self, failed: int, last: float) -> None:
        """Keep how often in a row a wrong passphrase was given, and when last."""
        self._do("UPDATE facts SET failed = ?, last_failed = ?", failed, float(last))

    def _keep_as(self, content: bytes | None, digest: str) -> int:
        if content is None:
            return 0
        if self.keep(content) != digest:
            raise ValueError(f"the bytes are not those of {digest or 'nothing'}")
        return len(content)

    def _has(self, digest: str) -> bool:
        return self._one("SELECT 1 FROM contents WHERE digest = ?", digest) is not None

    def _count(self, principal: str, size: int) -> None:
        self._do("DELETE FROM kept WHERE at < ?", self._now - _REMEMBERED_S)
        self._do("INSERT INTO kept VALUES (?, ?, ?)", principal, self._now, size)

    def _do(self, asked: str, *values: Any) -> None:
        with faults.told(self._path, self._connection):
            self._connection.execute(asked, values)
