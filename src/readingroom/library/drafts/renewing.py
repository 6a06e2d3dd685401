"""An update of a draft: what it asks for with what stays of the draft, and why it cannot be made.

A draft keeps its kind and its path. Looks at the folder through `standing` alone, and writes nothing.
"""

import msgspec

from ..decode import decode
from ..errors import DraftRefused
from ..ledger import Draft
from ..ledger.model import Edit
from .proposing import TAKEN, Proposal, Wish, only_end, propose
from .splices import flat
from .standing import Standing

_ADVICE = {
    "exists": (
        "A draft keeps its path: withdraw it and propose the change anew at another path, or to the document that is there."
    ),
    "not_found": (
        "It may have moved (library_search). A draft keeps its path: withdraw it and propose the change anew."
    ),
    "path_not_served": "A draft keeps its path: withdraw it.",
    "nothing_changes": "Withdraw the draft, or give other edits or another content.",
}
"""What to do where a new draft would do something else: no update gives a draft another path."""


def wish_of(
    known: Draft, base_revision: str | None, content: str | None, edits: tuple[Edit, ...]
) -> Wish | None:
    """What the draft asks for after an update; None when that leaves all but the note as it is.

    Raises DraftRefused (bad_argument) for what a draft of its kind does not take.
    """
    given = {"base_revision": base_revision is not None, "content": content is not None, "edits": bool(edits)}
    taken = [name for name in TAKEN[known.kind] if name in given]
    if any(is_given and name not in taken for name, is_given in given.items()):
        raise DraftRefused(
            "bad_argument",
            f"The draft is of kind {known.kind}: besides a note, an update of it takes {' and '.join(taken)}.",
        )
    if not any(given.values()):
        return None
    if known.kind == "replace" and content is None:
        content = _content(known)
    return Wish(
        kind=known.kind,
        path=known.path,
        to=known.to,
        base_revision=base_revision or known.base,
        content=content,
        edits=edits or known.edits,
    )


def _content(known: Draft) -> str:
    """The text that was proposed; with LF alone where it has the line ends of its base, to get those of the new one."""
    text = decode(known.content or b"").text
    return flat(text) if only_end(text) == only_end(decode(known.base_content or b"").text) else text


def renewed(standing: Standing, wish: Wish, most: int) -> Proposal:
    """What comes of it, as `propose` gives it. Raises DraftRefused with advice for a draft that is there already."""
    try:
        return propose(standing, wish, most)
    except DraftRefused as error:
        error.advice = _ADVICE.get(error.code, error.advice)
        raise


def changed_by(known: Draft, proposal: Proposal | None, note: str | None) -> Draft:
    """The draft as it is to be kept. Raises DraftRefused (draft_unchanged)."""
    changed = known if note is None else msgspec.structs.replace(known, note=note)
    if proposal is not None:
        changed = msgspec.structs.replace(
            changed,
            base=proposal.base,
            base_content=proposal.base_content,
            content=proposal.content,
            digest=proposal.digest,
            edits=proposal.edits,
        )
    if changed == known:
        raise DraftRefused("draft_unchanged", "The draft is as this call would make it already.")
    return changed
