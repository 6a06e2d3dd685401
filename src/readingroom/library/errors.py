"""What can go wrong in the library. LibraryError is the root; each class says what to do about it.

LibraryError
├─ NotFound          no such document, section or line for this principal (internal and missing read the same)
├─ BadQuery          the query or an argument of a call cannot be served as it stands
├─ FolderUnusable    the root is missing, is no folder or cannot be read
├─ IndexUnusable     the index is damaged or of another version, and is to be rebuilt
├─ IndexBusy         another process is writing the index
├─ LedgerBusy        another process is writing the ledger; nothing was kept, and the same may be asked again
├─ LedgerFull        there is no room to write the ledger; nothing was kept
├─ LedgerUnusable    the ledger cannot be opened, read or written; nothing is written before it has been looked at
└─ DraftRefused      a draft cannot be kept, changed or shown; its code says why to a program
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .drafts.model import Candidate


class LibraryError(Exception):
    """Root of the library's errors; its text is a sentence for whoever made the call."""


class NotFound(LibraryError):
    """Nothing this principal may see answers to that address, section or line."""


class BadQuery(LibraryError):
    """An argument is out of its bounds; the text says which and what is allowed."""


class FolderUnusable(LibraryError):
    """The root does not exist, is not a folder or cannot be read."""


class IndexUnusable(LibraryError):
    """The index on disk cannot be used and must be rebuilt."""


class IndexBusy(LibraryError):
    """Another process holds the index's writer."""


class LedgerBusy(LibraryError):
    """Another process has been writing the ledger for too long; nothing was kept, and the same may be asked again."""


class LedgerFull(LibraryError):
    """There is no room to write the ledger; nothing was kept, and the same may be asked again when there is."""


class LedgerUnusable(LibraryError):
    """The ledger is missing, damaged, not ours, of a newer version, or was not written to the disk when it should be."""


class DraftRefused(LibraryError):
    """A draft cannot be kept, changed or shown; nothing was kept.

    `code` is one of `drafts.codes.DRAFT_CODES`, and `candidates` are places in the document that an edit may have meant.
    `advice` is what to do where that is not what the table says of the code.
    """

    def __init__(
        self, code: str, text: str, candidates: "tuple[Candidate, ...]" = (), *, advice: str = ""
    ) -> None:
        super().__init__(text)
        self.code = code
        self.advice = advice
        self.candidates = candidates
