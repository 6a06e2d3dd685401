"""A draft as its owner is shown it: its state as it is now, and its change as a difference of lines."""

from ..decode import NotText, decode
from ..ledger import Draft, LedgerReading
from .diff import hunks, unified
from .model import PREFIX, DraftInfo, DraftState, DraftView, Reason
from .standing import Standing


def uri_of(draft_id: str) -> str:
    """The address of a draft."""
    return PREFIX + draft_id


def state_of(draft: Draft, standing: Standing) -> DraftState:
    """The state of a draft by the folder as it is now: outdated when it could not be published as it stands."""
    return "outdated" if draft.state == "open" and _against(draft, standing) else draft.state


def _against(draft: Draft, standing: Standing) -> Reason:
    """Why an open draft could not be published as it stands, or ""."""
    if draft.kind == "create":
        return "taken" if standing.is_taken(draft.path) else ""
    revision = standing.revision(draft.path)
    if revision is None:
        return standing.absence(draft.path)
    if revision != draft.base:
        return "changed"
    return "taken" if draft.kind == "rename" and standing.is_taken(draft.to) else ""


def is_undone(draft: Draft, look: LedgerReading) -> bool:
    """Whether a person took the publication of a draft back, and that was not undone in its turn."""
    if draft.state != "published":
        return False
    decisions = look.decisions(draft=draft.id)
    return sum(decision.kind == "undo" for decision in decisions) % 2 == 1


def info_of(draft: Draft, standing: Standing, look: LedgerReading) -> DraftInfo:
    """What a list says of a draft, as it is now."""
    reason: Reason = "undone" if is_undone(draft, look) else ""
    if draft.state == "open":
        reason = _against(draft, standing)
    state: DraftState = "outdated" if draft.state == "open" and reason else draft.state
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
        changed=max(draft.changed, draft.decided or 0.0),
        reason=reason,
    )


def view_of(draft: Draft, standing: Standing, look: LedgerReading) -> DraftView:
    """The draft, with its bytes, and its change.

    Where the document is left out by now, nothing of it is shown: whoever may not read it any more is not to read it here.
    """
    info = info_of(draft, standing, look)
    after = _text(draft.content) if draft.content is not None else None
    if draft.kind == "rename":
        return DraftView(info, (), f"rename from {draft.path}\nrename to {draft.to}\n", None)
    if draft.kind != "create" and standing.is_left_out(draft.path):
        return DraftView(info, (), None, after if draft.kind == "replace" else None)
    before, guessed = _decoded(draft.base_content or b"")
    found = hunks(before, after or "")
    old = "/dev/null" if draft.kind == "create" else draft.path
    new = "/dev/null" if draft.kind == "delete" else draft.path
    return DraftView(info, found, unified(found, old, new), after, guessed if draft.kind == "edit" else "")


def _text(content: bytes) -> str:
    return _decoded(content)[0]


def _decoded(content: bytes) -> tuple[str, str]:
    """The text, and its encoding if that was guessed, else ""."""
    try:
        found = decode(content)
    except NotText:
        return "", ""
    return found.text, found.encoding if found.guessed else ""
