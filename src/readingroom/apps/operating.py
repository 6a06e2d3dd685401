"""What every command of the operator begins with: the door to the folder, and an end to what was interrupted."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .compose import open_library
from .revealing import revealed
from .settings import Settings

if TYPE_CHECKING:
    from ..library import Library
    from ..library.drafts.warnings import Around
    from ..library.ledger import Draft, Ledger
    from ..library.operator import Operator
    from .git_publications import GitPublications
    from .terminal import Terminal


class Operating(msgspec.Struct, frozen=True):
    """The operator's door to a folder, and the ledger behind it; `name` is the login name, for information."""

    operator: "Operator"
    ledger: "Ledger"
    name: str


@contextmanager
def operating(settings: Settings, err: "Terminal") -> Iterator[Operating]:
    """Open the door, end what an earlier command left, and say so.

    Raises: FolderUnusable, BadQuery; LedgerUnusable, LedgerBusy, LedgerFull.
    """
    from ..library.narrowing import narrowed
    from ..library.operator import Operator

    real_root(settings)
    with open_library(settings, ("editor",)) as library:
        operator = Operator(
            library.root,
            narrowed(str(library.root), library.rules),
            library.ledger,
            operator=login_name(),
            around=lambda draft: _around(library, draft),
        )
        for sentence in operator.recover():
            err.line(revealed(sentence))
        yield Operating(operator, library.ledger, login_name())


def _around(library: "Library", draft: "Draft") -> "Around":
    """Give what the index that an editor's server keeps tells of other documents; it is neither made nor brought up to date
    here."""
    from ..library import Principal
    from ..library.drafts.surroundings import around

    return around(library.view(Principal("operator", "editor")), draft)


def git_of(settings: Settings, opened: Operating, *, wanted: bool) -> "GitPublications | None":
    """The hook to git where it is wanted. Raises: GitUnusable."""
    if not wanted:
        return None
    from .git_publications import GitPublications

    return GitPublications.open(real_root(settings), opened.ledger)


def real_root(settings: Settings) -> Path:
    """The folder itself. Raises: FolderUnusable."""
    from ..library import FolderUnusable

    root = Path(settings.folder)
    if not root.is_dir():
        raise FolderUnusable(f"There is no folder {settings.folder}.")
    return root.resolve()


def login_name() -> str:
    """Who is logged in, by the system's word and not the environment's, which anybody may set; "" where it has none."""
    if os.name == "nt":
        return os.environ.get("USERNAME", "")
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""
