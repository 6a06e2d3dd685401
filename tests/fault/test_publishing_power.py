"""A change of the folder when power is lost: whatever of names and bytes is left, it can be taken back, or is all there.

The ledger syncs every commit, so it says at each moment whether the change was decided. That the tests can fail is shown by
disks that ignore a sync of files, or of folders.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.library.operator import moving
from readingroom.library.operator.changing import Change, carry_out, hidden_name
from readingroom.library.operator.spots import deepest
from readingroom.library.operator.taking_back import clear_up, take_back
from support.losing import LosingFolder
from support.publishing import in_memory

OLD, NEW = b"# Old\n", b"# New\n\nand more\n"
CHANGES: dict[str, dict[str, Any]] = {
    "create": {"step": "create", "path": "x/new.md", "before": None, "after": NEW},
    "create deep": {"step": "create", "path": "x/y/z/new.md", "before": None, "after": NEW},
    "replace": {"step": "replace", "path": "x/a.md", "before": OLD, "after": NEW},
    "rename": {"step": "rename", "path": "x/a.md", "to": "b.md", "before": OLD, "after": OLD},
    "rename deep": {"step": "rename", "path": "x/a.md", "to": "x/y/z/b.md", "before": OLD, "after": OLD},
    "delete": {"step": "delete", "path": "x/a.md", "before": OLD, "after": None},
}

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="what a descriptor leads to is asked of Linux"
)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that waits for no disk."""
    with in_memory(tmp_path) as folder:
        yield folder


@pytest.fixture(params=["whole", "without exchange"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system with the moves in one step, and one without."""
    if request.param != "whole":
        monkeypatch.setattr(moving, "_call", lambda: None)


def tree(root: Path) -> dict[str, bytes | None]:
    """Every name with its bytes; None for a folder."""
    return {
        entry.relative_to(root).as_posix(): entry.read_bytes() if entry.is_file() else None
        for entry in sorted(root.rglob("*"))
    }


def prepared(root: Path, way: str) -> Change:
    """A folder and a change of it."""
    (root / "x").mkdir(parents=True)
    (root / "x" / "a.md").write_bytes(OLD)
    change = {"to": "", **CHANGES[way]}
    temporary = hidden_name(deepest(root, change["to"] or change["path"]), "d-1")
    return Change(temporary=temporary, **change)


def violations(place: Path, folder: LosingFolder, change: Change, before: Any, after: Any) -> list[str]:
    """Each loss that leaves the folder neither as before nor as after, as the ledger would have it."""
    found = []
    for number, (phase, names, synced) in enumerate(folder.images):
        root = place / f"left-{number}"
        folder.materialise(names, synced, root)
        settled = {"begun": take_back, "decided": clear_up}.get(phase, lambda *_: ())
        told = settled(root, change)
        wanted = after if phase in ("decided", "ended") else before
        if tree(root) != wanted or told:
            found.append(f"{phase}, {number}: {tree(root)} {told}")
    return found


def carried_out(place: Path, way: str, **syncs: bool) -> list[str]:
    """The change, decided and ended; what losses on the way leave that is wrong."""
    root = place / "root"
    change = prepared(root, way)
    before = tree(root)
    folder = LosingFolder(root, **syncs)
    with folder.watched("begun"):
        carry_out(root, change)
    with folder.watched("decided"):
        clear_up(root, change)
    after = tree(root)
    with folder.watched("ended"):
        pass
    assert len(folder.images) > 5
    return violations(place, folder, change, before, after)


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("way", CHANGES)
def test_whatever_a_loss_of_power_leaves_folder_and_ledger_agree(place: Path, way: str) -> None:
    """Before the decision it is taken back; after it, the change is there, whole."""
    assert carried_out(place, way) == []


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("way", CHANGES)
def test_what_was_taken_back_stays_so(place: Path, way: str) -> None:
    """Once the ledger says that nothing is under way any more, no loss brings anything of it back."""
    root = place / "root"
    change = prepared(root, way)
    before = tree(root)
    carry_out(root, change)
    folder = LosingFolder(root)
    with folder.watched("begun"):
        take_back(root, change)
    with folder.watched("taken back"):
        pass
    assert violations(place, folder, change, before, None) == []


@pytest.mark.parametrize(("way", "syncs"), [("replace", "files_sync"), ("create", "files_sync")])
def test_a_disk_that_ignores_a_sync_of_files_is_found_out(place: Path, way: str, syncs: str) -> None:
    """The new file would be empty."""
    assert carried_out(place, way, **{syncs: False}) != []


@pytest.mark.parametrize("way", CHANGES)
def test_a_disk_that_ignores_a_sync_of_folders_is_found_out(place: Path, way: str) -> None:
    """The decision would be there, and the change not."""
    assert carried_out(place, way, folders_sync=False) != []
