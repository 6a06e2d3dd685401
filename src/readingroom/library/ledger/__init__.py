"""The ledger of a folder: what is proposed, asked, decided and published, in one file that is never lost or half written.

Knows SQL and the disk; the rules of drafts and of the operator stand above it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..digest import digest_of
    from .backup import BackupInfo
    from .ledger import Ledger
    from .looking import LedgerLook, look
    from .model import Chain, Decision, DecisionKind, Draft, Edit, Kind, Operation, Publication, State
    from .reading import LedgerReading
    from .restoring import Restored, restore
    from .writing import LedgerWriting

_HOMES = {
    "BackupInfo": "backup",
    "Chain": "model",
    "Decision": "model",
    "DecisionKind": "model",
    "Draft": "model",
    "Edit": "model",
    "Kind": "model",
    "Ledger": "ledger",
    "LedgerLook": "looking",
    "LedgerReading": "reading",
    "LedgerWriting": "writing",
    "Operation": "model",
    "Publication": "model",
    "Restored": "restoring",
    "State": "model",
    "digest_of": "reading",
    "look": "looking",
    "restore": "restoring",
}

__all__ = [
    "BackupInfo",
    "Chain",
    "Decision",
    "DecisionKind",
    "Draft",
    "Edit",
    "Kind",
    "Ledger",
    "LedgerLook",
    "LedgerReading",
    "LedgerWriting",
    "Operation",
    "Publication",
    "Restored",
    "State",
    "digest_of",
    "look",
    "restore",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
