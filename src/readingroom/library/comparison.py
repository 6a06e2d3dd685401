"""What the folder holds against what the editions hold: the difference is read, and nothing else.

A file is read when its state differs from the one that was read last, or when an edition lacks it; its bytes decide its
visibility. Nothing is ever written into the folder. One file that cannot be read or understood never stops the rest.
"""

import os
import time
from collections.abc import Collection
from pathlib import Path

import msgspec

from . import narrowing, parse, places, walk
from .census import Census, Seen, Verdict
from .digest import digest_of
from .editions import Edition
from .errors import FolderUnusable, NotFound
from .files import state_of
from .hooks import MIDWAY_S, Hooks, ScanProgress, Stopped
from .model import FileState, Found, LeftOut, Parsed, Role
from .rules import Rules
from .unchanged import TELL_EVERY, Digest
from .visibility import is_visible

_FIRST_COMMIT_S = 1.0
_LAST_COMMIT_S = 16.0
_COMMIT_DOCUMENTS = (
    5_000  # counted per role: the moment of a commit must not tell of what the role does not see
)
_BULK_DOCUMENTS = 200
_UNSETTLED_NS = 100_000_000  # a file changed so recently may change again within the same tick of its clock


class Comparison:
    """One comparison of a folder with some editions, run once: of all of it, or of what is at and under `paths`.

    `files` is what the census knows of that, and is kept up to date, as the editions know no more of it either. `since` is
    what to note as the beginning of a full scan, now unless it is given; a look at `paths` is none, and leaves it as it was.
    """

    def __init__(
        self,
        root: Path,
        rules: Rules,
        census: Census,
        files: dict[str, Seen],
        hooks: Hooks,
        *,
        paths: Collection[str] | None = None,
        since: float | None = None,
    ) -> None:
        self._root = root
        self._rules = rules
        self._census = census
        self._editions: list[Edition] = []
        self._hooks = hooks
        self._files = files
        self._paths = paths
        self.since = since
        self._narrowing = narrowing.NOTHING
        self._seen: dict[str, Seen] = {}
        self._due: list[Found] = []
        self._left_out: list[LeftOut] = []
        self._commit_after = _FIRST_COMMIT_S
        self._committed = time.monotonic()
        self._digest = Digest(self._narrowing)

    def run(self, editions: list[Edition]) -> None:
        """Read what differs and commit it to the editions in batches.

        Raises IndexUnusable, FolderUnusable, and what `pause` raises.
        """
        self._editions = editions
        if self._paths is not None:
            self.since = min((edition.reconciled or 0.0 for edition in editions), default=None)
        elif self.since is None:
            self.since = self._hooks.clock()
        self._narrow()
        gone = self._look()
        try:
            for edition in self._editions:
                for path in [path for path in edition.known if path in gone]:
                    edition.drop(path)
            self._read()
        except Stopped:
            self._commit()
            raise
        self._finish(gone)

    def _narrow(self) -> None:
        """Take up what the folder itself makes internal. The census keeps what is so without it, so that what it has
        hidden is known again when it says so no more."""
        try:
            self._narrowing = narrowing.narrowing_of(os.fspath(self._root))
        except walk.NotReadable as error:
            raise FolderUnusable(f"The folder cannot be served: {error}.") from None

    def _is_for(self, role: Role, path: str, verdict: Verdict) -> bool:
        """Whether the document of this verdict is in the editions of a role."""
        return verdict != "refused" and is_visible(role, self._narrowing.over(path, verdict))

    def _look(self) -> set[str]:
        """Walk the folder and sort out what must be read; the paths that are gone."""
        present: set[str] = set()
        self._digest = Digest(self._narrowing)
        if self._paths is None:
            items = walk.walk(self._root, self._rules)
        else:
            items = walk.walk_at(self._root, self._rules, self._paths)
        for number, item in enumerate(items, 1):
            if number % TELL_EVERY == 0:
                self._hooks.pause()
                self._hooks.tell(ScanProgress("looking", number, None))
            self._digest.add(item)
            if isinstance(item, LeftOut):
                self._left_out.append(item)
            elif item.path not in present:
                present.add(item.path)
                self._sort(item)
        known = set(self._files).union(*(edition.known for edition in self._editions))
        return known - present

    def _sort(self, found: Found) -> None:
        seen = self._files.get(found.path)
        if seen is None or seen.state != found.state:
            self._due.append(found)
            return
        for edition in self._editions:
            known = edition.known.get(found.path)
            if self._is_for(edition.role, found.path, seen.verdict):
                if known is None or known.state != found.state:
                    self._due.append(found)
                    return
            elif known is not None:
                self._hide(edition, found.path)

    def _hide(self, edition: Edition, path: str) -> None:
        """Take out what its role may not see any more; the edition is marked for replacement first (see `_finish`)."""
        places.retire(edition.folder)
        edition.drop(path)

    def _read(self) -> None:
        total = len(self._due)
        for number, found in enumerate(self._due):
            self._hooks.pause()
            if number % TELL_EVERY == 0:
                self._hooks.tell(ScanProgress("reading", number, total))
            self._take(found, bulk=total > _BULK_DOCUMENTS)
            if time.monotonic() - self._committed > self._commit_after:
                self._commit()
                self._commit_after = min(2 * self._commit_after, _LAST_COMMIT_S)
        self._hooks.tell(ScanProgress("finishing", total, total))

    def _take(self, found: Found, *, bulk: bool) -> None:
        try:
            data = walk.read(self._root, found, self._rules.max_file_bytes)
        except walk.NotReadable as error:
            self._refuse(_unsettled(found), "", str(error))  # tried again: the cause may lie outside the file
            return
        except NotFound:
            return  # it went away since it was listed: the next scan does without it
        found = _settled(found)
        revision = digest_of(data)
        before = self._files.get(found.path)
        if before is not None and before.revision == revision and self._holds(found.path, before):
            self._keep(found, before)
            return
        try:
            parsed = parse.parse(found.path, found.format, data, self._rules)
        except parse.NotText as error:
            if not self._doubts(found, data):
                self._refuse(found, revision, str(error))
        except Exception as error:  # noqa: BLE001  -- one bad file never stops the rest; the operator is told of it
            self._refuse(found, revision, f"it could not be understood ({type(error).__name__})")
        else:
            hides = not self._is_for("reader", found.path, parsed.visibility)
            if hides or not self._doubts(
                found, data
            ):  # to hide is done at once, whatever is yet to be written
                self._place(found, parsed, bulk=bulk)

    def _doubts(self, found: Found, data: bytes) -> bool:
        """Whether the bytes may be those of a file that is just being written in place: what is known of it stays, and
        another scan looks again. They are shorter than before, or than the file is by now, and it has just changed."""
        before = self._files.get(found.path)
        if before is None or before.verdict == "refused":
            return False
        now = state_of(self._root, found.name)
        if now is None or not 0 <= time.time_ns() - now.modified_ns < MIDWAY_S * 1e9:
            return False
        return len(data) < max(before.state.size, now.size) and self._hooks.again(found.path)

    def _holds(self, path: str, seen: Seen) -> bool:
        """Whether every edition already has, or rightly lacks, the document with these bytes."""
        for edition in self._editions:
            known = edition.known.get(path)
            if self._is_for(edition.role, path, seen.verdict):
                if known is None or known.revision != seen.revision:
                    return False
            elif known is not None:
                return False
        return True

    def _keep(self, found: Found, seen: Seen) -> None:
        for edition in self._editions:
            if found.path in edition.known:
                edition.keep(found)
        self._seen[found.path] = msgspec.structs.replace(seen, state=found.state)

    def _refuse(self, found: Found, revision: str, reason: str) -> None:
        for edition in self._editions:
            if found.path in edition.known:
                edition.drop(found.path)
        self._seen[found.path] = Seen(found.state, revision, "refused", notes=(reason,))

    def _place(self, found: Found, parsed: Parsed, *, bulk: bool) -> None:
        verdict = parsed.visibility
        for edition in self._editions:
            known = edition.known.get(found.path)
            if not self._is_for(edition.role, found.path, verdict):
                if known is not None:
                    self._hide(edition, found.path)
            elif known is not None and known.revision == parsed.revision:
                edition.keep(found)
            else:
                edition.put(found, parsed, bulk=bulk)
                if edition.waiting >= _COMMIT_DOCUMENTS:
                    edition.commit()
        self._seen[found.path] = Seen(
            found.state, parsed.revision, verdict, parsed.identifier, parsed.warnings
        )

    def _commit(self) -> None:
        for edition in self._editions:
            edition.commit()
        self._census.write(self._seen, [])
        self._files |= self._seen
        self._seen = {}
        self._committed = time.monotonic()

    def _finish(self, gone: set[str]) -> None:
        for edition in self._editions:
            if edition.role == "reader" and edition.has_dropped:
                # The engine goes on counting what was taken out. Nobody can tell a document that has gone from one that
                # has become internal, or moved and become it, if both have the index built anew.
                places.retire(edition.folder)
            if self._paths is None:
                edition.commit(reconciled=self.since)
            elif edition.is_touched:
                edition.commit()
        if self._seen or gone:
            self._census.write(self._seen, sorted(gone))
        self._files |= self._seen
        for path in gone:
            self._files.pop(path, None)
        if self._paths is None and self.since is not None:
            self._census.finish(self._left_out, self.since, self._hooks.clock())
            if self._is_taken_in():
                self._census.note(self._digest.over(self._editions))

    def _is_taken_in(self) -> bool:
        """Whether all that was read is known in the very state in which the walk has met it, and may meet it again."""
        known = (self._files.get(found.path) for found in self._due)
        return all(
            seen is not None and seen.state == found.state
            for seen, found in zip(known, self._due, strict=True)
        )


def _settled(found: Found) -> Found:
    """The file with a state that can be trusted later: one that changed just now gets one that is never met again."""
    age = time.time_ns() - max(found.state.modified_ns, found.state.changed_ns)
    return found if age > _UNSETTLED_NS else _unsettled(found)


def _unsettled(found: Found) -> Found:
    """The file with a state that no file has, so that the next scan reads it again."""
    return msgspec.structs.replace(found, state=FileState(found.state.size, found.state.modified_ns, 0, 0))
