"""Small indexes for the tests of search: documents of one passage each, or as given."""

from collections.abc import Iterable
from pathlib import Path

from readingroom.library.model import Passage
from readingroom.library.search import Entry, Index, Ranked, Request, search

REVISION = "sha256:" + "0" * 64


def entry(path: str, *texts: str, title: str = "", language: str = "", tags: tuple[str, ...] = ()) -> Entry:
    """A document whose passages are these texts, one under the other, without headings."""
    passages: list[Passage] = []
    line = 1
    for text in texts:
        last = line + text.count("\n")
        passages.append(Passage((), line, last, text))
        line = last + 1
    return Entry(path, title or path.rsplit("/", 1)[-1], language, tags, REVISION, tuple(passages))


def put(index: Index, entries: Iterable[Entry]) -> None:
    """Puts documents into an index and reads them."""
    with index.writer(bulk=False) as writer:
        for document in entries:
            writer.replace(document)
        writer.commit()
    index.reload()


def index_of(directory: Path, *entries: Entry) -> Index:
    """A new index of these documents."""
    index = Index.create(directory / "index")
    put(index, entries)
    return index


def ask(index: Index, query: str, **rest: object) -> Ranked:
    """The answer to a query with the defaults of a request, but for what is given."""
    return search(index, Request(query, **rest))  # type: ignore[arg-type]  # the fields of Request, by name


def paths(index: Index, query: str, **rest: object) -> list[str]:
    """The paths of the documents that an answer names, in its order."""
    return list(dict.fromkeys(hit.path for hit in ask(index, query, **rest).hits))
