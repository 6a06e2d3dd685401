"""Folders that wait for no disk, on systems with and without what a change is made by."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library.operator import folder, moving
from support.changed_folders import SYSTEMS
from support.publishing import in_memory


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """A folder that waits for no disk."""
    with in_memory(tmp_path) as place:
        yield place


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A system as it is, one without the two moves in one step, without links, and one that opens no folders."""
    if request.param != "whole":
        monkeypatch.setattr(moving, "_call", lambda: None)
    if request.param == "without steps":
        monkeypatch.setattr(folder, "_STEPWISE", False)
    if request.param == "without links":
        monkeypatch.setattr(os, "link", _no_link)
    return str(request.param)


def _no_link(*_args: object, **_kwargs: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))
