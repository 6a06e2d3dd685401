"""Names that are nearly others, for the operator: two documents told apart by case alone, one file under two names, and
patterns that miss by their case.

Pure: what a scan knows in, pairs of a path and a sentence out. None of them is a fault of the library; each is something
that its owner may not have meant.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from readingroom.library.census import Seen
from readingroom.library.model import LeftOut
from readingroom.library.patterns import PatternSet, listed
from readingroom.library.rules import Rules

Told: TypeAlias = tuple[str, str]

_ONLY_ONE = ": where the system does not tell case apart, only one of them can be kept"


def likenesses(files: Mapping[str, Seen], left_out: Sequence[LeftOut], rules: Rules) -> Iterator[Told]:
    """All of them: each with the path it is told of."""
    yield from _by_case([*files, *(item.path for item in left_out)])
    yield from _of_one_file(files)
    for source, patterns in (("--internal", rules.internal), (".readingroom.toml", rules.narrowed)):
        yield from _missed(files, patterns, f"{source} {{}} makes nothing internal")
    used = {
        item.reason.rpartition(": ")[2] for item in left_out if item.reason.startswith("ignored by the rules")
    }
    unused = [text for text in rules.leave_out if text not in used]
    yield from _missed(files, unused, "--leave-out {} leaves nothing out")


def _by_case(paths: Sequence[str]) -> Iterator[Told]:
    """What is left out is among them: it is in the way of a document all the same."""
    firsts: dict[str, str] = {}
    for path in sorted(set(paths)):
        first = firsts.setdefault(path.casefold(), path)
        if first != path:
            yield path, f"its name is that of {first} but for case{_ONLY_ONE}"


def _of_one_file(files: Mapping[str, Seen]) -> Iterator[Told]:
    """Hard links, as far as a scan can tell: with one number, one time of the last change and the same bytes."""
    firsts: dict[tuple[int, int, str], str] = {}
    for path, seen in sorted(files.items()):
        state = seen.state
        if not state.inode or not seen.revision:
            continue
        first = firsts.setdefault((state.inode, state.changed_ns, seen.revision), path)
        if first != path:
            yield path, f"it is the same file as {first} (a hard link){_unlike(files[first], seen)}"


def _unlike(first: Seen, other: Seen) -> str:
    """What to say when one of the names is internal and the other is not."""
    if {first.verdict, other.verdict} != {"public", "internal"}:
        return ""
    return ": public here, internal there" if other.verdict == "public" else ": internal here, public there"


def _missed(files: Mapping[str, Seen], patterns: Sequence[str], sentence: str) -> Iterator[Told]:
    """Of each pattern that matches nothing, but would if case did not count: the first document it would match."""
    for text in patterns:
        if text.startswith("!") or _first(files, text, ignore_case=False):
            continue
        if nearest := _first(files, text, ignore_case=True):
            yield nearest, f"{sentence.format(text)}: it would match this, but case counts"


def _first(files: Mapping[str, Seen], text: str, *, ignore_case: bool) -> str:
    """The first path that the pattern matches, by itself or by a folder that holds it; "" when there is none."""
    patterns = PatternSet(listed((text,)), ignore_case=ignore_case)
    steps: dict[str, bool] = {}
    for path in sorted(files):
        ends = [at + 1 for at, character in enumerate(path) if character == "/"]
        for step in (*(path[:end] for end in ends), path):
            if step not in steps:
                steps[step] = patterns.last_match(step) is not None
            if steps[step]:
                return path
    return ""
