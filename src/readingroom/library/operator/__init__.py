"""The operator's door: the look at everything, and the decisions. Only `apps` may come in here.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .chain import DecisionKey, JournalFault, journal_faults
    from .derivation import fit
    from .door import Operator
    from .looking_back import ShownUndo
    from .manifest import manifest_of
    from .outcomes import OUTCOME_CODES, Outcome, Refused
    from .overview import Kept, Notice, RoleStatus, Status, status
    from .passphrase import journal, reset_passphrase, set_passphrase, unlock
    from .past_us import PastUs
    from .refusals import (
        KeyExpired,
        NoPassphrase,
        NotDecided,
        PassphraseSet,
        PassphraseUnfit,
        TooSoon,
        WrongPassphrase,
    )
    from .verifying import FileFault, Verified
    from .waiting import Approval, Pending, Shown

_HOMES = {
    "OUTCOME_CODES": "outcomes",
    "Approval": "waiting",
    "DecisionKey": "chain",
    "FileFault": "verifying",
    "JournalFault": "chain",
    "Kept": "overview",
    "KeyExpired": "refusals",
    "NoPassphrase": "refusals",
    "NotDecided": "refusals",
    "Notice": "overview",
    "Operator": "door",
    "Outcome": "outcomes",
    "PassphraseSet": "refusals",
    "PassphraseUnfit": "refusals",
    "PastUs": "past_us",
    "Pending": "waiting",
    "Refused": "outcomes",
    "RoleStatus": "overview",
    "Shown": "waiting",
    "ShownUndo": "looking_back",
    "Status": "overview",
    "TooSoon": "refusals",
    "Verified": "verifying",
    "WrongPassphrase": "refusals",
    "fit": "derivation",
    "journal": "passphrase",
    "journal_faults": "chain",
    "manifest_of": "manifest",
    "reset_passphrase": "passphrase",
    "set_passphrase": "passphrase",
    "status": "overview",
    "unlock": "passphrase",
}

__all__ = [
    "OUTCOME_CODES",
    "Approval",
    "DecisionKey",
    "FileFault",
    "JournalFault",
    "Kept",
    "KeyExpired",
    "NoPassphrase",
    "NotDecided",
    "Notice",
    "Operator",
    "Outcome",
    "PassphraseSet",
    "PassphraseUnfit",
    "PastUs",
    "Pending",
    "Refused",
    "RoleStatus",
    "Shown",
    "ShownUndo",
    "Status",
    "TooSoon",
    "Verified",
    "WrongPassphrase",
    "fit",
    "journal",
    "journal_faults",
    "manifest_of",
    "reset_passphrase",
    "set_passphrase",
    "status",
    "unlock",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
