"""Patterns as in `.gitignore`: one line to one regular expression, many lines to the last one that matches.

Semantics are git's (gitignore(5), and wildmatch for what the page leaves open), with two differences: `?` and classes
match a character, not a byte, and text is compared in NFC. A pattern matches the very entry it is asked about, never
what lies under it: whoever walks looks at every folder on the way. The expressions never backtrack from one star into
the one before, so a hostile pattern costs no more than its length times that of the path.
"""

import re
import sys
import unicodedata

import msgspec

from readingroom.library.errors import BadQuery
from readingroom.library.wildcards import translate

# What git sets core.ignorecase to on the file systems these are delivered with.
IGNORE_CASE = sys.platform in ("win32", "darwin")


class Pattern(msgspec.Struct, frozen=True):
    """A line that is a pattern: as written, its line number, whether it takes back, and what it is matched against.

    `whole` patterns are matched against the path from the folder the pattern stands in, others against the name
    alone. `expression` is None when git would never match the line.
    """

    text: str
    line: int
    negated: bool
    folders_only: bool
    whole: bool
    expression: str | None


class PatternSet:
    """The patterns of one file or one setting; of those that match the last one counts."""

    __slots__ = ("_name_patterns", "_names", "_path_patterns", "_paths")

    def __init__(self, patterns: tuple[Pattern, ...], *, ignore_case: bool = IGNORE_CASE) -> None:
        usable = [pattern for pattern in reversed(patterns) if pattern.expression is not None]
        self._name_patterns = [pattern for pattern in usable if not pattern.whole]
        self._path_patterns = [pattern for pattern in usable if pattern.whole]
        self._names = _compiled(self._name_patterns, ignore_case)
        self._paths = _compiled(self._path_patterns, ignore_case)

    def __bool__(self) -> bool:
        return self._names is not None or self._paths is not None

    def last_match(self, path: str) -> Pattern | None:
        """The last pattern that matches the entry at `path`, which ends with a slash if and only if it is a folder."""
        by_name = by_path = None
        if self._names is not None:
            name = path[path.rfind("/", 0, -1) + 1 :]
            if match := self._names.match(name):
                by_name = self._name_patterns[(match.lastindex or 1) - 1]
        if self._paths is not None and (match := self._paths.match(path)):
            by_path = self._path_patterns[(match.lastindex or 1) - 1]
        if by_name is None or by_path is None:
            return by_name or by_path
        return by_name if by_name.line > by_path.line else by_path


def read(text: str) -> tuple[Pattern, ...]:
    """The patterns of an ignore file's text, in order; blank lines and comments are none."""
    lines = text.removeprefix("\ufeff").split("\n")
    found = [_pattern(line, number) for number, line in enumerate(lines, 1)]
    return tuple(pattern for pattern in found if pattern is not None)


def listed(texts: tuple[str, ...]) -> tuple[Pattern, ...]:
    """The patterns of a setting, one for each text, numbered from 1; `check` has passed on them."""
    found = [_pattern(text, number) for number, text in enumerate(texts, 1)]
    return tuple(pattern for pattern in found if pattern is not None)


def check(text: str) -> None:
    """Raise BadQuery unless `text` is one pattern that can match something.

    Stricter than an ignore file is read: a setting that hides documents may not fail silently, so a blank, a comment,
    spaces around it, an unclosed class, a path with ``.``, ``..`` or nothing between two slashes, and a backslash
    meant as a separator are all refused.
    """
    pattern = _pattern(text, 1)
    if pattern is None or pattern.expression is None or text != text.strip() or not text.isprintable():
        raise BadQuery(f"{text!r} is not a pattern that can match a path.")
    body = text.removeprefix("!")
    if any(segment in ("", ".", "..") for segment in body.removeprefix("/").removesuffix("/").split("/")):
        raise BadQuery(
            f"{text!r} can match no path: a path is relative to the root and has no '.', '..' or '//' in it."
        )
    if re.search(r"\\[^\\*?\[\]!# ]", body):
        raise BadQuery(
            f"In {text!r} a backslash stands before an ordinary character; folders are separated by '/'."
        )


def _pattern(line: str, number: int) -> Pattern | None:
    if line.startswith("#"):
        return None
    text = _without_trailing_spaces(line.removesuffix("\r"))
    body = unicodedata.normalize("NFC", text)
    negated = body.startswith("!")
    body = body[negated:]
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    if not body:
        return None
    whole = "/" in body
    return Pattern(text, number, negated, folders_only, whole, translate(body, whole=whole))


def _without_trailing_spaces(line: str) -> str:
    """Without its trailing spaces, except for one that a backslash quotes."""
    stripped = line.rstrip(" ")
    quoted = (len(stripped) - len(stripped.rstrip("\\"))) % 2 == 1 and len(stripped) < len(line)
    return stripped + " " if quoted else stripped


def _compiled(patterns: list[Pattern], ignore_case: bool) -> re.Pattern[str] | None:
    if not patterns:
        return None
    branches = (f"({pattern.expression}{'/' if pattern.folders_only else '/?'})" for pattern in patterns)
    return re.compile(f"(?s:{'|'.join(branches)})\\Z", re.IGNORECASE if ignore_case else 0)
