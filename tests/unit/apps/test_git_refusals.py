"""Publications that git cannot take, or only in part: said before anything is written, or told with what is left to do."""

import os
import shutil
from pathlib import Path

import pytest

from readingroom.apps import git_commits
from readingroom.apps.git_commits import Change, CommitIncomplete, GitCommits, GitUnusable
from support.repositories import ACCOUNT, Repository, published, repository

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.usefixtures("git_home"),
]
NEW = b"# Opening\n\nNine to six.\n"


def test_no_repository_that_can_be_used(
    tmp_path: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No repository, one without a work tree, no git, a git among the documents: each is told in words."""
    (tmp_path / "plain").mkdir()
    with pytest.raises(GitUnusable, match="not a git repository"):
        GitCommits.open(tmp_path / "plain")
    repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    with pytest.raises(GitUnusable, match="without one"):
        GitCommits.open(tmp_path / "bare")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    repo.git("config", "core.worktree", str(elsewhere))
    with pytest.raises(GitUnusable):
        GitCommits.open(repo.top)
    repo.git("--work-tree=.", "config", "--unset", "core.worktree")
    monkeypatch.setenv("PATH", str(elsewhere))
    with pytest.raises(GitUnusable, match="needs the git program"):
        GitCommits.open(repo.top)
    if os.name != "nt":
        (repo.top / "git").write_text("#!/bin/sh\ntouch was-run\n")
        (repo.top / "git").chmod(0o755)
        monkeypatch.setenv("PATH", str(repo.top))
        with pytest.raises(GitUnusable, match="lies in the folder that is served"):
            GitCommits.open(repo.top)
        assert not (repo.top / "was-run").exists()


def test_no_name_of_the_operator(repo: Repository, tmp_path: Path) -> None:
    """Is found out before anything is published; a name is never guessed."""
    (tmp_path / "home" / ".gitconfig").write_text("[user]\n\tname = Olga\n")
    with pytest.raises(GitUnusable, match=r"git config --global user\.name"):
        GitCommits.open(repo.top)
    repo.git("config", "user.email", "olga@example.org")
    assert GitCommits.open(repo.top)


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("MERGE_HEAD", "a merge"),
        ("rebase-merge/done", "a rebase"),
        ("CHERRY_PICK_HEAD", "a cherry-pick"),
        ("BISECT_START", "a bis"),
    ],
)
def test_something_is_under_way(repo: Repository, file: str, what: str) -> None:
    """In the middle of a merge and its kin nothing is committed, whether it began before or after the publication."""
    commits = GitCommits.open(repo.top)
    repo.write(f".git/{file}", b"")
    with pytest.raises(GitUnusable, match=f"while {what}"):
        GitCommits.open(repo.top)
    with pytest.raises(CommitIncomplete, match=f"decision 7 is published, but not committed: .*{what}"):
        commits.commit(Change("opening.md", content=NEW), ACCOUNT)


def test_paths_that_are_refused(tmp_path: Path, repo: Repository) -> None:
    """What git ignores and does not have, what lies in another repository, what is a link or a submodule in git."""
    repo.committed("kept/in.md", b"one\n")
    repo.write(".git/info/exclude", b"kept/\n")
    commits = GitCommits.open(repo.top)
    with pytest.raises(GitUnusable, match=r"git ignores kept/new.md"):
        commits.check(Change("kept/new.md", content=b"x"))
    with pytest.raises(GitUnusable, match=r"git ignores kept/new.md"):
        commits.check(Change("opening.md", "kept/new.md", b"x"))
    commits.check(Change("kept/in.md", content=b"x"))
    commits.check(Change("kept/new.md"))
    repository(repo.top / "inner")
    with pytest.raises(GitUnusable, match=r"inner/a.md lies in another repository"):
        commits.check(Change("inner/a.md", content=b"x"))
    repo.git("add", "inner", may_fail=True)
    repo.git("commit", "--quiet", "--message", "a submodule")
    shutil.move(repo.top / "inner" / ".git", tmp_path / "away")
    with pytest.raises(GitUnusable, match=r"inner/deep/a.md lies in a link or a submodule"):
        commits.check(Change("inner/deep/a.md", content=b"x"))
    (repo.top / "link.md").symlink_to("opening.md")
    repo.git("add", "link.md")
    repo.git("commit", "--quiet", "--message", "a link")
    for path in ("link.md", "kept"):
        with pytest.raises(GitUnusable, match=f"{path} is no regular file"):
            commits.check(Change(path, content=b"x"))


@pytest.mark.parametrize(
    ("attributes", "settings", "content", "refused"),
    [
        ("*.md filter=lfs", [], b"x\n", "attribute filter"),
        ("*.md working-tree-encoding=UTF-16", [], b"x\n", "attribute working-tree-encoding"),
        ("*.md ident", [], b"x\n", "attribute ident"),
        ("*.md text", [], b"x\r\n", "line ends"),
        ("*.md text=auto", [], b"x\r\n", "line ends"),
        ("*.md eol=lf", [], b"x\r\n", "line ends"),
        ("", ["core.autocrlf", "true"], b"x\r\n", "line ends"),
        ("", ["core.autocrlf", "input"], b"x\r\n", "line ends"),
        ("*.md text", [], b"x\n", ""),
        ("*.md -text", ["core.autocrlf", "true"], b"x\r\n", ""),
        ("*.md binary", ["core.autocrlf", "true"], b"x\r\n", ""),
        ("", ["core.autocrlf", "false"], b"x\r\n", ""),
        ("", [], b"x\r\ny\rz\n", ""),
        ("", ["core.autocrlf", "true"], b"x\n", ""),
    ],
)
def test_what_git_would_keep_in_another_form(
    repo: Repository, attributes: str, settings: list[str], content: bytes, refused: str
) -> None:
    """Is refused; everything else is committed byte by byte, and git finds the file unchanged."""
    repo.committed(".gitattributes", f"{attributes}\n".encode())
    if settings:
        repo.git("config", *settings)
    if refused:
        with pytest.raises(GitUnusable, match=refused):
            published(repo, "page.md", content)
        with pytest.raises(CommitIncomplete, match=refused):
            GitCommits.open(repo.top).commit(Change("page.md", content=content), ACCOUNT)
        return
    published(repo, "page.md", content)
    assert (repo.blob("page.md"), repo.status()) == (content, [])


def test_a_commit_that_fails(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """The publication stands, and the fault says how to commit it; what it says to type does so."""
    monkeypatch.setattr("readingroom.apps.git_index._PATIENCE_S", 0.0)
    monkeypatch.setattr(git_commits, "IndexLock", lambda index: _IMPATIENT(index, 0.0))
    commits = GitCommits.open(repo.top)
    repo.write("opening.md", NEW)
    repo.write(".git/index.lock", b"")
    with pytest.raises(CommitIncomplete, match="another git program is at work") as failed:
        commits.commit(Change("opening.md", content=NEW), ACCOUNT)
    assert (repo.top / ".git" / "index.lock").exists()
    (repo.top / ".git" / "index.lock").unlink()
    command = str(failed.value).partition("by hand: ")[2]
    assert command.split(" && ") == list(failed.value.by_hand)
    assert command.count(str(repo.top)) == 2
    if os.name != "nt":
        _typed(command.replace(" commit ", " commit --quiet --message typed "))
        assert (repo.git("log", "-1", "--format=%s"), repo.blob("opening.md")) == ("typed", NEW)


def _typed(command: str) -> None:
    assert os.system(command) == 0  # noqa: S605  -- a person types it into a shell


_IMPATIENT = git_commits.IndexLock


def test_the_index_cannot_be_written(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit is made, and the fault says so and how to go on."""

    def full(self: object, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(git_commits.IndexLock, "replace", full)
    repo.write("opening.md", NEW)
    with pytest.raises(CommitIncomplete, match="committed as") as failed:
        GitCommits.open(repo.top).commit(Change("opening.md", content=NEW), ACCOUNT)
    assert repo.git("rev-parse", "HEAD") in str(failed.value)
    assert repo.status() == ["MM opening.md"]
    if os.name != "nt":
        _typed(str(failed.value).partition("by hand: ")[2])
        assert repo.status() == []


def test_a_lock_that_was_left_behind(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told before anything is published, and after; one that goes is waited for."""
    from readingroom.apps import git_index

    commits = GitCommits.open(repo.top)
    lock = repo.top / ".git/index.lock"
    lock.touch()
    with monkeypatch.context() as patched:
        patched.setattr(git_index.time, "sleep", lambda _: lock.unlink(missing_ok=True))
        commits.check(Change("a.md", content=NEW))
    lock.touch()
    monkeypatch.setattr(git_index, "_PATIENCE_S", 0.0)
    with pytest.raises(GitUnusable, match=r"cannot be published: .*index\.lock behind"):
        commits.check(Change("a.md", content=NEW))
    assert lock.exists()


def test_somebody_always_commits_in_between(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the end it is given up, and said so."""
    monkeypatch.setattr(GitCommits, "_moved", lambda *_: False)
    monkeypatch.setattr(git_commits, "_TRIES", 2)
    with pytest.raises(CommitIncomplete, match="others kept committing"):
        GitCommits.open(repo.top).commit(Change("opening.md", content=NEW), ACCOUNT)
    assert not (repo.top / ".git" / "index.lock").exists()
