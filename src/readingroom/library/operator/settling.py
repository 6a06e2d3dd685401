"""What a publication that did not come to its end left: taken back unless it was decided, and cleared up if it was.

The same for a fault a moment ago and for a process that was killed last week. Only called by whoever has the turn.
"""

from pathlib import Path

from ..errors import LedgerUnusable
from ..ledger.ledger import Ledger
from ..ledger.model import Decision, Publication
from ..ledger.reading import LedgerReading
from .changing import Change, Step, hidden_name
from .outcomes import Refused
from .standing import check_path
from .taking_back import clear_up, take_back

_STEPS: dict[str, Step] = {
    "create": "create",
    "replace": "replace",
    "edit": "replace",
    "rename": "rename",
    "delete": "delete",
}


def change_of(publication: Publication, reading: LedgerReading) -> Change:
    """The change of the folder that a publication makes.

    Raises Refused when the ledger was altered: when it names what no publication touches, or its bytes are not kept.
    """
    below, _, name = publication.temporary.rpartition("/")
    above = (publication.to or publication.path).rpartition("/")[0]
    if hidden_name("", publication.id) != name or not f"{above}/".startswith(f"{below}/" if below else ""):
        raise Refused("altered", "The ledger was altered: it names a file that is not ours.")
    for path in (publication.path, publication.to or publication.path):
        check_path(path)
    return Change(
        step=_STEPS[publication.kind],
        path=publication.path,
        to=publication.to,
        before=_kept(reading, publication.before),
        after=_kept(reading, publication.after),
        temporary=publication.temporary,
    )


def _kept(reading: LedgerReading, revision: str | None) -> bytes | None:
    if revision is None:
        return None
    try:
        content = reading.content(revision)
    except LedgerUnusable as error:
        raise Refused("altered", str(error)) from None
    if content is None:
        raise Refused("altered", f"The ledger was altered: the bytes of {revision} are missing.")
    return content


def settle(root: Path, ledger: Ledger, publication_id: str) -> tuple[Decision | None, tuple[str, ...]]:
    """End a publication one way or the other: its decision if there is one, and sentences about what was left.

    Raises LedgerBusy, LedgerFull, LedgerUnusable, OSError and Refused: it is still under way then.
    """
    with ledger.writing() as writing:  # not `reading`: what is not on the disk must not count
        found = [item for item in writing.publications() if item.id == publication_id]
        if not found:
            return None, ()
        publication = found[0]
        change = change_of(publication, writing)
        decision = None if publication.number is None else writing.decision(publication.number)
    told = take_back(root, change) if decision is None else clear_up(root, change)
    with ledger.writing() as writing:
        writing.end(publication_id)
    return decision, told


def settle_all(root: Path, ledger: Ledger) -> tuple[str, ...]:
    """End whatever is under way; sentences about each, and about what cannot be ended yet. Raises what a ledger raises."""
    with ledger.reading() as reading:
        publications = reading.publications()
    told: list[str] = []
    for publication in publications:
        name = publication.path if not publication.to else f"{publication.path} to {publication.to}"
        try:
            decision, notes = settle(root, ledger, publication.id)
        except Refused as refused:
            told.append(f"What was under way at {name} could not be ended: {refused}")
        except OSError as error:
            told.append(f"What was under way at {name} could not be ended: {error.strerror or error}.")
        else:
            how = "was taken back; it had not been decided" if decision is None else "was ended"
            told += [f"A publication at {name} that was interrupted {how}.", *notes]
    return tuple(told)
