"""Publications as commits, with the git program, in repositories of all kinds."""

import os
import shutil
import sys
import threading
from pathlib import Path

import pytest

from readingroom.apps.git_commits import Change, GitCommits, GitUnusable
from readingroom.apps.git_program import Git
from support.repositories import ACCOUNT, Repository, published, repository

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.usefixtures("git_home"),
]
NEW = b"# Opening\n\nNine to six.\n"


def test_a_publication_is_a_commit(repo: Repository) -> None:
    """Of those bytes, by the editor, committed by the operator, with a message that says which decision it was."""
    commit = published(repo, "opening.md", NEW)
    assert repo.git("rev-parse", "HEAD") == commit
    assert repo.git("rev-parse", "--abbrev-ref", "HEAD") == "main"
    assert repo.blob("opening.md") == NEW
    assert repo.git("log", "-1", "--format=%an|%ae|%cn|%ce|%at") == (
        "Anna's app|anna-s-app@editor.readingroom.invalid|Olga Operator|olga@example.org|1796000000"
    )
    assert repo.git("log", "-1", "--format=%B").strip() == (
        "Change opening.md\n\n> Longer hours.\n>\n> Reading-Room-Decision: 99\n\n"
        "Reading-Room-Decision: 7\nReading-Room-Draft: d-abc"
    )
    assert repo.git("log", "-1", "--format=%(trailers:key=Reading-Room-Decision,valueonly)").strip() == "7"
    assert repo.git("reflog", "-1", "--format=%gs") == "readingroom: decision 7"
    assert repo.status() == []


def test_nothing_else_is_touched(repo: Repository) -> None:
    """What is staged stays staged, what is changed stays changed, what git does not know stays unknown."""
    repo.committed("staged.md", b"one\n")
    repo.committed("dirty.md", b"one\n")
    repo.committed("gone.md", b"one\n")
    repo.write("staged.md", b"two\n")
    repo.git("add", "staged.md")
    repo.write("staged.md", b"three\n")
    repo.write("dirty.md", b"two\n")
    repo.write("unknown.md", b"two\n")
    repo.git("rm", "--quiet", "--cached", "gone.md")
    before = repo.status()
    published(repo, "opening.md", NEW)
    assert repo.status() == before
    assert repo.git("show", "--name-only", "--format=", "HEAD") == "opening.md"
    assert repo.git("show", ":staged.md") == "two"


def test_what_is_changed_is_never_taken_for_unchanged(repo: Repository) -> None:
    """A file that changed in the moment when git wrote its index, and kept its size, is still listed afterwards."""
    repo.git("config", "core.trustctime", "false")
    dirty = repo.write("dirty.md", b"one\n")
    earlier = dirty.stat().st_mtime - 3600
    os.utime(dirty, (earlier, earlier))
    repo.committed("dirty.md", b"one\n")
    os.utime(dirty, (earlier, earlier))
    repo.git("update-index", "--refresh")
    dirty.write_bytes(b"two\n")
    for file in (dirty, repo.top / ".git" / "index"):
        os.utime(file, (earlier, earlier))
    assert repo.git("diff-files", "--name-only") == "dirty.md"
    published(repo, "opening.md", NEW)
    assert repo.status() == [" M dirty.md"]


def test_create_rename_and_delete(repo: Repository) -> None:
    """Each is one commit, and the work tree is clean after it."""
    created = published(repo, "new/folder/page.md", b"New.\n")
    assert repo.git("show", "--name-status", "--format=", created) == "A\tnew/folder/page.md"
    commits = GitCommits.open(repo.top)
    moved = Change("opening.md", "hours/opening.md", repo.blob("opening.md"))
    commits.check(moved)
    (repo.top / "hours").mkdir()
    (repo.top / "opening.md").rename(repo.top / "hours" / "opening.md")
    commits.commit(moved, ACCOUNT)
    assert (
        repo.git("show", "--name-status", "--format=", "-M", "HEAD") == "R100\topening.md\thours/opening.md"
    )
    (repo.top / "new/folder/page.md").unlink()
    commits.commit(Change("new/folder/page.md"), ACCOUNT)
    assert repo.git("show", "--name-status", "--format=", "HEAD") == "D\tnew/folder/page.md"
    assert repo.status() == []


def test_one_publication_one_commit(repo: Repository) -> None:
    """Also when git has those bytes already, or never had the file that is gone."""
    begun = repo.git("rev-parse", "HEAD")
    commits = GitCommits.open(repo.top)
    first = commits.commit(Change("opening.md", content=repo.blob("opening.md")), ACCOUNT)
    second = commits.commit(Change("never.md"), ACCOUNT)
    assert repo.git("rev-list", "HEAD").split() == [second, first, begun]
    assert repo.git("diff", begun, second) == ""


def test_a_folder_of_a_repository(repo: Repository) -> None:
    """The root may lie anywhere in the work tree, and be reached through a link."""
    repo.committed("docs/a.md", b"one\n")
    link = repo.top.parent / "link"
    link.symlink_to(repo.top / "docs", target_is_directory=True)
    published(repo, "a.md", b"two\n", root=repo.top / "docs")
    assert repo.blob("docs/a.md") == b"two\n"
    published(repo, "a.md", b"three\n", root=link)
    assert (repo.blob("docs/a.md"), repo.status()) == (b"three\n", [])


@pytest.mark.skipif(sys.platform != "linux", reason="names that other systems do not allow")
@pytest.mark.parametrize(
    "name",
    [
        "-rf.md",
        "--all.md",
        ":(glob)*.md",
        "a b'\"$(x).md",
        "new\nline.md",
        "tab\t.md",
        "*.md",
        "статья.md",
        "a\\b.md",
        ":!x.md",
    ],
)
def test_odd_names(repo: Repository, name: str) -> None:
    """No name is taken for an option or a pattern, in the root and below it."""
    for path in (name, f"sub/{name}"):
        repo.committed("decoy.md", f"{path}\n".encode())
        published(repo, path, b"one\n")
        published(repo, path, b"two\n")
        assert repo.git("ls-tree", "-z", "--name-only", "HEAD", "--", f":(literal){path}") == f"{path}\0"
        assert repo.blob(path) == b"two\n"
    assert repo.status() == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the file system has its own form")
def test_a_name_in_another_form_of_unicode(repo: Repository) -> None:
    """The path of the library is in NFC; git's own name of the file is kept."""
    repo.committed("e\u0301.md", b"one\n")
    commits = GitCommits.open(repo.top)
    (repo.top / "e\u0301.md").write_bytes(b"two\n")
    commits.commit(Change("\u00e9.md", content=b"two\n"), ACCOUNT)
    assert repo.git("ls-tree", "-z", "--name-only", "HEAD").split("\0") == ["e\u0301.md", "opening.md", ""]
    assert repo.status() == []


@pytest.mark.skipif(os.name == "nt", reason="no such modes")
def test_modes(repo: Repository) -> None:
    """A file keeps the mode that git has for it; a new one gets that of the file, as `git add` would give it."""
    repo.committed("run.md", b"one\n").chmod(0o755)
    repo.git("commit", "--quiet", "--all", "--message", "executable")
    published(repo, "run.md", b"two\n")
    repo.write("other.md", b"one\n").chmod(0o755)
    published(repo, "other.md", b"two\n")
    published(repo, "plain.md", b"two\n")
    modes = {line.split("\t")[1]: line[:6] for line in repo.git("ls-tree", "HEAD").splitlines()}
    assert modes == {"opening.md": "100644", "other.md": "100755", "plain.md": "100644", "run.md": "100755"}
    assert repo.status() == []


def test_the_first_commit(tmp_path: Path) -> None:
    """A branch that has no commit yet gets its first one."""
    fresh = Repository(tmp_path / "fresh")
    fresh.top.mkdir()
    fresh.git("init", "--quiet")
    fresh.write("staged.md", b"staged\n")
    fresh.git("add", "staged.md")
    published(fresh, "a.md", b"one\n")
    assert fresh.git("ls-tree", "--name-only", "HEAD") == "a.md"
    assert fresh.status() == ["A  staged.md"]


def test_other_forms_of_repositories(tmp_path: Path, repo: Repository) -> None:
    """A linked work tree, SHA-256, a split index, a submodule as the root: all are served."""
    repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = Repository(tmp_path / "side")
    commit = published(side, "opening.md", NEW)
    assert (repo.git("rev-parse", "side"), side.status()) == (commit, [])
    assert repo.blob("opening.md") != NEW
    other = repository(tmp_path / "other", "--object-format=sha256")
    assert len(published(other, "opening.md", NEW)) == 64
    other.git("update-index", "--split-index")
    published(other, "new.md", NEW)
    assert other.status() == []
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "side"), "sub")
    repo.git("commit", "--quiet", "--message", "with a submodule")
    Repository(repo.top / "sub").git("switch", "--quiet", "-c", "work")
    published(Repository(repo.top / "sub"), "opening.md", b"in the submodule\n")
    assert repo.status() == [" M sub"]


def test_a_sparse_checkout(repo: Repository) -> None:
    """What is not checked out stays so and is not taken for deleted, with a sparse index as well."""
    repo.committed("far/away.md", b"one\n")
    repo.committed("near/here.md", b"one\n")
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "near")
    repo.git("update-index", "--untracked-cache")
    published(repo, "near/here.md", b"two\n")
    published(repo, "opening.md", NEW)
    assert (repo.top / "far").exists() is False
    assert repo.status() == []
    assert repo.git("ls-tree", "-r", "--name-only", "HEAD").split() == [
        "far/away.md",
        "near/here.md",
        "opening.md",
    ]
    repo.git("sparse-checkout", "disable")
    assert (repo.top / "far" / "away.md").read_bytes() == b"one\n"
    assert repo.status() == []


def test_what_is_staged_for_the_path_stays(repo: Repository) -> None:
    """When it came after the check: the commit has the published bytes, the index what was staged."""
    commits = GitCommits.open(repo.top)
    repo.write("opening.md", b"staged\n")
    repo.git("add", "opening.md")
    with pytest.raises(GitUnusable, match=r"opening.md has changes that are staged"):
        commits.check(Change("opening.md", content=NEW))
    repo.write("opening.md", NEW)
    commits.commit(Change("opening.md", content=NEW), ACCOUNT)
    assert (repo.blob("opening.md"), repo.git("show", ":opening.md")) == (NEW, "staged")


def test_a_real_merge_and_a_detached_head(repo: Repository) -> None:
    """As git itself leaves them behind."""
    repo.git("switch", "--quiet", "-c", "side")
    repo.committed("opening.md", b"side\n")
    repo.git("switch", "--quiet", "main")
    repo.committed("opening.md", b"main\n")
    repo.git("merge", "side", may_fail=True)
    with pytest.raises(GitUnusable, match="a merge is under way"):
        GitCommits.open(repo.top)
    repo.git("merge", "--abort")
    repo.git("rebase", "side", may_fail=True)
    with pytest.raises(GitUnusable, match="HEAD is detached"):
        GitCommits.open(repo.top)
    repo.git("rebase", "--abort")
    repo.git("switch", "--quiet", "--detach")
    with pytest.raises(GitUnusable, match="HEAD is detached"):
        GitCommits.open(repo.top)


def test_many_at_once(repo: Repository) -> None:
    """Eight publications at the same time are eight commits in a row, and none is lost."""
    failures: list[BaseException] = []

    def publish(number: int) -> None:
        try:
            published(repo, f"page-{number}.md", b"%d\n" % number)
        except BaseException as error:  # noqa: BLE001  -- told by the thread that waits
            failures.append(error)

    threads = [threading.Thread(target=publish, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(repo.git("rev-list", "HEAD").split()) == 9
    assert (len(repo.git("ls-tree", "--name-only", "HEAD").split()), repo.status()) == (9, [])


def test_somebody_commits_in_between(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that moves the branch after it was read is kept: ours is made anew upon it."""
    run = Git.run
    moved: list[str] = []

    def slow(self: Git, *arguments: str, given: bytes = b"") -> bytes:
        if arguments[0] == "update-ref" and not moved:
            tree = repo.git("rev-parse", "HEAD^{tree}")
            moved.append(repo.git("commit-tree", tree, "-p", "HEAD", "-m", "in between"))
            repo.git("update-ref", "HEAD", moved[0])
        return run(self, *arguments, given=given)

    monkeypatch.setattr(Git, "run", slow)
    published(repo, "opening.md", NEW)
    assert repo.git("log", "--format=%s").splitlines() == ["Change opening.md", "in between", "begun"]
    assert repo.status() == []
