"""What `.readingroom.toml` in the served folder says: it may leave out more and make more internal, and nothing else.

Whoever can write the folder can write it, so nothing in it can show what is hidden otherwise: its patterns are lists of
their own, and what they take back they take back from themselves. One that cannot be understood might have hidden
anything, and so nothing of the folder is served until it is mended. What is said of it holds no pattern.
"""

import functools
import os

import msgspec

from readingroom.library.errors import BadQuery, FolderUnusable, NotFound
from readingroom.library.model import Visibility
from readingroom.library.opening import NotReadable, content
from readingroom.library.patterns import PatternSet, check, listed
from readingroom.library.rules import Rules

FILE = ".readingroom.toml"
MAX_BYTES = 64 * 1024
KEYS = ("internal", "leave_out")

_REFUSED = (
    f"The folder of this library cannot be served now: its {FILE} cannot be understood, and what it hides is not known. Its "
    "owner finds out why with `readingroom config check`."
)


class Narrowing(msgspec.Struct, frozen=True):
    """The patterns, as they are written."""

    internal: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()

    @property
    def left_out(self) -> PatternSet:
        """What leaves entries out, to be asked at every step of a path."""
        return _set(self.leave_out)

    def internal_by(self, path: str) -> str | None:
        """The pattern that makes the document at `path` internal, by itself or by a folder that holds it, or None."""
        return matching(path, self.internal)

    def over(self, path: str, visibility: Visibility) -> Visibility:
        """The visibility of the document at `path`: the stricter one."""
        return "internal" if self.internal and self.internal_by(path) is not None else visibility


NOTHING = Narrowing()


def narrowing_of(root: str) -> Narrowing:
    """What the file in `root` says now. Raises NotReadable when it is there and cannot be read or understood."""
    try:
        data = content(root, FILE.encode(), MAX_BYTES)
    except NotFound as error:
        if not isinstance(error, NotReadable):
            return NOTHING
        raise NotReadable(f"what its {FILE} hides is not known ({error})") from None
    try:
        return decoded(data)
    except BadQuery as error:
        raise NotReadable(f"what its {FILE} hides is not known ({error})") from None


class Narrowings:
    """The narrowing of one folder, read again when its file has changed. May be used from any thread."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._file = os.path.join(root, FILE)  # noqa: PTH118  -- text all the way: this is called often
        self._known: tuple[tuple[int, ...] | None, Narrowing | None] = (None, NOTHING)

    def now(self) -> Narrowing:
        """What holds now. Raises FolderUnusable, with a sentence for whoever asked, while it cannot be understood."""
        state = self._state()
        known, narrowing = self._known
        if state != known:
            try:
                narrowing = narrowing_of(self._root)
            except NotReadable:
                narrowing = None
            self._known = (state, narrowing)
        if narrowing is None:
            raise FolderUnusable(_REFUSED)
        return narrowing

    def _state(self) -> tuple[int, ...] | None:
        try:
            found = os.lstat(self._file)
        except FileNotFoundError:
            return None
        except OSError:
            return ()
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def narrowed(root: str, rules: Rules) -> Rules:
    """The rules together with what the folder itself makes internal now; to judge documents, never to name an index.

    Raises FolderUnusable while that cannot be understood.
    """
    return msgspec.structs.replace(rules, narrowed=Narrowings(root).now().internal)


@functools.lru_cache(maxsize=16)
def decoded(data: bytes) -> Narrowing:
    """What the bytes say. Raises BadQuery with the first thing that is wrong, and its line where that can be told."""
    from readingroom.library.strict_toml import Broken

    if not data.strip():
        raise BadQuery("it is empty, as one that is just being written: remove it, or write patterns into it")
    try:
        return _read(data)
    except Broken as error:
        raise BadQuery(str(error.fault)) from None


def matching(path: str, texts: tuple[str, ...]) -> str | None:
    """The pattern of a setting that matches the document at `path` or a folder that holds it, the outermost first."""
    patterns = _set(texts)
    steps = [at + 1 for at, character in enumerate(path) if character == "/"]
    for step in (*steps, len(path)):
        pattern = patterns.last_match(path[:step])
        if pattern is not None and not pattern.negated:
            return pattern.text
    return None


def _read(data: bytes) -> Narrowing:
    """Decode the bytes. Raises Broken."""
    from readingroom.library.strict_toml import Broken, Fault, parsed, unknown_key

    document = parsed(data)
    for key, value in document.values.items():
        fault = _fault(value) if key in KEYS else unknown_key(key, KEYS)
        if fault:
            said = (
                f"{key} {fault}"
                if key in KEYS
                else f"{fault}: a folder may only leave out more or make more internal"
            )
            raise Broken(Fault(said, document.line((key,))))
    return Narrowing(**{key: tuple(value) for key, value in document.values.items()})


def _fault(value: object) -> str:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return "must be an array of patterns"
    for number, item in enumerate(value, 1):
        try:
            check(item)
        except BadQuery:
            return f"has a pattern that can match no path, number {number}"
    return ""


@functools.lru_cache(maxsize=16)
def _set(texts: tuple[str, ...]) -> PatternSet:
    return PatternSet(listed(texts))
