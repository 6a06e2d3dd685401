"""What the command line and the environment say, checked, as one value. Knows no library yet: nothing heavy is loaded."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from .config_place import place_of
from .faults import UsageFault

if TYPE_CHECKING:
    from ..library import Role

ROLE_VARIABLE = "READINGROOM_ROLE"
LEDGER_VARIABLE = "READINGROOM_LEDGER"
RESCAN_S = 30.0
LEAST_RESCAN_S = 1.0
MOST_RESCAN_S = 86_400.0
ROLES = ("reader", "editor")


class Settings(msgspec.Struct, frozen=True):
    """Which library, for whom. `rescan` is in seconds; `watch` says whether the system is asked to report changes,
    `older_era` whether clients of earlier revisions are served. `ledger` is the folder that holds the ledger, None for
    the platform's. `name` and the three behind it are how the server tells who it is, and the two behind them are of
    `Rules`; of all six None stands for what holds anyway. `prompts` is the folder of the author's prompts, if there is one.
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
    name: str | None = None
    title: str | None = None
    description: str | None = None
    instructions: str | None = None
    max_file_bytes: int | None = None
    passage_characters: int | None = None
    prompts: str | None = None


def settings_from(values: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Check what was given; options count before the environment, and that before the configuration.

    Patterns of options are added to those of the configuration. Raises: UsageFault, which names what is wrong and what is
    allowed. Without a folder they are those of a server of several.
    """
    told = configured(values["folder"], values.get("config"), environment)
    return Settings(
        folder=values["folder"] or "",
        role=_role(values.get("role"), environment, told.get("role", "reader")),
        principal=_principal(values.get("principal"), told.get("principal", "local")),
        internal=(*told.get("internal", ()), *(values.get("internal") or ())),
        leave_out=(*told.get("leave_out", ()), *(values.get("leave_out") or ())),
        cache=_cache(values.get("cache"), told.get("cache")),
        rescan=_rescan(values.get("rescan"), told.get("rescan", RESCAN_S)),
        watch=not values.get("no_watch") and told.get("watch", True),
        older_era=not (values.get("modern_only") or told.get("modern_only", False)),
        ledger=_ledger(values.get("ledger"), environment, told.get("ledger")),
        name=told.get("name"),
        title=told.get("title"),
        description=told.get("description"),
        instructions=told.get("instructions"),
        max_file_bytes=told.get("max_file_bytes"),
        passage_characters=told.get("passage_characters"),
        prompts=told.get("prompts"),
    )


def configured(folder: str | None, option: str | None, environment: Mapping[str, str]) -> Mapping[str, Any]:
    """Give what the configuration says for a folder, or its general part; nothing is loaded where there is none.

    Raises: UsageFault.
    """
    place = place_of(option, environment)
    if place is None:
        return {}
    from .config_file import layers_for

    return layers_for(place[0], folder).values()


def _role(option: str | None, environment: Mapping[str, str], otherwise: "Role") -> "Role":
    source, role = (
        ("--role", option) if option is not None else (ROLE_VARIABLE, environment.get(ROLE_VARIABLE, ""))
    )
    if option is None and not role:
        return otherwise
    if role not in ROLES:
        raise UsageFault(f"{source} must be reader or editor, not {role!r}")
    return cast("Role", role)


def _principal(name: str | None, otherwise: str) -> str:
    if name is None:
        return otherwise
    if not 1 <= len(name) <= 100 or not name.isprintable():
        raise UsageFault("--principal must be 1 to 100 printable characters")
    return name


def _cache(folder: str | None, otherwise: str | None) -> str | None:
    if folder == "":
        raise UsageFault("--cache must name a folder")
    return folder or otherwise


def _ledger(folder: str | None, environment: Mapping[str, str], otherwise: str | None) -> str | None:
    if folder == "":
        raise UsageFault("--ledger must name a folder")
    return folder or environment.get(LEDGER_VARIABLE) or otherwise


def _rescan(given: str | None, otherwise: float) -> float:
    if given is None:
        return otherwise
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not LEAST_RESCAN_S <= seconds <= MOST_RESCAN_S:
        raise UsageFault(f"--rescan must be a number of seconds from 1 to 86400, not {given!r}")
    return seconds
