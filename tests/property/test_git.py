"""Whatever state a repository is in: a publication is committed, and everything else stays as it was."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readingroom.apps.git_commits import Account, Change, GitCommits, GitUnusable
from support.repositories import Repository, at_home, repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

NAMES = ("a.md", "b c.md", "d/e.md", "d/é.md")
STATES = st.sampled_from(
    ["absent", "clean", "dirty", "staged", "both", "unknown", "added", "unstaged", "gone"]
)
CONTENTS = st.one_of(st.none(), st.binary(max_size=40).filter(lambda content: b"\r\n" not in content))


@pytest.fixture(scope="module", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> object:
    """One operator for all repositories."""
    with pytest.MonkeyPatch.context() as patched:
        at_home(tmp_path_factory.mktemp("git") / "home", patched)
        yield


def prepare(repo: Repository, states: dict[str, str]) -> None:
    """Bring each file into its state."""
    for name, state in states.items():
        if state not in ("absent", "unknown", "added"):
            repo.committed(name, b"committed\n")
    for name, state in states.items():
        if state in ("staged", "both", "added"):
            repo.write(name, b"staged\n")
            repo.git("add", "--", f":(literal){name}")
        if state in ("dirty", "both", "unknown"):
            repo.write(name, b"dirty\n")
        if state == "unstaged":
            repo.git("rm", "--quiet", "--cached", "--", f":(literal){name}")
        if state == "gone":
            (repo.top / name).unlink()


def seen(repo: Repository, without: str) -> object:
    """Everything that may not change: the index, the status and the files, but for one path."""
    index = [
        line
        for line in repo.git("ls-files", "--stage", "-z").split("\0")
        if not line.endswith(f"\t{without}")
    ]
    status = [
        line
        for line in repo.git("status", "--porcelain", "-z", "--untracked-files=all").split("\0")
        if line[3:] != without
    ]
    files = {
        path.relative_to(repo.top).as_posix(): path.read_bytes()
        for path in repo.top.rglob("*.md")
        if path.relative_to(repo.top).as_posix() != without
    }
    return index, status, files


@settings(max_examples=12, deadline=None)
@given(
    states=st.fixed_dictionaries(dict.fromkeys(NAMES, STATES)), name=st.sampled_from(NAMES), content=CONTENTS
)
def test_nothing_else_is_touched(states: dict[str, str], name: str, content: bytes | None) -> None:
    """The commit differs from the one before in that path alone, which has those bytes; or it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        repo = repository(Path(folder).resolve() / "repo")
        prepare(repo, states)
        head, before = repo.git("rev-parse", "HEAD"), seen(repo, name)
        commits, change = GitCommits.open(repo.top), Change(name, content=content)
        try:
            commits.check(change)
        except GitUnusable:
            assert states[name] in ("staged", "both", "added", "unstaged")
            assert (repo.git("rev-parse", "HEAD"), seen(repo, name)) == (head, before)
            return
        if content is None:
            (repo.top / name).unlink(missing_ok=True)
        else:
            repo.write(name, content)
        commit = commits.commit(change, Account(1, "d-a", "edit", "local", 1.0))
        assert seen(repo, name) == before
        assert set(repo.git("diff", "--name-only", "-z", head, commit).split("\0")) <= {name, ""}
        there = repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
        assert (name in there) is (content is not None)
        assert content is None or repo.blob(name) == content
        assert [line for line in repo.status() if line[3:] == name] == []
