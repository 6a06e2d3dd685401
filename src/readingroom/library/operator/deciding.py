"""The operator's decisions on drafts and on earlier decisions, each signed and kept in the moment it takes effect.

A publication is noted, carried out in the folder, decided, and ended; whatever stops it in between is settled at once or
by the next start. Knows no terminal and no page.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from ..errors import LedgerBusy, LedgerFull, LibraryError
from ..ledger.ledger import Ledger
from ..ledger.model import Decision, DecisionKind, Publication
from ..ledger.writing import LedgerWriting
from ..rules import Rules
from .approving import about, approved, of_draft, publishable
from .chain import DecisionKey
from .changing import Change, carry_out, hidden_name
from .outcomes import Outcome, Refused
from .refusals import KeyExpired
from .settling import change_of, settle
from .spots import deepest
from .standing import check
from .taking_back import clear_up
from .undoing import inverse
from .waiting import Approval

_CODES = ((LedgerBusy, "busy"), (LedgerFull, "disk_full"), (KeyExpired, "key_expired"))


class Deciding:
    """Makes decisions with one key, for as long as it has the turn."""

    def __init__(
        self,
        root: Path,
        rules: Rules,
        ledger: Ledger,
        key: DecisionKey,
        operator: str,
        clock: Callable[[], float],
    ) -> None:
        self._root = root
        self._rules = rules
        self._ledger = ledger
        self._key = key
        self._operator = operator
        self._clock = clock

    def publish(self, approval: Approval, comment: str) -> Outcome:
        """Publish what was approved, if it still is what it was."""
        outcome = Outcome(draft=approval.draft)
        try:
            with self._writing() as writing:
                outcome = about(writing, approval)
                draft = publishable(writing, approval)
                publication = self._noted(writing, of_draft(draft, comment))
                change = change_of(publication, writing)
        except (Refused, OSError, LibraryError) as error:
            return refused(outcome, error)
        return self._carried_out(outcome, publication, change, approval)

    def undo(self, number: int, comment: str) -> Outcome:
        """Make the change that takes back what a decision did."""
        outcome = Outcome()
        try:
            with self._writing() as writing:
                if (undone := writing.decision(number)) is not None:
                    outcome = Outcome(draft=undone.draft, path=undone.path or f"decision {number}")
                decision = inverse(writing, number, self._key)
                outcome = Outcome(draft=decision.draft, path=decision.path)
                publication = self._noted(writing, replace(decision, comment=comment))
                change = change_of(publication, writing)
        except (Refused, OSError, LibraryError) as error:
            return refused(outcome, error)
        return self._carried_out(outcome, publication, change, None)

    def reject(self, approval: Approval, comment: str) -> Outcome:
        """Decide against a draft."""
        outcome = Outcome(draft=approval.draft)
        try:
            with self._writing() as writing:
                outcome = about(writing, approval)
                draft = approved(writing, approval)
                decision = self._appended(
                    writing,
                    "reject",
                    draft=draft.id,
                    draft_revision=draft.revision,
                    principal=draft.principal,
                    path=draft.path,
                    to=draft.to,
                    comment=comment,
                )
                writing.decide_draft(draft.id, "rejected", comment, decision.at)
        except (Refused, LibraryError) as error:
            return refused(outcome, error)
        return replace(outcome, decision=decision)

    def accept(self, manifest: dict[str, str], comment: str) -> Decision:
        """Decide that the folder is right as the manifest says. Raises KeyExpired; what a ledger raises."""
        with self._writing() as writing:
            return self._appended(
                writing, "accept", manifest=writing.keep_manifest(manifest), comment=comment
            )

    @contextmanager
    def _writing(self) -> Iterator[LedgerWriting]:
        """Write to the ledger while the key is good for it. Raises KeyExpired; what a ledger raises."""
        with self._ledger.writing() as writing:
            if self._key.is_spent() or not self._key.belongs_to(writing.chain()):
                raise KeyExpired(
                    "The passphrase was typed too long ago, or was changed meanwhile; type it again."
                )
            yield writing

    def _noted(self, writing: LedgerWriting, wanted: Publication) -> Publication:
        """Note the publication, with the bytes before and after, once the folder has been looked at. Raises Refused."""
        paths = {wanted.path, wanted.to} - {""}
        if any(paths & {other.path, other.to} for other in writing.publications()):
            raise Refused("unsettled", f"What was under way at {wanted.path} has not been ended yet.")
        before = check(self._root, self._rules, wanted.path, wanted.to, wanted.before)
        if before is not None:
            writing.keep(before)
        below = deepest(self._root, wanted.to or wanted.path)
        identifier = secrets.token_hex(8)
        publication = replace(
            wanted,
            id=identifier,
            temporary=hidden_name(below, identifier),
            began=self._clock(),
            operator=self._operator,
        )
        writing.begin(publication)
        return publication

    def _carried_out(
        self, outcome: Outcome, publication: Publication, change: Change, approval: Approval | None
    ) -> Outcome:
        try:
            carry_out(self._root, change)
            decision = self._decided(publication, approval)
        except (Refused, OSError, LibraryError) as error:
            return self._settled(outcome, publication, error)
        except BaseException:
            self._settled(outcome, publication, Refused("failed", ""))
            raise
        return replace(outcome, decision=decision, notes=self._ended(publication, change))

    def _decided(self, publication: Publication, approval: Approval | None) -> Decision:
        """Keep the decision, the draft's state and that the publication only needs clearing up, all at once."""
        with self._writing() as writing:
            draft = None if approval is None else approved(writing, approval)
            decision = self._appended(
                writing,
                "undo" if draft is None else "publish",
                draft=publication.draft,
                draft_revision=publication.draft_revision,
                principal=publication.principal,
                path=publication.path,
                to=publication.to,
                before=publication.before,
                after=publication.after,
                undoes=publication.undoes,
                comment=publication.comment,
            )
            if draft is not None:
                writing.decide_draft(draft.id, "published", decision.comment, decision.at)
            writing.end(publication.id)
            writing.begin(replace(publication, number=decision.number))
        return decision

    def _appended(self, writing: LedgerWriting, kind: DecisionKind, **fields: object) -> Decision:
        last = writing.last_decision()
        if last is None:
            raise KeyExpired("The journal has no beginning; set a passphrase anew.")
        bare = Decision(
            number=last.number + 1,
            at=self._clock(),
            kind=kind,
            operator=self._operator,
            chain=self._key.chain,
            mac=b"",
            **fields,  # type: ignore[arg-type]  # each caller is above, and names fields of Decision
        )
        decision = replace(bare, mac=self._key.sign(last.mac, bare))
        writing.append(decision)
        return decision

    def _ended(self, publication: Publication, change: Change) -> tuple[str, ...]:
        """Clear up after a decision that is kept, whatever comes of it."""
        try:
            told = clear_up(self._root, change)
            with self._ledger.writing() as writing:
                writing.end(publication.id)
        except (OSError, LibraryError):
            return ("A hidden file may be left beside it; the next command removes it.",)
        return told

    def _settled(
        self, outcome: Outcome, publication: Publication, error: "Refused | OSError | LibraryError"
    ) -> Outcome:
        """Take back what was not decided; where the ledger could not say, what it says now counts."""
        try:
            decision, told = settle(self._root, self._ledger, publication.id)
        except (Refused, OSError, LibraryError) as fault:
            text = f"{_said(publication.path, error)} It could not be taken back yet: {_said(publication.path, fault)}"
            return replace(outcome, code="unknown", text=text)
        if decision is not None:
            return replace(outcome, decision=decision, notes=told)
        return replace(refused(outcome, error), notes=told)


def refused(outcome: Outcome, error: "Refused | OSError | LibraryError") -> Outcome:
    """The outcome of what was not done."""
    return replace(outcome, code=_code(error), text=_said(outcome.path, error))


def _code(error: "Refused | OSError | LibraryError") -> str:
    if isinstance(error, OSError):
        return Refused.failed("", error).code
    if isinstance(error, Refused):
        return error.code
    return next((code for kind, code in _CODES if isinstance(error, kind)), "failed")


def _said(path: str, error: "Refused | OSError | LibraryError") -> str:
    return str(Refused.failed(path, error)) if isinstance(error, OSError) else str(error)
