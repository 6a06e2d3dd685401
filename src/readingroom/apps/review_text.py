"""A draft in words and lines for the terminal: who wants what, what to beware of, and then the change. Pure.

All of a draft comes from an app: every text of it is revealed, and stands behind a sign of ours on each of its lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .counting import ago, counted
from .folding import Paint, folded_text
from .revealing import revealed_path, shown_one_by_one
from .review_hunks import hunk_lines

if TYPE_CHECKING:
    from ..library.ledger import Decision
    from ..library.operator import Outcome, Pending, Shown

_MORE = "   ⋮ "
_KINDS = {"create": "new", "replace": "replace", "edit": "edit", "rename": "rename", "delete": "delete"}


def queue_lines(
    pending: Sequence["Pending"], paint: Paint, now: float, columns: int | None = None
) -> Iterator[str]:
    """A line for each draft that waits, with its number in the queue."""
    yield paint("bold", f"{counted(len(pending), 'draft waits', 'drafts wait')}.")
    for number, one in enumerate(pending, 1):
        draft = one.draft
        what = f"{_KINDS.get(draft.kind, draft.kind):7} {revealed_path(draft.path, draft.to)}"
        parts = [(what, ""), (f"  {draft.id}, {ago(now - draft.changed)}", "dim")]
        parts += [("  outdated", "mark")] if one.is_outdated else []
        yield from told(parts, paint, columns, f"{number:3}. ", _MORE)


def draft_lines(
    shown: "Shown", paint: Paint, now: float, place: str = "", columns: int | None = None
) -> Iterator[str]:
    """All of a draft: what it is, its note, the warnings, the difference, folded at `columns`.

    `place` says which of how many it is.
    """
    draft = shown.draft
    what = f"{_KINDS.get(draft.kind, draft.kind)} {revealed_path(draft.path, draft.to)}"
    yield from told([(what, "bold"), (f"  ({place})" if place else "", "")], paint, columns, "", _MORE)
    about = f"draft {draft.id}, revision {draft.revision}, by {draft.principal}, {ago(now - draft.changed)}"
    yield from told([(about, "dim")], paint, columns, "  ")
    for line in draft.note.splitlines():
        yield from told([(line, "")], paint, columns, "  note: ")
    for sentence in shown.outdated:
        yield from told([(f"It cannot be published as it is: {sentence}", "mark")], paint, columns, "! ")
    for sentence in shown.warnings:
        yield from told([(sentence, "mark")], paint, columns, "! ")
    lines = list(hunk_lines(shown.hunks, paint, columns))
    yield from lines or [paint("dim", f"  {_unchanged(shown)}")]


def outcome_lines(outcome: "Outcome", paint: Paint, columns: int | None = None) -> Iterator[str]:
    """What became of a decision."""
    name = revealed_path(outcome.path or outcome.draft)
    if outcome.decision is None:
        text = f"Nothing was decided on {name}: {outcome.text} ({outcome.code})"
        yield from told([(text, "mark")], paint, columns, "", _MORE)
    else:
        decision = outcome.decision
        done = {"publish": "Published", "reject": "Rejected", "undo": "Undone"}[decision.kind]
        what = _done_to(decision, name)
        parts = [(f"{done}: {what}", "good"), (f" (decision {decision.number})", "")]
        yield from told(parts, paint, columns, "", _MORE)
    for note in outcome.notes:
        yield from told([(note, "")], paint, columns, "  ")


def _done_to(decision: "Decision", name: str) -> str:
    if decision.kind == "undo":
        return f"decision {decision.undoes} on {name}"
    if decision.kind == "publish" and decision.to:
        return f"{name} is now {revealed_path(decision.to)}"
    return f"{name} is deleted" if decision.kind == "publish" and decision.after is None else name


def told(
    parts: Iterable[tuple[str, str]], paint: Paint, columns: int | None, lead: str, rest: str | None = None
) -> Iterator[str]:
    """Texts with their styles in lines that begin with `lead`, or `rest`, with everything visible that hides."""
    shown = [(shown_one_by_one(text), style) for text, style in parts]
    return folded_text(shown, paint, columns, lead, rest)


def _unchanged(shown: "Shown") -> str:
    if shown.draft.kind == "rename":
        return "Its text stays as it is."
    if shown.before is None and shown.after is None:
        return "There is no text to show."
    return "There is no difference between the texts."
