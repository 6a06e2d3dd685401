"""What can be asked of the ledger: one snapshot of it, whatever others write meanwhile.

Knows no rule of drafts or decisions; gives what is kept.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..digest import digest_of
from ..errors import LedgerUnusable
from . import faults, rows, setup
from .model import Chain, Decision, Draft, Operation, Publication, State

_DAY_S = 24 * 3600
_OF_ONE = """WHERE number > ?1 AND (?2 = '' OR draft = ?2) AND (?3 = '' OR path = ?3 OR target = ?3)
    ORDER BY number LIMIT ?4"""
_NEWER = "(created, id) > (SELECT created, id FROM drafts WHERE id = ?)"
_OLDER = "(created, id) < (SELECT created, id FROM drafts WHERE id = ?)"
_entries = msgspec.json.Decoder(dict[str, str])


class LedgerReading:
    """Given by `Ledger.reading`. Every method raises LedgerUnusable when the file cannot be read."""

    def __init__(self, connection: Any, path: Path, now: float) -> None:
        self._connection = connection
        self._path = path
        self._now = now

    @property
    def commits(self) -> int:
        """How often the ledger had been written when this look began."""
        with faults.told(self._path, self._connection):
            return setup.written(self._connection, self._path).commits

    def draft(self, draft_id: str, *, contents: bool = True) -> Draft | None:
        """The draft of that id, whoever keeps it, or None; with its bytes, or without them, as `drafts` gives it."""
        row = self._one(rows.select(rows.DRAFT, "WHERE id = ?"), draft_id)
        if row is None:
            return None
        return self._whole(row) if contents else rows.draft_of(row)

    def drafts(
        self,
        *,
        principal: str | None = None,
        state: State | None = None,
        after: str = "",
        limit: int = 50,
        contents: bool = False,
        newest_first: bool = False,
    ) -> tuple[Draft, ...]:
        """Drafts in the order of `created`, then of their ids, or in the reverse, from the one after the id `after`.

        Without `contents`, `content` and `base_content` are None, for 50 drafts may hold a lot; `digest` tells what
        there is. `put_draft` takes such a draft, too.
        """
        wanted, values = ["1"], list[Any]()
        for column, value in (("principal", principal), ("state", state)):
            if value is not None:
                wanted.append(f"{column} = ?")
                values.append(value)
        if after:
            wanted.append(_OLDER if newest_first else _NEWER)
            values.append(after)
        order = "created DESC, id DESC" if newest_first else "created, id"
        asked = rows.select(rows.DRAFT, f"WHERE {' AND '.join(wanted)} ORDER BY {order} LIMIT ?")
        found = self._all(asked, *values, limit)
        return tuple(self._whole(row) if contents else self._bare(row) for row in found)

    def waiting(self) -> int:
        """How many drafts are open, whoever keeps them."""
        return int(self._one("SELECT count(*) FROM drafts WHERE state = 'open'")[0])

    def counts(self, principal: str) -> tuple[int, int]:
        """How many open drafts a principal has, and the bytes that were kept for it within the last 24 hours.

        These are what drafts proposed, the bases kept with them, and the answers to operations.
        """
        drafts = self._one("SELECT count(*) FROM drafts WHERE principal = ? AND state = 'open'", principal)
        since = self._now - _DAY_S
        size = self._one("SELECT total(size) FROM kept WHERE principal = ? AND at > ?", principal, since)
        return int(drafts[0]), int(size[0])

    def operation(self, principal: str, key: str) -> Operation | None:
        """What was answered to this principal under this key, or None."""
        asked = rows.select(rows.OPERATION, "WHERE principal = ? AND key = ?")
        row = self._one(asked, principal, key)
        return None if row is None else rows.operation_of(row)

    def decisions(
        self, after: int = 0, limit: int = 100, draft: str = "", path: str = ""
    ) -> tuple[Decision, ...]:
        """Decisions in order, from the one after the number `after`; of one draft or one path (new names included)."""
        asked = rows.select(rows.DECISION, _OF_ONE)
        return tuple(rows.decision_of(row) for row in self._all(asked, after, draft, path, limit))

    def decision(self, number: int) -> Decision | None:
        """The decision of that number, or None."""
        row = self._one(rows.select(rows.DECISION, "WHERE number = ?"), number)
        return None if row is None else rows.decision_of(row)

    def last_decision(self) -> Decision | None:
        """The last decision, or None before the first."""
        row = self._one(rows.select(rows.DECISION, "ORDER BY number DESC LIMIT 1"))
        return None if row is None else rows.decision_of(row)

    def content(self, digest: str) -> bytes | None:
        """The bytes of that digest, or None when none are kept. Raises LedgerUnusable when they are others."""
        row = self._one("SELECT bytes FROM contents WHERE digest = ?", digest)
        if row is None:
            return None
        if digest_of(row[0]) != digest:
            raise LedgerUnusable(f"The ledger {self._path} was altered: it holds other bytes for {digest}.")
        return bytes(row[0])

    def content_fault(self, digest: str) -> Literal["", "missing", "altered"]:
        """What is wrong with the bytes kept for that digest; "" when they are there and are right."""
        return self._fault("SELECT bytes FROM contents WHERE digest = ?", digest)

    def manifest_fault(self, digest: str) -> Literal["", "missing", "altered"]:
        """What is wrong with the manifest of that digest; "" when it is there and is right."""
        return self._fault("SELECT entries FROM manifests WHERE digest = ?", digest)

    def manifest(self, digest: str) -> dict[str, str]:
        """The manifest of that digest: path → revision. Raises KeyError when none is kept, LedgerUnusable when altered."""
        row = self._one("SELECT entries FROM manifests WHERE digest = ?", digest)
        if row is None:
            raise KeyError(digest)
        if digest_of(row[0]) != digest:
            raise LedgerUnusable(
                f"The ledger {self._path} was altered: it holds another manifest for {digest}."
            )
        return _entries.decode(row[0])

    def publications(self) -> tuple[Publication, ...]:
        """What is being published, or was when a process ended, in the order it began."""
        asked = rows.select(rows.PUBLICATION, "ORDER BY began, id")
        return tuple(rows.publication_of(row) for row in self._all(asked))

    def chain(self) -> Chain | None:
        """The chain that decisions are added to now, or None before the first passphrase."""
        row = self._one(rows.select(rows.CHAIN, "ORDER BY number DESC LIMIT 1"))
        return None if row is None else rows.chain_of(row)

    def chains(self) -> tuple[Chain, ...]:
        """Every chain, in order."""
        return tuple(rows.chain_of(row) for row in self._all(rows.select(rows.CHAIN, "ORDER BY number")))

    def attempts(self) -> tuple[int, float]:
        """How often in a row a wrong passphrase was given, and when last, or 0."""
        for failed, last in self._all("SELECT failed, last_failed FROM facts"):
            return int(failed), float(last)
        raise LedgerUnusable(f"The ledger {self._path} is damaged: it counts no attempts.")

    def _fault(self, asked: str, digest: str) -> Literal["", "missing", "altered"]:
        row = self._one(asked, digest)
        if row is None:
            return "missing"
        return "" if digest_of(row[0]) == digest else "altered"

    def _whole(self, row: tuple[Any, ...]) -> Draft:
        bare = self._bare(row)
        content = self.content(bare.digest) if bare.digest else None
        base_content = self.content(bare.base) if bare.base else None
        return msgspec.structs.replace(bare, content=content, base_content=base_content)

    def _bare(self, row: tuple[Any, ...]) -> Draft:
        try:
            return rows.draft_of(row)
        except msgspec.MsgspecError as error:
            raise LedgerUnusable(f"The ledger {self._path} is damaged: {row[0]} has no edits.") from error

    def _one(self, asked: str, *values: Any) -> Any:
        found = self._all(asked, *values)
        return found[0] if found else None

    def _all(self, asked: str, *values: Any) -> Sequence[Any]:
        with faults.told(self._path, self._connection):
            return list(self._connection.execute(asked, values))
