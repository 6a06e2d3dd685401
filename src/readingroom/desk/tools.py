"""The reader's tools: what a model may do with the library, under names that every host accepts.

Each answers with structured content and with the same as Markdown, for the many hosts that hand on only the text.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec

from ..kit import CallResult, Context, Server, TextContent, ToolError
from ..library import LibraryError
from . import answers, markdown, telling
from .cursors import Cursors

if TYPE_CHECKING:
    from ..library import View

Query: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
Cursor: TypeAlias = Annotated[str, "From an earlier answer to the same arguments."] | None
Address: TypeAlias = Annotated[str, "library:/// address or path."]
Path: TypeAlias = Annotated[str, "Instead of uri."]

_PAGE = 50


class Tools:
    """The five reader's tools over one view of the library; `view` is opened with the first call."""

    def __init__(self, view: "Callable[[], View]", cursors: Cursors) -> None:
        self._view = view
        self._cursors = cursors

    def register(self, app: Server) -> None:
        """Register the tools with a server."""
        for name, title, function in (
            ("search", "Search the library", self.search),
            ("read", "Read a document", self.read),
            ("list", "List documents", self.list),
            ("outline", "Outline of a document", self.outline),
            ("links", "Links of a document", self.links),
        ):
            register = app.tool(
                name=f"library_{name}",
                title=title,
                aliases=(f"library.{name}",),
                read_only=True,
                open_world=False,
            )
            register(function)

    def search(
        self,
        query: Query,
        ctx: Context,
        limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 10,
        path: Annotated[str, "Only this folder or document."] | None = None,
        tags: Annotated[tuple[str, ...], "Only documents with all of these tags."] = (),
        language: Annotated[str, "Language the query is written in, e.g. ru; not a filter."] | None = None,
        cursor: Cursor = None,
    ) -> Annotated[CallResult, answers.SearchResult]:
        """Find passages by words, a phrase or a whole question, in any language; each comes with its address, heading
        and lines to cite. Use this first. Understands "exact phrase", -without, begin*, path:folder, tag:name, lang:ru.
        """
        arguments = (query, limit, path, tags, language)
        start = self._cursors.open(ctx.principal, "search", arguments, cursor, int) or 0
        found = _asked(
            lambda view: view.search(
                query,
                limit=limit,
                start=start,
                path=path,
                tags=tags,
                language=language,
                progress=telling.progress_to(ctx),
            ),
            self._view,
        )
        following = self._cursors.seal(ctx.principal, "search", arguments, found.next)
        return _told(telling.search_result(found, following), markdown.search_text)

    def read(
        self,
        ctx: Context,
        uri: Address | None = None,
        path: Path | None = None,
        section: Annotated[str, "Only the section under this heading."] | None = None,
        lines: Annotated[tuple[int, int], "Only these lines, first and last."] | None = None,
        max_chars: Annotated[int, msgspec.Meta(ge=200, le=100_000)] = 12_000,
        cursor: Cursor = None,
    ) -> Annotated[CallResult, answers.ReadResult]:
        """Read a document, or one section or some lines of it, with line numbers. Use the address from a search hit;
        follow the cursor for the rest.
        """
        address = _one_of(uri, path)
        arguments = (address, section, lines, max_chars)
        start = self._cursors.open(ctx.principal, "read", arguments, cursor, int)
        part = _asked(
            lambda view: view.read(address, section=section, lines=lines, start=start, max_chars=max_chars),
            self._view,
        )
        following = self._cursors.seal(ctx.principal, "read", arguments, part.next)
        return _told(telling.read_result(part, following), markdown.read_text)

    def list(
        self,
        ctx: Context,
        path: Annotated[str, "Only this folder."] | None = None,
        tags: Annotated[tuple[str, ...], "Only documents with all of these tags."] = (),
        cursor: Cursor = None,
    ) -> Annotated[CallResult, answers.ListResult]:
        """List the documents with their titles and tags, in order of path. To find something by what it says, search."""
        arguments = (path, tags)
        after = self._cursors.open(ctx.principal, "list", arguments, cursor, str)
        page = _asked(lambda view: view.list(path, tags=tags, after=after, limit=_PAGE), self._view)
        following = self._cursors.seal(ctx.principal, "list", arguments, page.next)
        return _told(telling.list_result(page, following), markdown.list_text)

    def outline(
        self, uri: Address | None = None, path: Path | None = None
    ) -> Annotated[CallResult, answers.OutlineResult]:
        """Show the headings of a document with their lines and sizes, to choose what to read of a long one."""
        asked = _one_of(uri, path)
        outline = _asked(lambda view: view.outline(asked), self._view)
        return _told(telling.outline_result(outline), markdown.outline_text)

    def links(
        self, uri: Address | None = None, path: Path | None = None
    ) -> Annotated[CallResult, answers.LinksResult]:
        """Show the links out of a document and into it; broken ones are marked."""
        asked = _one_of(uri, path)
        links = _asked(lambda view: view.links(asked), self._view)
        return _told(telling.links_result(links), markdown.links_text)


def _one_of(uri: str | None, path: str | None) -> str:
    """Give the one of two arguments that is there. Raises: ToolError when it is not one."""
    asked = uri or path
    if not asked or (uri and path):
        raise ToolError("Give one of uri and path.")
    return asked


def _asked(ask: "Callable[[View], Any]", view: "Callable[[], View]") -> Any:
    """Ask the library. Raises: ToolError with the library's own sentence, which is made for whoever asked."""
    try:
        return ask(view())
    except LibraryError as error:
        raise ToolError(str(error)) from error


def _told(result: Any, tell: Callable[[Any], str]) -> CallResult:
    return CallResult((TextContent(tell(result)),), structured=result)
