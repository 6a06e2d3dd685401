"""One at a time, of all processes, who publishes: a lock beside the ledger, freed by the system when its holder dies.

Who holds that of publishing knows that whatever the ledger says is under way was left by a process that has ended.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..errors import IndexBusy, LedgerBusy, LedgerUnusable
from ..ledger.ledger import Ledger
from ..lock import WriterLock

_PATIENCE_S = 5.0
_AGAIN_S = 0.02


@contextmanager
def turn(ledger: Ledger, patience: float = _PATIENCE_S, *, lock: str = "publishing.lock") -> Iterator[None]:
    """Be the only one with that lock, or the only publisher, while the block runs.

    Raises LedgerBusy after `patience` seconds; LedgerUnusable.
    """
    with ExitStack() as held:
        _wait(ledger.path.with_name(lock), held, time.monotonic() + patience)
        yield


def _wait(lock: Path, held: ExitStack, until: float) -> None:
    while True:
        try:
            held.enter_context(WriterLock(lock))
        except IndexBusy:
            if time.monotonic() >= until:
                raise LedgerBusy("Another decision is being carried out; try again.") from None
            time.sleep(_AGAIN_S)
        except OSError as error:
            raise LedgerUnusable(f"The ledger cannot be locked: {error.strerror or error}.") from error
        else:
            return
