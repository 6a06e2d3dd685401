"""`--git` of the operator's commands: what is committed, and what is said when git cannot or fails."""

import shutil
import subprocess

import pytest

from readingroom.apps import exit_codes
from readingroom.apps.git_publications import CommitIncomplete, GitUnusable

from .operator_seat import ACTION, KEY, Seat, kinds


def test_a_repository(seat: Seat) -> None:
    """With --git a publication and an undo are commits by the editor, and the work tree is clean afterwards."""

    def git(*arguments: str) -> str:
        command = [shutil.which("git") or "git", "-C", str(seat.proposals.root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    git("init", "-q")
    git("config", "user.name", "anna")
    git("config", "user.email", "anna@example.org")
    git("add", ".")
    git("commit", "-q", "-m", "the beginning")
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    code, shown = seat.run("publish", draft, "--git", typed=[("this draft?", "yes"), KEY])
    assert code == exit_codes.OK, shown
    assert f"Git: it is commit {git('rev-parse', 'HEAD')[:12]}." in shown
    seat.run("undo", "2", "--git", typed=[("Undo", "yes"), KEY])
    assert git("log", "--format=%an %cn", "-2").splitlines() == ["app anna", "app anna"]
    assert git("status", "--porcelain") == ""


class Git:
    """Stands for the hook to git; `refusing` and `failing` are what it says."""

    def __init__(self, refusing: str = "", failing: str = "", by_hand: tuple[str, ...] = ()) -> None:
        self.refusing, self.failing, self.by_hand = refusing, failing, by_hand
        self.committed: list[int] = []

    def check(self, _draft: str) -> None:
        """Say whether it could."""
        if self.refusing:
            raise GitUnusable(self.refusing)

    def check_undo(self, _number: int) -> None:
        """Say whether it could."""
        self.check("")

    def commit(self, decision: object) -> str:
        """Commit."""
        if self.failing:
            raise CommitIncomplete(self.failing, *self.by_hand)
        self.committed.append(decision.number)  # type: ignore[attr-defined]  # a decision
        return "0123456789abcdef"


def with_git(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command that asks for git have this one."""
    for name in ("review", "publish", "undo"):
        monkeypatch.setattr(
            f"readingroom.apps.commands.{name}.git_of", lambda *_, wanted: git if wanted else None
        )


def test_git(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each publication and each undo is committed, with --git alone."""
    git = Git()
    with_git(git, monkeypatch)
    for text in ("one", "two"):
        seat.proposals.edit("a.md", "hello", text)
    code, shown = seat.run("review", "--git", typed=[(ACTION, "p"), KEY, (ACTION, "q")])
    assert code == exit_codes.OK
    assert "Git: it is commit 0123456789ab." in shown
    seat.run("undo", "2", "--git", typed=[("Undo", "yes"), KEY])
    seat.run("undo", "3", typed=[("Undo", "yes"), KEY])
    assert git.committed == [2, 3]


def test_git_that_could_not(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is decided; in a review one goes on."""
    with_git(Git(refusing="git ignores a.md"), monkeypatch)
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    code, shown = seat.run("review", "--git", typed=[(ACTION, "p"), (ACTION, "q")])
    assert code == exit_codes.OK
    assert "git ignores a.md" in shown
    code, shown = seat.run("publish", draft, "--git")
    assert code != exit_codes.OK
    assert "git ignores a.md" in shown
    assert kinds(seat) == ["set"]


def test_git_that_fails(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is published or undone stays, it is said what to do, and the exit code tells."""
    with_git(Git(failing="it is not committed.", by_hand=("git add", "git commit")), monkeypatch)
    by_hand = "To do by hand what git has not done:\n  git add\n  git commit\n"
    draft = seat.proposals.edit("a.md", "hello", "hullo")
    code, shown = seat.run("publish", draft, "--git", typed=[("this draft?", "yes"), KEY])
    assert code == exit_codes.FAILED
    assert "Git: it is not committed.\n" in shown
    assert shown.endswith(by_hand)
    code, shown = seat.run("undo", "2", "--git", typed=[("Undo", "yes"), KEY])
    assert code == exit_codes.FAILED
    assert shown.endswith(by_hand)
    seat.proposals.edit("b.md", "see", "saw")
    code, shown = seat.run("review", "--git", typed=[(ACTION, "p"), KEY])
    assert code == exit_codes.FAILED
    assert shown.endswith(by_hand)
    assert kinds(seat) == ["set", "publish", "undo", "publish"]
