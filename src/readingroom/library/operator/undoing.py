"""What takes back a decision: the same change the other way, as a publication.

Reads the ledger alone.
"""

from ..ledger.model import Decision, Kind, Publication
from ..ledger.reading import LedgerReading
from .chain import DecisionKey, journal_faults
from .outcomes import Refused
from .passphrase import journal


def inverse(reading: LedgerReading, number: int, key: DecisionKey) -> Publication:
    """The publication that undoes a decision, but for what is known only when it begins.

    Raises Refused when there is no such decision, when it changed no file, has been undone, or was not made with the key
    of its chain.
    """
    decision = reading.decision(number)
    if decision is None:
        raise Refused("decision_not_found", f"There is no decision {number}.")
    reason = reason_against(reading, decision)
    if reason:
        raise Refused("not_undoable", reason)
    _check(reading, decision, key)
    return wanted(decision)


def reason_against(reading: LedgerReading, decision: Decision) -> str:
    """Why the journal has nothing to undo in a decision, as a sentence; "" when it has."""
    if decision.kind not in ("publish", "undo"):
        return f"Decision {decision.number} changed no file."
    by = _undone_by(reading, decision)
    if by is not None:
        return f"Decision {decision.number} has been undone by decision {by}; that one can be undone."
    return ""


def wanted(decision: Decision) -> Publication:
    """The change of a decision the other way, but for what is known only when it begins."""
    return Publication(
        id="",
        kind=_kind(decision),
        path=decision.to or decision.path,
        to=decision.path if decision.to else "",
        before=decision.after,
        after=decision.before,
        temporary="",
        began=0.0,
        draft=decision.draft,
        draft_revision=decision.draft_revision,
        principal=decision.principal,
        undoes=decision.number,
    )


def _kind(decision: Decision) -> Kind:
    if decision.to:
        return "rename"
    if decision.before is None:
        return "delete"
    return "create" if decision.after is None else "replace"


def _undone_by(reading: LedgerReading, decision: Decision) -> int | None:
    after = decision.number
    while found := reading.decisions(after=after, path=decision.path):
        for later in found:
            if later.undoes == decision.number:
                return later.number
        after = found[-1].number
    return None


def _check(reading: LedgerReading, decision: Decision, key: DecisionKey) -> None:
    """A forged decision must not put its own bytes into the folder. Those of earlier chains are checked as a whole."""
    if decision.chain == key.chain:
        previous = reading.decision(decision.number - 1)
        holds = previous is not None and key.verify(previous.mac, decision)
    else:
        faults = journal_faults(journal(reading), key)
        holds = not any(fault.kind in ("past", "unchecked") for fault in faults)
    if not holds:
        raise Refused(
            "not_undoable",
            f"Decision {decision.number} was not made with the passphrase, or was altered; it is not undone.",
        )
