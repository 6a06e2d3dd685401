"""Whether the ledger still keeps what the journal stands on: the drafts, and the bytes and manifests that decisions name.

The journal's own codes are for `chain`. Reads the ledger alone.
"""

from collections.abc import Iterator, Sequence
from typing import get_args

from ..ledger.model import Decision, Draft, State
from ..ledger.reading import LedgerReading

_PAGE = 200
_STATES = get_args(State)
_DECIDED = {"publish": "published", "reject": "rejected"}

_FORMS = {
    "create": (True, False, False),
    "replace": (False, False, False),
    "edit": (False, False, False),
    "rename": (False, True, True),
    "delete": (False, False, True),
}
"""Whether a draft of the kind has no base, has a target, has no content."""


def damage_of(reading: LedgerReading, draft: Draft) -> str:
    """What of a draft was altered past Reading Room, as a clause; "" when all of it can be used."""
    if draft.kind not in _FORMS:
        return f"there is no kind of draft {draft.kind!r}"
    if (draft.base is None, bool(draft.to), not draft.digest) != _FORMS[draft.kind]:
        return f"what it holds is no draft of the kind {draft.kind}"
    for digest, what in (
        (draft.digest, "the text that it proposes"),
        (draft.base, "the file that it was made against"),
    ):
        if digest and (fault := reading.content_fault(digest)):
            return f"{what} is {fault} in the ledger"
    return ""


def draft_faults(reading: LedgerReading, decisions: Sequence[Decision]) -> Iterator[str]:
    """Drafts that do not agree with the decisions about them, that are damaged, or that are gone; as sentences."""
    decided = {
        (decision.draft, decision.draft_revision, _DECIDED[decision.kind])
        for decision in decisions
        if decision.kind in _DECIDED
    }
    met: set[str] = set()
    after = ""
    while page := reading.drafts(after=after, limit=_PAGE):
        for draft in page:
            met.add(draft.id)
            yield from _faults_of(reading, draft, decided)
        after = page[-1].id
    gone = {one.draft: one for one in decisions if one.draft and one.draft not in met}
    for decision in gone.values():
        yield f"The draft {decision.draft} of {decision.path}, which decision {decision.number} is about, is missing."


def _faults_of(reading: LedgerReading, draft: Draft, decided: set[tuple[str, int, str]]) -> Iterator[str]:
    name = f"The draft {draft.id} of {draft.path}"
    if draft.state not in _STATES:
        yield f"{name} was altered: there is no state {draft.state!r}."
    elif draft.state in _DECIDED.values():
        if (draft.id, draft.revision, draft.state) not in decided:
            yield f"{name} is {draft.state}, and no decision says so."
    elif any((draft.id, draft.revision, state) in decided for state in _DECIDED.values()):
        yield f"{name} is {draft.state}, and a decision says otherwise."
    if draft.state == "open" and (damage := damage_of(reading, draft)):
        yield f"{name} is damaged: {damage}."


def kept_faults(reading: LedgerReading, decisions: Sequence[Decision]) -> Iterator[str]:
    """Bytes and manifests that decisions name and that the ledger lacks, or holds altered; each once, as sentences."""
    met: set[str] = set()
    for decision in decisions:
        for digest, what in (
            (decision.before, f"The bytes of {decision.path} from before decision {decision.number}"),
            (decision.after, f"The bytes of {decision.to or decision.path} from decision {decision.number}"),
        ):
            if digest and digest not in met and (fault := reading.content_fault(digest)):
                yield f"{what} are {fault}: decisions on them cannot be undone."
            met.add(digest or "")
        if decision.manifest and decision.manifest not in met:
            met.add(decision.manifest)
            if fault := reading.manifest_fault(decision.manifest):
                yield f"The manifest of decision {decision.number} is {fault}."
