"""Several libraries put together for one server: each is opened by itself, and one that fails keeps none from serving."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from .collections import Collection
from .compose import Opening, check, view_of
from .settings import ROLES, Settings

if TYPE_CHECKING:
    from ..library import Follower, JointView, Library, Role, View


class Gathering:
    """Libraries that are opened once, each by whoever needs it first. May be used from any thread; stands for an Opening.

    Drafts are not kept of several folders.
    """

    def __init__(
        self, settings: Settings, collections: Sequence[Collection], roles: "tuple[Role, ...]" = ()
    ) -> None:
        self._settings = settings
        self._collections = collections
        self._roles = roles or (settings.role,)
        self._openings: dict[str, Opening] = {}
        for collection in collections:
            opened = [self._role_in(collection, role) for role in self._roles if _opens(collection, role)]
            if opened:
                self._openings[collection.name] = Opening(collection.settings, tuple(dict.fromkeys(opened)))

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders, in order of their names."""
        return tuple(collection.settings.folder for collection in self._collections)

    def names(self, role: "Role") -> tuple[str, ...]:
        """The names of the collections that a role may find something in."""
        return tuple(collection.name for collection in self._open_to(role))

    def _open_to(self, role: "Role") -> list[Collection]:
        return [collection for collection in self._collections if _opens(collection, role)]

    @staticmethod
    def _role_in(collection: Collection, role: "Role") -> "Role":
        """The lower of the role that asks and the one that the folder's own table allows."""
        return min(collection.settings.role, role, key=ROLES.index)

    def follow(self, role: "Role", follower: "Callable[[], Follower]") -> None:
        """Let what `follower` gives hear of changes of what a role sees, once each library is opened."""
        from ..library import JointFollower

        def part(name: str) -> "Follower":
            joint = follower()
            if not isinstance(joint, JointFollower):
                raise TypeError("several collections need a joint follower")
            return joint.part(name)

        for collection in self._open_to(role):
            name = collection.name
            self._openings[name].follow(self._role_in(collection, role), partial(part, name))

    def library(self) -> None:
        """Open all that can be opened, and keep them in step; the others are tried again when somebody asks."""
        from ..library import LibraryError

        for opening in self._openings.values():
            try:
                opening.library()
            except LibraryError:
                continue  # told by `status`, and to whoever may hear of it by `check_all`

    def view(self, role: "Role | None" = None) -> "JointView":
        """Give what a role may see of all, or that of the settings."""
        from ..library import JointView, Part, Principal

        asked = role or self._settings.role

        def part(collection: Collection) -> Part:
            def view() -> "View":
                return self._openings[collection.name].view(self._role_in(collection, asked))

            return Part(collection.name, view)

        principal = Principal(self._settings.principal, asked)
        return JointView(principal, [part(collection) for collection in self._open_to(asked)])

    def close(self) -> None:
        """Close what was opened."""
        for opening in self._openings.values():
            opening.close()


def _opens(collection: Collection, role: str) -> bool:
    """Whether there can be anything for a role in a collection."""
    return not collection.is_closed or (role == "editor" and collection.settings.role == "editor")


def check_all(settings: Settings, collections: Sequence[Collection]) -> None:
    """Raise now what opening would raise, but for single folders that cannot be used: those are told on stderr.

    To a reader's app, which may read stderr, only those are named that stand on its own command line. Raises: UsageFault,
    BadQuery; FolderUnusable when no folder can be used.
    """
    from ..library import FolderUnusable

    if settings.prompts is not None:
        _check_prompts(settings.prompts, collections)
    failed: list[FolderUnusable] = []
    for collection in collections:
        try:
            check(msgspec.structs.replace(collection.settings, prompts=None))
        except FolderUnusable as error:
            failed.append(error)
            if settings.role == "editor" or collection.is_given:
                _tell(f"the collection {collection.name} cannot be served now: {error}")
    if len(failed) == len(collections):
        raise failed[0]
    if settings.role == "editor":
        _tell("drafts are not kept while several folders are served: serve a folder by itself for them")


def _check_prompts(prompts: str, collections: Sequence[Collection]) -> None:
    from .compose import rules_of
    from .prompt_folder import prompts_in

    faults: tuple[str, ...] = ()
    for collection in collections:
        own = collection.settings
        faults = prompts_in(prompts, own.folder, rules_of(own)).faults
    for fault in faults:
        _tell(fault)


def _tell(sentence: str) -> None:
    from .characters import one_line

    sys.stderr.write(f"readingroom: {one_line(sentence)}\n")


def views_of(libraries: "Sequence[tuple[Collection, Library]]", settings: Settings) -> "JointView":
    """Give what the principal of the settings may see of libraries that are open."""
    from ..library import JointView, Part, Principal

    parts = [
        Part(collection.name, partial(view_of, library, collection.settings))
        for collection, library in libraries
    ]
    return JointView(Principal(settings.principal, settings.role), parts)
