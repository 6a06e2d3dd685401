"""A library: one folder, its index, the thread that keeps them in step, and a view for each principal.

The front door for Python. Opening looks at the folder and does nothing else: neither is anything scanned nor is an
engine loaded. The operator's door stands in operator.py, and nothing here leads to it.
"""

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from . import places
from .errors import BadQuery, FolderUnusable, IndexBusy, IndexUnusable
from .files import Files
from .gate import Gate
from .hooks import MIDWAY_S, Hooks, ScanProgress
from .keeper import SCAN_EVERY_S, Keeper
from .model import Principal, Role
from .room import Room
from .rules import Rules
from .shelf import Shelf
from .view import View

if TYPE_CHECKING:
    from .drafts.drafts import Drafts
    from .drafts.following import DraftStates
    from .drafts.standing import Standing
    from .following import Changes, Follower
    from .ledger import Ledger
    from .watching import Watching


_ENDING_S = 0.3


class Library:
    """Made by `Library.open`. May be used from any thread; `close` ends its thread and files."""

    def __init__(
        self,
        root: Path,
        rules: Rules,
        cache: Path | None,
        roles: tuple[Role, ...],
        clock: Callable[[], float],
        ledger: Path | None = None,
    ) -> None:
        self.root = root
        self.rules = rules
        self.roles = roles
        self.gate = Gate()
        self._cache = cache
        self._clock = clock
        self.ledger_folder = ledger
        self._ledger: Ledger | None = None
        self._stood: Standing | None = None
        self._home: places.Home | None = None
        self._shelves: dict[Role, Shelf] = {}
        self._keeper: Keeper | None = None
        self._watching: Watching | None = None
        self._followers: list[Follower] = []
        self._opening = threading.Lock()

    @classmethod
    def open(
        cls,
        root: Path | str,
        *,
        rules: Rules | None = None,
        cache: Path | None = None,
        roles: Sequence[Role] = ("reader",),
        clock: Callable[[], float] = time.time,
        ledger: Path | None = None,
    ) -> "Library":
        """The library of the folder `root`, for these roles; an index is kept for no other.

        `cache` is the folder that holds indexes, and `ledger` the one that holds ledgers, by default the platform's. Raises
        FolderUnusable when the root is missing, no folder, or cannot be read, and when the cache would lie among the
        documents; LedgerUnusable when the ledger would.
        """
        real = _readable(Path(root))
        if cache is not None:
            places.check_outside(real, cache)
        if ledger is not None:
            from .ledger.place import file_of

            file_of(real, ledger)
        named = tuple(dict.fromkeys(roles))
        return cls(real, rules if rules is not None else Rules(), cache, named, clock, ledger)

    @property
    def home(self) -> places.Home:
        """Where the index of this library is kept. Raises FolderUnusable when that lies among the documents."""
        with self._opening:
            if self._home is None:
                cache = self._cache if self._cache is not None else places.default_cache()
                places.check_outside(self.root, cache)
                self._home = places.home_of(cache, self.root, _terms(self.rules))
            return self._home

    @property
    def ledger(self) -> "Ledger":
        """The ledger of this folder, opened with the first use. Raises like `Ledger.open`."""
        with self._opening:
            if self._ledger is None:
                from .ledger import Ledger

                self._ledger = Ledger.open(self.root, self.ledger_folder, clock=self._clock)
            return self._ledger

    def view(self, principal: Principal) -> View:
        """What this principal may see, and nothing else. Raises BadQuery when the library keeps no index for the role."""
        self._check_role(principal.role)
        room = Room(
            role=principal.role,
            shelf=lambda: self._shelf(principal.role),
            files=Files(self.root, self.rules, principal.role, lambda path: self.hint([path])),
            gate=self.gate,
            nudge=self.nudge,
            is_kept=lambda: self.is_running,
        )
        return View(principal, room)

    def drafts(self, principal: Principal) -> "Drafts":
        """The drafts of this principal, and nobody else's. Raises BadQuery when it is no editor, or the library was opened
        without that role.
        """
        from .drafts.drafts import Drafts

        self._check_role(principal.role)
        if principal.role != "editor":
            raise BadQuery("Only editors keep drafts.")
        return Drafts(
            principal, lambda: self.ledger, self._standing(), self.rules.max_file_bytes, clock=self._clock
        )

    def draft_states(self) -> "DraftStates":
        """What a follower of drafts looks at; each draft is told to nobody but its principal. Raises like `Ledger.open`;
        BadQuery when the library was opened without editors.
        """
        from .drafts.following import DraftStates
        from .drafts.showing import state_of

        view, standing = self.view(Principal(role="editor")), self._standing()
        return DraftStates(
            self.ledger,
            lambda draft: state_of(draft, standing),
            lambda: view.generation,
            lambda path: os.path.lexists(self.root / path),
        )

    def _standing(self) -> "Standing":
        from .drafts.standing import Standing

        if self._stood is None:
            self._stood = Standing(self.root, self.rules)
        return self._stood

    def _check_role(self, role: Role) -> None:
        if role not in self.roles:
            raise BadQuery(f"This library was opened without the role {role!r}.")

    def _shelf(self, role: Role) -> Shelf:
        shelf = self._shelves.get(role)
        if shelf is None:
            shelf = self._shelves.setdefault(role, Shelf(self.home.role(role)))
        return shelf

    def reconcile(self, progress: Callable[[ScanProgress], None] | None = None) -> None:
        """Bring the index in step with the folder now, in this thread. `progress` hears of internal files too.

        A file that seems to be half written is looked at once more a moment later. Raises IndexBusy when
        another process is doing so, FolderUnusable when the folder cannot be walked or the index
        not be kept, and IndexUnusable when the index cannot be written.
        """
        doubts: set[str] = set()

        def doubt(path: str) -> bool:
            doubts.add(path)
            return True

        hooks = Hooks(
            pause=self.gate.give_way,
            tell=progress or _unheard,
            clock=self._clock,
            again=doubt,
        )
        self._scan(hooks)
        if doubts:
            time.sleep(MIDWAY_S)
            self._scan(hooks, doubts)

    def _scan(self, hooks: Hooks, paths: Collection[str] | None = None) -> None:
        from .reconcile import reconcile

        try:
            reconcile(self.home, self.root, self.rules, self.roles, hooks, paths)
        finally:
            for follower in self._followers:
                follower.wake()

    def start(
        self,
        *,
        every: float = SCAN_EVERY_S,
        progress: Callable[[ScanProgress], None] | None = None,
        watch: bool = False,
    ) -> None:
        """Keep the index in step from now on, in a thread: one scan at once, then one each `every` seconds.

        With `watch`, the system is asked to report changes as well, and what it names is looked at at once; where it
        cannot, that is logged. An index that is there already answers meanwhile. Does nothing when it is running.
        """
        if self._keeper is not None:
            return
        self._keeper = Keeper(
            self._scan,
            self.since,
            give_way=self.gate.give_way,
            clock=self._clock,
            every=every,
            told=progress or _unheard,
        )
        self._keeper.start()
        if watch:
            from .watching import Watching

            self._watching = Watching(self.root, self.rules, self.hint, every=every)
            self._watching.start()

    def follow(self, role: Role, follower: "Follower") -> None:
        """Let `follower` hear of each change of what this role sees, whichever process has noticed it, until `close`.

        Raises BadQuery when the library keeps no index for the role.
        """
        self._check_role(role)
        self._followers.append(follower)
        follower.start(self._shelf(role))

    def on_change(self, role: Role, told: "Callable[[Changes], None]") -> "Follower":
        """Call `told`, from another thread, with each change of what this role sees.

        What is given back says which documents' changes are to be told by their addresses: `watch(uri)`. Raises BadQuery
        when the library keeps no index for the role.
        """
        from .following import Follower

        follower = Follower(told)
        self.follow(role, follower)
        return follower

    def nudge(self) -> None:
        """Say that the folder has changed: the next scan comes at once, if scans are made."""
        if self._keeper is not None:
            self._keeper.nudge()

    def hint(self, paths: Iterable[str], delay: float = 0.0) -> None:
        """Say where in the folder something may have changed: these places are looked at in `delay` seconds or soon after,
        if scans are made.

        A path is that of a document or a folder, "" is all of it. What is found there is not noted as a full scan.
        """
        if self._keeper is not None:
            self._keeper.hint(paths, delay)

    @property
    def is_running(self) -> bool:
        """Whether scans are made in this process."""
        return self._keeper is not None and self._keeper.is_running

    @property
    def trouble(self) -> str:
        """Why the last scan in this process failed, or ""; for the operator, as it may name internal paths."""
        return self._keeper.trouble if self._keeper is not None else ""

    def since(self) -> float | None:
        """When the last full scan of every role began; None when one is missing."""
        found: list[float] = []
        for role in self.roles:
            edition = self._shelf(role).edition()
            if edition is None or places.is_condemned(edition.folder):
                return None
            try:
                reconciled = edition.catalog.facts().reconciled
            except IndexUnusable:
                return None
            if reconciled is None:
                return None
            found.append(reconciled)
        return min(found)

    def wait(self, timeout: float) -> bool:
        """Wait until every role has been scanned in full since the index was begun; false when `timeout` came first."""
        deadline = time.monotonic() + timeout
        while self.since() is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        return True

    def close(self) -> None:
        """End the threads within a second or so and close all files. May be called again.

        A view that is asked afterwards opens the files anew.
        """
        if self._watching is not None:
            self._watching.stop(_ENDING_S)
            self._watching = None
        if self._keeper is not None:
            self._keeper.stop()
            self._keeper = None
        while self._followers:
            self._followers.pop().stop(_ENDING_S)
        for shelf in self._shelves.values():
            shelf.close()
        with self._opening:
            ledger, self._ledger = self._ledger, None
        if ledger is not None:
            ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def forget(self) -> int:
        """Close, and remove every index of this folder, whatever its rules; how many there were. Raises like `forget`."""
        self.close()
        return forget(self.root, self._cache)


def forget(root: Path | str, cache: Path | None = None) -> int:
    """Remove every index that is kept of a folder, also of one that is gone; how many there were.

    Raises IndexBusy when one is being written or, on Windows, is in use: stop the server first.
    """
    from .lock import WriterLock

    homes = places.homes_of(
        cache if cache is not None else places.default_cache(), Path(os.path.realpath(root))
    )
    for home in homes:
        with WriterLock(home.lock) as lock:
            if not places.discard(home, lock):
                raise IndexBusy("The index is in use by another process; end it first.")
    return len(homes)


def _readable(root: Path) -> Path:
    try:
        with os.scandir(root):
            return Path(os.path.realpath(root))
    except FileNotFoundError:
        raise FolderUnusable(f"There is no folder {root}.") from None
    except NotADirectoryError:
        raise FolderUnusable(f"{root} is not a folder.") from None
    except OSError as error:
        raise FolderUnusable(f"The folder {root} cannot be read: {error.strerror}.") from error


def _terms(rules: Rules) -> Any:
    """Everything but the files that decides what an index holds."""
    import tantivy

    from . import catalog
    from .rules import SEMANTICS, SUFFIXES
    from .search import analysis, engine

    versions = (
        SEMANTICS,
        catalog.SCHEMA,
        engine.SCHEMA_VERSION,
        analysis.VERSION,
        vars(tantivy)["__version__"],
    )
    return rules, SUFFIXES, versions


def _unheard(progress: ScanProgress) -> None:
    """Nobody asked for progress."""
