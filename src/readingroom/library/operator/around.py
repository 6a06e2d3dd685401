"""What stands around a draft, as far as the folder tells it: whether its document would still be served."""

from pathlib import Path

from msgspec.structs import replace

from .. import walk
from ..drafts.standing import Standing
from ..drafts.warnings import Around
from ..ledger.model import Draft
from ..model import LeftOut
from ..rules import Rules


def left_out(known: Around, root: Path, rules: Rules, draft: Draft) -> Around:
    """What is known, and why the document would no longer be served at its path. Raises FolderUnusable."""
    if draft.kind == "delete" or known.left_out:
        return known
    path = draft.to or draft.path
    looked = walk.look(root, path, rules)
    if isinstance(looked, LeftOut):
        return replace(known, left_out=looked.reason)
    if looked is None and Standing(root, rules).is_left_out(path):
        return replace(known, left_out="the rules of the folder leave that path out")
    return known
