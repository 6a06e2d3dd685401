"""The links of reStructuredText: embedded targets, roles that name a document or a file, and targets with a location.

Literal blocks and inline literals hold no links. Bare addresses and references by name are not told; where the name is
given its location, that is.
"""

import posixpath
import re
from bisect import bisect_right

from readingroom.library.lines import Lines
from readingroom.library.model import Link
from readingroom.library.rules import format_of
from readingroom.library.structure import title_of

# An inline literal, or text between single backquotes and what makes a reference of it.
_QUOTED = re.compile(r"``(?:[^`]|`(?!`))*+``|(?<![`\\])`([^`]*+)`(_?)")
_EMBEDDED = re.compile(r"([^<]*+)<([^<>]+)>\s*\Z")
_TARGET = re.compile(r"\s*\.\. _(?!_)(`[^`]+`|(?:[^:\\]|\\.|:(?! ))+): +(\S.*)")
_LITERAL = re.compile(r"\.\. (?:code|code-block|sourcecode|highlight|parsed-literal|prompt|raw|math)::")
_HEAD = 2_000


def links(lines: Lines, first: int) -> list[Link]:
    """The links of the lines from `first` on, in order of their lines."""
    contents = _without_literals(lines.contents[first - 1 :])
    found = [*_targets(contents, first), *_references(contents, first)]
    return sorted(found, key=lambda link: link.line)


def _without_literals(contents: list[str]) -> list[str]:
    """The lines, with those of literal blocks made empty: the ones below a ``::`` that are indented more than it."""
    kept = []
    literal: int | None = None
    for content in contents:
        indent = len(content) - len(content.lstrip())
        if indent < len(content):
            if literal is not None and indent <= literal:
                literal = None
            if literal is None and _announces(content[indent:]):
                literal = indent
                kept.append(content)
                continue
        kept.append("" if literal is not None else content)
    return kept


def _announces(content: str) -> bool:
    if content.startswith(".. "):
        return bool(_LITERAL.match(content))
    return content.rstrip().endswith("::")


def _targets(contents: list[str], first: int) -> list[Link]:
    found = []
    for line, content in enumerate(contents, first):
        if ".. _" in content[:_HEAD] and (match := _TARGET.match(content[:_HEAD])):
            location = match[2].rstrip()
            if not location.endswith("_"):  # else it leads to another name
                found.append(Link("rst", location, title_of(match[1].strip("`")), line))
    return found


def _references(contents: list[str], first: int) -> list[Link]:
    text = "\n".join(contents)
    starts = [0]
    for content in contents:
        starts.append(starts[-1] + len(content) + 1)
    found = []
    for match in _QUOTED.finditer(text):
        if match[1] is None:
            continue
        before = text[max(match.start() - 12, 0) : match.start()]
        link = _reference(match[1], before, referring=bool(match[2]))
        if link is not None:
            line = first - 1 + bisect_right(starts, match.start())
            found.append(Link("rst", link[0], title_of(link[1]), line))
    return found


def _reference(inner: str, before: str, *, referring: bool) -> tuple[str, str] | None:
    """Location and text of what stands between backquotes, if it leads anywhere."""
    embedded = _EMBEDDED.match(inner)
    if before.endswith(":doc:"):
        location = (embedded[2] if embedded else inner).strip()
        if location and not format_of(posixpath.basename(location)):
            location += ".rst"  # Sphinx names documents without their suffix
    elif before.endswith(":download:"):
        location = (embedded[2] if embedded else inner).strip()
    elif referring and embedded and not before.endswith(":"):
        location = "".join(embedded[2].split())
    else:
        return None
    text = embedded[1] if embedded and embedded[1].strip() else inner.strip("<>")
    return (location, text) if location and not location.endswith("_") else None
