"""The operator's door: the look at everything, and the decisions. Only `apps` may come in here.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .overview import Kept, Notice, RoleStatus, Status, status

_HOMES = {
    "Kept": "overview",
    "Notice": "overview",
    "RoleStatus": "overview",
    "Status": "overview",
    "status": "overview",
}

__all__ = [
    "Kept",
    "Notice",
    "RoleStatus",
    "Status",
    "status",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
