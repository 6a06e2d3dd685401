"""The library's values turned into the tools' answers: times as ISO 8601, positions as cursors."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from ..kit import Context
from .answers import (
    LinkIn,
    LinkOut,
    LinksResult,
    Listed,
    ListResult,
    OutlineEntry,
    OutlineResult,
    ReadResult,
    SearchResult,
)

if TYPE_CHECKING:
    from ..library import LinksAnswer, ListAnswer, OutlineAnswer, ReadAnswer, SearchAnswer

Sealed = str | msgspec.UnsetType


def time_text(seconds: float) -> str:
    """Give a time in UTC as ISO 8601, to the second."""
    import time

    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def progress_to(ctx: Context) -> Callable[[int], None] | None:
    """Give what tells the client how many documents have been indexed, or None when it did not ask."""
    if not ctx.wants_progress:
        return None
    return lambda done: ctx.progress(done, message=f"{done} documents indexed")


def search_result(answer: "SearchAnswer", cursor: Sealed) -> SearchResult:
    """Tell a page of hits."""
    return SearchResult(
        items=answer.items,
        reconciled=_since(answer.reconciled),
        cursor=cursor,
        hint=answer.hint or msgspec.UNSET,
        relaxed=answer.relaxed,
        cut=answer.cut,
    )


def read_result(answer: "ReadAnswer", cursor: Sealed) -> ReadResult:
    """Tell part of a document."""
    document = answer.document
    return ReadResult(
        uri=document.uri,
        path=document.path,
        title=document.title,
        section=answer.section,
        lines=answer.lines,
        total_lines=answer.total_lines,
        text=answer.text,
        revision=document.revision,
        cursor=cursor,
    )


def list_result(answer: "ListAnswer", cursor: Sealed) -> ListResult:
    """Tell a page of documents."""
    return ListResult(
        items=tuple(
            Listed(
                item.uri, item.path, item.title, item.language, item.tags, item.size, time_text(item.modified)
            )
            for item in answer.items
        ),
        reconciled=_since(answer.reconciled),
        cursor=cursor,
    )


def outline_result(answer: "OutlineAnswer") -> OutlineResult:
    """Tell the headings of a document."""
    return OutlineResult(
        uri=answer.document.uri,
        title=answer.document.title,
        total_lines=answer.total_lines,
        headings=tuple(
            OutlineEntry(heading.level, heading.title, (heading.first, heading.last), heading.characters)
            for heading in answer.headings
        ),
    )


def links_result(answer: "LinksAnswer") -> LinksResult:
    """Tell the links of a document, both ways."""
    return LinksResult(
        uri=answer.document.uri,
        title=answer.document.title,
        outgoing=tuple(
            LinkOut(link.target, link.text, link.line, link.state, link.uri) for link in answer.outgoing
        ),
        incoming=tuple(LinkIn(link.uri, link.title, link.line, link.text) for link in answer.incoming),
    )


def _since(seconds: float | None) -> str | None:
    return None if seconds is None else time_text(seconds)
