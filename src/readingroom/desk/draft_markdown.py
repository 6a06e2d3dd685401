"""The editor's answers as Markdown. What documents, apps and people say stands in fences or behind `> `."""

import msgspec

from .draft_answers import Draft, DraftListResult, DraftReadResult, Refusal

_NEXT = {
    "open": "A person reads it and publishes or rejects it; nothing in the folder has changed.",
    "outdated": "It cannot be published as it stands: draft_withdraw it and propose the change anew.",
    "published": "A person has published it.",
    "rejected": "A person has rejected it.",
    "withdrawn": "It was withdrawn.",
}
_ANEW = "No update helps, for a draft keeps its path: draft_withdraw it and propose the change anew"
_BECAUSE = {
    "changed": (
        "The document has changed since: read it again and draft_update with its new revision. Nothing in the folder has "
        "changed by this draft."
    ),
    "gone": f"The document is not there any more; it may have moved (library_search). {_ANEW}.",
    "taken": f"Something stands at its new path by now. {_ANEW}, at another path or to the document that is there.",
    "not_served": "The document is not served any more and cannot be changed here: draft_withdraw it.",
    "undone": "A person published it and has undone that since: what it had changed was put back.",
}
"""What is said of a draft where there is a reason for its state."""


def replayed_text(then: Draft, now: Draft | None) -> str:
    """Tell what was answered to an operation, and what its draft is by now, which only the present tense is for."""
    again = (
        f"This operation was carried out before. Its answer was: draft {then.id}, revision {then.draft_revision}, "
        f"{then.state} then."
    )
    return (
        f"{again} What it is now:\n\n{draft_text(now)}"
        if now is not None
        else f"{again} See draft_read for what it is now."
    )


def refusal_text(failed: str, sentence: str, refusal: Refusal) -> str:
    """Tell a refusal: that it is one, its code, its sentence, the places that may have been meant."""
    lines = [f"{failed} ({refusal.code}). {sentence}"]
    places = refusal.candidates if isinstance(refusal.candidates, tuple) else ()
    if places:
        lines += ["", "Places in the document:", ""]
    for place in places:
        which = f"edit {place.edit}, " if isinstance(place.edit, int) else ""
        lines.append(f"- {which}line {place.line}\n  > {_inline(place.text)}")
    return "\n".join(lines)


def draft_text(draft: Draft) -> str:
    """Tell a draft: what it would do, its state and what comes next, what was said of it."""
    lines = [
        f"**Draft {draft.id}**: {draft.kind} {_target(draft)}",
        f"{draft.uri}, revision {draft.draft_revision}, {draft.state}. {_next(draft)}",
    ]
    if isinstance(draft.base_revision, str):
        lines.append(f"Made against {draft.base_revision}.")
    if isinstance(draft.comment, str):
        lines += ["", "The operator's comment:", "", _quoted(draft.comment)]
    if isinstance(draft.note, str):
        lines += ["", "Note:", "", _quoted(draft.note)]
    return "\n".join(lines)


def _next(draft: Draft) -> str:
    return _BECAUSE[draft.reason] if isinstance(draft.reason, str) else _NEXT[draft.state]


def list_text(result: DraftListResult) -> str:
    """Tell a page of drafts."""
    items = () if isinstance(result.items, msgspec.UnsetType) else result.items
    lines = []
    for draft in items:
        lines.append(
            f"- {draft.uri} **{_state(draft)}**: {draft.kind} {_target(draft)} (revision {draft.draft_revision})"
        )
        if isinstance(draft.comment, str):
            lines.append(f"  The operator: {_inline(draft.comment)}")
    if isinstance(result.cursor, str):
        lines.append(f"\nMore: call again with cursor {result.cursor}")
    return "\n".join(lines) or "No drafts."


def _state(draft: Draft) -> str:
    return (
        f"{draft.state} ({draft.reason.replace('_', ' ')})" if isinstance(draft.reason, str) else draft.state
    )


def read_text(result: DraftReadResult, guessed: str = "") -> str:
    """Tell a draft and a part of its diff; `guessed` as in `whole_text`."""
    assert not isinstance(result.draft, msgspec.UnsetType)  # noqa: S101  -- what was read has one; for the type checker
    diff = None if isinstance(result.diff, msgspec.UnsetType) else result.diff
    more = f"\n\nMore: call again with cursor {result.cursor}" if isinstance(result.cursor, str) else ""
    return f"{whole_text(result.draft, diff, guessed)}{more}"


def whole_text(draft: Draft, diff: str | None, guessed: str = "") -> str:
    """Tell a draft with its diff; None is one that is not shown. `guessed` is its encoding, where that was guessed."""
    if diff is None:
        return f"{draft_text(draft)}\n\nThe change is not shown, for the document is not served any more."
    written = (
        f"\nThe document does not tell its encoding: {guessed} was guessed, and is what is written."
        if guessed
        else ""
    )
    return f"{draft_text(draft)}{written}\n\n{_fenced(diff) if diff else 'No text changes.'}"


def _fenced(diff: str) -> str:
    """Set a diff apart: the fence is longer than any in it."""
    longest = run = 0
    for character in diff:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return f"{fence}diff\n{diff if diff.endswith(chr(10)) else diff + chr(10)}{fence}"


def _target(draft: Draft) -> str:
    return _inline(f"{draft.path} → {draft.to}" if isinstance(draft.to, str) else draft.path)


def _quoted(text: str) -> str:
    from ..library import cut_lines

    return "\n".join(f"> {line}" for line in cut_lines(text))


def _inline(text: str) -> str:
    """Keep it on its line."""
    return " ".join(text.split())
