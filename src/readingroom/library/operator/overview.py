"""The operator's look at a library: everything, internal and left-out files included.

Reads what the last scan wrote, looks through the ledger, and changes nothing.
"""

import msgspec

from readingroom.library import places
from readingroom.library.census import Census, Seen
from readingroom.library.errors import FolderUnusable, IndexUnusable
from readingroom.library.front_matter import DOUBTFUL
from readingroom.library.ignore import internal_by
from readingroom.library.ledger.looking import LedgerLook, look
from readingroom.library.library import Library
from readingroom.library.lock import is_held
from readingroom.library.model import LeftOut, Role
from readingroom.library.narrowing import narrowed
from readingroom.library.operator.likenesses import likenesses
from readingroom.library.rules import Rules
from readingroom.library.shelf import Shelf


class RoleStatus(msgspec.Struct, frozen=True):
    """What a role can find: how many documents, when the last full scan of them began, the bytes of their index.

    `state` is "none" before there is an index, "building" before the first scan has ended, "damaged" when it is to be
    built anew, else "ready".
    """

    role: Role
    state: str
    documents: int
    reconciled: float | None
    bytes: int


class Notice(msgspec.Struct, frozen=True):
    """Something that the author of a document may want to mend."""

    path: str
    text: str


class Kept(msgspec.Struct, frozen=True):
    """An internal document, and why it is internal."""

    path: str
    reason: str


class Status(msgspec.Struct, frozen=True):
    """A library as the last full scan, which took from `began` to `ended`, left it.

    `public` and `internal` count documents; `internal_documents` names the internal ones. `left_out` holds every file and
    folder that is not served, with its reason. `scanning` says whether some process is scanning now, `trouble` why the
    last scan of this process failed, or "". `ledger` is None as long as there is none.
    """

    root: str
    index: str
    public: int
    internal: int
    roles: tuple[RoleStatus, ...]
    left_out: tuple[LeftOut, ...]
    notices: tuple[Notice, ...]
    began: float | None
    ended: float | None
    scanning: bool
    trouble: str
    internal_documents: tuple[Kept, ...] = ()
    ledger: LedgerLook | None = None


def status(library: Library) -> Status:
    """The library's state now. Raises FolderUnusable when its index cannot be kept where it should be."""
    home = library.home
    files, left_out, began, ended = _census(home)
    rules, trouble = _narrowed(library)
    files = {path: _as_it_holds(path, seen, rules) for path, seen in files.items()}
    refused = [LeftOut(path, seen.notes[0]) for path, seen in files.items() if seen.verdict == "refused"]
    return Status(
        root=str(library.root),
        index=str(home.folder),
        public=sum(seen.verdict == "public" for seen in files.values()),
        internal=sum(seen.verdict == "internal" for seen in files.values()),
        roles=tuple(_role(home, role) for role in library.roles),
        left_out=tuple(sorted([*left_out, *refused], key=lambda item: item.path)),
        notices=tuple(_notices(files, left_out, rules)),
        began=began,
        ended=ended,
        scanning=home.folder.is_dir() and is_held(home.lock),
        trouble=trouble or library.trouble,
        internal_documents=tuple(_kept(files, rules)),
        ledger=look(library.root, library.ledger_folder),
    )


def _narrowed(library: Library) -> tuple[Rules, str]:
    """The rules with what the folder itself makes internal, and what is wrong with that."""
    try:
        return narrowed(str(library.root), library.rules), ""
    except FolderUnusable as error:
        return library.rules, str(error)


def _as_it_holds(path: str, seen: Seen, rules: Rules) -> Seen:
    """What the census knows of a document, with what the folder itself makes internal."""
    if seen.verdict == "public" and internal_by(path, rules) is not None:
        return msgspec.structs.replace(seen, verdict="internal")
    return seen


def _kept(files: dict[str, Seen], rules: Rules) -> list[Kept]:
    return [
        Kept(path, _why_internal(path, seen, rules))
        for path, seen in sorted(files.items())
        if seen.verdict == "internal"
    ]


def _why_internal(path: str, seen: Seen, rules: Rules) -> str:
    """The pattern of the rules, a doubt about what the document says, or else its own word."""
    pattern = internal_by(path, rules)
    if pattern is not None:
        is_own = pattern in rules.narrowed and pattern not in rules.internal
        return f"matches {pattern} in .readingroom.toml" if is_own else f"matches --internal {pattern}"
    return next((note for note in seen.notes if note.endswith(DOUBTFUL)), "it says so")


def _census(home: places.Home) -> tuple[dict[str, Seen], list[LeftOut], float | None, float | None]:
    if not home.census.exists():
        return {}, [], None, None
    try:
        census = Census(home.census)
    except IndexUnusable:
        return {}, [], None, None  # the next scan begins it anew
    try:
        return census.files(), census.left_out(), *census.times()
    finally:
        census.close()


def _role(home: places.Home, role: Role) -> RoleStatus:
    shelf = Shelf(home.role(role))
    edition = shelf.edition()
    if edition is None:
        return RoleStatus(role, "none", 0, None, 0)
    size = places.size_of(edition.folder)
    try:
        facts = edition.catalog.facts()
    except IndexUnusable:
        return RoleStatus(role, "damaged", 0, None, size)
    finally:
        shelf.close()
    state = "ready" if facts.reconciled is not None else "building"
    if places.is_condemned(edition.folder):
        state = "damaged"
    return RoleStatus(role, state, facts.documents, facts.reconciled, size)


def _notices(files: dict[str, Seen], left_out: list[LeftOut], rules: Rules) -> list[Notice]:
    found = [
        Notice(path, note) for path, seen in files.items() if seen.verdict != "refused" for note in seen.notes
    ]
    holders: dict[str, list[str]] = {}
    for path, seen in files.items():
        if seen.identifier:
            holders.setdefault(seen.identifier, []).append(path)
    for identifier, paths in holders.items():
        first, *others = sorted(paths)
        found += [
            Notice(
                path, f"its id {identifier!r} is that of {first}, too; the first path that one may see has it"
            )
            for path in others
        ]
    found += [Notice(path, said) for path, said in likenesses(files, left_out, rules)]
    return sorted(found, key=lambda notice: (notice.path, notice.text))
