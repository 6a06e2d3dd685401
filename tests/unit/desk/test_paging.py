"""How many requests a list of all documents takes."""

import json

from readingroom.desk import open_desk
from readingroom.library.model import DocumentInfo, ListAnswer
from readingroom.server import Connection, Flight
from support.messages import frame

DOCUMENTS = 10_000
PAGES_THAT_CLIENTS_READ = 64  # the official TypeScript client fails a list that has more


def document(number: int) -> DocumentInfo:
    """Make a document."""
    path = f"{number:05}.md"
    return DocumentInfo(f"library:///{path}", path, "Title", "markdown", "en", (), 9, 0.0, "r")


class Shelf:
    """A view of very many documents."""

    def documents(self, *, after: str | None, limit: int) -> ListAnswer:
        """List documents behind a path."""
        first = 0 if after is None else int(after.removesuffix(".md")) + 1
        items = tuple(document(number) for number in range(first, min(first + limit, DOCUMENTS)))
        return ListAnswer(items, items[-1].path if first + limit < DOCUMENTS else None, None)


def test_ten_thousand_documents_are_listed_in_few_pages() -> None:
    """A client that reads only so many pages of a list still sees every document of a large library (PAGE-1)."""
    dispatcher = open_desk(Shelf, version="1", cursor_key=b"k" * 32).dispatcher()
    connection = Connection(dispatcher.capabilities)
    found, pages, members = [], 0, {}
    while pages == 0 or members:
        flight = connection.receive(frame(1, "resources/list", members))
        assert isinstance(flight, Flight)
        answer = dispatcher.run(dispatcher.route(flight.request, "local"), None)
        connection.settle(flight)
        result = json.loads(answer)["result"]
        found += [item["uri"] for item in result["resources"]]
        pages += 1
        members = {"cursor": result["nextCursor"]} if "nextCursor" in result else {}
    assert len(found) == len(set(found)) == DOCUMENTS
    assert pages <= PAGES_THAT_CLIENTS_READ
