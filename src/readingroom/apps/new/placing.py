"""Puts the files of a new project into a folder: all of them or none, and never over anything that is there.

They are written beside it first, under a name of chance, and then renamed.
"""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..faults import UsageFault


def place(files: Mapping[str, str], folder: Path) -> None:
    """Write the files into a folder that is new or empty.

    Raises: UsageFault where something stands there already, or the folder to make it in is missing; OSError where writing
    fails, and then nothing is left behind.
    """
    folder = folder.absolute()
    if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
        raise UsageFault(f"{folder} is there already, and is no empty folder; nothing is overwritten")
    if not folder.parent.is_dir():
        raise UsageFault(f"there is no folder {folder.parent} to make {folder.name} in")
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as beside:
        made = Path(beside) / folder.name
        for path, text in files.items():
            file = made / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        _move(made, folder)


def _move(made: Path, folder: Path) -> None:
    """Rename the whole, or its parts into a folder that is there: whoever stands in it stays in it."""
    if not folder.exists():
        made.rename(folder)
        return
    moved: list[Path] = []
    try:
        for entry in sorted(made.iterdir()):
            moved.append(entry.rename(folder / entry.name))  # noqa: PERF401  -- what was moved before a fault counts
    except OSError:
        for entry in moved:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        raise
