"""From a decision in the ledger to a commit."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps.git_commits import Change
from readingroom.apps.git_publications import CommitIncomplete, GitPublications, GitUnusable
from readingroom.library.ledger import Decision, Draft, Ledger, digest_of
from support.repositories import Repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

OLD, NEW = b"# Opening\n\nNine to five.\n", b"# Opening\n\nNine to six.\n"


@pytest.fixture
def ledger(repo: Repository, tmp_path: Path) -> Iterator[Ledger]:
    """A ledger that keeps the bytes before and after."""
    with Ledger.open(repo.top, tmp_path / "ledgers") as opened:
        with opened.writing() as writing:
            writing.keep(OLD)
            writing.keep(NEW)
        yield opened


def draft(ledger: Ledger, kind: Any = "edit", **changes: Any) -> Draft:
    """A draft that is kept."""
    fields: dict[str, Any] = {
        "id": "d-a", "principal": "anna", "kind": kind, "path": "opening.md", "base": digest_of(OLD), "content": NEW,
        "digest": digest_of(NEW), "state": "open", "revision": 1, "created": 1.0, "changed": 1.0, "note": "Longer hours.",
        "base_content": OLD,
    }  # fmt: skip
    made = Draft(**{**fields, **changes})
    with ledger.writing() as writing:
        writing.put_draft(made)
    return made


def decision(kind: Any = "publish", **changes: Any) -> Decision:
    """A decision on that draft."""
    fields: dict[str, Any] = {
        "number": 5, "at": 2.0, "kind": kind, "operator": "olga", "chain": 1, "mac": b"", "draft": "d-a",
        "draft_revision": 1, "principal": "anna", "path": "opening.md", "before": digest_of(OLD), "after": digest_of(NEW),
    }  # fmt: skip
    return Decision(**{**fields, **changes})


def test_a_publication(repo: Repository, ledger: Ledger) -> None:
    """Its bytes come from the ledger, its author is the draft's principal, its note the draft's."""
    hook = GitPublications.open(repo.top, ledger)
    hook.check(draft(ledger).id)
    repo.write("opening.md", NEW)
    commit = hook.commit(decision())
    assert (repo.git("rev-parse", "HEAD"), repo.blob("opening.md"), repo.status()) == (commit, NEW, [])
    assert repo.git("log", "-1", "--format=%an, %cn, %s, %b") == (
        "anna, Olga Operator, Change opening.md, > Longer hours.\n\nReading-Room-Decision: 5\nReading-Room-Draft: d-a\n"
    )


def test_every_kind_and_its_undoing(repo: Repository, ledger: Ledger) -> None:
    """Create, rename and delete, and each taken back."""
    hook = GitPublications.open(repo.top, ledger)
    new, old = digest_of(NEW), digest_of(OLD)
    draft(ledger, "create", path="new.md", base=None, base_content=None)
    hook.check("d-a")
    hook.commit(decision(path="new.md", before=None))
    assert repo.blob("new.md") == NEW
    hook.commit(decision("undo", path="new.md", before=new, after=None, undoes=5))
    assert (
        repo.git("log", "-1", "--format=%s|%an|%(trailers:key=Reading-Room-Undoes,valueonly)")
        == "Undo decision 5|anna|5\n"
    )
    draft(ledger, "rename", to="deep/hours.md", content=None, digest="")
    hook.check("d-a")
    for after in (old, None):
        hook.commit(decision(to="deep/hours.md", before=old, after=after))
        assert repo.git("ls-tree", "-r", "--name-only", "HEAD") == "deep/hours.md"
        hook.commit(
            decision("undo", path="deep/hours.md", to="opening.md", before=old, after=after, undoes=5)
        )
        assert (repo.blob("opening.md"), repo.git("ls-tree", "--name-only", "HEAD")) == (OLD, "opening.md")
    draft(ledger, "delete", content=None, digest="")
    hook.check("d-a")
    hook.commit(decision(after=None))
    assert repo.git("ls-tree", "HEAD") == ""
    hook.commit(decision("undo", before=None, after=old, undoes=5))
    assert repo.blob("opening.md") == OLD


def test_what_changes_no_file(repo: Repository, ledger: Ledger) -> None:
    """Has no commit and nothing to check."""
    hook = GitPublications.open(repo.top, ledger)
    head = repo.git("rev-parse", "HEAD")
    assert [hook.commit(decision(kind)) for kind in ("set", "reset", "reject", "accept")] == [""] * 4
    hook.check("d-none")
    hook.check_undo(99)
    assert repo.git("rev-parse", "HEAD") == head


def test_what_cannot_be_committed(repo: Repository, ledger: Ledger) -> None:
    """Is told before it is published, a draft as well as an undoing."""
    with ledger.writing() as writing:
        writing.append(decision(number=1))
        writing.append(decision(number=2, to="ignored.md", after=digest_of(OLD)))
        writing.append(decision(number=3, path="ignored.md", to="opening.md", after=digest_of(OLD)))
    repo.write(".git/info/exclude", b"ignored.md\n")
    hook = GitPublications.open(repo.top, ledger)
    hook.check_undo(1)
    hook.check_undo(2)
    with pytest.raises(GitUnusable, match=r"git ignores ignored\.md"):
        hook.check_undo(3)
    draft(ledger, "rename", to="ignored.md", content=None, digest="")
    with pytest.raises(GitUnusable, match=r"git ignores ignored\.md"):
        hook.check("d-a")


def test_bytes_that_are_missing(repo: Repository, ledger: Ledger) -> None:
    """The decision stands, and it is said that it is not committed."""
    hook = GitPublications.open(repo.top, ledger)
    with pytest.raises(CommitIncomplete, match=r"decision 5 is published, but not committed: .* missing"):
        hook.commit(decision(after="sha256:" + "0" * 64))
    with pytest.raises(ValueError, match="needs the bytes"):
        Change("a.md", "b.md")
