"""What a page says when something cannot be done: a status and a sentence for each error that is foreseen.

Of others it tells an id alone, under which stderr says where it happened, without a word of a document.
"""

import secrets
import sys
import traceback

from ...library import BadQuery, FolderUnusable, IndexBusy, IndexUnusable, LibraryError, NotFound
from ..faults import CommandFault
from .forms import BadForm
from .gate import Refusal

_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404),
    (BadQuery, 400),
    (BadForm, 400),
    (IndexBusy, 503),
    (IndexUnusable, 503),
    (FolderUnusable, 503),
    (LibraryError, 503),
    (CommandFault, 409),  # git's, before anything is decided
)


def refusal_of(error: Exception) -> Refusal:
    """Give what is told of an error."""
    if isinstance(error, Refusal):
        return error
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 0)
    if status:
        return Refusal(status, str(error))
    incident = secrets.token_hex(4)
    _report(incident, error)
    return Refusal(
        500, f"That is a fault of Reading Room. What is known of it stands in the terminal: {incident}."
    )


def _report(incident: str, error: Exception) -> None:
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    line = f"readingroom: page: incident {incident}: {type(error).__name__}"
    sys.stderr.write("\n".join([line, *where]) + "\n")
