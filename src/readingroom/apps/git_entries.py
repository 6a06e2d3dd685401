"""What git has at a path, in a commit and in an index, and whether it would keep the very bytes of a file there.

Names are bytes, relative to the top of the work tree. Runs git to look; changes nothing.
"""

import os
import unicodedata

import msgspec

from .git_program import Git, GitUnusable

_REGULAR = ("100644", "100755")
_CONVERTING = ("filter", "working-tree-encoding", "ident")
_LINE_ENDS = ("text", "eol", "crlf")


class Entry(msgspec.Struct, frozen=True):
    """A file as git has it: the mode, and the id of its bytes. A conflict has the mode "unmerged"."""

    mode: str
    blob: str


def in_commit(git: Git, commit: str, name: bytes) -> Entry | None:
    """What a commit ("" for none yet) has at a path, be it a file, a folder, a link or a submodule."""
    if not commit:
        return None
    for line in git.run("ls-tree", "-z", commit, "--", f"./{os.fsdecode(name)}").split(b"\0"):
        head, _, found = line.partition(b"\t")
        if found == name:
            mode, _, blob = head.decode("ascii").split(" ")
            return Entry(mode, blob)
    return None


def in_index(git: Git, name: bytes) -> Entry | None:
    """What the index has at a path."""
    for line in git.run("ls-files", "--stage", "-z", "--", f":(literal){os.fsdecode(name)}").split(b"\0"):
        head, _, found = line.partition(b"\t")
        if found == name:
            mode, blob, stage = head.decode("ascii").split(" ")
            return Entry(mode if stage == "0" else "unmerged", blob)
    return None


def name_in(git: Git, commit: str, path: bytes) -> bytes:
    """The path as the commit spells it, which may be in another form of Unicode; if it has none, the path itself."""
    if not commit or path.isascii() or in_commit(git, commit, path) is not None:
        return path
    wanted = _composed(path)
    names = git.run("ls-tree", "-r", "-z", "--name-only", commit).split(b"\0")
    return next((name for name in names if not name.isascii() and _composed(name) == wanted), path)


def _composed(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name))


def check_place(git: Git, commit: str, name: bytes) -> None:
    """Raise GitUnusable if a commit has something other than a file at a path, or other than folders above it."""
    entry = in_commit(git, commit, name)
    if entry is not None and entry.mode not in _REGULAR:
        raise GitUnusable(f"in git, {os.fsdecode(name)} is no regular file.")
    parts = name.split(b"/")
    for length in range(1, len(parts)):
        above = in_commit(git, commit, b"/".join(parts[:length]))
        if above is not None and above.mode != "040000":
            raise GitUnusable(f"in git, {os.fsdecode(name)} lies in a link or a submodule.")


def check_unstaged(git: Git, commit: str, name: bytes) -> None:
    """Raise GitUnusable if the index has something else at a path than the commit."""
    if in_index(git, name) != in_commit(git, commit, name):
        raise GitUnusable(f"{os.fsdecode(name)} has changes that are staged in git.")


def check_kept_as_it_is(git: Git, name: bytes, content: bytes) -> None:
    """Raise GitUnusable if git keeps a file at that path in another form than these bytes.

    Filters (such as LFS and git-crypt), encodings and line ends: a commit of the bytes would then show a file that git
    finds changed at once, or in the worst case keep in clear what was to be encrypted.
    """
    given = name + b"\0"
    fields = os.fsdecode(
        git.run("check-attr", "-z", "--stdin", *_CONVERTING, *_LINE_ENDS, given=given)
    ).split("\0")
    attributes = dict(zip(fields[1::3], fields[2::3], strict=False))
    for attribute in _CONVERTING:
        if attributes.get(attribute) not in ("unspecified", "unset"):
            raise GitUnusable(
                f"git keeps {os.fsdecode(name)} in another form (attribute {attribute} in .gitattributes)."
            )
    if b"\r\n" in content and _changes_line_ends(git, attributes):
        raise GitUnusable(
            f"{os.fsdecode(name)} has line ends of Windows, which git would change (core.autocrlf or .gitattributes)."
        )


def _changes_line_ends(git: Git, attributes: dict[str, str]) -> bool:
    """Whether git may make LF of CR LF; that it leaves files alone which had CR LF before does not count."""
    if attributes.get("text") == "unset" or attributes.get("crlf") == "unset":
        return False
    if any(attributes.get(name) not in ("unspecified", "unset") for name in _LINE_ENDS):
        return True
    setting = (git.maybe("config", "--get", "core.autocrlf") or "false").lower()
    return setting not in ("false", "no", "off", "0")
