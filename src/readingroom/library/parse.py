"""From the bytes of a file to what it says: the one place where decoding, front matter, structure and rules meet.

A pure function of path, format, bytes and rules; whatever the bytes hold, only NotText is raised.
"""

import posixpath

import msgspec

from readingroom.library import ignore, sections
from readingroom.library.decode import NotText, decode
from readingroom.library.digest import digest_of
from readingroom.library.front_matter import FrontMatter, language_of, read, tags_of, visibility_of
from readingroom.library.lines import Lines
from readingroom.library.model import Format, Heading, Parsed, Passage, Visibility
from readingroom.library.rules import CONVERTED, Rules
from readingroom.library.structure import Block, Head, Row, Structure, block_of

__all__ = ["NotText", "parse"]

# More than any book has; beyond them a document is a trap for whoever indexes it.
MAX_HEADINGS = 20_000
MAX_LINKS = 50_000


def parse(path: str, format: Format, data: bytes, rules: Rules) -> Parsed:  # noqa: A002  -- the field's own name
    """What the bytes of the document at `path` say. Raises NotText for binary data, and for a document that cannot be
    converted to text."""
    warnings: list[str] = []
    if format in CONVERTED:
        text, encoding, lines, front, found = _converted(format, data, warnings)
    else:
        decoded = decode(data)
        text, encoding, lines = decoded.text, decoded.encoding, Lines(decoded.text)
        if decoded.guessed:
            warnings.append(
                f"its encoding is not told and was guessed to be {encoding}; as UTF-8 it is certain"
            )
        found, front = _structure(format, lines, read(lines), warnings)
    blocks = _bounded(found.blocks, warnings)
    if len(found.links) > MAX_LINKS:
        warnings.append(f"only the first {MAX_LINKS:,} links are followed")
    headings = sections.headings(blocks, lines)
    title = front.title or _first_title(headings) or _name(path)
    return Parsed(
        format=format,
        text=text,
        encoding=encoding,
        revision=digest_of(data),
        title=title,
        language=front.language,
        tags=front.tags,
        aliases=front.aliases,
        identifier=front.identifier,
        visibility=visibility_by(path, front, rules),
        headings=headings,
        passages=sections.passages(blocks, lines, rules.passage_characters) or (_bare(title, front, lines),),
        links=tuple(found.links[:MAX_LINKS]),
        warnings=(*front.warnings, *warnings),
    )


def _converted(
    kind: Format, data: bytes, warnings: list[str]
) -> tuple[str, str, Lines, FrontMatter, Structure]:
    """What is told of a document that is converted to text; what it says of itself is as good as front matter."""
    from readingroom.library import formats

    made = formats.convert(kind, data)
    lines, found = Lines(made.text), made.structure
    warnings.extend(made.warnings)
    front = read(lines) if made.fronted else FrontMatter()
    if front.body > 1:
        blocks = [block for block in found.blocks if block.first >= front.body]
        links = [link for link in found.links if link.line >= front.body]
        found = Structure(blocks, links)
    language = front.language or language_of(made.language, [])
    front = msgspec.structs.replace(front, title=front.title or made.title, language=language)
    return made.text, "", lines, front, found


def _bare(title: str, front: FrontMatter, lines: Lines) -> Passage:
    """The one passage of a document without text, so that it is found by its names: at its first line that is not blank.

    A document without lines has it at line 0.
    """
    shown = "\n".join(dict.fromkeys((title, *front.aliases)))
    first = next((line for line in range(1, len(lines) + 1) if not lines.is_blank(line)), min(1, len(lines)))
    return Passage((), first, first, lines.between(first, first) if first else "", shown)


def _structure(
    kind: Format, lines: Lines, front: FrontMatter, warnings: list[str]
) -> tuple[Structure, FrontMatter]:
    """The structure of the document, and its front matter with what the document's own head says."""
    if kind == "html":
        from readingroom.library import hypertext

        found, head = hypertext.structure(lines, front.body)
        front = _with_head(front, head, warnings)
    elif kind == "markdown":
        from readingroom.library import markdown

        found = markdown.structure(lines, front.body)
    elif kind == "rst":
        from readingroom.library import rst

        found = rst.structure(lines, front.body)
    elif kind == "asciidoc":
        from readingroom.library import asciidoc

        found, head = asciidoc.structure(lines, front.body)
        front = _with_head(front, head, warnings)
    elif kind == "org":
        from readingroom.library import org

        found, head = org.structure(lines, front.body)
        front = _with_head(front, head, warnings)
    else:
        from readingroom.library import plain_text

        found = plain_text.structure(lines, front.body)
    if front.shown and (block := block_of(lines, 1, front.body - 1)):
        found.blocks.insert(0, _as_rows(block, lines) if kind == "html" else block)
    return found, front


def _as_rows(block: Block, lines: Lines) -> Block:
    """The block with its lines as what is shown of them."""
    rows = tuple(Row(line, line, lines.contents[line - 1]) for line in range(block.first, block.last + 1))
    return msgspec.structs.replace(block, rows=rows)


def _with_head(front: FrontMatter, head: Head, warnings: list[str]) -> FrontMatter:
    """Front matter says first what both can say; visibility is the stricter of the two."""
    said = visibility_of([value.strip() for value in head.visibility], warnings)
    return msgspec.structs.replace(
        front,
        title=front.title or head.title,
        language=front.language or language_of(head.language, []),
        tags=tuple(dict.fromkeys((*front.tags, *tags_of(",".join(head.keywords) + ",", [])))),
        visibility="internal" if "internal" in (said, front.visibility) else said or front.visibility,
    )


def _bounded(blocks: list[Block], warnings: list[str]) -> list[Block]:
    """The blocks with no more headings than a document may have; the rest of them is text."""
    numbers = [number for number, block in enumerate(blocks) if block.level]
    if len(numbers) <= MAX_HEADINGS:
        return blocks
    warnings.append(f"only the first {MAX_HEADINGS:,} headings make sections")
    for number in numbers[MAX_HEADINGS:]:
        blocks[number] = msgspec.structs.replace(blocks[number], level=0, title="")
    return blocks


def _first_title(headings: tuple[Heading, ...]) -> str:
    return next((heading.title for heading in headings if heading.level == 1 and heading.title), "")


def _name(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def visibility_by(path: str, front: FrontMatter, rules: Rules) -> Visibility:
    """What the document says of itself, or the rules of its path: the stricter one."""
    return "internal" if front.visibility == "internal" or ignore.is_internal(path, rules) else "public"
