"""What the command line and the environment say, checked, as one value. Knows no library yet: nothing heavy is loaded."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from .faults import UsageFault

if TYPE_CHECKING:
    from ..library import Role

ROLE_VARIABLE = "READINGROOM_ROLE"
LEDGER_VARIABLE = "READINGROOM_LEDGER"
RESCAN_S = 30.0
_ROLES = ("reader", "editor")
_LEAST_RESCAN_S = 1.0


class Settings(msgspec.Struct, frozen=True):
    """Which library, for whom. `rescan` is in seconds; `watch` says whether the system is asked to report changes,
    `older_era` whether clients of earlier revisions are served. `ledger` is the folder that holds the ledger, None for
    the platform's.
    """

    folder: str
    role: "Role"
    principal: str
    internal: tuple[str, ...]
    leave_out: tuple[str, ...]
    cache: str | None
    rescan: float
    watch: bool = True
    older_era: bool = True
    ledger: str | None = None


def settings_from(values: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Check what was given; options count before the environment.

    Raises: UsageFault, which names what is wrong and what is allowed.
    """
    return Settings(
        folder=values["folder"],
        role=_role(values.get("role"), environment),
        principal=_principal(values.get("principal")),
        internal=tuple(values.get("internal") or ()),
        leave_out=tuple(values.get("leave_out") or ()),
        cache=_cache(values.get("cache")),
        rescan=_rescan(values.get("rescan")),
        watch=not values.get("no_watch"),
        older_era=not values.get("modern_only"),
        ledger=_ledger(values.get("ledger"), environment),
    )


def _role(option: str | None, environment: Mapping[str, str]) -> "Role":
    source, role = (
        ("--role", option) if option is not None else (ROLE_VARIABLE, environment.get(ROLE_VARIABLE, ""))
    )
    if option is None and not role:
        return "reader"
    if role not in _ROLES:
        raise UsageFault(f"{source} must be reader or editor, not {role!r}")
    return cast("Role", role)


def _principal(name: str | None) -> str:
    if name is None:
        return "local"
    if not 1 <= len(name) <= 100 or not name.isprintable():
        raise UsageFault("--principal must be 1 to 100 printable characters")
    return name


def _cache(folder: str | None) -> str | None:
    if folder == "":
        raise UsageFault("--cache must name a folder")
    return folder


def _ledger(folder: str | None, environment: Mapping[str, str]) -> str | None:
    if folder == "":
        raise UsageFault("--ledger must name a folder")
    return folder or environment.get(LEDGER_VARIABLE) or None


def _rescan(given: str | None) -> float:
    if given is None:
        return RESCAN_S
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not _LEAST_RESCAN_S <= seconds <= 86_400:
        raise UsageFault(f"--rescan must be a number of seconds from 1 to 86400, not {given!r}")
    return seconds
