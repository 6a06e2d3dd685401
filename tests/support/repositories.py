"""Repositories of git in a temporary folder, with a home of their own; git is run as a person would run it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from readingroom.apps.git_commits import Account, Change, GitCommits

GIT = shutil.which("git") or "git"


class Repository:
    """A work tree, the program git on it, and what it says."""

    def __init__(self, top: Path) -> None:
        self.top = top

    def git(self, *arguments: str, given: bytes = b"", may_fail: bool = False) -> str:
        """What git writes, without its last line end."""
        done = subprocess.run([GIT, *arguments], cwd=self.top, input=given, capture_output=True)
        assert may_fail or done.returncode == 0, done.stderr
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, path: str, content: bytes) -> Path:
        """A file of the work tree, with its folders."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    def committed(self, path: str, content: bytes, message: str = "by hand") -> Path:
        """A file that is in git, too."""
        file = self.write(path, content)
        self.git("add", "--", f"./{path}")
        self.git("commit", "--quiet", "--message", message)
        return file

    def blob(self, path: str, commit: str = "HEAD") -> bytes:
        """The bytes that a commit has for a file."""
        return subprocess.run(
            [GIT, "cat-file", "blob", f"{commit}:{path}"], cwd=self.top, capture_output=True, check=True
        ).stdout

    def status(self) -> list[str]:
        """What `git status` lists."""
        return [line for line in self.git("status", "--porcelain", "-z").split("\0") if line]


def repository(top: Path, *options: str) -> Repository:
    """A new repository with one commit."""
    top.mkdir(parents=True, exist_ok=True)
    made = Repository(top)
    made.git("init", "--quiet", "--initial-branch=main", *options)
    made.committed("opening.md", b"# Opening\n\nNine to five.\n", "begun")
    return made


def at_home(folder: Path, patched: pytest.MonkeyPatch) -> None:
    """Let git read the configuration of one operator, and nobody else's; no variable of git's is left."""
    folder.mkdir()
    (folder / ".gitconfig").write_text("[user]\n\tname = Olga Operator\n\temail = olga@example.org\n")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        patched.delenv(name)
    for name in ("HOME", "USERPROFILE"):
        patched.setenv(name, str(folder))
    patched.setenv("XDG_CONFIG_HOME", str(folder / "xdg"))


ACCOUNT = Account(
    7, "d-abc", "edit", "Anna's app", 1_796_000_000.0, "Longer hours.\n\nReading-Room-Decision: 99"
)


def published(repo: Repository, path: str, content: bytes, root: Path | None = None) -> str:
    """What publishing with --git does: check, write, commit."""
    commits = GitCommits.open(root or repo.top)
    change = Change(path, content=content)
    commits.check(change)
    ((root or repo.top) / path).parent.mkdir(parents=True, exist_ok=True)
    ((root or repo.top) / path).write_bytes(content)
    return commits.commit(change, ACCOUNT)
