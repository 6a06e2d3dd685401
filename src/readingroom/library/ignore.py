"""What ignore files and settings leave out or make internal: patterns put together over the folders of a path.

`.gitignore` and `.readingroomignore` count in every folder from the root down; `.git/info/exclude`, git's global
excludes and ignore files above the root are not read. `leave_out` of `.readingroom.toml` counts at the root alone. Of one
kind of file the deeper one wins over the one above it and the later line over the earlier, as in git; an entry is left out
if any kind, or the rules, say so, so that none can bring back what another hides. Whoever walks drops an ignored folder, and
nothing below can be brought back.
"""

import functools
import os
import stat

import msgspec

from readingroom.library import narrowing
from readingroom.library.errors import NotFound
from readingroom.library.opening import NotReadable, content
from readingroom.library.patterns import PatternSet, listed, read
from readingroom.library.rules import Rules

_LINES = (".gitignore", ".readingroomignore")
FILES = (*_LINES, narrowing.FILE)
MAX_IGNORE_BYTES = 64 * 1024  # a few thousand patterns: more is compiled for longer than a walk may take


class _Level(msgspec.Struct, frozen=True):
    """The patterns that one folder adds: `base` is its path with a slash at its end, "" for the root.

    `unit` is what the patterns of its source are counted by.
    """

    base: str
    source: str
    patterns: PatternSet
    unit: str = "line"


class Cascade(msgspec.Struct, frozen=True):
    """All patterns that hold in one folder: for each kind of source its levels, the innermost first."""

    families: tuple[tuple[_Level, ...], ...]

    def verdict(self, path: str) -> str | None:
        """Why the entry at `path` is ignored, or None. The path of a folder ends with a slash.

        No folder above it is ignored; that is the walker's duty.
        """
        for family in self.families:
            for level in family:
                pattern = level.patterns.last_match(path[len(level.base) :])
                if pattern is None:
                    continue
                if not pattern.negated:
                    return f"ignored by {level.source}, {level.unit} {pattern.line}: {_brief(pattern.text)}"
                break
        return None

    def within(self, root: str, folder: bytes, base: str, names: tuple[str, ...]) -> "Cascade":
        """The patterns that hold inside a folder with the ignore files `names`.

        `folder` is its own name relative to `root`, `base` its path as text, both with a slash at the end unless
        empty. Raises NotReadable for an ignore file that is there and cannot be read: what it hides is not known.
        """
        families = list(self.families)
        for number, name in enumerate(_LINES):
            text = _text(root, folder + name.encode(), name) if name in names else ""
            patterns = _compiled(text)
            if patterns:
                level = _Level(base, base + name, patterns)
                families[number] = (level, *families[number])
        if not base and narrowing.FILE in names:
            patterns = narrowing.narrowing_of(root).left_out
            if patterns:
                families[len(_LINES)] = (_Level("", narrowing.FILE, patterns, "pattern"),)
        return Cascade(tuple(families))


def start(rules: Rules) -> Cascade:
    """What holds before any folder is entered: the patterns of the rules."""
    own = _of_setting(rules.leave_out)
    return Cascade(((), (), (), (_Level("", "the rules", own),) if own else ()))


def present(folder: str) -> tuple[str, ...]:
    """Which ignore files stand in a folder that is not listed anyway; a folder of that name is none."""
    return tuple(name for name in FILES if _stands(os.path.join(folder, name)))  # noqa: PTH118  -- text all the way


def is_internal(path: str, rules: Rules) -> bool:
    """Whether the rules make the document at `path` internal, by itself or by a folder that holds it."""
    return internal_by(path, rules) is not None


def internal_by(path: str, rules: Rules) -> str | None:
    """The pattern of the rules that makes the document at `path` internal; None when none does."""
    for texts in (rules.internal, rules.narrowed):
        if texts and (pattern := narrowing.matching(path, texts)) is not None:
            return pattern
    return None


def _stands(path: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False


def _brief(text: str) -> str:
    shown = text if text.isprintable() else ascii(text)
    return shown if len(shown) <= 100 else shown[:100] + "…"


def _text(root: str, file: bytes, name: str) -> str:
    try:
        data = content(root, file, MAX_IGNORE_BYTES)
    except NotReadable as error:
        raise NotReadable(f"what its {name} hides is not known ({error})") from None
    except NotFound:
        return ""
    if b"\0" in data:
        raise NotReadable(f"what its {name} hides is not known (no text in UTF-8)")
    return data.decode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=128)
def _compiled(text: str) -> PatternSet:
    return PatternSet(read(text))


@functools.lru_cache(maxsize=16)
def _of_setting(texts: tuple[str, ...]) -> PatternSet:
    return PatternSet(listed(texts))
