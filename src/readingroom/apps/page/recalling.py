"""The pages of what was decided: the history, one decision and its undoing, and whether everything holds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Route

from ...library.ledger import digest_of
from .asking import Asked, Asking, Told, told_of
from .changes import READ_FIRST, PastFile, Undoing, line_of, past_file_of, undoing_of
from .counter import NotUnlocked, comment_of
from .forms import BadForm, number_from
from .gate import Refusal
from .looking import number_in, number_of
from .showing import visit_of

if TYPE_CHECKING:
    from ...library.ledger import Decision
    from ...library.operator import PastUs, Verified

_PAGE = 50
_OF_ONE_FILE = 500
_FILES = 20


class Checked(msgspec.Struct, frozen=True):
    """What a check found, under headings."""

    holds: bool
    text: str
    findings: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    can_accept: bool
    manifest: str
    files: tuple[PastFile, ...]
    files_left: int


class Recalling(Asking):
    """The pages of decisions that were made, and of what is done about them."""

    here = "history"

    def routes(self) -> list[BaseRoute]:
        """Give the routes of these pages."""
        return [
            Route("/history", self.history),
            Route("/decision/{number}", self.decision),
            Route("/undo", self.undo, methods=["POST"]),
            Route("/verify", self.verify, methods=["GET", "POST"]),
            Route("/accept", self.accept, methods=["POST"]),
        ]

    def history(self, request: Request) -> HTMLResponse:
        """Show the decisions, the newest first; of one file with `path`, else a page that ends before `before`."""
        path, before = request.query_params.get("path", ""), number_of(request, "before")
        if path:
            found = self._counter.operator.history(limit=_OF_ONE_FILE, path=path)
        else:
            end = before or self._last() + 1
            found = self._counter.operator.history(
                after=max(0, end - 1 - _PAGE), limit=min(_PAGE, end - 1) or 1
            )
        lines = [line_of(decision) for decision in reversed(found)]
        oldest = lines[-1].number if lines and not path else 1
        return self._showing.page(
            "history.html",
            visit_of(request),
            here=self.here,
            decisions=lines,
            path=path,
            older=f"before={oldest}" if oldest > 1 else "",
        )

    def _last(self) -> int:
        with self._counter.ledger.reading() as reading:
            last = reading.last_decision()
        return 0 if last is None else last.number

    def decision(self, request: Request) -> HTMLResponse:
        """Show one decision and what it changed, and ask whether it is to be undone."""
        return self._decision(request, self._found(number_in(request, "number")))

    def undo(self, request: Request) -> HTMLResponse:
        """Undo a decision."""
        form = visit_of(request).form
        number = number_from(form.one("number"))
        if number is None:
            raise BadForm("The form does not say which decision is to be undone.")
        decision, comment = self._found(number), comment_of(form)
        undoing = self._undoing(decision)
        if undoing.against:
            error = f"It cannot be undone: {' '.join(undoing.against)}"
            return self._decision(request, decision, Asked.again(form, error, 409))
        if undoing.must_be_read and form.one("read") != "yes":
            return self._decision(request, decision, Asked.again(form, READ_FIRST, 422))
        try:
            outcome = self._counter.undo(decision.number, form, comment)
        except NotUnlocked as refused:
            return self._decision(request, decision, Asked.locked(form, refused))
        told = told_of(outcome, decision.path)
        if not told.is_done:
            return self._outcome(request, "Nothing was done", told, status=409)
        return self._outcome(request, "Undone", told)

    def verify(self, request: Request) -> HTMLResponse:
        """Check with the passphrase whether everything holds."""
        form = visit_of(request).form
        if request.method != "POST":
            return self._verify(request)
        try:
            with self._counter.unlocked(form) as key:
                checked = self._checked(self._counter.operator.verify(key))
        except NotUnlocked as refused:
            return self._verify(request, asked=_locked(refused))
        return self._verify(request, checked)

    def accept(self, request: Request) -> HTMLResponse:
        """Decide that the folder is right as the check found it; a folder that is another one is shown anew."""
        form = visit_of(request).form
        comment, checked = comment_of(form), form.one("manifest")
        if not checked:
            raise BadForm("The form does not say what the check found. Check first.")
        try:
            with self._counter.unlocked(form) as key:
                found = self._counter.operator.verify(key)
                if _digest(found.manifest) != checked:
                    asked = Asked(said=comment, status=409)
                    return self._verify(request, self._checked(found), changed=True, asked=asked)
                decision = self._counter.operator.accept(key, comment, found.manifest)
        except NotUnlocked as refused:
            return self._verify(request, asked=_locked(refused))
        told = Told("The folder", f"counts as it is now: decision {decision.number}.", is_done=True)
        return self._outcome(request, "Accepted", told)

    def _checked(self, found: "Verified") -> Checked:
        return checked_of(found, [self._counter.operator.past_us(fault) for fault in found.files[:_FILES]])

    def _found(self, number: int) -> "Decision":
        found = self._counter.operator.history(after=number - 1, limit=1) if number > 0 else ()
        if not found or found[0].number != number:
            raise Refusal(404, "There is no such decision.")
        return found[0]

    def _undoing(self, decision: "Decision") -> Undoing:
        return undoing_of(self._counter.operator.show_undo(decision.number))

    def _decision(self, request: Request, decision: "Decision", asked: Asked | None = None) -> HTMLResponse:
        return self._asked(
            request,
            "decision.html",
            asked or Asked(),
            line=line_of(decision),
            undoing=self._undoing(decision),
        )

    def _verify(
        self,
        request: Request,
        checked: Checked | None = None,
        *,
        changed: bool = False,
        asked: Asked | None = None,
    ) -> HTMLResponse:
        return self._asked(request, "verify.html", asked or Asked(), checked=checked, changed=changed)

    def _outcome(self, request: Request, heading: str, line: Told, *, status: int = 200) -> HTMLResponse:
        return self._ended(request, heading, [line], [("/history", "Go to the history")], status=status)


def _locked(refused: NotUnlocked) -> Asked:
    return Asked(passphrase_error=str(refused), status=refused.status)


def checked_of(found: "Verified", changes: "Sequence[PastUs]") -> Checked:
    """Give what a check found in the words of the page, with what changed in the first of the files."""
    number = f"{found.decisions:,} decision{'' if found.decisions == 1 else 's'}"
    return Checked(
        holds=found.is_sound,
        text=f"{number} and the folder were looked at.",
        findings=(
            ("Decisions", tuple(fault.text for fault in found.journal)),
            ("Drafts", found.drafts),
            ("Kept in the ledger", found.kept),
            ("Files", tuple(fault.text for fault in found.files)),
        ),
        notes=found.notes,
        can_accept=bool(found.files) or found.since is None,
        manifest=_digest(found.manifest),
        files=tuple(map(past_file_of, changes)),
        files_left=len(found.files) - len(changes),
    )


def _digest(manifest: Mapping[str, str]) -> str:
    """What names a folder as it was found, so that no other one is accepted."""
    return digest_of(msgspec.json.encode(dict(manifest), order="sorted"))
