"""What became of a decision: kept, or refused with a code for programs and a sentence for the person."""

import errno
from typing import Self

import msgspec

from ..ledger.model import Decision

OUTCOME_CODES: dict[str, str] = {
    "draft_not_found": "There is no such draft.",
    "not_open": "The draft has been decided on or withdrawn.",
    "draft_revision_changed": "The draft was changed after it was shown; look at it again.",
    "approval_mismatch": "What was approved is not what the draft holds; look at it again.",
    "base_changed": "The file changed after it was shown, or is being written; look at the draft again.",
    "exists": "Something stands at the new path already.",
    "path_not_served": "No document may stand at that path.",
    "decision_not_found": "There is no such decision.",
    "not_undoable": "The decision changed no file, or has been undone already.",
    "being_written": "Another program has the file open for writing; close it there and try again.",
    "other_file_system": "The two folders lie on different file systems; move the file by other means.",
    "not_writable": "The system does not let this account write there.",
    "disk_full": "There is no room on the disk.",
    "failed": "The system failed at it; the text says how.",
    "key_expired": "The passphrase was typed too long ago, or was changed; type it again.",
    "busy": "Another decision is being carried out; try again.",
    "unsettled": "An earlier publication of this file could not be ended yet; the text says why.",
    "altered": "The ledger was altered past Reading Room; `readingroom log --verify` tells more.",
    "unknown": "Whether it was kept will be known when the next command has looked.",
}
"""Why nothing was decided, each with what to do."""


class Refused(Exception):
    """Nothing has been decided, or what was begun has been taken back; `code` says why in a word."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    @classmethod
    def changed(cls, path: str) -> Self:
        """The file is not the one that was shown."""
        return cls("base_changed", f"{path} has changed since this was shown, or is being written.")

    @classmethod
    def exists(cls, path: str) -> Self:
        """There is a file where none should be."""
        return cls("exists", f"There is something at {path} already.")

    @classmethod
    def failed(cls, path: str, error: OSError) -> Self:
        """The system would not."""
        code = _CODES.get(error.errno or 0, "failed")
        return cls(code, f"{path} could not be changed: {error.strerror or type(error).__name__}.")


_CODES = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EFBIG: "disk_full",
    errno.EACCES: "not_writable",
    errno.EPERM: "not_writable",
    errno.EROFS: "not_writable",
    errno.EXDEV: "other_file_system",
    errno.ENOTDIR: "path_not_served",
}


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one approval, or of one undo: `decision` when it is kept, else `code` and `text` say why not.

    `notes` are sentences that the person should read in either case.
    """

    draft: str = ""
    path: str = ""
    decision: Decision | None = None
    code: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()
