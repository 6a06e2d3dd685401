"""Which repository a folder lies in, and whether a commit may be added to it just now. Changes nothing."""

import os
from pathlib import Path

from .git_program import Git, GitFailed, GitUnusable

_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "sequencer": "a cherry-pick or a revert",
    "BISECT_START": "a bisection",
}


def repository_of(root: Path) -> tuple[Git, Path, Path]:
    """Git for the repository whose work tree holds `root`, a path without links; its git folder; the top of its work tree.

    Raises GitUnusable.
    """
    git = Git.found(root)
    try:
        if git.says("rev-parse", "--is-inside-work-tree") != "true":
            raise GitUnusable(f"--git needs a work tree, and {root} lies in a repository without one.")
        top = Path(git.says("rev-parse", "--show-toplevel"))
        git_dir = Path(git.says("rev-parse", "--absolute-git-dir"))
    except GitFailed as error:
        raise GitUnusable(f"--git cannot be used in {root}: git says: {error}.") from error
    if not root.is_relative_to(top):
        raise GitUnusable(f"--git cannot be used: the work tree is {top}, and {root} is not in it.")
    return git.of(top, git_dir), git_dir, top


def check_state(git: Git, git_dir: Path) -> None:
    """Raise GitUnusable when HEAD is on no branch, a merge or the like is under way, or the operator has no name in git."""
    try:
        if git.maybe("symbolic-ref", "--quiet", "HEAD") is None:
            raise GitUnusable("--git needs a branch, and HEAD is detached: a commit there is easily lost.")
    except GitFailed as error:
        raise GitUnusable(f"--git cannot be used: git says: {error}.") from error
    for file, what in _UNDER_WAY.items():
        if os.path.lexists(git_dir / file):
            raise GitUnusable(f"--git cannot be used while {what} is under way in the repository.")
    try:
        git.run("var", "GIT_COMMITTER_IDENT")
    except GitFailed as error:
        raise GitUnusable(
            "--git needs to know who commits: git config --global user.name 'Your Name', and the same with user.email."
        ) from error
