"""The journal in words: each decision, what undoing it changes, and what of all of it does not hold.

What stands in the journal came from apps, or from whoever wrote past us: every text of it is revealed.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from .counting import counted, moment
from .folding import Paint
from .json_text import time_text
from .revealing import revealed, revealed_path
from .review_hunks import hunk_lines
from .review_text import told

if TYPE_CHECKING:
    from ..library.ledger import Decision
    from ..library.operator import PastUs, ShownUndo, Verified

_MORE = "       "
_LEAST = 32
"""So many columns there are for what a decision did, or it begins on a line of its own."""
_SHORT = len("sha256:") + 8


def decision_lines(decision: "Decision", paint: Paint, columns: int | None = None) -> Iterator[str]:
    """A decision, and its comment on the next lines."""
    by = f"  by {decision.operator}" if decision.operator else ""
    lead = f"{decision.number:5}  {moment(decision.at)}  {revealed(decision.kind):7}  "
    if columns is not None and columns - len(lead) < _LEAST:
        yield lead.rstrip()
        lead = _MORE
    yield from told([(_what(decision), ""), (by, "dim")], paint, columns, lead, _MORE)
    for text in decision.comment.splitlines():
        yield from told([(text, "dim")], paint, columns, _MORE)


def _what(decision: "Decision") -> str:
    if decision.kind == "set":
        return (
            "the passphrase is set" if decision.chain == 1 else "the passphrase is changed, with the old one"
        )
    if decision.kind == "reset":
        return "the passphrase is RESET, without the old one"
    if decision.kind == "accept":
        return "the folder is accepted as it is"
    where = revealed_path(decision.path, decision.to)
    if decision.kind == "undo":
        return f"decision {decision.undoes}: {where}{_revisions(decision)}"
    draft = f"  (draft {decision.draft} of {decision.principal})"
    return f"{where}{_revisions(decision) if decision.kind == 'publish' else ''}{draft}"


def _revisions(decision: "Decision") -> str:
    before, after = (
        (one or "none")[:_SHORT].removeprefix("sha256:") for one in (decision.before, decision.after)
    )
    return f"  {before} → {after}"


def undoing_lines(shown: "ShownUndo", paint: Paint, columns: int | None = None) -> Iterator[str]:
    """What undoing a decision changes: why it could not be done, what to beware of, and the difference."""
    yield from decision_lines(shown.decision, paint, columns)
    yield ""
    for sentence in shown.against:
        yield from told([(f"It cannot be undone: {sentence}", "mark")], paint, columns, "! ")
    if shown.kind is None:
        return
    for sentence in shown.warnings:
        yield from told([(sentence, "mark")], paint, columns, "! ")
    if shown.kind == "create":
        yield from told([(f"{revealed_path(shown.path)} comes back", "")], paint, columns, "  ")
    if shown.is_text:
        yield from hunk_lines(shown.hunks, paint, columns)
    else:
        yield paint("mark", "! One side is no text, or the ledger does not hold it: it cannot be shown")


def verified_lines(verified: "Verified", paint: Paint, columns: int | None = None) -> Iterator[str]:
    """What does not hold, each by its name; or that all of it does."""
    for heading, sentences in (
        ("Decisions that do not hold:", [fault.text for fault in verified.journal]),
        ("Drafts that do not agree with the journal:", verified.drafts),
        ("What the ledger no longer keeps as it was:", verified.kept),
        ("Files changed past Reading Room:", [fault.text for fault in verified.files]),
    ):
        if sentences:
            yield paint("bold", heading)
            for sentence in sentences:
                yield from told([(sentence, "mark")], paint, columns, "! ")
    for note in verified.notes:
        yield from told([(note, "")], paint, columns, "")
    if verified.is_sound:
        held = "held" if verified.is_checked else "looks right"
        since = "" if verified.since is None else f"; files are compared since decision {verified.since}"
        yield paint("good", f"All of it {held}: {counted(verified.decisions, 'decision')}{since}.")


def past_us_lines(change: "PastUs", paint: Paint, columns: int | None = None) -> Iterator[str]:
    """What changed in a file past us: its revisions, what to beware of, and the difference."""
    was, now = (
        (one or "none")[:_SHORT].removeprefix("sha256:")
        for one in (change.fault.expected, change.fault.found)
    )
    parts = [(revealed_path(change.fault.path), "bold"), (f"  {was} → {now}", "dim")]
    yield from told(parts, paint, columns, "", _MORE)
    for sentence in (*change.warnings, *filter(None, [change.text])):
        yield from told([(sentence, "mark")], paint, columns, "! ")
    yield from hunk_lines(change.hunks, paint, columns)


def journal_values(decisions: "Sequence[Decision]") -> list[dict[str, Any]]:
    """Decisions for a program: times as ISO 8601, codes in hexadecimal."""
    return [
        {**msgspec.to_builtins(one, builtin_types=(bytes,)), "at": time_text(one.at), "mac": one.mac.hex()}
        for one in decisions
    ]
