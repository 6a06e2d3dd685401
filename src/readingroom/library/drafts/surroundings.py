"""What an index knows of the folder around a draft: links that lead to its document, and who has its `id` already.

As far as the view sees, and as of its last scan: warnings are made of it, and nothing is decided by it.
"""

from ..address import identifier_uri
from ..decode import decode
from ..errors import LibraryError
from ..front_matter import read
from ..ledger.model import Draft
from ..lines import Lines
from ..view import View
from .warnings import Around


def around(view: View, draft: Draft) -> Around:
    """What stands around a draft, which has its bytes. Waits for no index: without one, nothing is known."""
    return Around(incoming=_incoming(view, draft), same_id=_same_id(view, draft))


def _incoming(view: View, draft: Draft) -> tuple[tuple[str, int], ...]:
    if draft.kind not in ("delete", "rename"):
        return ()
    try:
        found = view.links(draft.path, wait=0).incoming
    except LibraryError:
        return ()
    return tuple((link.path, link.line) for link in found if link.path != draft.path)


def _same_id(view: View, draft: Draft) -> tuple[str, ...]:
    if draft.content is None:
        return ()
    try:
        identifier = read(Lines(decode(draft.content).text)).identifier
        holder = view.find(identifier_uri(identifier), wait=0).path if identifier else draft.path
    except LibraryError:
        return ()
    return () if holder == draft.path else (holder,)
