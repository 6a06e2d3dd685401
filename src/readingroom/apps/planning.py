"""What a server is to serve: one folder as it always was, or several as collections. Nothing heavy is loaded for one.

On the way to the first answer of `serve`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from . import compose
from .settings import Settings, settings_from

if TYPE_CHECKING:
    from ..library import Role
    from .collections import Collection
    from .gathering import Gathering


class Plan(msgspec.Struct, frozen=True):
    """The settings of a server, and the collections, where there are any."""

    settings: Settings
    collections: "tuple[Collection, ...]" = ()

    @property
    def folders(self) -> tuple[str, ...]:
        """Every folder that is served."""
        return tuple(one.settings.folder for one in self.collections) or (self.settings.folder,)

    def check(self) -> None:
        """Raise now what opening would raise, as `compose.check` and `gathering.check_all` do."""
        if not self.collections:
            return compose.check(self.settings)
        from .gathering import check_all

        return check_all(self.settings, self.collections)

    def opening(self, roles: "tuple[Role, ...]" = ()) -> "compose.Opening | Gathering":
        """Give what opens the folder, or the folders, for the role of the settings or for these."""
        if not self.collections:
            return compose.Opening(self.settings, roles)
        from .gathering import Gathering

        return Gathering(self.settings, self.collections, roles)


def planned(values: Mapping[str, Any], environment: Mapping[str, str]) -> Plan:
    """Read what is to be served. Raises: UsageFault."""
    given = values["folder"]
    folders = [given] if isinstance(given, str) else given
    if len(folders) == 1 and "=" not in folders[0]:  # nearly always; what knows of collections is not loaded
        return Plan(settings_from({**values, "folder": folders[0]}, environment))
    from .collections import base_settings, collections_from, is_plain

    if is_plain(folders):
        return Plan(settings_from({**values, "folder": folders[0]}, environment))
    collections = collections_from(folders, values, environment)
    return Plan(base_settings(values, environment), collections)
