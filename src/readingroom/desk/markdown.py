"""The library's answers as Markdown, for the many hosts that hand on only the text: every address, line and passage.

What a document says is set apart from what Reading Room says: passages stand behind `> ` or after line numbers.
"""

from .answers import LinksResult, ListResult, OutlineResult, ReadResult, SearchResult


def search_text(result: SearchResult) -> str:
    """Tell a page of hits."""
    parts = []
    if result.relaxed:
        parts.append("No passage has all the words; these have most of them.")
    if isinstance(result.hint, str):
        parts.append(result.hint)
    for number, item in enumerate(result.items, 1):
        trail = " › ".join(item.section) or item.title
        first, last = item.lines
        also = f"\n   The same in {', '.join(item.also)}" if item.also else ""
        parts.append(
            f"{number}. **{_inline(trail)}**\n   {item.uri} lines {first}-{last}{also}\n\n{_quoted(item.text)}"
        )
    if not result.items and not isinstance(result.hint, str):
        parts.append("Nothing found.")
    if result.cut:
        parts.append("Some passages were cut; read them whole with library_read.")
    if isinstance(result.cursor, str):
        parts.append(f"More: call again with cursor {result.cursor}")
    return "\n\n".join(parts)


def read_text(result: ReadResult) -> str:
    """Tell part of a document with its line numbers."""
    first, last = result.lines
    if not result.total_lines:
        return f"**{_inline(result.title)}**\n{result.uri} is empty."
    width = len(str(last))
    from ..library import cut_lines

    lines = cut_lines(result.text)
    numbered = "\n".join(f"{number:>{width}}| {line}" for number, line in enumerate(lines, first))
    trail = [_inline(title) for title in result.section if title != result.title]
    named = " › ".join([f"**{_inline(result.title)}**", *trail])
    head = f"{named}\n{result.uri} lines {first}-{last} of {result.total_lines}"
    more = f"\n\nMore: call again with cursor {result.cursor}" if isinstance(result.cursor, str) else ""
    return f"{head}\n\n{numbered}{more}"


def list_text(result: ListResult) -> str:
    """Tell a page of documents."""
    lines = [
        f"- {item.uri} **{_inline(item.title)}**" + (f" ({', '.join(item.tags)})" if item.tags else "")
        for item in result.items
    ]
    if isinstance(result.cursor, str):
        lines.append(f"\nMore: call again with cursor {result.cursor}")
    return "\n".join(lines) or "No documents here."


def outline_text(result: OutlineResult) -> str:
    """Tell the headings of a document."""
    head = f"**{_inline(result.title)}**\n{result.uri}, {result.total_lines} lines"
    lines = [
        f"{'  ' * (entry.level - 1)}- {_inline(entry.title)} (lines {entry.lines[0]}-{entry.lines[1]})"
        for entry in result.headings
    ]
    return "\n".join([head, "", *lines]) if lines else f"{head}\n\nNo headings."


def links_text(result: LinksResult) -> str:
    """Tell the links of a document, both ways."""
    lines = [f"**{_inline(result.title)}**", result.uri, "", "Links out:"]
    lines += [
        f"- line {link.line}: {_inline(link.text or link.target)} → {link.uri or link.target}"
        + ("" if link.state == "found" else f" ({link.state})")
        for link in result.outgoing
    ] or ["- none"]
    lines += ["", "Links in:"]
    lines += [f"- {link.uri} line {link.line} **{_inline(link.title)}**" for link in result.incoming] or [
        "- none"
    ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    from ..library import cut_lines

    return "\n".join(f"> {line}" for line in cut_lines(text))


def _inline(text: str) -> str:
    """Keep a title on its line."""
    return " ".join(text.split())
