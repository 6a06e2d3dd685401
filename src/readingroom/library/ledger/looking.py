"""A look at the ledger of a folder for whoever only wants to know: whether there is one, where it lies, whether it is sound.

Makes none where there is none.
"""

from pathlib import Path

import msgspec

from ..errors import LibraryError
from .ledger import Ledger
from .place import loss_of


class LedgerLook(msgspec.Struct, frozen=True):
    """A ledger's file, what is wrong with it in a sentence, or "", and how many open drafts and decisions it holds."""

    file: str
    trouble: str
    open_drafts: int = 0
    decisions: int = 0


def look(root: Path, folder: Path | None = None) -> LedgerLook | None:
    """Look at the ledger that `Ledger.open` would open, all of it; None when there never was one."""
    try:
        place = Ledger.place(root, folder)
        if not place.exists():
            lost = loss_of(place)
            return LedgerLook(str(place), lost) if lost else None
    except LibraryError as error:
        return LedgerLook("", str(error))
    try:
        with Ledger.open(root, folder) as ledger:
            found = ledger.check()
            if found:
                return LedgerLook(str(place), f"The ledger is damaged: {found[0]}.")
            with ledger.reading() as reading:
                last = reading.last_decision()
                return LedgerLook(str(place), "", reading.waiting(), 0 if last is None else last.number)
    except LibraryError as error:
        return LedgerLook(str(place), str(error))
