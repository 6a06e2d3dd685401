"""The git program, run so that nothing of the repository it works in is run with it.

A repository's own configuration can name programs: hooks, a monitor of the file system, filters, ways to fetch. Each call
turns these off. The environment is made here: no variable of git's own comes in. Knows no commits and no documents.
"""

import os
import shutil
import subprocess
from pathlib import Path

from .faults import UsageFault

_PATIENCE_S = 60.0
_PASSED_ON = (
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "USERPROFILE",
    "SYSTEMROOT",
    "APPDATA",
    "TMPDIR",
    "TEMP",
    "TZ",
)
_SETTINGS = (
    f"core.hooksPath={os.devnull}",  # post-index-change and reference-transaction would be run by what we call
    "core.fsmonitor=false",  # may name a program, which every reading of an index would run
    "core.splitIndex=false",  # an index of ours is one file
    "core.sparseCheckout=false",
    "i18n.commitEncoding=UTF-8",
    "user.useConfigOnly=true",  # a name is configured, never guessed from the machine's
)
_FIXED = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # objects that are elsewhere would be fetched by a program that the configuration names
    "GIT_ALLOW_PROTOCOL": "none",  # the same, for a git that does not know the variable above
}


class GitUnusable(UsageFault):
    """`--git` cannot be served here; its text says why, and nothing has been published."""


class GitFailed(Exception):
    """A call of git ended with an error; its text is the first line of what git said."""


class Git:
    """The git program for one repository. Paths go in and come out as bytes, relative to the top of the work tree.

    Raises GitFailed from every call that fails, GitUnusable from `found` when there is no git.
    """

    def __init__(self, program: str, at: Path, variables: dict[str, str]) -> None:
        self._program = program
        self._at = at
        self._variables = variables

    @classmethod
    def found(cls, root: Path) -> "Git":
        """The program on PATH, working where `root` is. Raises GitUnusable; one that lies among the documents is not run."""
        program = shutil.which("git")
        if program is None:
            raise GitUnusable("--git needs the git program, and there is none on PATH.")
        place = Path(program).resolve()
        if place.is_relative_to(root.resolve()):
            raise GitUnusable(f"--git would run {place}, which lies in the folder that is served.")
        return cls(str(Path(program).absolute()), root, {})

    def of(self, top: Path, git_dir: Path) -> "Git":
        """The same program for this repository and no other, whatever lies where it works."""
        return Git(self._program, top, {"GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(top)})

    def apart(self, folder: Path) -> "Git":
        """The same, with an empty folder for a work tree: whatever git writes, it looks at no file of the real one.

        An index is not written without a look at files that may have changed since, and each look may run a filter.
        """
        folder.mkdir(exist_ok=True)
        return Git(self._program, folder, {**self._variables, "GIT_WORK_TREE": str(folder)})

    def using(self, index: Path) -> "Git":
        """The same, with this file for an index."""
        return Git(self._program, self._at, {**self._variables, "GIT_INDEX_FILE": str(index)})

    def writing_as(self, name: str, mail: str, at: float) -> "Git":
        """The same, with this author for commits."""
        author = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": mail, "GIT_AUTHOR_DATE": f"@{int(at)} +0000"}
        return Git(self._program, self._at, {**self._variables, **author})

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """What git writes when it is given these arguments and this input. Raises GitFailed."""
        done = self._done(arguments, given)
        if done.returncode:
            raise GitFailed(_said(done))
        return done.stdout

    def says(self, *arguments: str) -> str:
        """What git writes, as one line without its end. Raises GitFailed."""
        return os.fsdecode(self.run(*arguments)).removesuffix("\n")

    def maybe(self, *arguments: str) -> str | None:
        """The same, or None when git ends with 1, as it does for "no". Raises GitFailed for anything else."""
        done = self._done(arguments, b"")
        if done.returncode not in (0, 1):
            raise GitFailed(_said(done))
        return None if done.returncode else os.fsdecode(done.stdout).removesuffix("\n")

    def _done(self, arguments: tuple[str, ...], given: bytes) -> "subprocess.CompletedProcess[bytes]":
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        command = [self._program, "--no-pager", "-C", str(self._at), *settings, *arguments]
        passed_on = {name: value for name, value in os.environ.items() if name.upper() in _PASSED_ON}
        environment = {**passed_on, **_FIXED, **self._variables}
        try:
            return subprocess.run(
                command, input=given, capture_output=True, env=environment, timeout=_PATIENCE_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise GitFailed(f"it was not done within {_PATIENCE_S:.0f} seconds") from None
        except OSError as error:
            raise GitFailed(error.strerror or type(error).__name__) from error


def _said(done: "subprocess.CompletedProcess[bytes]") -> str:
    from .characters import cut, one_line

    lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    said = next((line for line in reversed(lines) if line.startswith(("fatal: ", "error: "))), "")
    said = said.partition(": ")[2] or (lines[0] if lines else f"it ended with {done.returncode}")
    return cut(one_line(said), 300)
