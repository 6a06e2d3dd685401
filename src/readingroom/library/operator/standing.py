"""How a change and the folder stand to each other now: whether the file is the one that was meant, and the place free.

Looks at files and changes nothing.
"""

from pathlib import Path

from ..address import is_segment
from ..digest import digest_of
from ..ledger.model import Draft
from ..opening import NotReadable
from ..rules import MAX_FILE_BYTES, Rules, format_of
from .outcomes import Refused
from .spots import spot


def content_at(root: Path, rules: Rules, path: str) -> bytes | None:
    """The bytes of the file at `path`; None when there is none.

    Raises Refused when something else stands there or on the way, or the file is over the cap; OSError.
    """
    limit = max(rules.max_file_bytes, MAX_FILE_BYTES)
    try:
        with spot(root, path) as here:
            content = here.folder.read(here.name, limit + 1)
    except FileNotFoundError:
        return None
    except NotReadable as error:
        raise Refused("base_changed", f"{path} is {error}.") from None
    if len(content) > limit:
        raise Refused("base_changed", f"{path} has grown over the cap of {limit:,} bytes.")
    return content


def revision_at(root: Path, rules: Rules, path: str) -> str | None:
    """The revision of the file at `path`; None when there is none. Raises as `content_at` does."""
    content = content_at(root, rules, path)
    return None if content is None else digest_of(content)


def check_path(path: str) -> None:
    """Raise Refused unless a document may stand at `path`: no part hidden, of a served format, no way out of the root."""
    parts = path.split("/")
    if not all(is_segment(part) and not part.startswith(".") for part in parts):
        raise Refused("path_not_served", f"{path} is hidden, or no path of a document.")
    if format_of(parts[-1]) is None:
        raise Refused("path_not_served", f"{path} is of no served format.")


def check_free(root: Path, path: str) -> None:
    """Raise Refused when something stands at `path`, or no document may; OSError."""
    check_path(path)
    try:
        with spot(root, path) as here:
            if here.folder.status(here.name) is not None:
                raise Refused.exists(path)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise Refused("path_not_served", f"A folder above {path} is a link, or no folder.") from None


def check(root: Path, rules: Rules, path: str, to: str, before: str | None) -> bytes | None:
    """The bytes at `path`, when they are those of the revision `before` and the new path is free.

    Raises Refused; OSError.
    """
    if before is None:
        check_free(root, path)
        return None
    check_path(path)
    content = content_at(root, rules, path)
    if content is None or digest_of(content) != before:
        raise Refused.changed(path)
    if to:
        check_free(root, to)
    return content


def reasons_against(root: Path, rules: Rules, draft: Draft) -> tuple[str, ...]:
    """Why the draft could not be published as the folder is now, in sentences; none when it could."""
    try:
        check(root, rules, draft.path, draft.to, draft.base)
    except Refused as refused:
        return (str(refused),)
    except OSError as error:
        return (f"{draft.path} cannot be looked at: {error.strerror or type(error).__name__}.",)
    return ()
