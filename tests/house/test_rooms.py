"""What the rooms offer: every name that a room's `__init__` gives out is there, once, and said to be given out."""

import importlib
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "readingroom"
ROOMS = sorted(
    ".".join(("readingroom", *init.parent.relative_to(SOURCE).parts))
    for init in SOURCE.rglob("__init__.py")
    if init.parent != SOURCE
)
OFFERING = [room for room in ROOMS if hasattr(importlib.import_module(room), "__all__")]


@pytest.mark.parametrize("room", OFFERING)
def test_every_name_that_a_room_offers_is_there(room: str) -> None:
    """Sorted, and none twice."""
    module = importlib.import_module(room)
    names: list[str] = list(module.__all__)
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(module, name, None) is not None, f"{room} has no {name}"
