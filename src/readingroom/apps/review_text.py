"""A draft in words and lines for the terminal: who wants what, what to beware of, and then the change. Pure.

All of a draft comes from an app: every text of it is revealed, and stands behind a sign of ours on each of its lines.
"""

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .counting import ago, counted
from .revealing import revealed
from .review_hunks import Paint, hunk_lines

if TYPE_CHECKING:
    from ..library.operator import Outcome, Pending, Shown

_KINDS = {"create": "new", "replace": "replace", "edit": "edit", "rename": "rename", "delete": "delete"}


def queue_lines(pending: Sequence["Pending"], paint: Paint, now: float) -> Iterator[str]:
    """A line for each draft that waits, with its number in the queue."""
    yield paint("bold", f"{counted(len(pending), 'draft waits', 'drafts wait')}.")
    for number, one in enumerate(pending, 1):
        outdated = paint("mark", "  outdated") if one.is_outdated else ""
        draft = one.draft
        what = f"{_KINDS[draft.kind]:7} {_where(draft.path, draft.to)}"
        yield f"{number:3}. {what}{paint('dim', f'  {draft.id}, {ago(now - draft.changed)}')}{outdated}"


def draft_lines(shown: "Shown", paint: Paint, now: float, place: str = "") -> Iterator[str]:
    """All of a draft: what it is, its note, the warnings, the difference. `place` says which of how many it is."""
    draft = shown.draft
    yield paint("bold", f"{_KINDS[draft.kind]} {_where(draft.path, draft.to)}") + (
        f"  ({place})" if place else ""
    )
    yield paint(
        "dim",
        f"  draft {draft.id}, revision {draft.revision}, by {revealed(draft.principal)}, {ago(now - draft.changed)}",
    )
    for line in draft.note.splitlines():
        yield f"  note: {revealed(line)}"
    for sentence in shown.outdated:
        yield paint("mark", f"! It cannot be published as it is: {revealed(sentence)}")
    for sentence in shown.warnings:
        yield paint("mark", f"! {revealed(sentence)}")
    lines = list(hunk_lines(shown.hunks, paint))
    yield from lines or [paint("dim", f"  {_unchanged(shown)}")]


def outcome_lines(outcome: "Outcome", paint: Paint) -> Iterator[str]:
    """What became of a decision."""
    name = revealed(outcome.path or outcome.draft)
    if outcome.decision is None:
        yield paint("mark", f"Nothing was decided on {name}: {revealed(outcome.text)} ({outcome.code})")
    else:
        decision = outcome.decision
        done = {"publish": "Published", "reject": "Rejected", "undo": "Undone"}[decision.kind]
        what = f"decision {decision.undoes} on {name}" if decision.kind == "undo" else name
        yield paint("good", f"{done}: {what}") + f" (decision {decision.number})"
    for note in outcome.notes:
        yield f"  {revealed(note)}"


def moment(seconds: float) -> str:
    """A time in UTC, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


def _where(path: str, to: str) -> str:
    return f"{revealed(path)} → {revealed(to)}" if to else revealed(path)


def _unchanged(shown: "Shown") -> str:
    if shown.draft.kind == "rename":
        return "Its text stays as it is."
    if shown.before is None and shown.after is None:
        return "There is no text to show."
    return "There is no difference between the texts."
