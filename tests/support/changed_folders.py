"""Folders with a change to be made in them, and others who write there meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest

from readingroom.library.operator import moving
from readingroom.library.operator.changing import Change, hidden_name
from readingroom.library.operator.spots import deepest

OLD, NEW, OTHER = b"# Old\n\nold words\n", b"# New\n\nnew words, and more\n", b"somebody else's\n"
WAYS = ("create", "create deep", "replace", "rename", "rename deep", "delete")
SYSTEMS = ("whole", "without exchange", "without links", "without steps")


def prepared(root: Path, way: str) -> Change:
    """A folder and a change of it."""
    (root / "ä").mkdir(parents=True)
    (root / "other.md").write_bytes(OTHER)
    if not way.startswith("create"):
        (root / "ä" / "a.md").write_bytes(OLD)
        (root / "ä" / "a.md").chmod(0o640)
    path = "ä/x/y/a.md" if way == "create deep" else "ä/a.md"
    to = {"rename": "b.md", "rename deep": "ä/x/y/b.md"}.get(way, "")
    step, before, after = {
        "create": ("create", None, NEW),
        "replace": ("replace", OLD, NEW),
        "rename": ("rename", OLD, OLD),
        "delete": ("delete", OLD, None),
    }[way.split()[0]]
    temporary = hidden_name(deepest(root, to or path), "d-1")
    return Change(step=step, path=path, to=to, before=before, after=after, temporary=temporary)  # type: ignore[arg-type]  # a word of the table above


def tree(root: Path) -> dict[str, bytes | None]:
    """Every name beneath, with its bytes; None for a folder."""
    return {
        str(entry.relative_to(root)): entry.read_bytes() if entry.is_file() else None
        for entry in sorted(root.rglob("*"))
    }


def expected(before: dict[str, bytes | None], change: Change) -> dict[str, bytes | None]:
    """The tree when the change is done."""
    after = dict(before)
    if change.before is not None:
        del after[change.path]
    if change.after is not None:
        after[change.target] = change.after
        for folder in Path(change.target).parents:
            if str(folder) != ".":
                after[str(folder)] = None
    return after


def meanwhile(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object]) -> None:
    """Let `act` happen right before the first move of this name."""
    kept = getattr(moving, name)
    done = []

    def moved(*args: object) -> object:
        if not done:
            done.append(True)
            act()
        return kept(*args)

    monkeypatch.setattr(moving, name, moved)


def by_renaming(file: Path) -> None:
    """Write as careful programs do."""
    file.with_name(".new").write_bytes(OTHER)
    file.with_name(".new").replace(file)


def in_place(file: Path) -> None:
    """Write as others do."""
    file.write_bytes(OTHER)
