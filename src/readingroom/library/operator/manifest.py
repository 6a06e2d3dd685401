"""The manifest of a folder: every file that an editor is served, with its revision, as they are now."""

from pathlib import Path

from .. import walk
from ..digest import digest_of
from ..errors import NotFound
from ..model import Found
from ..rules import Rules


def manifest_of(root: Path, rules: Rules) -> dict[str, str]:
    """Path → revision of every file of a served format that is not left out, text or not.

    What goes away or cannot be read meanwhile is not in it. Raises FolderUnusable.
    """
    found: dict[str, str] = {}
    for item in walk.walk(root, rules):
        if isinstance(item, Found):
            try:
                found[item.path] = digest_of(walk.read(root, item, rules.max_file_bytes))
            except NotFound:
                continue
    return found


def why_missing(root: Path, rules: Rules, path: str) -> str:
    """Why a path is not in the manifest, in a few words."""
    looked = walk.look(root, path, rules)
    if looked is None:
        return "nothing stands at that path"
    if isinstance(looked, Found):
        return "it cannot be read"
    return f"it is not served any more ({looked.reason})"
