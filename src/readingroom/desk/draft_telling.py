"""What the drafts' door gives, turned into the tools' answers, and what it refuses into results with a code.

A fault of the ledger is told in words of our own: where it lies on the disk is not for an app.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ..kit import CallResult, TextContent
from ..library import LedgerUnusable, LibraryError
from . import draft_markdown as markdown
from .draft_answers import (
    Candidate,
    Draft,
    DraftListResult,
    DraftReadResult,
    Refusal,
    WriteResult,
)
from .telling import Sealed, time_text

if TYPE_CHECKING:
    from ..library import Candidate as Place
    from ..library import DraftAnswer, DraftEdit, DraftInfo, DraftPage, DraftView
    from .draft_tools import Edit

Result = TypeVar("Result", bound=msgspec.Struct)

DRAFTS = "library:///.draft/"
_FAULTS = {
    "LedgerBusy": (
        "ledger_busy",
        "The drafts are being written by another process; send the same call again.",
    ),
    "LedgerFull": (
        "ledger_full",
        "There is no room to keep drafts; the person who runs this server has to make some.",
    ),
    "LedgerUnusable": (
        "ledger_unusable",
        (
            "Drafts cannot be kept or read now; send the same call again, with the same key. If that goes on, the person "
            "who runs this server finds the reason in its log."
        ),
    ),
    "FolderUnusable": ("folder_unusable", ""),
    "BadQuery": ("bad_argument", ""),
}
"""The codes of faults that are no refusals of the drafts' own, and what is said of them; "" for the library's sentence."""


def written(write: "Callable[[], DraftAnswer]") -> CallResult:
    """Give the result of what writes a draft, or of its refusal, which says first that nothing was saved, or that nobody
    knows: after a fault of the disk only the next look can tell.
    """
    try:
        answer = write()
    except LedgerUnusable as error:
        return _refusal(error, "NOT KNOWN WHETHER SAVED")
    except LibraryError as error:
        return _refusal(error, "NOT SAVED")
    info = answer.draft
    result = WriteResult(
        draft=info.id,
        uri=info.uri,
        state=info.state,
        draft_revision=info.draft_revision,
        replayed=answer.replayed,
        state_now=answer.now.state if answer.now is not None else msgspec.UNSET,
    )
    now = draft_told(answer.now) if answer.now is not None else None
    text = (
        markdown.replayed_text(draft_told(info), now)
        if answer.replayed
        else markdown.draft_text(draft_told(info))
    )
    return CallResult((TextContent(text),), structured=result)


def told(make: Callable[[], Result], tell: Callable[[Result], str]) -> CallResult:
    """Give a tool's result with its text, or that of a refusal. Raises: ToolError for a cursor of another call."""
    try:
        made = make()
    except LibraryError as error:
        return _refusal(error, "Refused")
    return CallResult((TextContent(tell(made)),), structured=made)


def _refusal(error: LibraryError, failed: str) -> CallResult:
    refusal, sentence = refused(error)
    text = markdown.refusal_text(failed, sentence, refusal)
    return CallResult((TextContent(text),), structured=refusal, is_error=True)


def refused(error: LibraryError) -> tuple[Refusal, str]:
    """Give what is told of an error of the library's, and what is wrong and what to do, in sentences."""
    from ..library import DRAFT_CODES, DraftRefused

    if isinstance(error, DraftRefused):
        candidates = tuple(map(_candidate, error.candidates)) or msgspec.UNSET
        return Refusal(
            code=error.code, candidates=candidates
        ), f"{error} {error.advice or DRAFT_CODES[error.code]}"
    code, sentence = _FAULTS.get(type(error).__name__, ("not_possible", ""))
    if code == "ledger_unusable":
        _log(str(error))
    return Refusal(code=code), sentence or str(error)


def draft_told(info: "DraftInfo") -> Draft:
    """Tell a draft."""
    return Draft(
        id=info.id,
        uri=info.uri,
        kind=info.kind,
        path=info.path,
        state=info.state,
        draft_revision=info.draft_revision,
        changed=time_text(info.changed),
        to=info.to or msgspec.UNSET,
        base_revision=info.base_revision or msgspec.UNSET,
        note=info.note or msgspec.UNSET,
        comment=info.comment or msgspec.UNSET,
        reason=info.reason or msgspec.UNSET,
    )


def draft_list(page: "DraftPage", cursor: Sealed) -> DraftListResult:
    """Tell a page of drafts."""
    return DraftListResult(items=tuple(map(draft_told, page.items)), cursor=cursor)


def draft_part(view: "DraftView", diff: str, cursor: Sealed) -> DraftReadResult:
    """Tell a draft and a part of its diff, which is left out where it is not shown."""
    shown = msgspec.UNSET if view.diff is None else diff
    return DraftReadResult(draft=draft_told(view.draft), diff=shown, cursor=cursor)


def cut(text: str, start: int, most: int) -> tuple[str, int | None]:
    """Give the part of a text from `start` on, whole lines where they fit, and where the next one begins, or None."""
    if len(text) - start <= most:
        return text[start:], None
    border = text.rfind("\n", start, start + most) + 1
    stop = border if border > start else start + most
    return text[start:stop], stop


def id_of(asked: str) -> str:
    """Give the id of a draft that is named by its id or its address."""
    return asked.removeprefix(DRAFTS)


def edits_of(edits: "Sequence[Edit]") -> "tuple[DraftEdit, ...]":
    """Give edits as the library has them."""
    from ..library import DraftEdit

    return tuple(DraftEdit(edit.old, edit.new) for edit in edits)


def _candidate(found: "Place") -> Candidate:
    return Candidate(line=found.line, text=found.text, edit=found.edit or msgspec.UNSET)


def _log(sentence: str) -> None:
    import logging

    logging.getLogger(__name__).warning(sentence)
