"""The editor's tools: a principal's own drafts. What is proposed is kept; only a person, and never a tool, publishes it.

A refusal is a result with `isError`, a machine-readable `code` and a text that says what to do (docs/reference/drafts.md).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec

from ..kit import CallResult, Context, Server, ToolError
from . import draft_answers as answers
from . import draft_markdown as markdown
from . import draft_telling as telling
from .cursors import Cursors, Position

if TYPE_CHECKING:
    from ..library import Drafts

Operation: TypeAlias = Annotated[
    str,
    "A key you choose, 8-128 of A-Z a-z 0-9 . _ : -, new for each change; the same only to repeat a call.",
]
Id: TypeAlias = Annotated[str, "Id or address of the draft."]
Revision: TypeAlias = Annotated[str, "Revision of the document as you read it."]
Content: TypeAlias = Annotated[str, "The whole new text."]
Note: TypeAlias = Annotated[str, "What changes and why, for who decides."]

_PAGE = 50


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`old`, found exactly once in the document, becomes `new`."""

    old: str
    new: str


class DraftTools:
    """The five editor's tools; `drafts` gives the door to a principal's own, and is called with the first that needs it."""

    def __init__(self, drafts: "Callable[[str], Drafts]", cursors: Cursors) -> None:
        self._drafts = drafts
        self._cursors = cursors

    def register(self, app: Server) -> None:
        """Register the tools with a server."""
        tools: tuple[tuple[str, str, Callable[..., CallResult]], ...] = (
            ("create", "Propose a change", self.create),
            ("update", "Change a draft", self.update),
            ("list", "List my drafts", self.list),
            ("read", "Read a draft", self.read),
            ("withdraw", "Withdraw a draft", self.withdraw),
        )
        for name, title, function in tools:
            register = app.tool(
                name=f"draft_{name}",
                title=title,
                aliases=(f"draft.{name}",),
                read_only=name in ("list", "read"),
                destructive=name == "withdraw",
                idempotent=True,
                open_world=False,
            )
            register(function)

    def create(  # noqa: PLR0913  -- what a draft is made of, by name
        self,
        ctx: Context,
        *,
        operation: Operation,
        kind: answers.Kind,
        path: Annotated[str, "Path or address of the document."],
        to: Annotated[str, "For rename: the new path."] | None = None,
        base_revision: Revision | None = None,
        content: Content | None = None,
        edits: Annotated[tuple[Edit, ...], "For edit."] = (),
        note: Note = "",
    ) -> Annotated[CallResult, answers.WriteResult]:
        """Propose a change to the library: a draft is kept, and no document changes. ONLY A PERSON PUBLISHES a draft, after
        reading it; no tool can. create and replace take content, edit takes edits, rename takes to; all but create take
        the base_revision of what you read.
        """
        return telling.written(
            lambda: self._drafts(ctx.principal).create(
                operation,
                kind,
                path=path,
                to=to,
                base_revision=base_revision,
                content=content,
                edits=telling.edits_of(edits),
                note=note,
            )
        )

    def update(
        self,
        ctx: Context,
        operation: Operation,
        draft: Id,
        draft_revision: Annotated[int, "The draft's revision that you know."],
        base_revision: Revision | None = None,
        content: Content | None = None,
        edits: Annotated[tuple[Edit, ...], "For an edit: all edits, anew."] = (),
        note: Note | None = None,
    ) -> Annotated[CallResult, answers.WriteResult]:
        """Change an open draft of yours, as when the person asked for more or the document has changed meanwhile
        (outdated): give the content or all edits anew, and the new base_revision. ONLY A PERSON PUBLISHES it.
        """
        return telling.written(
            lambda: self._drafts(ctx.principal).update(
                operation,
                telling.id_of(draft),
                draft_revision,
                base_revision=base_revision,
                content=content,
                edits=telling.edits_of(edits),
                note=note,
            )
        )

    def withdraw(
        self, ctx: Context, operation: Operation, draft: Id
    ) -> Annotated[CallResult, answers.WriteResult]:
        """Take back an open draft of yours for good, so that the person need not decide on it."""
        return telling.written(lambda: self._drafts(ctx.principal).withdraw(operation, telling.id_of(draft)))

    def list(
        self,
        ctx: Context,
        state: answers.DraftState | None = None,
        cursor: Annotated[str, "From an earlier answer to the same arguments."] | None = None,
    ) -> Annotated[CallResult, answers.DraftListResult]:
        """List your own drafts, oldest first: which are open, and what a person published or rejected. By a state
        that is final, newest first."""
        arguments = (state,)

        def page() -> answers.DraftListResult:
            after = self._position(ctx, "draft_list", arguments, cursor, str)
            found = self._drafts(ctx.principal).list(state=state, after=after, limit=_PAGE)
            following = self._cursors.seal(ctx.principal, "draft_list", arguments, found.next)
            return telling.draft_list(found, following)

        return telling.told(page, markdown.list_text)

    def read(
        self,
        ctx: Context,
        draft: Id,
        max_chars: Annotated[int, msgspec.Meta(ge=200, le=100_000)] = 12_000,
        cursor: Annotated[str, "From an earlier answer to the same arguments."] | None = None,
    ) -> Annotated[CallResult, answers.DraftReadResult]:
        """Read a draft of yours: its state, the operator's comment, and the change as a unified diff."""
        guessed = ""

        def part() -> answers.DraftReadResult:
            nonlocal guessed
            view = self._drafts(ctx.principal).read(telling.id_of(draft))
            guessed = view.guessed
            arguments = (view.draft.id, view.draft.draft_revision, max_chars)
            start = self._position(ctx, "draft_read", arguments, cursor, int) or 0
            text, following = telling.cut(view.diff or "", start, max_chars)
            return telling.draft_part(
                view, text, self._cursors.seal(ctx.principal, "draft_read", arguments, following)
            )

        return telling.told(part, lambda result: markdown.read_text(result, guessed))

    def _position(
        self, ctx: Context, tool: str, arguments: tuple[object, ...], cursor: str | None, kind: type[Position]
    ) -> Position | None:
        """Give where a cursor goes on. Raises: DraftRefused (bad_cursor), also for one of another revision of a draft."""
        from ..library import DraftRefused

        try:
            return self._cursors.open(ctx.principal, tool, arguments, cursor, kind)
        except ToolError as error:
            raise DraftRefused(
                "bad_cursor", "The cursor is of another call, or the draft has been changed since."
            ) from error
