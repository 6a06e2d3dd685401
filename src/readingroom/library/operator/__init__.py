"""The operator's door: the look at everything, and the decisions. Only `apps` may come in here.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .chain import DecisionKey, JournalFault, journal_faults
    from .derivation import fit
    from .overview import Kept, Notice, RoleStatus, Status, status
    from .passphrase import journal, reset_passphrase, set_passphrase, unlock
    from .refusals import (
        KeyExpired,
        NoPassphrase,
        NotDecided,
        PassphraseSet,
        PassphraseUnfit,
        TooSoon,
        WrongPassphrase,
    )

_HOMES = {
    "DecisionKey": "chain",
    "JournalFault": "chain",
    "Kept": "overview",
    "KeyExpired": "refusals",
    "NoPassphrase": "refusals",
    "NotDecided": "refusals",
    "Notice": "overview",
    "PassphraseSet": "refusals",
    "PassphraseUnfit": "refusals",
    "RoleStatus": "overview",
    "Status": "overview",
    "TooSoon": "refusals",
    "WrongPassphrase": "refusals",
    "fit": "derivation",
    "journal": "passphrase",
    "journal_faults": "chain",
    "reset_passphrase": "passphrase",
    "set_passphrase": "passphrase",
    "status": "overview",
    "unlock": "passphrase",
}

__all__ = [
    "DecisionKey",
    "JournalFault",
    "Kept",
    "KeyExpired",
    "NoPassphrase",
    "NotDecided",
    "Notice",
    "PassphraseSet",
    "PassphraseUnfit",
    "RoleStatus",
    "Status",
    "TooSoon",
    "WrongPassphrase",
    "fit",
    "journal",
    "journal_faults",
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
