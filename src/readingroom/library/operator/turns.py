"""One publisher at a time, of all processes: a lock beside the ledger, freed by the system when its holder dies.

Who holds it knows that whatever the ledger says is under way was left by a process that has ended.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from ..errors import IndexBusy, LedgerBusy, LedgerUnusable
from ..ledger.ledger import Ledger
from ..lock import WriterLock

_PATIENCE_S = 5.0
_AGAIN_S = 0.02


@contextmanager
def turn(ledger: Ledger, patience: float = _PATIENCE_S) -> Iterator[None]:
    """Be the only publisher while the block runs. Raises LedgerBusy after `patience` seconds; LedgerUnusable."""
    with ExitStack() as held:
        _wait(ledger, held, time.monotonic() + patience)
        yield


def _wait(ledger: Ledger, held: ExitStack, until: float) -> None:
    while True:
        try:
            held.enter_context(WriterLock(ledger.path.with_name("publishing.lock")))
        except IndexBusy:
            if time.monotonic() >= until:
                raise LedgerBusy("Another decision is being carried out; try again.") from None
            time.sleep(_AGAIN_S)
        except OSError as error:
            raise LedgerUnusable(f"The ledger cannot be locked: {error.strerror or error}.") from error
        else:
            return
