"""Several folders in one server, each a collection with a name: which, under which settings, and what is refused.

Looks at names and places alone; no library is loaded. One plain folder is no collection, and never comes here.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from .config_place import place_of
from .faults import UsageFault
from .settings import ROLES, Settings, settings_from

_MOST = 50
_ALL = frozenset(("*", "**", "/*", "/**", "**/*", "/**/*"))
"""Patterns that make a whole collection internal: nothing of it is opened for readers."""


class Collection(msgspec.Struct, frozen=True):
    """A folder under its name; `is_given` says that the command line names it, and not the configuration alone."""

    name: str
    settings: Settings
    is_given: bool = True

    @property
    def is_closed(self) -> bool:
        """Whether its rules leave nothing in it to readers."""
        return not _ALL.isdisjoint(self.settings.internal)


def is_plain(folders: Sequence[str]) -> bool:
    """Whether the command line names one folder and no collection: that is served as it always was."""
    return len(folders) == 1 and _named(folders[0]) is None


def base_settings(values: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Give what holds for the server itself: its options and the general part of the configuration. Raises: UsageFault."""
    return settings_from({**values, "folder": None}, environment)


def collections_from(
    folders: Sequence[str], values: Mapping[str, Any], environment: Mapping[str, str]
) -> tuple[Collection, ...]:
    """Give the collections of a command line, or without any folder those of the configuration, by name.

    Raises: UsageFault for what cannot be told apart: names, folders, and indexes or ledgers among documents.
    """
    whole = " ".join(folders)
    if len(folders) > 1 and os.path.isdir(whole):  # noqa: PTH112  -- text all the way
        raise UsageFault(f"{whole} is one folder with spaces in its name: put quotes around it")
    named = [_parts(folder) for folder in folders] or _configured(values, environment)
    if not named:
        raise UsageFault(
            "give FOLDER, the folder to be served, or several of them, or name collections in the configuration"
        )
    if len(named) > _MOST:
        raise UsageFault(f"at most {_MOST} folders can be served at once")
    base = base_settings(values, environment)
    found = tuple(
        Collection(
            name, _capped(settings_from({**values, "folder": folder}, environment), base), bool(folders)
        )
        for name, folder in named
    )
    _check_folders(found)
    _check_names(found)
    _check_places(found)
    return tuple(sorted(found, key=lambda collection: collection.name))


def _capped(settings: Settings, base: Settings) -> Settings:
    """The settings of a folder in a server: what is said of the server counts, and the lower of two roles."""
    role = min(settings.role, base.role, key=ROLES.index)
    return msgspec.structs.replace(settings, role=role, principal=base.principal)


def _named(folder: str) -> tuple[str, str] | None:
    """The name and the folder of NAME=FOLDER; None for a folder, also for one whose own name has such a sign."""
    name, equals, rest = folder.partition("=")
    if not equals or os.sep in name or "/" in name or os.path.exists(folder):  # noqa: PTH110  -- text all the way
        return None
    return name, rest


def _parts(folder: str) -> tuple[str, str]:
    """The name and the folder of what was given. Raises: UsageFault."""
    from ..library.joint_places import NAME_RULE, is_name

    name, path = _named(folder) or (_own_name(folder), folder)
    if not path:
        raise UsageFault(f"{folder!r} names no folder; a collection is given as NAME=FOLDER")
    if not is_name(name):
        raise UsageFault(
            f"{name!r} cannot be the name of a collection, which has {NAME_RULE}: name it, as notes=FOLDER"
        )
    return name, path


def _own_name(folder: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFC", os.path.basename(os.path.abspath(folder)))  # noqa: PTH100, PTH119  -- text all the way


def _configured(values: Mapping[str, Any], environment: Mapping[str, str]) -> list[tuple[str, str]]:
    place = place_of(values.get("config"), environment)
    if place is None:
        return []
    from .config_file import layers_for

    return [(named.name, named.folder) for named in layers_for(place[0], None).collections]


def _check_names(found: Sequence[Collection]) -> None:
    for one, other in combinations(found, 2):
        if one.name.casefold() == other.name.casefold():
            raise UsageFault(
                f"{one.settings.folder} and {other.settings.folder} would both be called {one.name}: give one of them "
                f"another name, as other={other.settings.folder}"
            )


def _check_folders(found: Sequence[Collection]) -> None:
    from .config_file import is_same

    for one, other in combinations(found, 2):
        here, there = one.settings.folder, other.settings.folder
        if is_same(here, there):
            raise UsageFault(f"{here} and {there} are one folder: give it once")
        for outer, inner in ((here, there), (there, here)):
            if _is_inside(inner, outer):
                raise UsageFault(
                    f"{inner} lies inside {outer}, which is served with all that is in it: leave the inner one out"
                )


def _check_places(found: Sequence[Collection]) -> None:
    """What is kept of one collection must not lie among the documents of another."""
    for collection, kept in _kept(found):
        for other in found:
            if _is_inside(kept, other.settings.folder):
                raise UsageFault(
                    f"what is kept of {collection.name} would lie in {other.settings.folder}, which is served: keep it "
                    "elsewhere"
                )


def _kept(found: Sequence[Collection]) -> Iterator[tuple[Collection, str]]:
    for collection in found:
        for place in (collection.settings.cache, collection.settings.ledger):
            if place is not None:
                yield collection, place


def _is_inside(inner: str, outer: str) -> bool:
    inside, outside = os.path.realpath(inner), os.path.realpath(outer)
    return inside == outside or inside.startswith(os.path.join(outside, ""))  # noqa: PTH118  -- text all the way
