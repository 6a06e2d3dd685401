"""The door to one principal's drafts: create, update, withdraw, read, list. Nobody else's can be named through it.

What is written is kept in the ledger and nowhere else. Everything is checked against the folder as it is now; the ledger
decides who was first. A draft of somebody else and one that is not there give the same answer.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from ..errors import DraftRefused, FolderUnusable
from ..ledger import Draft, Ledger, LedgerReading, LedgerWriting, Operation
from ..ledger.model import Edit, Kind, State
from ..model import Principal
from . import bounds, operations
from .model import DraftAnswer, DraftInfo, DraftPage, DraftState, DraftView
from .proposing import Proposal, Wish, edits_of, propose
from .renewing import changed_by, renewed, wish_of
from .showing import info_of, view_of
from .splices import check_text
from .standing import Standing

_Page: TypeAlias = list[DraftInfo]
_Write: TypeAlias = Callable[[LedgerWriting], Draft]


def new_id() -> str:
    """An id that nobody can guess: 128 bits of chance."""
    from base64 import b32encode

    return "d-" + b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


class Drafts:
    """Made by `Library.drafts`, for an editor. May be used from any thread.

    Every method raises LedgerBusy, LedgerFull, LedgerUnusable and FolderUnusable, and DraftRefused with a code of
    `codes.DRAFT_CODES`: nothing was kept then. What is returned has been kept, and outlives a crash.
    """

    def __init__(
        self,
        principal: Principal,
        ledger: Callable[[], Ledger],
        standing: Standing,
        max_file_bytes: int,
        *,
        clock: Callable[[], float] = time.time,
        make_id: Callable[[], str] = new_id,
    ) -> None:
        self._name = principal.name
        self._ledger = ledger
        self._standing = standing
        self._max_file_bytes = max_file_bytes
        self._clock = clock
        self._make_id = make_id

    def create(
        self,
        operation: str,
        kind: Kind,
        *,
        path: str,
        to: str | None = None,
        base_revision: str | None = None,
        content: str | None = None,
        edits: Sequence[Edit] = (),
        note: str = "",
    ) -> DraftAnswer:
        """Keep a proposal. `operation` is a key of the caller's choice: the same call again gives the same answer.

        create takes `content`; replace `content` and `base_revision`; edit `edits` and `base_revision`; rename `to` and
        `base_revision`; delete `base_revision`: the revision of the document that the caller has read.
        """
        asked = (kind, path, to or None, base_revision, content, edits_of(edits), note)

        def prepare() -> _Write:
            _check_note(note)
            wish = Wish(
                kind=kind,
                path=path,
                to=to or "",
                base_revision=base_revision,
                content=content,
                edits=edits_of(edits),
            )
            proposal = propose(self._standing, wish, self._max_file_bytes)
            return lambda writing: self._add(writing, kind, proposal, note)

        return self._once(operation, "draft_create", asked, prepare)

    def update(
        self,
        operation: str,
        draft: str,
        draft_revision: int,
        *,
        base_revision: str | None = None,
        content: str | None = None,
        edits: Sequence[Edit] = (),
        note: str | None = None,
    ) -> DraftAnswer:
        """Put an open draft anew: another content or other edits, another note, or against the document as it is now.

        What is not given stays: with `base_revision` alone the draft is made again against that revision. Edits are all
        edits, against the document and not the draft.
        """
        asked = (draft, draft_revision, base_revision, content, edits_of(edits), note)

        def prepare() -> _Write:
            _check_note(note or "")
            with self._ledger().reading() as look:
                known = self._open(look, draft, draft_revision)
            wish = wish_of(known, base_revision, content, edits_of(edits))
            proposal = renewed(self._standing, wish, self._max_file_bytes) if wish is not None else None
            changed = changed_by(known, proposal, note)
            return lambda writing: self._replace(writing, known, changed, proposal)

        return self._once(operation, "draft_update", asked, prepare)

    def withdraw(self, operation: str, draft: str) -> DraftAnswer:
        """Take an open draft back for good."""

        def write(writing: LedgerWriting) -> Draft:
            known = self._open(writing, draft, None, contents=False)
            withdrawn = msgspec.structs.replace(known, state="withdrawn", changed=self._clock())
            writing.put_draft(withdrawn)
            return withdrawn

        return self._once(operation, "draft_withdraw", (draft,), lambda: write)

    def read(self, draft: str) -> DraftView:
        """A draft with its change, as it is kept now."""
        with self._ledger().reading() as look:
            known = self._own(look, draft)
            return view_of(known, self._standing, look)

    def list(
        self, *, state: DraftState | None = None, after: str | None = None, limit: int = 50
    ) -> DraftPage:
        """Drafts in order of their creation, after the one of the id `after`; of one state, or all. Those of a state that
        nobody waits for any more come newest first.

        "open" are all that nobody has decided on, those that are outdated too. Raises DraftRefused (bad_argument) for
        another limit than 1 to `bounds.PAGE`.
        """
        if not 1 <= limit <= bounds.PAGE:
            raise DraftRefused("bad_argument", f"A page has 1 to {bounds.PAGE} drafts.")
        kept: State | None = "open" if state == "outdated" else state
        is_over = kept not in (None, "open")
        found: _Page = []
        with self._ledger().reading() as look:
            at = after or ""
            while len(found) <= limit:
                page = look.drafts(
                    principal=self._name, state=kept, after=at, limit=bounds.PAGE, newest_first=is_over
                )
                told = [info_of(draft, self._standing, look) for draft in page[: limit + 1 - len(found)]]
                found += [info for info in told if state != "outdated" or info.state == "outdated"]
                at = told[-1].id if told else at
                if len(told) == len(page) < bounds.PAGE:
                    break
        more = found[limit - 1].id if len(found) > limit else None
        return DraftPage(tuple(found[:limit]), more)

    def open_ids(self) -> tuple[str, ...]:
        """The ids of all drafts that nobody has decided on, in order of their creation, without a look at the folder."""
        with self._ledger().reading() as look:
            kept = look.drafts(principal=self._name, state="open", limit=2 * bounds.OPEN_DRAFTS)
        return tuple(draft.id for draft in kept)

    def _once(self, key: str, tool: str, arguments: Any, prepare: Callable[[], _Write]) -> DraftAnswer:
        """Carry an operation out unless it has been. `prepare` looks at the folder before the ledger is held."""
        operations.check_key(key)
        asked = operations.fingerprint(tool, arguments)
        with self._ledger().reading() as look:
            known = operations.answered(look.operation(self._name, key), asked)
            if known is not None:
                return self._as_now(look, known)
        write = prepare()
        with self._ledger().writing() as writing:
            known = operations.answered(writing.operation(self._name, key), asked)
            if known is not None:
                return self._as_now(writing, known)
            draft = write(writing)
            answer = DraftAnswer(info_of(draft, self._standing, writing))
            writing.add_operation(
                Operation(
                    principal=self._name,
                    key=key,
                    fingerprint=asked,
                    draft=draft.id,
                    result=operations.result_of(answer),
                    at=self._clock(),
                )
            )
        return answer

    def _as_now(self, look: LedgerReading, answer: DraftAnswer) -> DraftAnswer:
        """An answer that was kept, with the draft as it is by now."""
        draft = look.draft(answer.draft.id, contents=False)
        if draft is None:
            return answer
        try:
            return msgspec.structs.replace(answer, now=info_of(draft, self._standing, look))
        except FolderUnusable:  # the answer can be given without the folder
            return answer

    def _add(self, writing: LedgerWriting, kind: Kind, proposal: Proposal, note: str) -> Draft:
        opened, _ = writing.counts(self._name)
        if opened >= bounds.OPEN_DRAFTS:
            raise DraftRefused("too_many", f"You have {opened} open drafts, as many as one may have.")
        self._check_day(writing, proposal.size)
        now = self._clock()
        draft = Draft(
            id=self._make_id(),
            principal=self._name,
            kind=kind,
            path=proposal.path,
            to=proposal.to,
            base=proposal.base,
            content=proposal.content,
            digest=proposal.digest,
            edits=proposal.edits,
            note=note,
            state="open",
            revision=1,
            created=now,
            changed=now,
            base_content=proposal.base_content,
        )
        writing.put_draft(draft)
        return draft

    def _replace(
        self, writing: LedgerWriting, known: Draft, changed: Draft, proposal: Proposal | None
    ) -> Draft:
        self._open(writing, known.id, known.revision, contents=False)
        self._check_day(writing, proposal.size if proposal is not None else 0)
        draft = msgspec.structs.replace(changed, revision=known.revision + 1, changed=self._clock())
        writing.put_draft(draft)
        return draft

    def _check_day(self, writing: LedgerWriting, size: int) -> None:
        _, today = writing.counts(self._name)
        if today + size > bounds.DAY_BYTES:
            raise DraftRefused(
                "too_many",
                f"Within a day {bounds.DAY_BYTES // 1024**2} MiB are kept for you; this would be more.",
                advice="Try again later, or propose less.",
            )

    def _own(self, look: LedgerReading, draft_id: str, *, contents: bool = True) -> Draft:
        known = look.draft(draft_id, contents=contents) if draft_id.isascii() else None
        if known is None or known.principal != self._name:
            raise DraftRefused("draft_not_found", "You have no such draft.")
        return known

    def _open(
        self, look: LedgerReading, draft_id: str, revision: int | None, *, contents: bool = True
    ) -> Draft:
        """A draft that is open, of this revision if one is given, and not being published just now."""
        known = self._own(look, draft_id, contents=contents)
        if known.state != "open":
            raise DraftRefused("not_open", f"The draft is {known.state}.")
        if revision is not None and known.revision != revision:
            raise DraftRefused(
                "draft_revision_changed",
                f"The draft has been changed since: its revision now is {known.revision}.",
            )
        if any(publication.draft == draft_id for publication in look.publications()):
            raise DraftRefused(
                "not_open",
                "The draft is being published just now.",
                advice="Look with draft_read what became of it.",
            )
        return known


def _check_note(note: str) -> None:
    check_text(note, "The note")
    if len(note) > bounds.NOTE_CHARACTERS:
        raise DraftRefused("too_large", f"A note has at most {bounds.NOTE_CHARACTERS:,} characters.")
