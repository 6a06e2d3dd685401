"""The editor's answers as Markdown. What documents, apps and people say stands in fences or behind `> `."""

import msgspec

from .draft_answers import Draft, DraftListResult, DraftReadResult, Refusal

_NEXT = {
    "open": "A person reads it and publishes or rejects it; nothing in the folder has changed.",
    "outdated": (
        "The document has changed since: read it again and draft_update with its new revision. Nothing in the folder has "
        "changed by this draft."
    ),
    "published": "A person has published it.",
    "rejected": "A person has rejected it.",
    "withdrawn": "It was withdrawn.",
}


def written_text(draft: Draft, *, is_replayed: bool) -> str:
    """Tell what is kept now."""
    again = "This operation was carried out before; this was its answer.\n\n" if is_replayed else ""
    return f"{again}{draft_text(draft)}"


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
        f"{draft.uri}, revision {draft.draft_revision}, {draft.state}. {_NEXT[draft.state]}",
    ]
    if isinstance(draft.base_revision, str):
        lines.append(f"Made against {draft.base_revision}.")
    if isinstance(draft.comment, str):
        lines += ["", "The operator's comment:", "", _quoted(draft.comment)]
    if isinstance(draft.note, str):
        lines += ["", "Note:", "", _quoted(draft.note)]
    return "\n".join(lines)


def list_text(result: DraftListResult) -> str:
    """Tell a page of drafts."""
    items = () if isinstance(result.items, msgspec.UnsetType) else result.items
    lines = []
    for draft in items:
        lines.append(
            f"- {draft.uri} **{draft.state}**: {draft.kind} {_target(draft)} (revision {draft.draft_revision})"
        )
        if isinstance(draft.comment, str):
            lines.append(f"  The operator: {_inline(draft.comment)}")
    if isinstance(result.cursor, str):
        lines.append(f"\nMore: call again with cursor {result.cursor}")
    return "\n".join(lines) or "No drafts."


def read_text(result: DraftReadResult) -> str:
    """Tell a draft and a part of its diff."""
    assert not isinstance(result.draft, msgspec.UnsetType)  # noqa: S101  -- what was read has one; for the type checker
    diff = "" if isinstance(result.diff, msgspec.UnsetType) else result.diff
    more = f"\n\nMore: call again with cursor {result.cursor}" if isinstance(result.cursor, str) else ""
    return f"{whole_text(result.draft, diff)}{more}"


def whole_text(draft: Draft, diff: str) -> str:
    """Tell a draft with its diff."""
    return f"{draft_text(draft)}\n\n{_fenced(diff) if diff else 'No text changes.'}"


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
