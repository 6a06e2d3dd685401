"""The pages of drafts: the queue, the review of one or several, their previews, and the decision about them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Route

from ...library.rules import format_of
from .approvals import MOST, approvals_of, differences
from .asking import Asked, Asking, Told, told_of
from .changes import READ_FIRST, Change, change_of
from .counter import NotUnlocked, comment_of
from .forms import BadForm
from .gate import PREVIEWS, Refusal
from .looking import number_in, number_of
from .preview import Preview, preview
from .showing import visit_of

if TYPE_CHECKING:
    from ...library.operator import Approval, Outcome, Shown

_QUEUE = 20
_NOTHING_DONE = "Nothing was done"


class Reviewing(Asking):
    """The pages of drafts that wait, and of what is decided about them."""

    here = "queue"

    def routes(self) -> list[BaseRoute]:
        """Give the routes of these pages."""
        return [
            Route("/", self.queue),
            Route("/review", self.review),
            Route("/decide", self.decide, methods=["POST"]),
            Route(f"{PREVIEWS}{{draft}}/{{revision}}/{{side}}", self.preview),
        ]

    def queue(self, request: Request) -> HTMLResponse:
        """Show a part of what waits, with what is to be known of each draft before it is looked at."""
        waiting = self._counter.operator.queue()
        last = max(1, -(-len(waiting) // _QUEUE))
        number = min(max(1, number_of(request, "page")), last)
        shown = waiting[(number - 1) * _QUEUE : number * _QUEUE]
        return self._showing.page(
            "queue.html",
            visit_of(request),
            here=self.here,
            items=[self._change(pending.draft.id) for pending in shown],
            waiting=len(waiting),
            number=number,
            last=last,
        )

    def review(self, request: Request) -> HTMLResponse:
        """Show the drafts that the address names, and ask for a decision."""
        names = list(dict.fromkeys(request.query_params.getlist("draft")))
        if not names:
            raise Refusal(
                400, "No draft was ticked. Go back and tick those that you want to review together."
            )
        if len(names) > MOST:
            raise Refusal(400, f"At most {MOST} drafts are reviewed together.")
        return self._reviewed(request, [self._change(name) for name in names])

    def decide(self, request: Request) -> HTMLResponse:
        """Publish or reject exactly what was shown, or nothing at all."""
        form = visit_of(request).form
        what = form.one("decision")
        if what not in ("publish", "reject"):
            raise BadForm("A draft is published or rejected.")
        approvals, comment = approvals_of(form), comment_of(form)
        shown = [self._shown(approval.draft) for approval in approvals]
        told = [line for pair in zip(approvals, shown, strict=True) for line in _differences(*pair)]
        if told:
            return self._outcome(request, _NOTHING_DONE, told, status=409, names=approvals)
        changes = [change_of(each) for each in shown]
        if what == "publish" and any(change.must_be_read for change in changes) and form.one("read") != "yes":
            return self._reviewed(request, changes, Asked.again(form, READ_FIRST, 422))
        try:
            decide = self._counter.publish if what == "publish" else self._counter.reject
            outcomes = decide(approvals, form, comment)
        except NotUnlocked as refused:
            return self._reviewed(request, changes, Asked.locked(form, refused))
        return self._decided(request, what, outcomes, approvals)

    def preview(self, request: Request) -> HTMLResponse:
        """Show one side of a draft as it would look, in a page that can do nothing."""
        shown = self._shown(request.path_params["draft"])
        side, revision = request.path_params["side"], number_in(request, "revision")
        if side not in ("before", "after"):
            raise Refusal(404, "There is nothing here.")
        if revision != shown.draft.revision:
            raise Refusal(409, "The draft was changed after it was shown. Reload the page.")
        text = shown.before if side == "before" else shown.after
        kind = format_of(shown.draft.path) or ""
        made = Preview(why_not="There is no text to show.") if text is None else preview(text, kind)
        return self._showing.page("preview.html", visit_of(request), preview=made)

    def _shown(self, name: str) -> "Shown":
        from ...library.operator import Refused

        try:
            return self._counter.operator.show(name)
        except Refused as refused:
            raise Refusal(404, str(refused)) from None

    def _change(self, name: str) -> Change:
        return change_of(self._shown(name))

    def _reviewed(
        self, request: Request, changes: Sequence[Change], asked: Asked | None = None
    ) -> HTMLResponse:
        return self._asked(
            request,
            "review.html",
            asked or Asked(),
            changes=changes,
            has_warnings=any(change.must_be_read for change in changes),
            can_decide=any(change.is_open for change in changes),
            can_publish=any(change.is_open and not change.is_outdated for change in changes),
        )

    def _decided(
        self,
        request: Request,
        what: str,
        outcomes: "Sequence[Outcome]",
        approvals: "Sequence[Approval]",
    ) -> HTMLResponse:
        told = [told_of(outcome, outcome.draft) for outcome in outcomes]
        if all(line.is_done for line in told):
            return self._outcome(request, "Published" if what == "publish" else "Rejected", told)
        heading = "Not everything was done" if any(line.is_done for line in told) else _NOTHING_DONE
        refused = [
            approval
            for approval, outcome in zip(approvals, outcomes, strict=True)
            if outcome.decision is None
        ]
        return self._outcome(request, heading, told, status=409, names=refused)

    def _outcome(
        self,
        request: Request,
        heading: str,
        told: Sequence[Told],
        *,
        status: int = 200,
        names: "Sequence[Approval]" = (),
    ) -> HTMLResponse:
        ways = [("/", "Go to the queue")]
        if names:
            again = "&".join(f"draft={approval.draft}" for approval in names)
            ways.insert(0, (f"/review?{again}", "Look again"))
        return self._ended(request, heading, told, ways, status=status)


def _differences(approved: "Approval", shown: "Shown") -> list[Told]:
    """Say what is not as it was shown any more; nothing where all is."""
    if shown.draft.state != "open":
        return [Told(shown.draft.path, f"The draft is {shown.draft.state} already.")]
    said = differences(approved, shown.approval)
    return [Told(shown.draft.path, f"{text[0].upper()}{text[1:]}.") for text in said]
