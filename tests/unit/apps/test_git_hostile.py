"""Repositories whose configuration names programs: a publication is committed, and none of them is run."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from readingroom.apps.git_commits import Account, Change, CommitIncomplete, GitCommits
from support.repositories import Repository, repository

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="the traps are scripts for a shell"),
    pytest.mark.usefixtures("git_home"),
]

ACCOUNT = Account(1, "d-a", "edit", "local", 1_796_000_000.0)
NEW = b"# Opening\n\nNine to six.\n"
_HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-auto-gc", "post-index-change",
    "reference-transaction", "post-checkout", "post-rewrite", "fsmonitor-watchman", "update", "post-update",
)  # fmt: skip


class Trap:
    """A program that leaves a trace when it is run."""

    def __init__(self, folder: Path, answer: str = "cat") -> None:
        self.trace = folder / "trace"
        self.script = folder / "trap.sh"
        self.script.write_text(f'#!/bin/sh\necho "$0 $*" >> "{self.trace}"\n{answer}\n')
        self.script.chmod(0o755)

    def sprung(self) -> bool:
        """Whether it has been run since it was last asked."""
        found = self.trace.exists()
        self.trace.unlink(missing_ok=True)
        return found


@pytest.fixture
def repo(git_home: None, tmp_path: Path) -> Repository:
    """A repository with a page in a folder."""
    made = repository(tmp_path / "repo")
    made.committed("sub/page.md", b"one\n")
    return made


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    """A trap outside the repository."""
    return Trap(tmp_path)


def publish(repo: Repository, content: bytes = NEW) -> None:
    """Check, write, commit, as a publication does."""
    commits = GitCommits.open(repo.top)
    for change in (Change("opening.md", content=content), Change("sub/page.md", "sub/moved.md", b"one\n")):
        commits.check(change)
        if change.to:
            (repo.top / change.path).rename(repo.top / change.to)
        else:
            repo.write(change.path, content)
        commits.commit(change, ACCOUNT)


def test_hooks(repo: Repository, trap: Trap) -> None:
    """Neither those of the folder nor those of a folder that the configuration names."""
    hooks = repo.top / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in _HOOKS:
        shutil.copy(trap.script, hooks / name)
    repo.committed("other.md", b"x\n")
    assert trap.sprung(), "git itself runs them"
    publish(repo)
    assert not trap.sprung()
    repo.git("config", "core.hooksPath", str(hooks))
    publish_again(repo)
    assert not trap.sprung()


def publish_again(repo: Repository) -> None:
    """Another publication of the same repository."""
    repo.write("opening.md", b"again\n")
    GitCommits.open(repo.top).commit(Change("opening.md", content=b"again\n"), ACCOUNT)
    assert repo.blob("opening.md") == b"again\n"


def test_a_monitor_of_the_file_system(repo: Repository, trap: Trap) -> None:
    """`core.fsmonitor` names a program that every look at the index runs, and one is in the index already."""
    repo.git("config", "core.fsmonitor", str(trap.script))
    repo.git("status")
    repo.git("update-index", "--fsmonitor", may_fail=True)
    assert trap.sprung(), "git itself runs it"
    publish(repo)
    assert not trap.sprung()
    assert repo.blob("opening.md") == NEW


@pytest.mark.parametrize("key", ["clean", "process"])
def test_filters(repo: Repository, trap: Trap, key: str) -> None:
    """A file with a filter is refused without running it, and one beside it is committed."""
    repo.git("config", f"filter.trap.{key}", str(trap.script))
    repo.git("config", "filter.trap.required", "true")
    repo.write(".gitattributes", b"trapped.md filter=trap\n")
    repo.write("trapped.md", b"x\n")
    repo.git("add", "trapped.md", may_fail=True)
    assert trap.sprung(), "git itself runs it"
    publish(repo)
    with pytest.raises(CommitIncomplete, match="attribute filter"):
        GitCommits.open(repo.top).commit(Change("trapped.md", content=b"y\n"), ACCOUNT)
    assert not trap.sprung()


def test_a_filter_of_a_file_that_git_would_look_at(repo: Repository, trap: Trap) -> None:
    """A file that is newer than the index is looked at whenever an index is written, through its filter; not by us."""
    repo.git("config", "filter.trap.clean", str(trap.script))
    repo.write(".gitattributes", b"sub/newer.md filter=trap\n")
    newer = repo.write("sub/newer.md", b"x\n")
    ahead = newer.stat().st_mtime + 3600
    os.utime(newer, (ahead, ahead))
    repo.git("add", "sub/newer.md")
    repo.git("commit", "--quiet", "--message", "newer")
    trap.sprung()
    repo.git(
        "update-index", "--add", "--cacheinfo", f"100644,{repo.git('rev-parse', 'HEAD:opening.md')},x.md"
    )
    assert trap.sprung(), "git itself runs it"
    repo.git("update-index", "--force-remove", "x.md")
    trap.sprung()
    publish(repo)
    assert not trap.sprung()


def test_a_filter_that_comes_after_the_check(
    repo: Repository, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes pass through no filter, even if the attributes are not seen in time."""
    monkeypatch.setattr("readingroom.apps.git_commits.check_kept_as_it_is", lambda *_: None)
    repo.git("config", "filter.trap.clean", str(trap.script))
    repo.write(".gitattributes", b"*.md filter=trap\n")
    commits = GitCommits.open(repo.top)
    repo.write("opening.md", NEW)
    commits.commit(Change("opening.md", content=NEW), ACCOUNT)
    assert repo.blob("opening.md") == NEW
    assert not trap.sprung()


def test_signing(repo: Repository, trap: Trap) -> None:
    """Commits are not signed, whatever program is named for it."""
    for key, value in {
        "gpg.program": str(trap.script),
        "commit.gpgSign": "true",
        "user.signingKey": "x",
    }.items():
        repo.git("config", key, value)
    repo.write("other.md", b"x\n")
    repo.git("add", "other.md")
    repo.git("commit", "--message", "x", may_fail=True)
    assert trap.sprung(), "git itself runs it"
    repo.git("reset", "--quiet")
    publish(repo)
    assert not trap.sprung()
    assert "gpgsig" not in repo.git("cat-file", "commit", "HEAD")


def test_objects_that_are_elsewhere(repo: Repository, tmp_path: Path) -> None:
    """A partial clone is not completed by the way that its configuration names; the commit fails, and is told."""
    trap = Trap(tmp_path, answer="exit 1")
    missing = repo.git("rev-parse", "HEAD:sub")
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://example.invalid/x",
        "core.sshCommand": str(trap.script),
        "protocol.allow": "always",
    }.items():
        repo.git("config", key, value)
    (repo.top / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    repo.git("ls-tree", "-r", "HEAD", may_fail=True)
    assert trap.sprung(), "git itself runs it"
    commits = GitCommits.open(repo.top)
    with pytest.raises(CommitIncomplete, match="published, but not committed"):
        commits.commit(Change("opening.md", content=NEW), ACCOUNT)
    assert not trap.sprung()


def test_everything_else_that_names_a_program(repo: Repository, trap: Trap) -> None:
    """Pagers, editors, aliases of the commands that are used, drivers, helpers."""
    program = str(trap.script)
    settings = {
        "core.pager": program, "core.editor": program, "sequence.editor": program, "core.askPass": program,
        "core.alternateRefsCommand": program, "core.gitProxy": program, "diff.external": program,
        "diff.trap.textconv": program, "diff.trap.command": program, "merge.trap.driver": program,
        "credential.helper": f"!{program}", "interactive.diffFilter": program, "trailer.x.cmd": program,
        "uploadpack.packObjectsHook": program, "web.browser": program, "gc.auto": "1",
    }  # fmt: skip
    builtins = (
        "rev-parse", "var", "symbolic-ref", "ls-tree", "ls-files", "check-attr", "check-ignore", "hash-object",
        "read-tree", "update-index", "write-tree", "commit-tree", "update-ref", "config",
    )  # fmt: skip
    for key, value in settings.items():
        repo.git("config", key, value)
    for name in builtins:
        repo.git("config", f"alias.{name}", f"!{program}")
        repo.git("config", f"pager.{name}", program)
    repo.write(".gitattributes", b"* diff=trap merge=trap\n")
    publish(repo)
    assert not trap.sprung()
    assert repo.blob("sub/moved.md") == b"one\n"


@pytest.mark.parametrize(
    "variables",
    [
        {"GIT_DIR": "/nowhere"},
        {"GIT_INDEX_FILE": "/nowhere"},
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "true"},
        {"GIT_AUTHOR_NAME": "Mallory", "GIT_COMMITTER_NAME": "Mallory", "EMAIL": "mallory@example.org"},
        {"GIT_EXEC_PATH": "/nowhere", "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_NAMESPACE": "x"},
    ],
)
def test_variables_of_git(
    repo: Repository, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """None comes in from outside, as when a hook or another program of git's starts us."""
    with monkeypatch.context() as patched:
        for name, value in variables.items():
            patched.setenv(name, value)
        publish(repo)
    assert repo.blob("opening.md") == NEW
    assert repo.git("log", "-1", "--format=%an %cn") == "local Olga Operator"


def test_a_replaced_commit(repo: Repository) -> None:
    """Replacements do not bring in what the branch does not have."""
    evil = repo.git("hash-object", "-w", "--stdin", given=b"evil\n")
    repo.git("replace", repo.git("rev-parse", "HEAD:sub/page.md"), evil)
    forged = repo.git(
        "commit-tree", repo.git("mktree", given=f"100644 blob {evil}\tevil.md\n".encode()), "-m", "x"
    )
    repo.git("replace", repo.git("rev-parse", "HEAD"), forged)
    publish(repo)
    assert repo.git("--no-replace-objects", "ls-tree", "-r", "--name-only", "HEAD").split() == [
        "opening.md",
        "sub/moved.md",
    ]
