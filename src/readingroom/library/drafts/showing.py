"""A draft as its owner is shown it: its state as it is now, and its change as a difference of lines."""

from ..decode import NotText, decode
from ..ledger import Draft
from .diff import hunks, unified
from .model import PREFIX, DraftInfo, DraftState, DraftView
from .standing import Standing


def uri_of(draft_id: str) -> str:
    """The address of a draft."""
    return PREFIX + draft_id


def state_of(draft: Draft, standing: Standing) -> DraftState:
    """The state of a draft by the folder as it is now: outdated when it could not be published as it stands."""
    if draft.state != "open":
        return draft.state
    if draft.kind == "create":
        return "outdated" if standing.is_taken(draft.path) else "open"
    if standing.revision(draft.path) != draft.base:
        return "outdated"
    return "outdated" if draft.kind == "rename" and standing.is_taken(draft.to) else "open"


def info_of(draft: Draft, state: DraftState) -> DraftInfo:
    """What a list says of a draft."""
    return DraftInfo(
        id=draft.id,
        uri=uri_of(draft.id),
        kind=draft.kind,
        path=draft.path,
        to=draft.to,
        base_revision=draft.base or "",
        draft_revision=draft.revision,
        state=state,
        note=draft.note,
        comment=draft.comment,
        created=draft.created,
        changed=draft.changed,
    )


def view_of(draft: Draft, standing: Standing) -> DraftView:
    """The draft, with its bytes, and its change.

    Where the document is left out by now, nothing of it is shown: whoever may not read it any more is not to read it here.
    """
    info = info_of(draft, state_of(draft, standing))
    after = _text(draft.content) if draft.content is not None else None
    if draft.kind == "rename":
        return DraftView(info, (), f"rename from {draft.path}\nrename to {draft.to}\n", None)
    if draft.kind != "create" and standing.is_left_out(draft.path):
        return DraftView(info, (), "", after if draft.kind == "replace" else None)
    found = hunks(_text(draft.base_content or b""), after or "")
    old = "/dev/null" if draft.kind == "create" else draft.path
    new = "/dev/null" if draft.kind == "delete" else draft.path
    return DraftView(info, found, unified(found, old, new), after)


def _text(content: bytes) -> str:
    try:
        return decode(content).text
    except NotText:
        return ""
