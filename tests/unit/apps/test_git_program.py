"""The git program when it does not do what it is told, and the lock of its index."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import pytest

from readingroom.apps.git_index import IndexLock
from readingroom.apps.git_program import Git, GitFailed, GitUnusable
from readingroom.apps.git_state import check_state, repository_of
from support.repositories import repository

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Every start of a program raises this."""

    def run(*_: Any, **__: Any) -> NoReturn:
        raise error

    monkeypatch.setattr(subprocess, "run", run)


def answering(monkeypatch: pytest.MonkeyPatch, code: int, said: bytes) -> None:
    """Every program ends so."""
    monkeypatch.setattr(
        subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], code, b"out\n", said)
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (subprocess.TimeoutExpired("git", 60), "not done within 60 seconds"),
        (PermissionError(13, "Permission denied"), "Permission denied"),
    ],
)
def test_a_program_that_cannot_be_run(
    error: BaseException, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is a failure with a reason."""
    failing(monkeypatch, error)
    with pytest.raises(GitFailed, match=told):
        Git("git", tmp_path, {}).run("version")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"hint: x\nfatal: it is \x1b[31mbroken\nhint: y\n", "it is ⟨U+001B⟩[31mbroken"),
        (b"\nsomething else\nmore\n", "something else"),
        (b"", "it ended with 128"),
        (b"fatal: " + b"x" * 900, "x" * 299 + "…"),
    ],
)
def test_what_git_says(said: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what it writes one line is told, harmless and short."""
    answering(monkeypatch, 128, said)
    git = Git("git", tmp_path, {})
    for call in (git.run, git.maybe):
        with pytest.raises(GitFailed) as failed:
            call("x")
        assert str(failed.value) == told
    answering(monkeypatch, 1, said)
    assert git.maybe("x") is None
    with pytest.raises(GitFailed):
        git.run("x")
    answering(monkeypatch, 0, b"")
    assert (git.maybe("x"), git.says("x")) == ("out", "out")


@needs_git
def test_a_repository_that_git_is_at_odds_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A work tree that does not hold the folder, and a HEAD that cannot be read, are refused."""
    repo = repository_with_a_name(tmp_path)
    git, git_dir, top = repository_of(repo)
    assert (git_dir, top) == (repo / ".git", repo)
    (git_dir / "HEAD").write_text("nonsense\n")
    with pytest.raises(GitUnusable, match="git says"):
        check_state(git, git_dir)
    monkeypatch.setattr(Git, "says", lambda _, *words: "true" if "tree" in words[1] else "/elsewhere")
    with pytest.raises(GitUnusable, match="is not in it"):
        repository_of(repo)


def repository_with_a_name(folder: Path) -> Path:
    """A repository whose own configuration names the operator."""
    top = folder.resolve() / "repo"
    top.mkdir()
    subprocess.run([shutil.which("git") or "git", "init", "--quiet", str(top)], check=True)
    with (top / ".git" / "config").open("a") as config:
        config.write("[user]\n\tname = Olga\n\temail = olga@example.org\n")
    return repository(top).top


def test_the_lock(tmp_path: Path) -> None:
    """One holds it at a time; it goes away unused, and an index that was not there is made."""
    index, file = tmp_path / "index", tmp_path / "index.lock"
    with IndexLock(index):
        assert file.exists()
        with pytest.raises(GitUnusable, match="another git program"), IndexLock(index, patience=0.0):
            pass
        assert file.exists()
    assert not file.exists()
    with IndexLock(index) as lock:
        lock.replace(b"one")
    assert (index.read_bytes(), file.exists()) == (b"one", False)
    index.chmod(0o600)
    with IndexLock(index) as lock:
        lock.replace(b"two")
    assert index.read_bytes() == b"two"
    if os.name != "nt":
        assert index.stat().st_mode & 0o777 == 0o600


def test_a_lock_that_cannot_be_moved(tmp_path: Path) -> None:
    """Is told, and nothing is left."""
    index = tmp_path / "index"
    index.mkdir()
    with pytest.raises(OSError, match="index"), IndexLock(index) as lock:
        lock.replace(b"x")
    assert not (tmp_path / "index.lock").exists()
