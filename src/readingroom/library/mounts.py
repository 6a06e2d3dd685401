"""On what kind of file system a folder lies, where that matters: on another machine's, whose changes nobody reports."""

import os

_REMOTE = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "drvfs",
        "fuse.sshfs",
        "fuse.rclone",
        "virtiofs",
    }
)
_TABLE = "/proc/self/mountinfo"


def remote_kind(folder: str, table: str = _TABLE) -> str:
    """The kind of file system of another machine that `folder` lies on, or "", also where that cannot be told."""
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123  -- no more than text
            mounts = [_mount(line) for line in file]
    except OSError:
        return ""
    holding = [mount for mount in mounts if _holds(mount[0], folder)]
    kind = max(holding, key=lambda mount: len(mount[0]), default=("", ""))[1]
    return kind if kind in _REMOTE else ""


def _mount(line: str) -> tuple[str, str]:
    """Where it is mounted, and its kind: the fifth field, and the first one behind the dash."""
    before, _, behind = line.partition(" - ")
    fields = before.split(" ")
    place = fields[4] if len(fields) > 4 else ""
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, character)
    return place, behind.partition(" ")[0]


def _holds(place: str, folder: str) -> bool:
    return bool(place) and (folder == place or folder.startswith(place.rstrip(os.sep) + os.sep))
