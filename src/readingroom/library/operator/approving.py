"""What was approved, held against the draft as it is in the ledger, and the publication that it asks for.

Reads the ledger alone.
"""

from ..ledger.model import Draft, Publication
from ..ledger.reading import LedgerReading
from .kept import damage_of
from .outcomes import Outcome, Refused
from .waiting import Approval, approval_of


def about(reading: LedgerReading, approval: Approval) -> Outcome:
    """An outcome that says what it is about, and nothing else yet."""
    draft = reading.draft(approval.draft, contents=False)
    return Outcome(draft=approval.draft, path="" if draft is None else draft.path)


def approved(reading: LedgerReading, approval: Approval) -> Draft:
    """The draft that was decided on, without its bytes. Raises Refused unless it is open and exactly what was shown."""
    draft = reading.draft(approval.draft, contents=False)
    if draft is None:
        raise Refused("draft_not_found", "There is no such draft.")
    if draft.state != "open":
        raise Refused("not_open", f"The draft is {draft.state} already.")
    if draft.revision != approval.revision:
        raise Refused(
            "draft_revision_changed",
            f"The draft was changed: revision {draft.revision} is there now, and {approval.revision} was shown.",
        )
    if approval != approval_of(draft):
        raise Refused("approval_mismatch", "The draft does not hold what was shown.")
    return draft


def publishable(reading: LedgerReading, approval: Approval) -> Draft:
    """The same, of a draft whose bytes are there and whose parts go together. Raises Refused."""
    draft = approved(reading, approval)
    if damage := damage_of(reading, draft):
        raise Refused("altered", f"The ledger was altered: {damage}.")
    return draft


def of_draft(draft: Draft, comment: str) -> Publication:
    """The publication that a draft asks for, but for what is known only when it begins."""
    moved = draft.kind == "rename"
    return Publication(
        id="",
        kind=draft.kind,
        path=draft.path,
        to=draft.to,
        before=draft.base,
        after=draft.base if moved else (draft.digest or None),
        temporary="",
        began=0.0,
        draft=draft.id,
        draft_revision=draft.revision,
        principal=draft.principal,
        comment=comment,
    )
