"""What an index knows of the folder around a draft: links that lead to its document, and who has its `id` already.

As far as the view sees, and as of its last scan: warnings are made of it, and nothing is decided by it.
"""

import time
from collections.abc import Callable

from ..address import identifier_uri
from ..decode import NotText, decode
from ..errors import LibraryError, NotFound
from ..front_matter import read
from ..ledger.model import Draft
from ..lines import Lines
from ..view import View
from .warnings import Around

_FRESH_S = 86_400


def around(view: View, draft: Draft, clock: Callable[[], float] = time.time) -> Around:
    """What stands around a draft, which has its bytes. Waits for no index: it says when none can tell."""
    incoming, same_id = _incoming(view, draft), _same_id(view, draft)
    is_known = incoming is not None and same_id is not None
    as_of = _as_of(view, clock()) if is_known and draft.kind in ("delete", "rename") else None
    return Around(incoming=incoming or (), same_id=same_id or (), is_known=is_known, as_of=as_of)


def _as_of(view: View, now: float) -> float | None:
    """When the folder was last scanned, where that is long ago."""
    try:
        scanned = view.reconciled
    except LibraryError:  # the index went away since the links were looked up in it
        return None
    return scanned if scanned is not None and now - scanned > _FRESH_S else None


def _incoming(view: View, draft: Draft) -> tuple[tuple[str, int], ...] | None:
    """The links that lead to it; None when they cannot be known."""
    if draft.kind not in ("delete", "rename"):
        return ()
    try:
        is_whole, found = view.reconciled is not None, view.links(draft.path, wait=0).incoming
    except LibraryError:
        return None
    links = tuple((link.path, link.line) for link in found if link.path != draft.path)
    return links if links or is_whole else None


def _same_id(view: View, draft: Draft) -> tuple[str, ...] | None:
    """Who has its id already; None when it cannot be known."""
    identifier = _identifier(draft)
    if not identifier:
        return ()
    is_whole = False
    try:
        is_whole = view.reconciled is not None
        holder = view.find(identifier_uri(identifier), wait=0).path
    except NotFound:
        return () if is_whole else None
    except LibraryError:
        return None
    return () if holder == draft.path else (holder,)


def _identifier(draft: Draft) -> str:
    try:
        return read(Lines(decode(draft.content or b"").text)).identifier
    except NotText:
        return ""
