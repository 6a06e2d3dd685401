"""The library's documents as resources: listed page by page, read by address, completed as they are typed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..kit import Annotations, InvalidParams, Page, Resource, ResourceContents, Server
from ..library import MIME_TYPES
from .asking import asked, path_completion
from .telling import time_text

if TYPE_CHECKING:
    from ..library import DocumentInfo, View

PATHS = "library:///{+path}"
IDENTIFIERS = "library:///.id/{id}"
PLACES = "library:///{+path}#{+fragment}"


class Resources:
    """The documents of one view."""

    def __init__(self, view: "Callable[[], View]") -> None:
        self._view = view

    def register(self, app: Server) -> None:
        """Register the list, the two templates and their completions with a server."""
        app.resource_list(self.page)
        # The narrower templates come first: an identifier's address would match the wider ones, too.
        app.resource(PLACES, name="document_place", title="Document by an address with a fragment")(
            self.by_place
        )
        app.resource(IDENTIFIERS, name="document_by_id", title="Document by id")(self.by_id)
        app.resource(PATHS, name="document", title="Document by path")(self.by_path)
        app.completion(PATHS, "path")(path_completion(self._view))
        app.completion(IDENTIFIERS, "id")(self.complete_id)

    def page(self, after: str | None, limit: int) -> Page:
        """List documents after a path."""
        answer = asked(self._view, lambda view: view.documents(after=after, limit=limit))
        return Page(tuple(_listed(item) for item in answer.items), answer.next)

    def by_id(self, id: str) -> ResourceContents | None:  # noqa: A002  -- named as the template's variable
        """A document by the id in its front matter, wherever it has been moved to."""
        from ..library import identifier_uri

        return self._contents(identifier_uri(id))

    def by_path(self, path: str) -> ResourceContents | None:
        """A document by its path in the library."""
        return self._contents(self._at(path))

    def by_place(self, path: str, fragment: str) -> ResourceContents | None:
        """The whole document, whatever place in it the fragment of a link names."""
        return self._contents(self._at(path))

    @staticmethod
    def _at(path: str) -> str:
        """Give a path's address. What takes addresses apart is loaded for the first, not when the server starts."""
        from ..library import uri

        return uri(path)

    def _contents(self, address: str) -> ResourceContents | None:
        try:
            document, text = asked(self._view, lambda view: view.whole(address))
        except InvalidParams:
            return None
        return ResourceContents(uri=address, mime_type=MIME_TYPES[document.format], text=text)

    def complete_id(self, value: str) -> tuple[str, ...]:
        """Give the ids that begin with what was typed."""
        return asked(self._view, lambda view: view.complete_identifier(value))


def _listed(item: "DocumentInfo") -> Resource:
    return Resource(
        uri=item.uri,
        name=item.path,
        title=item.title,
        mime_type=MIME_TYPES[item.format],
        size=item.size,
        annotations=Annotations(last_modified=time_text(item.modified)),
    )
