"""`--git`: a publication becomes a commit of its path alone, with the editor as author and the operator as committer.

The commit is made beside the work tree: from the bytes that were published, in an index of its own. The user's index
changes in the entries of that path only, under git's own lock; no file of the work tree is read or written. Hooks are not
run, commits are not signed and filters not applied, for each may be a program that the folder names.
"""

import os
import shlex
import tempfile
from pathlib import Path

import msgspec

from . import exit_codes
from .faults import CommandFault
from .git_entries import Entry, check_kept_as_it_is, check_place, check_unstaged, in_commit, in_index, name_in
from .git_index import IndexLock, wait_until_free
from .git_message import Account, author, message
from .git_program import Git, GitFailed, GitUnusable
from .git_state import check_state, repository_of

__all__ = ["Account", "Change", "CommitIncomplete", "GitCommits", "GitUnusable"]

_TRIES = 20


class CommitIncomplete(CommandFault):
    """A publication is decided and stands, and git has not done all that it was to do for it.

    `reason` says what it has not done, `by_hand` the commands that do it, one after another; the text says both.
    """

    code = exit_codes.FAILED

    def __init__(self, reason: str, *by_hand: str) -> None:
        super().__init__(f"{reason} To do it by hand: {' && '.join(by_hand)}" if by_hand else reason)
        self.reason = reason
        self.by_hand = by_hand


class Change(msgspec.Struct, frozen=True):
    """What happened in the folder: `path` has `content` now, or is gone (None); with `to` it moved there, and `to` has it.

    Paths are relative to the root of the library. A move has its content, too: the bytes that are at `to` now. Raises
    ValueError without.
    """

    path: str
    to: str = ""
    content: bytes | None = None

    def __post_init__(self) -> None:
        if self.to and self.content is None:
            raise ValueError("A move needs the bytes that are at its end.")

    def after(self) -> dict[str, bytes | None]:
        """Each path with what is there now; what goes comes first."""
        return {self.path: None, self.to: self.content} if self.to else {self.path: self.content}


class GitCommits:
    """The commits of one library's publications. Opened before anything is published; one thread uses it."""

    def __init__(self, git: Git, git_dir: Path, root: Path, top: Path) -> None:
        self._git = git
        self._git_dir = git_dir
        self._root = root
        self._prefix = os.fsencode(root.relative_to(top).as_posix() + "/").removeprefix(b"./")

    @classmethod
    def open(cls, root: Path) -> "GitCommits":
        """The commits of the repository whose work tree `root` lies in.

        Raises GitUnusable when there is none, or it is bare, on no branch, or in the middle of a merge and the like; or
        when git is missing, refuses the folder, or knows no name and address of the operator.
        """
        git, git_dir, top = repository_of(root.resolve())
        check_state(git, git_dir)
        return cls(git, git_dir, root.resolve(), top)

    def check(self, change: Change) -> None:
        """See that the change could be committed as things are, before it is published.

        Raises GitUnusable: git ignores the path, it lies in another repository, it has changes that are staged, git
        has no file there or keeps it in another form, or another program holds the lock of git's index for 10 seconds.
        """
        check_state(self._git, self._git_dir)
        try:
            wait_until_free(self._git_dir / "index")
            head = self._head()
            for name, content in self._named(head, change).items():
                self._check_path(head, name, content)
                check_unstaged(self._git, head, name)
        except GitUnusable as error:
            raise GitUnusable(f"With --git this cannot be published: {error}") from error
        except GitFailed as error:
            raise GitUnusable(f"--git cannot be used: git says: {error}.") from error

    def commit(self, change: Change, account: Account) -> str:
        """Commit what was published, and give the id of the commit. Raises CommitIncomplete."""
        try:
            check_state(self._git, self._git_dir)
            with tempfile.TemporaryDirectory(prefix="readingroom-git-") as folder:
                return self._committed(change, account, Path(folder))
        except (GitFailed, GitUnusable, OSError) as error:
            said = f"git says: {error}." if isinstance(error, GitFailed) else str(error)
            raise CommitIncomplete(
                f"decision {account.number} is published, but not committed: {said}",
                self._by_hand("add --all", change),
                self._by_hand("commit", change),
            ) from error

    def _committed(self, change: Change, account: Account, folder: Path) -> str:
        writing = self._git.apart(folder / "empty")
        with IndexLock(self._git_dir / "index") as lock:
            for _ in range(_TRIES):
                head = self._head()
                edits = self._edits(writing, head, change)
                tree = _tree(writing, head, edits, folder / "tree")
                commit = _commit(writing, head, tree, message(account, change.path, change.to), account)
                fresh = self._fresh_index(writing, head, edits, folder / "index")
                if self._moved(writing, head, commit, account.number):
                    self._bring_up_to_date(lock, fresh, commit, change)
                    return commit
        raise GitUnusable("others kept committing at the same time.")

    def _fresh_index(
        self, writing: Git, head: str, edits: dict[bytes, Entry | None], copy: Path
    ) -> bytes | None:
        """The user's index with the new entries, or None: where something else was staged, it stays."""
        index = self._git_dir / "index"
        copy.unlink(missing_ok=True)
        if index.exists():
            copy.write_bytes(index.read_bytes())
        git = writing.using(copy)
        unstaged = {
            name: entry
            for name, entry in edits.items()
            if in_index(git, name) == in_commit(self._git, head, name)
        }
        _apply(git, unstaged)
        return copy.read_bytes() if unstaged else None

    def _moved(self, writing: Git, head: str, commit: str, number: int) -> bool:
        """Whether the branch went from `head` to `commit`; not if it is no longer at `head`."""
        try:
            writing.run("update-ref", "-m", f"readingroom: decision {number}", "HEAD", commit, head)
        except GitFailed:
            if self._head() == head:
                raise
            return False
        return True

    def _bring_up_to_date(self, lock: IndexLock, fresh: bytes | None, commit: str, change: Change) -> None:
        try:
            if fresh is not None:
                lock.replace(fresh)
        except OSError as error:
            raise CommitIncomplete(
                f"it is published and committed as {commit}, but git's index could not be written "
                f"({error.strerror}).",
                self._by_hand("reset --quiet", change),
            ) from error

    def _edits(self, writing: Git, head: str, change: Change) -> dict[bytes, Entry | None]:
        """The new entry of each path; the bytes are kept in the repository as they are, through no filter."""
        named = self._named(head, change)
        before = in_commit(self._git, head, next(iter(named)))
        edits: dict[bytes, Entry | None] = {}
        for name, content in named.items():
            self._check_path(head, name, content)
            if content is None:
                edits[name] = None
            else:
                blob = os.fsdecode(writing.run("hash-object", "-w", "--stdin", given=content)).strip()
                edits[name] = Entry(before.mode if before else self._mode(name), blob)
        return edits

    def _check_path(self, head: str, name: bytes, content: bytes | None) -> None:
        check_place(self._git, head, name)
        parts = os.fsdecode(name.removeprefix(self._prefix)).split("/")
        for length in range(1, len(parts)):
            if os.path.lexists(self._root.joinpath(*parts[:length], ".git")):
                raise GitUnusable(f"{os.fsdecode(name)} lies in another repository.")
        if content is None:
            return
        if in_commit(self._git, head, name) is None and self._ignored(name):
            raise GitUnusable(f"git ignores {os.fsdecode(name)}.")
        check_kept_as_it_is(self._git, name, content)

    def _ignored(self, name: bytes) -> bool:
        return self._git.maybe("check-ignore", "--quiet", "--", f"./{os.fsdecode(name)}") is not None

    def _named(self, head: str, change: Change) -> dict[bytes, bytes | None]:
        return {
            name_in(self._git, head, self._prefix + os.fsencode(path)): content
            for path, content in change.after().items()
        }

    def _mode(self, name: bytes) -> str:
        """The mode of a file that git does not have yet: as `git add` would choose it."""
        place = self._root / os.fsdecode(name.removeprefix(self._prefix))
        if (
            self._git.maybe("config", "--type=bool", "--get", "core.fileMode") == "false"
            or not place.exists()
        ):
            return "100644"
        return "100755" if place.lstat().st_mode & 0o100 else "100644"

    def _head(self) -> str:
        return self._git.maybe("rev-parse", "--quiet", "--verify", "HEAD^{commit}") or ""

    def _by_hand(self, command: str, change: Change) -> str:
        paths = [shlex.quote(f"./{path}") for path in change.after()]
        return f"git -C {shlex.quote(str(self._root))} {command} -- {' '.join(paths)}"


def _tree(writing: Git, head: str, edits: dict[bytes, Entry | None], index: Path) -> str:
    """The tree of `head` with the new entries."""
    index.unlink(missing_ok=True)
    git = writing.using(index)
    git.run("read-tree", *([head] if head else ["--empty"]))
    _apply(git, edits)
    return git.says("write-tree")


def _commit(writing: Git, head: str, tree: str, text: str, account: Account) -> str:
    """A commit upon `head` that no branch has yet."""
    git = writing.writing_as(*author(account.author), account.at)
    parents = ["-p", head] if head else []
    return os.fsdecode(git.run("commit-tree", tree, *parents, given=text.encode())).strip()


def _apply(git: Git, edits: dict[bytes, Entry | None]) -> None:
    """Write entries into git's index; it refuses one that would push out others."""
    for name, entry in edits.items():
        path = os.fsdecode(name)
        if entry is None:
            git.run("update-index", "--force-remove", "--", path)
        else:
            git.run("update-index", "--add", "--cacheinfo", f"{entry.mode},{entry.blob},{path}")
