"""The one place where objects are put together: a library under its settings, a view of it, the desk's server over that.

Nothing heavy is loaded to make a server: the library opens with the first request that needs it, or in the background.
"""

import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from ..desk.editing import Editing
    from ..kit import Server
    from ..library import DraftFollower, Drafts, Follower, Library, Role, Rules, View
    from .gathering import Gathering
    from .prompt_folder import Prompts

_ENDING_S = 0.3

_NO_DRAFTS = "Drafts are not kept here: this server serves several folders. A server of one folder keeps drafts for it."
_LIMITS = ("max_file_bytes", "passage_characters")


def open_library(settings: Settings, roles: "tuple[Role, ...]" = ()) -> "Library":
    """Open the library for the role of the settings, or for these roles.

    Raises: FolderUnusable; BadQuery for a rule that could never match what it means.
    """
    from pathlib import Path

    from ..library import FolderUnusable, Library

    rules = rules_of(settings)
    cache = None if settings.cache is None else Path(settings.cache)
    ledger = None if settings.ledger is None else Path(settings.ledger)
    try:
        return Library.open(
            settings.folder, rules=rules, cache=cache, roles=roles or (settings.role,), ledger=ledger
        )
    except FolderUnusable as error:
        raise FolderUnusable(f"{error}{_why(settings.folder)}") from error


def rules_of(settings: Settings) -> "Rules":
    """Give the rules that a library is opened under. Raises: BadQuery as `open_library` does."""
    from ..library import Rules

    limits = {name: getattr(settings, name) for name in _LIMITS}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    return Rules(internal=settings.internal, leave_out=settings.leave_out, **given)


def prompts_of(settings: Settings) -> "Prompts | None":
    """Read the author's prompts, where the settings name a folder of them. Raises: UsageFault for the folder."""
    if settings.prompts is None:
        return None
    from .prompt_folder import prompts_in

    return prompts_in(settings.prompts, settings.folder or None, rules_of(settings))


def _why(folder: str) -> str:
    """What may have gone wrong with the name of a missing folder: apps start commands without a shell, and anywhere."""
    if os.path.exists(folder):  # noqa: PTH110  -- pathlib would cost more than it says
        return ""
    if folder.startswith("~"):
        return " Only a shell knows what ~ means; give the full path."
    return "" if os.path.isabs(folder) else f" It was looked for in {os.getcwd()}."  # noqa: PTH109, PTH117  -- as above


def view_of(library: "Library", settings: Settings, role: "Role | None" = None) -> "View":
    """Give what the principal of the settings may see, in its role or in this one."""
    from ..library import Principal

    return library.view(Principal(settings.principal, role or settings.role))


class Opening:
    """A library that is opened once, by whoever needs it first, and kept in step with its folder from then on.

    May be used from any thread.
    """

    def __init__(self, settings: Settings, roles: "tuple[Role, ...]" = ()) -> None:
        self._settings = settings
        self._roles = roles
        self._library: Library | None = None
        self._followers: list[tuple[Role, Callable[[], Follower]]] = []
        self._of_drafts: list[DraftFollower] = []
        self._lock = threading.Lock()

    def follow(self, role: "Role", follower: "Callable[[], Follower]") -> None:
        """Let what `follower` gives, once the library is opened, hear of changes of what a role sees.

        Called before anybody needs the library.
        """
        self._followers.append((role, follower))

    def library(self) -> "Library":
        """Give the library, opened and kept in step: a request may wait for its first scan. Raises like `open_library`."""
        with self._lock:
            if self._library is None:
                self._library = library = open_library(self._settings, self._roles)
                library.start(every=self._settings.rescan, watch=self._settings.watch)
                for role, follower in self._followers:
                    library.follow(role, follower())
            return self._library

    def view(self, role: "Role | None" = None) -> "View":
        """Give what a role may see, or that of the settings. Raises like `open_library`."""
        return view_of(self.library(), self._settings, role)

    def drafts_of(self, name: str) -> "Drafts":
        """Give the drafts of the editor of that name. Raises like `open_library`."""
        from ..library import Principal

        return self.library().drafts(Principal(name, "editor"))

    def follow_drafts(self, told: "Callable[[str, str], None]") -> "DraftFollower":
        """Give what tells of changes of drafts; the library is opened when somebody listens to one."""
        from ..library import DraftFollower

        follower = DraftFollower(lambda: self.library().draft_states(), told)
        self._of_drafts.append(follower)
        return follower

    def close(self) -> None:
        """Close what was opened."""
        for follower in self._of_drafts:
            follower.stop(_ENDING_S)
        with self._lock:
            if self._library is not None:
                self._library.close()


def check(settings: Settings) -> None:
    """Raise now what opening the library would raise; where all is well, which is nearly always, without loading it.

    What is wrong with single prompts of the author is told on stderr. Raises like `open_library`, and as `prompts_of` does.
    """
    prompts = prompts_of(settings)
    for fault in prompts.faults if prompts is not None else ():
        _tell(fault)
    if not _is_surely_well(settings):
        open_library(settings).close()


def _tell(fault: str) -> None:
    import sys

    from .characters import one_line

    sys.stderr.write(f"readingroom: {one_line(fault)}\n")


def _is_surely_well(settings: Settings) -> bool:
    """Whether the folder can be listed, cache and ledger lie elsewhere, and there are no rules to check."""
    if settings.internal or settings.leave_out:
        return False
    try:
        with os.scandir(settings.folder):
            root = os.path.realpath(settings.folder)
    except OSError:
        return False
    places = (place for place in (settings.cache, settings.ledger) if place is not None)
    return not any(os.path.realpath(place).startswith(root) for place in places)


def server_over(
    opening: "Opening | Gathering",
    settings: Settings,
    *,
    key: bytes | None = None,
    state_keys: tuple[bytes, ...] | None = None,
) -> "Server":
    """Give the server through which the role of the settings uses the library.

    Over HTTP, `key` seals cursors and `state_keys` what is asked of users; over stdio cursors have a key that is no secret.
    """
    from .. import __version__
    from ..desk import About, open_desk

    role = settings.role
    prompts = prompts_of(settings)
    folders, collections = (
        ((), ()) if isinstance(opening, Opening) else (opening.folders, opening.names(role))
    )
    return open_desk(
        lambda: opening.view(role),
        version=__version__,
        cursor_key=key or cursor_key(settings, folders),
        state_keys=state_keys,
        about=About(
            settings.name, settings.title, settings.description, _instructions(settings, opening), collections
        ),
        prompts=() if prompts is None else prompts.prompts,
        follow=lambda follower: opening.follow(role, follower),
        editing=_editing(opening) if role == "editor" and isinstance(opening, Opening) else None,
    )


def _instructions(settings: Settings, opening: "Opening | Gathering") -> str | None:
    """Give what the owner says to models, and to editors of several folders what they would look for in vain."""
    if isinstance(opening, Opening) or settings.role == "reader":
        return settings.instructions
    return "\n\n".join(filter(None, (_NO_DRAFTS, settings.instructions)))


def _editing(opening: Opening) -> "Editing":
    """Give the doors to drafts. The ledger is opened with the first request that needs it."""
    from ..desk.editing import Editing

    return Editing(opening.drafts_of, opening.follow_drafts)


def cursor_key(settings: Settings, folders: Sequence[str] = ()) -> bytes:
    """Give the key that seals cursors over stdio, equal in every process that serves this folder to this role, or these.

    It is no secret, and need not be: whoever holds the pipe may read what a cursor could lead to. The seal keeps a cursor
    to its call, so that a wrong one is refused and not taken for another place.
    """
    named = "\0".join(
        ("readingroom cursors", settings.role, *map(os.path.realpath, folders or (settings.folder,)))
    )
    return named.encode("utf-8", "surrogatepass")
