"""Since when the passphrase holds, and whether it was ever RESET: what a person is told before typing it.

A reset is told for good, whatever was set after it: who takes a folder over by a reset can also set a passphrase after it.
"""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from ..library.ledger import LedgerReading


class Since(msgspec.Struct, frozen=True):
    """`at` is when the present passphrase began to hold; `reset_at` and `reset_by` are the time and the number of the newest
    decision that reset it, and `is_reset` says that the present one came by that."""

    at: float
    reset_at: float | None = None
    reset_by: int = 0
    is_reset: bool = False


def since_of(reading: "LedgerReading") -> Since | None:
    """What the journal says of the passphrase; None where there is none."""
    from ..library.operator import journal

    chain = reading.chain()
    if chain is None:
        return None
    begun = [one for one in journal(reading) if one.kind in ("set", "reset")]
    reset = next((one for one in reversed(begun) if one.kind == "reset"), None)
    if reset is None:
        return Since(chain.began)
    return Since(chain.began, reset.at, reset.number, is_reset=reset.chain == chain.number)
